#include "app/commandline/arguments/named.h"
#include "app/commandline/arguments/selectionoptions.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/text.h"
#include "app/commandline/workline.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/queries.h"
#include "backend/api/rights.h"

#include <QJsonObject>

namespace commandline {

namespace {

using api::Decision;

QString nothingDone(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return Text::tr("Nothing to archive: none of these messages is unresolved.");
    case Decision::Restore:
        return Text::tr("Nothing to restore: none of these messages is archived.");
    case Decision::TakeBack:
        return Text::tr("Nothing to take back: none of these messages is sent or in doubt.");
    case Decision::Resolve:
        return Text::tr("Nothing to resolve: none of these messages is sent or in doubt.");
    case Decision::Delete:
        return Text::tr("Nothing to delete: no message matches.");
    }
    Q_UNREACHABLE();
}

QString done(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return Text::tr("Archived %1.");
    case Decision::Restore:
        return Text::tr("Restored %1.");
    case Decision::TakeBack:
        return Text::tr("Took back %1: unresolved again. Messages processed meanwhile will be sent twice if retried.");
    case Decision::Resolve:
        return Text::tr("Resolved %1 by hand.");
    case Decision::Delete:
        return Text::tr("Deleted %1.");
    }
    Q_UNREACHABLE();
}

QString doing(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return Text::tr("Archiving");
    case Decision::Restore:
        return Text::tr("Restoring");
    case Decision::TakeBack:
        return Text::tr("Taking back");
    case Decision::Resolve:
        return Text::tr("Resolving");
    case Decision::Delete:
        return Text::tr("Deleting");
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
    case Decision::Delete:
        return QStringLiteral("deleted");
    }
    Q_UNREACHABLE();
}

void print(Context &context, Decision decision, const api::DecisionCounts &counts)
{
    const bool ofSent = decision != Decision::Archive && decision != Decision::Restore;
    if (context.out.json()) {
        QJsonObject document{
            {keyOf(decision), counts.changed},
            {ofSent ? QStringLiteral("under_way") : QStringLiteral("browsed_only_left_out"),
             ofSent ? counts.underWay : counts.browsedOnly},
            {QStringLiteral("conflicts"), counts.conflicts},
            {QStringLiteral("change"), counts.change},
        };
        if (decision == Decision::TakeBack)
            document.insert(QStringLiteral("held_by_broker"), counts.atBroker);
        context.out.document(document);
    }
    if (counts.changed > 0)
        context.out.line(done(decision).arg(Text::messages(counts.changed)));
    else if (counts.underWay == 0)
        context.out.line(nothingDone(decision));
    if (counts.isCancelled)
        context.out.line(Text::tr("Then it was cancelled: the rest is unchanged."));
    if (counts.atBroker > 0)
        context.out.line(
            Text::tr("Held by the broker, which delivers them later all the same: %1. A retry sends a second "
                     "copy of each.")
                .arg(Text::messages(counts.atBroker)));
    if (counts.browsedOnly > 0)
        context.out.line(Text::tr("Not changed, browsed only: %1 (%2).")
                             .arg(Text::messages(counts.browsedOnly), counts.browsedOnlyReason));
    if (counts.underWay > 0 && decision == Decision::Delete)
        context.out.line(
            Text::tr("Not deleted, because their operation has not ended: %1.").arg(Text::messages(counts.underWay)));
    else if (counts.underWay > 0)
        context.out.line(
            Text::tr(
                "Still being sent, not changed: %1. Cancel their operation to stop messages that are not sent yet.")
                .arg(Text::messages(counts.underWay)));
}

// The filter, limited to the chosen connection. NotFound when a message, group or queue that it names does not exist.
core::Task<core::Result<records::MessageFilter>> located(Context &context, records::MessageFilter filter)
{
    CO_TRY(const api::ConnectionView connection, co_await context.theConnection());
    filter.connection = connection.connection.id;
    CO_TRY(co_await checkNamed(context, filter));
    co_return core::Result<records::MessageFilter>(filter);
}

core::Task<int> carryOut(Context &context, Decision decision, records::MessageFilter filter, qint64 asOfChange)
{
    const api::DecideMessages command{filter, decision, asOfChange};
    qint64 seen = 0;
    const core::Result<api::DecisionCounts> counts = co_await askLong(context, command, doing(decision), &seen);
    if (!counts && counts.error().kind == core::ErrorKind::Cancelled && seen > 0)
        context.out.aside(Text::tr("About %1 changed before this. They stay as they are now; redrive events has the "
                                   "exact count.")
                              .arg(Text::messages(seen)));
    if (!counts)
        co_return context.fail(counts.error());
    print(context, decision, *counts);
    if (counts->conflicts > 0)
        context.out.error(counts->conflict);
    co_return int(counts->conflicts > 0 ? ExitCode::DoneWithRest : ExitCode::Done);
}

core::Task<int> decide(Context &context, Decision decision, records::MessageFilter filter)
{
    const core::Result<qint64> seen = seenChange(context.arguments, filter);
    if (!seen)
        co_return context.misuse(seen.error().message);
    const core::Result<records::MessageFilter> found = co_await located(context, filter);
    if (!found)
        co_return context.fail(found.error());
    const int code = co_await carryOut(context, decision, *found, *seen);
    co_return code;
}

// Deletion is permanent, so every environment needs the exact number.
core::Result<> checkDeletion(qint64 count, std::optional<qint64> confirmed)
{
    if (count == 0 || confirmed == count)
        return {};
    return core::fail(
        core::ErrorKind::Refused,
        Text::tr(
            "%1 would be deleted permanently, with bodies and history. If that is right, repeat with --confirm %2.")
            .arg(Text::messages(count), QString::number(count)));
}

core::Task<int> decideOnSet(Context &context, Decision decision, QString verb)
{
    const core::Result<records::MessageFilter> filter = selectedMessages(context.arguments, verb);
    if (!filter)
        co_return context.misuse(filter.error().message);
    const int code = co_await decide(context, decision, *filter);
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

core::Task<int> archiveCommand(Context &context)
{
    const int code = co_await decideOnSet(context, Decision::Archive, QStringLiteral("archive"));
    co_return code;
}

core::Task<int> restoreCommand(Context &context)
{
    const int code = co_await decideOnSet(context, Decision::Restore, QStringLiteral("restore"));
    co_return code;
}

core::Task<int> deleteCommand(Context &context)
{
    const Arguments &given = context.arguments;
    const std::optional<records::MessageStatus> status = records::messageStatusFrom(given.first());
    if (status != records::MessageStatus::Archived && status != records::MessageStatus::Resolved)
        co_return context.misuse(Text::tr("delete needs the word archived or resolved, not '%1'.").arg(given.first()));
    core::Result<records::MessageFilter> chosen = selectedMessages(given, QStringLiteral("delete"));
    if (!chosen)
        co_return context.misuse(chosen.error().message);
    const core::Result<std::optional<qint64>> confirmed = given.number(QStringLiteral("confirm"), 0);
    if (!confirmed)
        co_return context.misuse(confirmed.error().message);
    const core::Result<qint64> seen = seenChange(given, *chosen);
    if (!seen)
        co_return context.misuse(seen.error().message);
    chosen->status = status;
    const core::Result<api::ConnectionView> connection = co_await context.theConnection();
    const core::Result<> allowed =
        connection ? api::checkRights(connection->connection, records::Right::Delete) : core::fail(connection.error());
    if (!allowed) // before anything is counted
        co_return context.fail(allowed.error());
    const core::Result<records::MessageFilter> found = co_await located(context, *chosen);
    if (!found)
        co_return context.fail(found.error());
    api::MessageQuery query;
    query.filter = *found;
    const api::MessageIdQuery ids{query};
    const core::Result<api::MessageIds> list = co_await context.ask(ids);
    if (!list)
        co_return context.fail(list.error());
    const core::Result<> agreed = checkDeletion(list->ids.size(), *confirmed);
    if (!agreed)
        co_return context.fail(agreed.error());
    records::MessageFilter exactly; // messages archived meanwhile are not part of the confirmed count
    exactly.connection = found->connection;
    exactly.status = status;
    exactly.messages = list->ids;
    if (exactly.messages.isEmpty()) {
        print(context, Decision::Delete, {});
        co_return int(ExitCode::Done);
    }
    const int code = co_await carryOut(context, Decision::Delete, exactly, *seen > 0 ? *seen : list->change);
    co_return code;
}

core::Task<int> takeBackCommand(Context &context)
{
    const int code = co_await decideOnMessages(context, Decision::TakeBack);
    co_return code;
}

core::Task<int> resolveCommand(Context &context)
{
    const int code = co_await decideOnMessages(context, Decision::Resolve);
    co_return code;
}

} // namespace commandline
