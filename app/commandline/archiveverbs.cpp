#include "app/commandline/named.h"
#include "app/commandline/verbs.h"
#include "app/commandline/words.h"

#include <QJsonObject>

namespace commandline {

namespace {

QString sentence(bool restore, qint64 changed)
{
    if (changed == 0) {
        return restore ? Words::tr("Nothing to restore: none of these messages is archived.")
                       : Words::tr("Nothing to archive: none of these messages is unresolved.");
    }
    return (restore ? Words::tr("Restored %1.") : Words::tr("Archived %1.")).arg(Words::messages(changed));
}

core::Task<int> change(Context &context, bool restore)
{
    const Arguments &given = context.arguments;
    const core::Result<QList<core::GroupId>> groups = given.ids<core::GroupId>(QStringLiteral("group"));
    const core::Result<QList<core::MessageId>> messages = given.ids<core::MessageId>(QStringLiteral("message"));
    if (!groups || !messages)
        co_return context.misuse((groups ? messages.error() : groups.error()).message);
    if (groups->isEmpty() == messages->isEmpty())
        co_return context.misuse(Words::tr("Say which messages: either --group or --message."));
    const core::Result<api::ConnectionView> connection = co_await context.theConnection();
    if (!connection)
        co_return context.fail(connection.error());
    api::ArchiveCommand command;
    command.filter.connection = connection->connection.id;
    command.filter.groups = *groups;
    command.filter.messages = *messages;
    command.filter.status = restore ? records::MessageStatus::Archived : records::MessageStatus::Unresolved;
    const core::Result<> named = co_await checkNamed(context, command.filter);
    if (!named)
        co_return context.fail(named.error());
    command.restore = restore;
    command.who = context.who;
    const core::Result<api::ArchiveCounts> counts = co_await context.ask(context.client.archive(command));
    if (!counts)
        co_return context.fail(counts.error());
    if (context.out.json()) {
        context.out.document(
            QJsonObject{{restore ? QStringLiteral("restored") : QStringLiteral("archived"), counts->changed},
                        {QStringLiteral("looked_at_left_out"), counts->lookedAt}});
    }
    context.out.line(sentence(restore, counts->changed));
    if (counts->lookedAt > 0)
        context.out.line(Words::tr("%1 only looked at, left as they are: %2.")
                             .arg(QString::number(counts->lookedAt), counts->lookedAtReason));
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> archiveVerb(Context &context)
{
    const int code = co_await change(context, false);
    co_return code;
}

core::Task<int> restoreVerb(Context &context)
{
    const int code = co_await change(context, true);
    co_return code;
}

} // namespace commandline
