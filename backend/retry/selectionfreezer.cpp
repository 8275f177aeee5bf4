#include "backend/retry/selectionfreezer.h"

#include "backend/core/limits.h"
#include "backend/dialect/confirmation.h"
#include "backend/dialect/dialect.h"
#include "backend/records/ledger/operationlife.h"
#include "backend/retry/text.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <algorithm>
#include <utility>

namespace retry {

using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;

namespace {

constexpr int firstRows = 500;
constexpr int fewestRows = 50;
constexpr int mostRows = 4000;
constexpr int triedAtOnce = 100; // messages tried between two turns of the event loop
constexpr qint64 triedBytes = 4LL * 1024 * 1024;
constexpr int mostTooLong = 20; // messages on which an edit takes too long

bool isTooLong(const Result<records::Envelope> &edited)
{
    return !edited && edited.error().kind == ErrorKind::Refused;
}

core::Error tooLongError(int messages)
{
    return {
        ErrorKind::Rejected,
        Text::tr("A regular expression of the edit takes too long on %1 messages. Write a simpler one.").arg(messages),
        {},
        {}};
}

} // namespace

SelectionFreezer::SelectionFreezer(store::Store &store, core::Clock &clock, core::Timers &timers,
                                   core::WorkThread *patience)
    : m_store(store)
    , m_clock(clock)
    , m_timers(timers)
    , m_patience(patience)
    , m_size(firstRows, fewestRows, mostRows)
{
}

SelectionFreezer::Scan SelectionFreezer::scanOf(const FreezeOrder &order)
{
    Scan scan;
    scan.filter = order.filter;
    scan.filter.connection = order.operation.connection;
    scan.filter.status = records::MessageStatus::Unresolved;
    scan.rules.kind = order.operation.kind;
    scan.watchBack = order.watchBack;
    scan.rules.asOfChange = order.asOfChange;
    scan.rules.includeLooped = order.operation.plan.includeLooped;
    scan.rules.includeDuplicates = order.operation.plan.includeDuplicates;
    scan.rules.limit = order.operation.plan.limit;
    scan.rules.existing = order.existing;
    scan.rules.closed = order.closed;
    scan.rules.namesIgnoreCase = order.namesIgnoreCase;
    scan.rules.largestBody = order.largestBody;
    scan.rules.decimalsAreDoubles = order.decimalsAreDoubles;
    if (order.operation.plan.askEndpoints) {
        const bool isAll = order.watchBack == core::Milliseconds{0};
        scan.rules.answers = {dialect::confirmingDialects(), order.answerQueues, isAll};
    }
    scan.edit = order.operation.plan.edit;
    scan.broker = order.broker;
    scan.atEnd = order.atEnd;
    scan.work = order.work ? order.work : std::make_shared<core::LongWork>();
    scan.work->done = 0;
    const bool isRetry = scan.rules.kind == records::OperationKind::Retry;
    scan.rules.redirects = records::redirectsInForce(order.operation.plan.redirects,
                                                     isRetry ? order.standing : QList<records::Redirect>());
    return scan;
}

Result<> SelectionFreezer::checkWanted(const Scan &scan)
{
    if (scan.work->isCancelled)
        return fail(ErrorKind::Cancelled, Text::tr("This was cancelled. Nothing was sent."));
    return {};
}

Result<records::Conventions> SelectionFreezer::conventions()
{
    return m_store.read<records::Conventions>([](store::Session &session) { return session.conventions().all(); });
}

Result<records::Conventions> SelectionFreezer::counters()
{
    return m_store.read<records::Conventions>([](store::Session &session) -> Result<records::Conventions> {
        TRY(const QStringList names, session.policies().counters());
        return resettingCounters(names);
    });
}

Task<Result<FrozenSet>> SelectionFreezer::freeze(FreezeOrder order)
{
    records::RetryOperation fresh = order.operation;
    fresh.state = records::OperationState::Freezing;
    CO_TRY(fresh.conventions, conventions());
    CO_TRY(const records::Conventions counted, counters());
    CO_TRY(const core::OperationId id, m_store.transact<core::OperationId>([&](store::Session &session) {
        return session.retryOperations().add(fresh);
    }));

    Scan scan = scanOf(order);
    scan.conventions = fresh.conventions;
    scan.counters = counted;
    scan.work->of = order.expected;
    while (!scan.finished) {
        Result<> done = co_await tryEdit(&scan, nullptr);
        if (done)
            done = checkWanted(scan); // after the last slice there is nothing to cancel any more
        if (done)
            done = slice(scan, id, order.expected);
        if (!done) {
            const Result<> gone = co_await discard(id);
            if (!gone)
                discardLater(id);
            co_return fail(done.error());
        }
        const Result<> turn = co_await m_timers.sleep(core::Milliseconds{0});
        if (!turn && !scan.finished)
            co_return fail(turn.error());
    }
    FrozenSet frozen{id, scan.tally};
    co_return frozen;
}

Task<Result<store::FreezeTally>> SelectionFreezer::evaluate(FreezeOrder order, EditTally *edits)
{
    Scan scan = scanOf(order);
    CO_TRY(scan.conventions, conventions());
    CO_TRY(scan.counters, counters());
    CO_TRY(scan.work->of, m_store.read<std::optional<qint64>>(
                              [&scan](store::Session &session) { return session.messages().keptCount(scan.filter); }));
    while (!scan.finished) {
        CO_TRY(co_await tryEdit(&scan, edits));
        CO_TRY(checkWanted(scan));
        CO_TRY(slice(scan, {}, 0));
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return scan.tally;
}

Task<Result<>> SelectionFreezer::discard(core::OperationId operation)
{
    bool gone = false;
    while (!gone) {
        CO_TRY(gone, m_store.transact<bool>([&](store::Session &session) {
            return session.frozenSets().discard(operation, m_size.rows());
        }));
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return {};
}

void SelectionFreezer::discardLater(core::OperationId operation)
{
    m_left.append(operation);
    if (m_left.size() == 1)
        m_discarding = discardLeft();
}

// Until a full disk has space again; otherwise the next start does it.
Task<> SelectionFreezer::discardLeft()
{
    while (!m_left.isEmpty()) {
        const Result<> turn = co_await m_timers.sleep(core::limits::idleTick);
        if (!turn)
            co_return;
        const core::OperationId first = m_left.takeFirst();
        const Result<> gone = co_await discard(first);
        // An operation that is gone, or was frozen after all, must not be discarded.
        if (!gone && gone.error().kind != ErrorKind::NotFound && gone.error().kind != ErrorKind::Conflict)
            m_left.append(first);
    }
}

Task<Result<>> SelectionFreezer::tryEdit(Scan *scan, EditTally *edits)
{
    if (scan->edit.isEmpty() || scan->rules.kind == records::OperationKind::Release)
        co_return {};
    scan->rules.misfits.clear();
    scan->rows = m_size.rows();
    CO_TRY(scan->ahead, m_store.read<store::Slice>([&](store::Session &session) {
        return session.messages().slice(scan->filter, scan->after, m_size.rows());
    }));
    Trial trial;
    for (qsizetype next = 0; next < scan->ahead->ids.size();) {
        CO_TRY(tryOn(*scan, &next, &trial));
        CO_TRY(co_await trySlowly(scan, &trial));
        if (scan->tooLong + trial.tooLong >= mostTooLong)
            co_return fail(tooLongError(mostTooLong));
        CO_TRY(checkWanted(*scan));
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    scan->tooLong += trial.tooLong;
    for (const QList<core::MessageId> &ids : std::as_const(trial.misfits))
        scan->rules.misfits += ids;
    if (edits == nullptr)
        co_return {};
    co_return count(*scan, trial, edits);
}

// A message that cannot be read is not the edit's fault: it is ejected later, with the reason.
Result<> SelectionFreezer::tryOn(const Scan &scan, qsizetype *next, Trial *trial)
{
    const core::SteadyTime begin = m_clock.steady();
    using records::TextPattern;
    const records::EditLimit limit{m_patience == nullptr ? TextPattern::longestTrial : TextPattern::moment};
    return m_store.read([&](store::Session &session) -> Result<> {
        qint64 bytes = 0;
        for (int done = 0; *next < scan.ahead->ids.size() && done < triedAtOnce && bytes < triedBytes;
             ++done, ++*next) {
            if (m_clock.steady() - begin > core::limits::transactionSlice)
                return {};
            const core::MessageId id = scan.ahead->ids.at(*next);
            const Result<store::Original> original = session.messages().loadOriginal(id);
            if (!original)
                continue;
            bytes += original->envelope.body.size();
            const Tried tried{
                id,
                {original->dialect, dialect::conventionsNamed(scan.conventions, original->conventions) + scan.counters},
                original->envelope};
            const Result<records::Envelope> edited =
                contentToSend(scan.broker, scan.rules.kind, tried.format, tried.original, scan.edit, limit);
            if (m_patience != nullptr && isTooLong(edited)) {
                trial->slow = tried;
                ++*next;
                return {};
            }
            sort(scan, tried, edited, trial);
        }
        return {};
    });
}

Task<Result<>> SelectionFreezer::trySlowly(const Scan *scan, Trial *trial)
{
    if (!trial->slow)
        co_return Result<>();
    const Tried tried = *std::exchange(trial->slow, std::nullopt);
    const auto edited = std::make_shared<Result<records::Envelope>>(records::Envelope());
    const core::WorkThread::JobPtr job = m_patience->start(
        [edited, tried, edit = scan->edit, broker = scan->broker, kind = scan->rules.kind](const auto &self) {
            const records::EditLimit limit{records::TextPattern::longestTrial, &self.isCancelled};
            *edited = contentToSend(broker, kind, tried.format, tried.original, edit, limit);
        });
    const Result<> ended = co_await core::WorkThread::end(job, &m_timers, scan->work);
    CO_TRY(checkWanted(*scan));
    CO_TRY(ended);
    sort(*scan, tried, *edited, trial);
    co_return Result<>();
}

void SelectionFreezer::sort(const Scan &scan, const Tried &tried, const Result<records::Envelope> &edited, Trial *trial)
{
    trial->tooLong += isTooLong(edited) ? 1 : 0;
    if (!edited)
        trial->misfits[misfitReason(edited.error())].append(tried.id);
    else if (*edited == contentToSend(scan.broker, scan.rules.kind, tried.format, tried.original, {}))
        trial->unchanged.append(tried.id);
    else
        trial->changed.append(tried.id);
}

// Counts only messages that would be sent otherwise.
Result<> SelectionFreezer::count(const Scan &scan, const Trial &trial, EditTally *edits)
{
    store::FreezeRules rules = scan.rules;
    rules.misfits.clear();
    rules.limit.reset();
    return m_store.read([&](store::Session &session) -> Result<> {
        const auto going = [&](const QList<core::MessageId> &ids) -> Result<qint64> {
            TRY(const store::FreezeTally tally, session.frozenSets().evaluate(ids, rules, 0));
            return tally.frozen;
        };
        TRY(const qint64 unchanged, going(trial.unchanged));
        edits->unchanged += unchanged;
        for (auto it = trial.misfits.begin(); it != trial.misfits.end(); ++it) {
            TRY(const qint64 misfits, going(it.value()));
            if (misfits == 0)
                continue;
            const auto known = std::find_if(edits->misfits.begin(), edits->misfits.end(),
                                            [&it](const auto &one) { return one.reason == it.key(); });
            if (known != edits->misfits.end())
                known->count += misfits;
            else if (edits->misfits.size() < EditTally::mostReasons)
                edits->misfits.append({it.key(), misfits, it.value().first()});
            else
                edits->misfits.last().count += misfits;
        }
        for (const core::MessageId id : trial.changed) {
            if (edits->changed.isValid())
                break;
            TRY(const qint64 goes, going({id}));
            if (goes > 0)
                edits->changed = id;
        }
        return {};
    });
}

Result<> SelectionFreezer::slice(Scan &scan, core::OperationId operation, qint64 expected)
{
    const core::SteadyTime begin = m_clock.steady();
    Scan next = scan; // a rolled-back slice leaves the scan where it was
    const auto work = [&](store::Session &session) { return visit(session, next, operation, expected); };
    const Result<> done = operation.isValid() ? m_store.transact(work) : m_store.read(work);
    if (done) {
        scan = next;
        scan.work->done = scan.tally.frozen + (operation.isValid() ? 0 : scan.tally.leftOut.sum());
    }
    m_size.learn(m_clock.steady() - begin);
    return done;
}

Result<> SelectionFreezer::visit(store::Session &session, Scan &scan, core::OperationId operation, qint64 expected)
{
    TRY(const store::Slice slice,
        scan.ahead ? *scan.ahead : session.messages().slice(scan.filter, scan.after, m_size.rows()));
    const QList<core::MessageId> &ids = slice.ids;
    TRY(const store::FreezeTally tally, operation.isValid()
                                            ? session.frozenSets().freeze(operation, ids, scan.rules)
                                            : session.frozenSets().evaluate(ids, scan.rules, scan.tally.frozen));
    scan.tally += tally;
    TRY(session.evidence().addFailingTimes(ids, scan.tally.times));
    scan.finished = ids.size() < (scan.ahead ? scan.rows : m_size.rows());
    scan.after = slice.end;
    scan.ahead.reset();
    const bool full = scan.rules.limit && scan.tally.frozen >= *scan.rules.limit;
    if (!operation.isValid() || !(scan.finished || full))
        return {};

    scan.finished = true;
    if (scan.tally.frozen != expected) {
        return fail(ErrorKind::Conflict,
                    Text::tr("The set has changed: its message count is now %1, not %2 as confirmed. Check the plan "
                             "and confirm it again.")
                        .arg(scan.tally.frozen)
                        .arg(expected),
                    QString::number(scan.tally.frozen));
    }
    TRY(const records::RetryOperation loaded, session.retryOperations().load(operation));
    TRY(const bool allPaused, session.retryOperations().allPaused());
    const records::RetryOperation frozen = records::setComplete(loaded, allPaused, m_clock.now());
    if (scan.atEnd)
        TRY(scan.atEnd(session, operation));
    const records::QuietPeriod quietPeriod = scan.tally.times.quietPeriod();
    // Whoever asks for answers also takes them: they would stay in the error queue of somebody else otherwise.
    const core::Milliseconds watchBack =
        frozen.plan.askEndpoints ? std::max(scan.watchBack, quietPeriod.quiet) : scan.watchBack;
    TRY(session.evidence().setQuietPeriod(operation, quietPeriod, watchBack));
    return session.retryOperations().update(frozen);
}

} // namespace retry
