#include "app/commandline/operations.h"

#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/core/limits.h"
#include "backend/core/time/durationtext.h"
#include "backend/records/editing/editing.h"

#include <algorithm>

namespace commandline {

namespace {

const api::OperationView *viewIn(const api::Snapshot &snapshot, core::OperationId id)
{
    for (const api::OperationView &view : snapshot.operations) {
        if (view.operation.id == id)
            return &view;
    }
    return nullptr;
}

QString batchesText(const api::OperationView &view)
{
    return Text::tr("%1 of %2 batches left").arg(view.batchesLeft()).arg(view.batchesTotal);
}

void showProgress(Context &context, const api::OperationView &view)
{
    const records::OutcomeCounts &counts = view.operation.counts;
    QString text = QStringLiteral("%1  %2 / %3")
                       .arg(bar(counts.ended(), view.operation.total))
                       .arg(counts.ended())
                       .arg(view.operation.total);
    text += QStringLiteral("  ") + records::toString(view.operation.state);
    if (view.batchesTotal > 1)
        text += QStringLiteral("  ") + batchesText(view);
    if (!view.operation.waitingReason.isEmpty())
        text += QStringLiteral(": ") + view.operation.waitingReason;
    else if (view.messagesPerSecond > 0)
        text += Text::tr("  %1 messages/s").arg(view.messagesPerSecond, 0, 'f', 0);
    context.out.progress(text);
}

} // namespace

std::optional<double> meanRate(const records::RetryOperation &operation)
{
    if (!operation.started || !operation.finished)
        return std::nullopt;
    const qint64 milliseconds = (*operation.finished - *operation.started).count();
    if (milliseconds <= 0)
        return std::nullopt;
    return double(operation.counts.sent) * 1000.0 / double(milliseconds);
}

bool hasEnded(const records::RetryOperation &operation)
{
    return operation.finished.has_value();
}

ExitCode exitCodeOf(const records::OutcomeCounts &counts)
{
    const bool rest = counts.ejected > 0 || counts.inDoubt > 0 || counts.cameBack > 0;
    return rest ? ExitCode::DoneWithRest : ExitCode::Done;
}

api::OperationView viewOf(const api::Snapshot &snapshot, const records::RetryOperation &operation)
{
    api::OperationView view;
    if (const api::OperationView *live = viewIn(snapshot, operation.id)) {
        view = *live;
    } else {
        view.operation = operation;
        const int most = records::largestBatch(operation.plan);
        const auto batchesOf = [most](qint64 messages) { return int((messages + most - 1) / most); };
        view.batchesTotal = batchesOf(operation.total);
        view.batchesDone = view.batchesTotal - batchesOf(operation.counts.open());
    }
    if (hasEnded(view.operation)) // no live rate
        view.messagesPerSecond = meanRate(view.operation).value_or(view.messagesPerSecond);
    return view;
}

core::Task<core::Result<api::OperationView>> storedOperation(Context &context, core::OperationId id)
{
    CO_TRY(const api::SnapshotPtr snapshot, co_await context.stream.ready());
    api::OperationQuery query;
    query.before = core::OperationId{id.value + 1}; // so the first row is this operation, if it exists
    query.limit = 1;
    CO_TRY(const api::OperationPage page, co_await context.ask(query));
    if (page.rows.isEmpty() || page.rows.first().operation.id != id) {
        co_return core::fail(core::ErrorKind::NotFound,
                             Text::tr("There is no operation %1. redrive operations lists them.").arg(id.value));
    }
    api::OperationView view = viewOf(*snapshot, page.rows.first().operation);
    view.operation = page.rows.first().operation;
    co_return view;
}

core::Task<core::Result<api::OperationView>> findOperation(Context &context, core::OperationId id)
{
    CO_TRY(const api::SnapshotPtr snapshot, co_await context.stream.ready());
    if (const api::OperationView *live = viewIn(*snapshot, id))
        co_return viewOf(*snapshot, live->operation);
    const core::Result<api::OperationView> stored = co_await storedOperation(context, id);
    co_return stored;
}

core::Task<core::Result<api::OperationView>> waitForEnd(Context &context, core::OperationId id)
{
    while (true) {
        CO_TRY(const api::OperationView view, co_await findOperation(context, id));
        if (hasEnded(view.operation) || !view.operation.stoppedBecause.isEmpty())
            co_return view;
        if (context.stream.last()->engine == api::EngineState::StoreRefusesWrites)
            co_return core::fail(core::ErrorKind::StoreFailed, context.stream.last()->engineText);
        showProgress(context, view);
        CO_TRY(co_await context.stream.next());
    }
}

// Why the engine cannot see messages that come back to this connection now; empty when it can.
static QString blindness(const api::Snapshot &snapshot, core::ConnectionId id)
{
    for (const api::ConnectionView &view : snapshot.connections) {
        if (view.connection.id == id) {
            const bool answers = view.health == api::Health::Connected || view.health == api::Health::Slow;
            return answers ? QString() : view.words;
        }
    }
    return Text::tr("The connection was removed.");
}

core::Task<core::Result<api::OperationView>> watchBack(Context &context, api::OperationView ended,
                                                       core::Milliseconds span)
{
    const core::OperationId id = ended.operation.id;
    // The stored end is wall-clock time; from here on the rest of the span is measured on the steady clock.
    const core::TimePoint now = context.clock.now();
    const core::Milliseconds gone = now - ended.operation.finished.value_or(now);
    const core::SteadyTime until = context.clock.steady() + span - std::clamp(gone, core::Milliseconds{0}, span);
    qint64 told = ended.operation.counts.cameBack;
    while (context.clock.steady() < until) {
        const core::Milliseconds left = until - context.clock.steady();
        context.out.progress(Text::tr("Watching for messages that come back: %1 left, %2 so far.")
                                 .arg(core::durationText(left + core::Milliseconds{999}), QString::number(told)));
        CO_TRY(co_await context.stream.newer(context.stream.last()->sequence));
        CO_TRY(ended, co_await findOperation(context, id));
        if (ended.operation.counts.cameBack > told) {
            told = ended.operation.counts.cameBack;
            context.out.aside(Text::tr("%1 came back so far.").arg(Text::messages(told)));
        }
    }
    const QString blind = blindness(*context.stream.last(), ended.operation.connection);
    if (!blind.isEmpty())
        co_return core::fail(core::ErrorKind::Transient,
                             Text::tr("Messages that came back at the end are unknown: %1").arg(blind));
    co_return ended;
}

void printPace(Context &context, const records::Plan &plan)
{
    if (plan.perMinute)
        context.out.line(Text::tr("  at most %1").arg(records::rateText(*plan.perMinute)));
    if (plan.brokerShare)
        context.out.line(Text::tr("  at most %1 % of the broker's time").arg(*plan.brokerShare));
    if (plan.mostWaiting)
        context.out.line(
            Text::tr("  stops sending to a queue that holds %1 or more").arg(Text::messages(*plan.mostWaiting)));
    if (plan.acceptDrops)
        context.out.line(Text::tr("  sends also what destinations drop"));
    if (plan.keepOrder)
        context.out.line(Text::tr("  keeps the order for each destination"));
    if (plan.askEndpoints)
        context.out.line(Text::tr("  asks endpoints to confirm each message"));
    if (plan.notBefore)
        context.out.line(Text::tr("  not before %1").arg(localTime(*plan.notBefore)));
    if (plan.ramp)
        context.out.line(Text::tr("  in steps: %1").arg(records::toString(*plan.ramp)));
    if (plan.stopWhen)
        context.out.line(Text::tr("  pauses when %1 came back").arg(records::toString(*plan.stopWhen)));
}

static void printLines(Context &context, const api::OperationView &view)
{
    const records::RetryOperation &operation = view.operation;
    const records::OutcomeCounts &counts = operation.counts;
    context.out.line(Text::tr("Operation %1: %2, %3")
                         .arg(operation.id.value)
                         .arg(records::toString(operation.state), Text::messages(operation.total)));
    if (!operation.scope.isEmpty())
        context.out.line(QStringLiteral("  ") + operation.scope);
    if (!operation.plan.reason.isEmpty())
        context.out.line(Text::tr("  reason: %1").arg(operation.plan.reason));
    printPace(context, operation.plan);
    if (!hasEnded(operation) && view.batchesTotal > 1)
        context.out.line(QStringLiteral("  ") + batchesText(view));
    if (!operation.waitingReason.isEmpty())
        context.out.line(Text::tr("  waiting: %1").arg(operation.waitingReason));
    if (!operation.pausedWho.isEmpty())
        context.out.line(Text::tr("  paused by %1").arg(operation.pausedWho));
    if (!operation.stoppedBecause.isEmpty()) {
        context.out.line(Text::tr("  paused by its stop rule: %1 Continue with redrive resume %2.")
                             .arg(operation.stoppedBecause, QString::number(operation.id.value)));
    }
    const QList<std::pair<QString, qint64>> rows{
        {Text::tr("sent"), counts.sent},
        {Text::tr("skipped"), counts.skipped},
        {Text::tr("ejected"), counts.ejected},
        {Text::tr("in doubt"), counts.inDoubt},
        {Text::tr("cancelled"), counts.cancelled},
        {Text::tr("pending"), counts.open()},
        {Text::tr("possible duplicates"), counts.possibleDuplicates},
        {Text::tr("came back"), counts.cameBack},
    };
    constexpr int nameWidth = 22;
    constexpr int numberWidth = 9;
    for (const auto &[name, count] : rows)
        context.out.line(QStringLiteral("  ") + name.leftJustified(nameWidth)
                         + QString::number(count).rightJustified(numberWidth));
    if (view.messagesPerSecond > 0)
        context.out.line(Text::tr("  %1 messages/s").arg(view.messagesPerSecond, 0, 'f', 1));
}

// Why messages that did not come back count as resolved.
static void printProofs(Context &context, const api::OperationDetail &detail)
{
    for (const api::ProofShare &share : detail.proofs) {
        const QString count = QString::number(share.count);
        const QString last = localTime(share.last);
        switch (share.proof) {
        case api::Proof::Acknowledged:
            context.out.line(Text::tr("  confirmed by the endpoint: %1, the last at %2").arg(count, last));
            break;
        case api::Proof::ByHand:
            context.out.line(Text::tr("  resolved by hand: %1, the last at %2").arg(count, last));
            break;
        case api::Proof::Quiet:
            context.out.line(Text::tr("  resolved after a quiet period of %1: %2, the last at %3")
                                 .arg(core::durationText(share.quietFor.value_or(core::Milliseconds{0})), count, last));
            break;
        }
    }
}

static void printReturns(Context &context, const QList<api::ReturnShare> &returns)
{
    if (returns.isEmpty())
        return;
    Table table{
        {Text::tr("CAME BACK"), Text::tr("NEW CAUSE"), Text::tr("GROUP"), Text::tr("CURRENT CAUSE")}, {true, true}, {}};
    for (const api::ReturnShare &share : returns)
        table.rows.append({QString::number(share.count), QString::number(share.newCause),
                           QString::number(share.group.value), share.title.section(QLatin1Char('\n'), 0, 0)});
    context.out.table(table);
}

void printOperation(Context &context, const api::OperationView &view)
{
    if (context.out.json())
        context.out.document(json::operation(view));
    else
        printLines(context, view);
}

void printOperation(Context &context, const api::OperationView &view, const api::OperationDetail &detail)
{
    if (context.out.json()) {
        context.out.document(json::operation(view, detail));
        return;
    }
    printLines(context, view);
    const records::Edit &edit = detail.operation.plan.edit;
    if (!edit.isEmpty())
        context.out.line(Text::tr("  edited: %1").arg(records::toSentence(edit)));
    printProofs(context, detail);
    printReturns(context, detail.returns);
}

} // namespace commandline
