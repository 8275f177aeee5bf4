#include "app/commandline/named.h"
#include "app/commandline/verbs.h"
#include "app/commandline/words.h"

#include <QJsonObject>

namespace commandline {

namespace {

using api::Decision;

QString nothingDone(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return Words::tr("Nothing to archive: none of these messages is unresolved.");
    case Decision::Restore:
        return Words::tr("Nothing to restore: none of these messages is archived.");
    case Decision::TakeBack:
        return Words::tr("Nothing to take back: none of these messages was sent, or is in doubt.");
    case Decision::Resolve:
        return Words::tr("Nothing to resolve: none of these messages was sent, or is in doubt.");
    }
    Q_UNREACHABLE();
}

QString done(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return Words::tr("Archived %1.");
    case Decision::Restore:
        return Words::tr("Restored %1.");
    case Decision::TakeBack:
        return Words::tr("Took %1 back: unresolved again. What was processed meanwhile is doubled by the next retry.");
    case Decision::Resolve:
        return Words::tr("Resolved %1 by hand.");
    }
    Q_UNREACHABLE();
}

QString keyOf(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return QStringLiteral("archived");
    case Decision::Restore:
        return QStringLiteral("restored");
    case Decision::TakeBack:
        return QStringLiteral("taken_back");
    case Decision::Resolve:
        return QStringLiteral("resolved");
    }
    Q_UNREACHABLE();
}

void print(Context &context, Decision decision, const api::DecisionCounts &counts)
{
    const bool ofSent = decision == Decision::TakeBack || decision == Decision::Resolve;
    if (context.out.json()) {
        context.out.document(QJsonObject{
            {keyOf(decision), counts.changed},
            {ofSent ? QStringLiteral("under_way") : QStringLiteral("looked_at_left_out"),
             ofSent ? counts.underWay : counts.lookedAt},
        });
    }
    if (counts.changed > 0)
        context.out.line(done(decision).arg(Words::messages(counts.changed)));
    else if (counts.underWay == 0)
        context.out.line(nothingDone(decision));
    if (counts.lookedAt > 0)
        context.out.line(Words::tr("%1 only looked at, left as they are: %2.")
                             .arg(QString::number(counts.lookedAt), counts.lookedAtReason));
    if (counts.underWay > 0)
        context.out.line(
            Words::tr("%1 still on their way, left as they are: cancel their operation to stop what is not sent.")
                .arg(counts.underWay));
}

core::Task<int> decide(Context &context, Decision decision, records::MessageFilter filter)
{
    const core::Result<api::ConnectionView> connection = co_await context.theConnection();
    if (!connection)
        co_return context.fail(connection.error());
    filter.connection = connection->connection.id;
    const core::Result<> named = co_await checkNamed(context, filter);
    if (!named)
        co_return context.fail(named.error());
    const api::DecisionCommand command{filter, decision, context.who};
    const core::Result<api::DecisionCounts> counts = co_await context.ask(context.client.decide(command));
    if (!counts)
        co_return context.fail(counts.error());
    print(context, decision, *counts);
    co_return int(ExitCode::Done);
}

core::Task<int> decideOnSet(Context &context, Decision decision)
{
    const Arguments &given = context.arguments;
    const core::Result<QList<core::GroupId>> groups = given.ids<core::GroupId>(QStringLiteral("group"));
    const core::Result<QList<core::MessageId>> messages = given.ids<core::MessageId>(QStringLiteral("message"));
    if (!groups || !messages)
        co_return context.misuse((groups ? messages.error() : groups.error()).message);
    if (groups->isEmpty() == messages->isEmpty())
        co_return context.misuse(Words::tr("Say which messages: either --group or --message."));
    records::MessageFilter filter;
    filter.groups = *groups;
    filter.messages = *messages;
    const int code = co_await decide(context, decision, filter);
    co_return code;
}

core::Task<int> decideOnMessages(Context &context, Decision decision)
{
    records::MessageFilter filter;
    for (const QString &text : context.arguments.positional()) {
        const core::Result<qint64> id = Arguments::idFrom(text);
        if (!id)
            co_return context.misuse(id.error().message);
        filter.messages.append(core::MessageId{*id});
    }
    const int code = co_await decide(context, decision, filter);
    co_return code;
}

} // namespace

core::Task<int> archiveVerb(Context &context)
{
    const int code = co_await decideOnSet(context, Decision::Archive);
    co_return code;
}

core::Task<int> restoreVerb(Context &context)
{
    const int code = co_await decideOnSet(context, Decision::Restore);
    co_return code;
}

core::Task<int> takeBackVerb(Context &context)
{
    const int code = co_await decideOnMessages(context, Decision::TakeBack);
    co_return code;
}

core::Task<int> resolveVerb(Context &context)
{
    const int code = co_await decideOnMessages(context, Decision::Resolve);
    co_return code;
}

} // namespace commandline
