// Staging (T3a, T3b).
#include "backend/core/limits.h"
#include "backend/retry/outgoing.h"
#include "backend/retry/processor.h"
#include "backend/retry/words.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

#include <deque>

namespace retry {

using core::ErrorKind;
using core::fail;
using records::OperationState;

namespace {

constexpr int chunkMessages = 200; // copies in memory and in one stage call
constexpr size_t chunksInFlight = 2;
constexpr qint64 chunkBytes = 8LL * 1024 * 1024;
constexpr int patience = 6; // throttled rounds into one staging place before it is given up

QString noStagingQueue()
{
    return words("The broker does not offer staging queues any more: what it offers is asked again.");
}

bool isHeld(OperationState state)
{
    return state == OperationState::Paused || state == OperationState::Cancelled;
}

} // namespace

// What is asked of the broker before anything can be staged there.
Task<Result<>> Processor::makeReady()
{
    const Result<> able = co_await ensureCapabilities();
    if (!able || m_leftoversKnown)
        co_return able;
    const Result<> found = co_await findVoidPlaces();
    co_return found;
}

// One step of the staging lane. False: nothing to do.
Task<Result<bool>> Processor::stageNext()
{
    m_untilDue = core::limits::idleTick;
    const Result<> able = co_await makeReady();
    if (!able) {
        serve(m_staging, {}); // not only the one served last waits for it
        co_return fail(able.error());
    }
    if (m_staging.waitsForAll())
        say(m_staging, {}, {});
    co_await dropVoidPlaces();
    if (!m_capabilities)
        co_return true; // the other lane was refused meanwhile: ask again
    const Result<bool> cancelled = cancelSome();
    if (!cancelled || *cancelled)
        co_return cancelled;
    const Result<> finished = adoptOrphans(); // also of this session, when a transaction failed between T2a and T2c
    if (!finished)
        co_return fail(finished.error());
    const Result<bool> marked = markNext();
    if (!marked || *marked)
        co_return marked;
    Result<std::optional<records::RetryBatch>> picked = pickBatch();
    tellHeldBack();
    if (picked && m_breaker.isOpen() && (*picked || !m_resting.isEmpty())) {
        co_await lookAtRefused();
        if (!m_capabilities)
            co_return true; // here, too
        picked = pickBatch();
    }
    if (!picked)
        co_return fail(picked.error());
    if (!*picked)
        co_return false;

    m_lastServed = (*picked)->operation;
    serve(m_staging, m_lastServed);
    Result<Attempt> attempt = nameAttempt(**picked);
    if (!attempt)
        co_return fail(attempt.error());
    if (attempt->members.isEmpty())
        co_return true; // nothing left to send: already Done, or it rests
    if (!attempt->place.name.isEmpty()) {
        const Result<> staged = co_await stageOnBroker(std::move(*attempt));
        co_await dropVoidPlaces();
        if (!staged)
            co_return fail(staged.error());
        co_return true;
    }
    const Result<bool> free = co_await untilPointerFree(attempt->batch.operation);
    if (!free)
        co_return fail(free.error());
    if (!*free || isOutOfDate(*attempt))
        co_return true;
    const Result<> entered = enterForwarding(*attempt, int(attempt->members.size()));
    if (!entered)
        co_return fail(entered.error());
    co_return true;
}

// T3a: the name is on disk before anything with that name is on the broker.
Result<Processor::Attempt> Processor::nameAttempt(records::RetryBatch batch)
{
    Attempt attempt;
    attempt.batch = std::move(batch);
    attempt.batch.stagingId = m_parts.random.hexId();
    if (m_capabilities->handOver == records::HandOver::StagingQueue) {
        attempt.place.name = QStringLiteral("redrive.%1.%2.%3")
                                 .arg(m_parts.store.storeId())
                                 .arg(m_parts.store.fence())
                                 .arg(attempt.batch.stagingId);
    }
    attempt.judged = m_breaker.changes();
    m_resting.remove(attempt.batch.id);
    KeptOut out;
    core::BatchId apart;
    const Result<> named = m_parts.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        const Result<records::RetryOperation> operation = retries.operation(attempt.batch.operation);
        if (!operation)
            return fail(operation.error());
        attempt.operation = *operation;
        const Result<QList<store::RetryMember>> members =
            retries.nameStaging(attempt.batch.id, attempt.batch.stagingId, attempt.place.name);
        if (!members)
            return fail(members.error());
        attempt.members = *members;
        const Result<> cut = cutToShare(session, attempt);
        if (!cut)
            return cut;
        out = keepOut(attempt);
        const Result<> ejected = out.missing.isEmpty() ? Result<>{} : retries.eject(attempt.batch.id, out.missing);
        if (!ejected)
            return ejected;
        const Result<core::BatchId> waiting = setApart(session, attempt, out);
        if (!waiting)
            return fail(waiting.error());
        apart = *waiting;
        if (!attempt.members.isEmpty() || apart.isValid())
            return {};
        const Result<> finished = retries.finishEmpty(attempt.batch.id);
        return finished ? finishIfEnded(session, attempt.batch.operation) : finished;
    });
    if (!named)
        return fail(named.error());
    for (const QString &destination : std::as_const(out.trials))
        m_breaker.beginTrial(destination);
    if (apart.isValid())
        rest(apart, attempt.batch.operation, out.destinations);
    // A message that was refused before goes first: it is the one that may end this attempt.
    std::stable_sort(attempt.members.begin(), attempt.members.end(),
                     [](const auto &a, const auto &b) { return a.stageAttempts > b.stageAttempts; });
    attempt.singly = !attempt.members.isEmpty() && attempt.members.first().stageAttempts > 0;
    QStringList destinations;
    for (const store::RetryMember &member : std::as_const(attempt.members)) {
        if (!destinations.contains(member.destination))
            destinations.append(member.destination);
    }
    if (!attempt.place.name.isEmpty())
        attempt.place.destinations = destinations;
    m_parts.progress.aimed(attempt.batch.operation, destinations);
    if (attempt.members.isEmpty())
        m_parts.progress.operationChanged(attempt.batch.operation);
    return attempt;
}

// A batch that was made before its operation got this rate: what is too many waits in a batch of its own.
Result<> Processor::cutToShare(store::Session &session, Attempt &attempt)
{
    const qsizetype share = records::largestBatch(attempt.operation.plan);
    if (attempt.members.size() <= share)
        return {};
    QList<qint64> later;
    for (const store::RetryMember &member : attempt.members.mid(share))
        later.append(member.ordinal);
    const Result<core::BatchId> apart = session.retries().setAside(attempt.batch.id, later, m_parts.session);
    if (!apart)
        return fail(apart.error());
    attempt.members.resize(share);
    return {};
}

Task<Result<>> Processor::stageOnBroker(Attempt attempt)
{
    broker::StagingQueue *queue = m_parts.broker.stagingQueue();
    if (queue == nullptr) {
        m_capabilities.reset();
        co_return fail(ErrorKind::Transient, noStagingQueue());
    }
    m_voidPlaces.append(attempt.place.name); // until it enters Forwarding
    const Result<> opened = co_await queue->open(attempt.place);
    if (!opened)
        co_return opened;
    const Result<int> staged = co_await fillPlace(&attempt);
    if (!staged) {
        // An answer about one message: the batch goes singly, at once and under a new name.
        if (staged.error().kind == ErrorKind::Rejected)
            co_return {};
        co_return fail(staged.error());
    }
    const Result<bool> free = co_await untilPointerFree(attempt.batch.operation);
    if (!free)
        co_return fail(free.error());
    if (!*free || isOutOfDate(attempt))
        co_return {}; // paused, cancelled, or to be chosen anew: the place is void
    const Result<qint64> depth = co_await queue->depth(attempt.place);
    if (!depth)
        co_return fail(depth.error().kind == ErrorKind::NotFound
                           ? core::Error{ErrorKind::Transient,
                                         words("The staging queue has vanished; the batch is staged again."),
                                         {},
                                         {}}
                           : depth.error());
    if (*depth != *staged) {
        co_return fail(ErrorKind::Transient, words("The staging queue holds %1 copies instead of %2; the batch is "
                                                   "staged again.")
                                                 .arg(*depth)
                                                 .arg(*staged));
    }
    const Result<> entered = enterForwarding(attempt, *staged);
    // By what the file says it may be forwarding: the next start looks there.
    if (!entered && entered.error().kind == ErrorKind::StoreFailed)
        m_voidPlaces.removeAll(attempt.place.name);
    co_return entered;
}

// Everything into the place. Rejected: one of them was refused, which is on disk; the place is void. Two chunks are on their
// way at a time, so that the broker never waits for the last copies of one; the batch after this is marked meanwhile.
Task<Result<int>> Processor::fillPlace(Attempt *attempt)
{
    int staged = 0;
    qsizetype next = 0;
    bool markedMeanwhile = false;
    std::deque<Task<Result<int>>> sending;
    const size_t most = attempt->singly ? 1 : chunksInFlight;
    Result<> going;
    while (true) {
        while (going && sending.size() < most && next < attempt->members.size()) {
            Result<Copies> copies = nextCopies(*attempt, &next);
            if (copies)
                sending.push_back(stageCopies(attempt, std::move(copies->outgoing)));
            else
                going = fail(copies.error());
        }
        if (sending.empty())
            break;
        if (!std::exchange(markedMeanwhile, true))
            static_cast<void>(markNext()); // an error is met again when its turn comes
        const Result<int> accepted = co_await sending.front();
        sending.pop_front();
        if (accepted)
            countStaged(*attempt, *accepted, &staged);
        else if (going)
            going = fail(accepted.error());
    }
    co_return going ? Result<int>(staged) : Result<int>(fail(going.error()));
}

void Processor::countStaged(const Attempt &attempt, int accepted, int *staged)
{
    *staged += accepted;
    m_stagedCounts.insert(attempt.batch.id, *staged);
    m_parts.progress.staged(attempt.batch.operation, accepted);
    report(attempt.batch, *staged, 0);
}

// The next chunk; what is unfit is ejected.
Result<Processor::Copies> Processor::nextCopies(const Attempt &attempt, qsizetype *next)
{
    qsizetype taken = 0;
    Result<Copies> copies = copiesOf(attempt, *next, &taken);
    if (!copies)
        return copies;
    *next += taken;
    if (copies->unfit.isEmpty())
        return copies;
    const Result<> ejected = m_parts.store.transact(
        [&](store::Session &session) { return session.retries().eject(attempt.batch.id, copies->unfit); });
    return ejected ? copies : Result<Copies>(fail(ejected.error()));
}

Task<Result<int>> Processor::stageCopies(Attempt *attempt, QList<broker::Outgoing> copies)
{
    int accepted = 0;
    for (int round = 0; !copies.isEmpty(); ++round) {
        broker::StagingQueue *queue = m_parts.broker.stagingQueue(); // may be withdrawn while we wait
        if (queue == nullptr) {
            m_capabilities.reset();
            co_return fail(ErrorKind::Transient, noStagingQueue());
        }
        const QList<broker::SendOutcome> outcomes = co_await queue->stage(attempt->place, copies);
        QList<broker::Outgoing> again;
        QList<store::MemberReason> refused;
        core::Error trouble;
        for (qsizetype i = 0; i < copies.size(); ++i) {
            const broker::SendOutcome outcome =
                i < outcomes.size() ? outcomes.at(i) : broker::SendOutcome{broker::Verdict::Unknown, {}};
            switch (outcome.verdict) {
            case broker::Verdict::Accepted:
                ++accepted;
                break;
            case broker::Verdict::Rejected:
                refused.append({copies.at(i).ordinal, outcome.error.message});
                break;
            case broker::Verdict::Full: // the staging place itself
            case broker::Verdict::NotSent:
                again.append(copies.at(i));
                trouble = outcome.error;
                break;
            case broker::Verdict::NoSuchDestination:
            case broker::Verdict::Unknown:
                // Whether the copy is there cannot be told, so this place can never be counted: it is void.
                co_return fail(outcome.error.kind == ErrorKind::Cancelled ? ErrorKind::Cancelled : ErrorKind::Transient,
                               words("A copy was sent to staging and no answer came; the batch is staged again."),
                               outcome.error.message);
            }
        }
        if (!refused.isEmpty()) {
            const Result<> counted = m_parts.store.transact(
                [&](store::Session &session) { return session.retries().countRefusals(attempt->batch.id, refused); });
            co_return counted ? Result<int>(fail(ErrorKind::Rejected, refused.first().reason))
                              : Result<int>(fail(counted.error()));
        }
        copies = std::move(again);
        if (copies.isEmpty())
            break;
        if (round >= patience)
            co_return fail(trouble);
        const bool goOn = co_await waitAfter(trouble, &m_staging);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, trouble.message);
    }
    co_return accepted;
}

Result<Processor::Copies> Processor::copiesOf(const Attempt &attempt, qsizetype from, qsizetype *taken)
{
    Copies copies;
    const Result<> done = m_parts.store.read([&](store::Session &session) -> Result<> {
        copies = {};
        *taken = 0;
        qint64 bytes = 0;
        const qsizetype most = attempt.singly ? 1 : chunkMessages;
        while (*taken < most && from + *taken < attempt.members.size() && bytes < chunkBytes) {
            const qsizetype before = copies.outgoing.size();
            const Result<> added =
                addCopy(session, attempt.operation, attempt.batch.stagingId, attempt.members.at(from + *taken), copies);
            if (!added)
                return added;
            ++*taken;
            if (copies.outgoing.size() > before)
                bytes += weight(copies.outgoing.last().envelope);
        }
        return {};
    });
    if (!done)
        return fail(done.error());
    return copies;
}

// True: this batch may go. False: its operation was paused or cancelled meanwhile.
Task<Result<bool>> Processor::untilPointerFree(core::OperationId operation)
{
    while (true) {
        bool free = false;
        bool held = false;
        const Result<> looked = m_parts.store.read([&](store::Session &session) -> Result<> {
            const Result<std::optional<records::RetryBatch>> now = session.retries().nowForwarding(m_connection.id);
            if (!now)
                return fail(now.error());
            free = !now->has_value();
            const Result<records::RetryOperation> mine = session.retries().operation(operation);
            if (!mine)
                return fail(mine.error());
            held = isHeld(mine->state);
            return {};
        });
        if (!looked)
            co_return fail(looked.error());
        if (held)
            co_return false;
        if (free)
            co_return true;
        const Result<> slept = co_await m_staging.timers.sleepOrWake(core::limits::idleTick);
        if (!slept)
            co_return fail(slept.error());
    }
}

// T3b.
Result<> Processor::enterForwarding(const Attempt &attempt, int staged)
{
    const core::BatchId batch = attempt.batch.id;
    bool held = false;
    records::RetryOperation handed;
    const Result<> entered = m_parts.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        Result<records::RetryOperation> operation = retries.operation(attempt.batch.operation);
        if (!operation)
            return fail(operation.error());
        // A rate that was set while it was staged: it is cut, and named anew.
        held = isHeld(operation->state) || staged > records::largestBatch(operation->plan);
        if (held)
            return {};
        if (staged == 0) {
            const Result<> finished = retries.finishEmpty(batch);
            return finished ? finishIfEnded(session, operation->id) : finished;
        }
        handed = *operation;
        Result<> begun = retries.beginForwarding(batch, attempt.batch.stagingId, staged);
        if (begun)
            begun = session.evidence().sendingFrom(batch, m_parts.clock.now());
        if (!begun || operation->state == OperationState::Running)
            return begun;
        operation->state = OperationState::Running;
        return retries.updateOperation(*operation);
    });
    if (!entered || held)
        return entered;
    m_parts.progress.operationChanged(attempt.batch.operation);
    if (staged == 0)
        return {};
    m_pacing.handedOver(handed, staged);
    if (handed.plan.mostWaiting)
        m_crowding.handedOver(countByDestination(attempt.members));
    m_stagedCounts.insert(batch, staged);
    m_voidPlaces.removeAll(attempt.place.name);
    if (attempt.place.name.isEmpty())
        m_parts.progress.staged(attempt.batch.operation, staged); // a ledger's copies are its rows
    report(attempt.batch, staged, 0);
    m_forwarding.timers.wake();
    return {};
}

// What cannot be taken down now is tried again with the next step.
Task<> Processor::dropVoidPlaces()
{
    broker::StagingQueue *queue = m_parts.broker.stagingQueue();
    if (queue == nullptr)
        co_return;
    const QStringList places = m_voidPlaces;
    for (const QString &name : places) {
        broker::StagingPlace place;
        place.name = name;
        const Result<> gone = co_await queue->discard(place);
        if (m_stopping)
            co_return;
        if (gone)
            m_voidPlaces.removeAll(name);
    }
}

} // namespace retry
