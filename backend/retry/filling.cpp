// Between T3a and T3b: a staging place is filled, in rounds, until it holds one copy of each message.
//
// A copy that was sent and not answered may be in the place, come there yet, or never come. So after a round with such copies
// its entrance is closed, for good, and then the place is asked what it holds; what is missing goes by the next entrance. A
// copy that is late therefore
//  - comes before the entrance is closed: it is in the list, and not sent again;
//  - comes after that, at any time, also when the place was forwarded or is void: its entrance is gone, nothing takes it.
// Where the closing, the list or the next opening has no answer, the three are repeated: until then nothing is sent, and to close
// what is closed changes nothing. Who dies in between leaves a place of which no batch says that it is forwarded: it is void, as
// any other. T3b still compares the live depth: no entrance is open then by which a copy without an answer was sent.
#include "backend/core/limits.h"
#include "backend/retry/outgoing.h"
#include "backend/retry/processor.h"
#include "backend/retry/text.h"
#include "backend/store/retrystore.h"

#include <deque>

namespace retry {

using core::ErrorKind;
using core::fail;

namespace {

constexpr int chunkMessages = 200; // copies in memory and in one stage call
constexpr size_t chunksInFlight = 2;
constexpr qint64 chunkBytes = 8LL * 1024 * 1024;
constexpr int quietPeriod = 6; // tries in a row of which nothing came, before the place is given up

QString noStagingQueue()
{
    return Text::tr("The broker does not offer staging queues any more: what it offers is asked again.");
}

core::Error vanishedOr(const core::Error &error)
{
    return error.kind == ErrorKind::NotFound
               ? core::Error{ErrorKind::Transient,
                             Text::tr("The staging queue has vanished; the batch is staged again."),
                             {},
                             {}}
               : error;
}

} // namespace

// Asks again when no answer came: what was staged already is not thrown away for that.
template<typename T>
Task<Result<T>> Processor::insist(std::function<Task<Result<T>>(broker::StagingQueue &)> ask)
{
    const core::Backoff before = m_staging.backoff;
    for (int tries = 0;; ++tries) {
        broker::StagingQueue *queue = m_parts.broker.stagingQueue(); // may be withdrawn while we wait
        if (queue == nullptr) {
            m_capabilities.reset();
            co_return fail(ErrorKind::Transient, noStagingQueue());
        }
        Result<T> answer = co_await ask(*queue);
        if (answer && tries > 0) {
            m_staging.backoff = before;
            say(m_staging, m_staging.operation, {});
        }
        const bool mayPass =
            !answer && (answer.error().kind == ErrorKind::Transient || answer.error().kind == ErrorKind::Throttled);
        if (!mayPass || tries >= quietPeriod)
            co_return answer;
        const bool goOn = co_await waitAfter(answer.error(), &m_staging);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, answer.error().message);
    }
}

Task<Result<>> Processor::stageOnBroker(Attempt attempt)
{
    m_voidPlaces.append(attempt.place.name); // until it enters Forwarding
    const std::function<Task<Result<>>(broker::StagingQueue &)> open = [&attempt](broker::StagingQueue &queue) {
        return queue.open(attempt.place);
    };
    const Result<> opened = co_await insist<void>(open);
    if (!opened)
        co_return opened;
    const Result<int> staged = co_await fillPlace(&attempt);
    if (!staged) {
        // An answer about one message: the batch goes singly, at once and under a new name.
        if (staged.error().kind == ErrorKind::Rejected)
            co_return {};
        co_return fail(staged.error());
    }
    say(m_staging, attempt.batch.operation, {});
    const Result<bool> free = co_await untilPointerFree(attempt.batch.operation);
    if (!free)
        co_return fail(free.error());
    if (!*free || isOutOfDate(attempt))
        co_return {}; // paused, cancelled, or to be chosen anew: the place is void
    const std::function<Task<Result<qint64>>(broker::StagingQueue &)> count = [&attempt](broker::StagingQueue &queue) {
        return queue.depth(attempt.place);
    };
    const Result<qint64> depth = co_await insist<qint64>(count);
    if (!depth)
        co_return fail(vanishedOr(depth.error()));
    if (*depth != *staged) {
        co_return fail(ErrorKind::Transient, Text::tr("The staging queue holds %1 copies instead of %2; the batch is "
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

// How many copies the place holds then. Rejected: one of them was refused, which is on disk; the place is void.
Task<Result<int>> Processor::fillPlace(Attempt *attempt)
{
    const core::Backoff before = m_staging.backoff;
    attempt->due = attempt->members;
    int fruitless = 0; // rounds in a row of which no copy arrived
    while (!attempt->due.isEmpty()) {
        const qsizetype there = attempt->there.size();
        const Result<> round = co_await stageRound(attempt);
        if (!round)
            co_return fail(round.error());
        if (attempt->unanswered.isEmpty())
            break;
        say(m_staging, attempt->batch.operation, failingText());
        const Result<> reconciled = co_await reconcile(attempt);
        if (!reconciled)
            co_return fail(reconciled.error());
        fruitless = attempt->there.size() > there ? 0 : fruitless + 1;
        if (fruitless == 0)
            m_staging.backoff = before;
        if (fruitless == 0 || attempt->due.isEmpty())
            continue;
        if (fruitless >= quietPeriod)
            co_return fail(attempt->silence);
        const bool goOn = co_await waitAfter(attempt->silence, &m_staging);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, attempt->silence.message);
    }
    co_return int(attempt->there.size());
}

// Publishes what is due. Two chunks are on their way at a time, so that the broker never waits for the last copies of one; the
// batch after this is marked meanwhile.
Task<Result<>> Processor::stageRound(Attempt *attempt)
{
    qsizetype next = 0;
    std::deque<Task<Result<>>> sending;
    const size_t most = attempt->singly ? 1 : chunksInFlight;
    Result<> going;
    while (true) {
        while (going && sending.size() < most && next < attempt->due.size()) {
            Result<Copies> copies = nextCopies(*attempt, &next);
            if (copies)
                sending.push_back(stageCopies(attempt, std::move(copies->outgoing)));
            else
                going = fail(copies.error());
        }
        if (sending.empty())
            break;
        if (!std::exchange(attempt->hasMarked, true))
            static_cast<void>(markNext()); // an error is met again when its turn comes
        const Result<> sent = co_await sending.front();
        sending.pop_front();
        if (!sent && going)
            going = sent;
    }
    co_return going;
}

void Processor::countStaged(const Attempt &attempt, qsizetype arrived)
{
    m_stagedCounts.insert(attempt.batch.id, attempt.there.size());
    if (arrived > 0)
        m_parts.progress.staged(attempt.batch.operation, arrived);
    report(attempt.batch, attempt.there.size(), 0);
}

// The next chunk; what is unfit is ejected.
Result<Copies> Processor::nextCopies(const Attempt &attempt, qsizetype *next)
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

// What was not taken for certain goes again by the same entrance; what has no answer waits for the end of the round.
Task<Result<>> Processor::stageCopies(Attempt *attempt, QList<broker::Outgoing> copies)
{
    const core::Backoff before = m_staging.backoff;
    int fruitless = 0; // tries in a row that changed nothing
    while (!copies.isEmpty()) {
        broker::StagingQueue *queue = m_parts.broker.stagingQueue(); // may be withdrawn while we wait
        if (queue == nullptr) {
            m_capabilities.reset();
            co_return fail(ErrorKind::Transient, noStagingQueue());
        }
        const QList<broker::SendOutcome> outcomes = co_await queue->stage(attempt->place, copies);
        const qsizetype asked = copies.size();
        StageTrouble trouble;
        copies = sortOut(*attempt, copies, outcomes, trouble);
        if (trouble.end)
            co_return fail(*trouble.end);
        if (!trouble.refused.isEmpty()) {
            const Result<> counted = m_parts.store.transact([&](store::Session &session) {
                return session.retries().countRefusals(attempt->batch.id, trouble.refused);
            });
            co_return fail(counted ? core::Error{ErrorKind::Rejected, trouble.refused.first().reason, {}, {}}
                                   : counted.error());
        }
        if (copies.isEmpty())
            break;
        fruitless = copies.size() < asked ? 0 : fruitless + 1;
        if (fruitless == 0)
            m_staging.backoff = before;
        if (fruitless > quietPeriod)
            co_return fail(trouble.notSent);
        const bool goOn = co_await waitAfter(trouble.notSent, &m_staging);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, trouble.notSent.message);
    }
    co_return {};
}

// Those that were not taken for certain are returned.
QList<broker::Outgoing> Processor::sortOut(Attempt &attempt, const QList<broker::Outgoing> &copies,
                                           const QList<broker::SendOutcome> &outcomes, StageTrouble &trouble)
{
    const qsizetype before = attempt.there.size();
    QList<broker::Outgoing> again;
    for (qsizetype i = 0; i < copies.size(); ++i) {
        const broker::Outgoing &copy = copies.at(i);
        const broker::SendOutcome outcome =
            i < outcomes.size() ? outcomes.at(i) : broker::SendOutcome{broker::Verdict::Unknown, {}};
        switch (outcome.verdict) {
        case broker::Verdict::Accepted:
            attempt.there.insert(copy.uniqueId);
            break;
        case broker::Verdict::Rejected:
            trouble.refused.append({copy.ordinal, outcome.error.message});
            break;
        case broker::Verdict::Full: // the staging place itself
        case broker::Verdict::NotSent:
            again.append(copy);
            trouble.notSent = outcome.error;
            break;
        case broker::Verdict::Unknown:
            attempt.unanswered.insert(copy.uniqueId);
            attempt.silence = core::Error{ErrorKind::Transient,
                                          Text::tr("A copy was sent to staging and no answer came."),
                                          outcome.error.message,
                                          {}};
            if (outcome.error.kind == ErrorKind::Cancelled)
                trouble.end = outcome.error;
            break;
        case broker::Verdict::NoSuchDestination:
            trouble.end = core::Error{ErrorKind::Transient,
                                      Text::tr("A copy was not taken into staging; the batch is staged again."),
                                      outcome.error.message,
                                      {}};
            break;
        }
    }
    countStaged(attempt, attempt.there.size() - before);
    return again;
}

Task<Result<>> Processor::reconcile(Attempt *attempt)
{
    const std::function<Task<Result<QStringList>>(broker::StagingQueue &)> ask =
        [attempt](broker::StagingQueue &queue) { return queue.reconcile(attempt->place); };
    const Result<QStringList> held = co_await insist<QStringList>(ask);
    if (!held)
        co_return fail(vanishedOr(held.error()));
    ++attempt->place.entrance;
    const QSet<QString> there(held->cbegin(), held->cend());
    const bool isOnce = there.size() == held->size();
    if (!isOnce || !there.contains(attempt->there) || !(attempt->there + attempt->unanswered).contains(there))
        co_return fail(ErrorKind::Transient,
                       Text::tr("The staging queue does not hold what was sent to it; the batch is staged again."));
    attempt->due.removeIf([&](const store::RetryMember &member) {
        return !attempt->unanswered.contains(member.uniqueId) || there.contains(member.uniqueId);
    });
    attempt->unanswered.clear();
    const qsizetype arrived = there.size() - attempt->there.size();
    attempt->there = there;
    countStaged(*attempt, arrived);
    co_return {};
}

QString Processor::failingText() const
{
    const int share = m_parts.broker.failingShare();
    if (share == 0)
        return Text::tr("Requests to the broker had no answer; copies that are missing are sent again.");
    return Text::tr("%1 % of the requests to the broker fail; copies that are missing are sent again.").arg(share);
}

Result<Copies> Processor::copiesOf(const Attempt &attempt, qsizetype from, qsizetype *taken)
{
    Copies copies;
    const Result<> done = m_parts.store.read([&](store::Session &session) -> Result<> {
        copies = {};
        *taken = 0;
        qint64 bytes = 0;
        const qsizetype most = attempt.singly ? 1 : chunkMessages;
        while (*taken < most && from + *taken < attempt.due.size() && bytes < chunkBytes) {
            const qsizetype before = copies.outgoing.size();
            const Result<> added =
                addCopy(session, attempt.operation, attempt.batch.stagingId, attempt.due.at(from + *taken), copies);
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

} // namespace retry
