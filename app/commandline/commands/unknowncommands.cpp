#include "app/commandline/arguments/named.h"
#include "app/commandline/arguments/selectionoptions.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/text.h"
#include "app/commandline/workline.h"
#include "backend/api/requests/decisions.h"

#include <QJsonObject>

namespace commandline {

namespace {

using api::Decision;

std::optional<Decision> decisionFrom(const QString &word)
{
    if (word == QLatin1String("still-there"))
        return Decision::TakeBack;
    if (word == QLatin1String("resolved"))
        return Decision::Resolve;
    if (word == QLatin1String("archived"))
        return Decision::Archive;
    return std::nullopt;
}

QString decided(Decision decision)
{
    if (decision == Decision::TakeBack)
        return Text::tr("Unresolved again: %1. Messages sent since the backup will be sent twice if retried.");
    return decision == Decision::Resolve ? Text::tr("Resolved %1 by hand.") : Text::tr("Archived %1.");
}

} // namespace

core::Task<int> decideCommand(Context &context)
{
    const QString word = context.arguments.first();
    const std::optional<Decision> decision = decisionFrom(word);
    if (!decision)
        co_return context.misuse(
            Text::tr("decide needs the word still-there, resolved or archived, not '%1'.").arg(word));
    core::Result<records::MessageFilter> filter = selectedMessages(context.arguments, QStringLiteral("decide"));
    if (!filter)
        co_return context.misuse(filter.error().message);
    const core::Result<qint64> seen = seenChange(context.arguments, *filter);
    if (!seen)
        co_return context.misuse(seen.error().message);
    const core::Result<api::ConnectionView> connection = co_await context.theConnection();
    if (!connection)
        co_return context.fail(connection.error());
    filter->status = records::MessageStatus::Unknown;
    filter->connection = connection->connection.id;
    const core::Result<> named = co_await checkNamed(context, *filter);
    if (!named)
        co_return context.fail(named.error());
    const api::DecideMessages command{*filter, *decision, *seen};
    const core::Result<api::DecisionCounts> counts = co_await askLong(context, command, Text::tr("Deciding"));
    if (!counts)
        co_return context.fail(counts.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("decided"), word},
                                         {QStringLiteral("messages"), counts->changed},
                                         {QStringLiteral("conflicts"), counts->conflicts}});
    else if (counts->changed == 0)
        context.out.line(Text::tr("Nothing to decide: none of these messages has an unknown state."));
    else
        context.out.line(decided(*decision).arg(Text::messages(counts->changed)));
    if (counts->conflicts > 0)
        context.out.error(counts->conflict);
    co_return int(counts->conflicts > 0 ? ExitCode::DoneWithRest : ExitCode::Done);
}

} // namespace commandline
