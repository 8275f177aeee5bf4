// Between nameStaging and commitStaged: fills a staging queue, in rounds, until it holds one copy of each message.
//
// A copy that was sent and not answered may be in the staging queue, arrive later, or never arrive. So after a round
// with such copies the entrance they were sent through is closed for good. Then the staging queue is listed, and
// missing copies are sent through the next entrance. A late copy therefore
//  - arrives before the entrance is closed: it is in the list and not sent again;
//  - or arrives after that, at any time, even when the staging queue was forwarded or is void: its entrance is gone, so
//    nothing accepts it.
// If closing, listing or opening has no answer, the three are repeated. Nothing is sent until they succeed, and closing
// a closed entrance changes nothing. A process that dies in between leaves a staging queue that no batch is forwarding:
// it is void like any other. commitStaged still compares the message count: by then every entrance that an unanswered
// copy was sent through is closed.
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

constexpr int chunkMessages = 200; // copies in memory, and in one stage call
constexpr size_t chunksInFlight = 2;
constexpr qint64 chunkBytes = 8LL * 1024 * 1024;
constexpr int quietPeriod = 6; // failed tries in a row before the staging queue is given up

QString noStagingQueue()
{
    return Text::tr("The broker no longer offers staging queues. Redrive checks again what this account may do.");
}

core::Error vanishedOr(const core::Error &error)
{
    return error.kind == ErrorKind::NotFound
               ? core::Error{ErrorKind::Transient,
                             Text::tr("The staging queue has disappeared. The batch is staged again."),
                             {},
                             {}}
               : error;
}

} // namespace

// Repeats a request that had no answer, so that what was already staged is not thrown away for one lost answer.
template<typename T>
Task<Result<T>> Processor::insist(std::function<Task<Result<T>>(broker::StagingQueue &)> ask)
{
    const recovery::Backoff before = m_shared.staging.backoff();
    for (int tries = 0;; ++tries) {
        broker::StagingQueue *queue = m_shared.context.broker.stagingQueue(); // may be withdrawn while we wait
        if (queue == nullptr) {
            m_shared.context.capabilities.reset();
            co_return fail(ErrorKind::Transient, noStagingQueue());
        }
        Result<T> answer = co_await ask(*queue);
        if (answer && tries > 0) {
            m_shared.staging.restoreBackoff(before);
            m_shared.staging.setReason({});
        }
        const bool mayPass =
            !answer && (answer.error().kind == ErrorKind::Transient || answer.error().kind == ErrorKind::Throttled);
        if (!mayPass || tries >= quietPeriod)
            co_return answer;
        const bool goOn = co_await m_shared.staging.waitAfter(answer.error());
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, answer.error().message);
    }
}

Task<Result<>> Processor::stageOnBroker(Attempt attempt)
{
    m_shared.voidQueues.add(attempt.place.name); // until commitStaged
    const std::function<Task<Result<>>(broker::StagingQueue &)> open = [&attempt](broker::StagingQueue &queue) {
        return queue.open(attempt.place);
    };
    CO_TRY(co_await insist<void>(open));
    const Result<int> staged = co_await fillPlace(&attempt);
    if (!staged) {
        // The broker refused one message: the batch is staged one by one, at once and under a new name.
        if (staged.error().kind == ErrorKind::Rejected)
            co_return {};
        co_return fail(staged.error());
    }
    m_shared.staging.setReason({});
    CO_TRY(const bool free, co_await untilPointerFree(attempt.batch.operation));
    if (!free || m_shared.resting.isOutOfDate(attempt))
        co_return {}; // paused, cancelled, or its members must be chosen again: the place is void
    const std::function<Task<Result<qint64>>(broker::StagingQueue &)> count = [&attempt](broker::StagingQueue &queue) {
        return queue.depth(attempt.place);
    };
    const Result<qint64> depth = co_await insist<qint64>(count);
    if (!depth)
        co_return fail(vanishedOr(depth.error()));
    if (*depth != *staged) {
        co_return fail(ErrorKind::Transient,
                       Text::tr("The staging queue holds %1 copies instead of %2. The batch is staged again.")
                           .arg(*depth)
                           .arg(*staged));
    }
    const Result<> entered = enterForwarding(attempt, *staged);
    // The store may say that this place is being forwarded, so only the next start decides about it.
    if (!entered && entered.error().kind == ErrorKind::StoreFailed)
        m_shared.voidQueues.forget(attempt.place.name);
    co_return entered;
}

// Returns how many copies the staging queue holds. Rejected: it refused one, which is stored; the place is void.
Task<Result<int>> Processor::fillPlace(Attempt *attempt)
{
    const recovery::Backoff before = m_shared.staging.backoff();
    attempt->due = attempt->members;
    int fruitless = 0; // rounds in a row in which no copy arrived
    while (!attempt->due.isEmpty()) {
        const qsizetype there = attempt->there.size();
        CO_TRY(co_await stageRound(attempt));
        if (attempt->unanswered.isEmpty())
            break;
        m_shared.staging.setReason(failingText());
        CO_TRY(co_await reconcile(attempt));
        fruitless = attempt->there.size() > there ? 0 : fruitless + 1;
        if (fruitless == 0)
            m_shared.staging.restoreBackoff(before);
        if (fruitless == 0 || attempt->due.isEmpty())
            continue;
        if (fruitless >= quietPeriod)
            co_return fail(attempt->silence);
        const bool goOn = co_await m_shared.staging.waitAfter(attempt->silence);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, attempt->silence.message);
    }
    co_return int(attempt->there.size());
}

// Publishes the due copies. Two chunks are being sent at a time, so that the broker never waits for the last copies of
// one; meanwhile the next batch is marked.
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
            static_cast<void>(m_marking.markNext()); // the error comes up again when it is this batch's turn
        const Result<> sent = co_await sending.front();
        sending.pop_front();
        if (!sent && going)
            going = sent;
    }
    co_return going;
}

void Processor::countStaged(const Attempt &attempt, qsizetype arrived)
{
    if (arrived > 0)
        m_shared.context.progress.staged(attempt.batch.operation, arrived);
    report(attempt.batch, attempt.there.size(), 0);
}

// Makes the next chunk; members without a sendable copy are ejected.
Result<Copies> Processor::nextCopies(const Attempt &attempt, qsizetype *next)
{
    qsizetype taken = 0;
    Result<Copies> copies = copiesOf(attempt, *next, &taken);
    if (!copies)
        return copies;
    *next += taken;
    if (copies->unfit.isEmpty())
        return copies;
    const Result<> ejected = m_shared.context.store.transact(
        [&](store::Session &session) { return session.retries().eject(attempt.batch.id, copies->unfit); });
    return ejected ? copies : Result<Copies>(fail(ejected.error()));
}

// Copies that were certainly not accepted are sent again through the same entrance; unanswered ones wait for the end of
// the round.
Task<Result<>> Processor::stageCopies(Attempt *attempt, QList<broker::Outgoing> copies)
{
    const recovery::Backoff before = m_shared.staging.backoff();
    int fruitless = 0; // tries in a row without progress
    while (!copies.isEmpty()) {
        broker::StagingQueue *queue = m_shared.context.broker.stagingQueue(); // may be withdrawn while we wait
        if (queue == nullptr) {
            m_shared.context.capabilities.reset();
            co_return fail(ErrorKind::Transient, noStagingQueue());
        }
        const QList<broker::SendOutcome> outcomes = co_await queue->stage(attempt->place, copies);
        const qsizetype asked = copies.size();
        StageTrouble trouble;
        copies = sortOut(*attempt, copies, outcomes, trouble);
        if (trouble.end)
            co_return fail(*trouble.end);
        if (!trouble.refused.isEmpty()) {
            const Result<> counted = m_shared.context.store.transact([&](store::Session &session) {
                return session.retries().countRefusals(attempt->batch.id, trouble.refused);
            });
            co_return fail(counted ? core::Error{ErrorKind::Rejected, trouble.refused.first().reason, {}, {}}
                                   : counted.error());
        }
        if (copies.isEmpty())
            break;
        fruitless = copies.size() < asked ? 0 : fruitless + 1;
        if (fruitless == 0)
            m_shared.staging.restoreBackoff(before);
        if (fruitless > quietPeriod)
            co_return fail(trouble.notSent);
        const bool goOn = co_await m_shared.staging.waitAfter(trouble.notSent);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, trouble.notSent.message);
    }
    co_return {};
}

// Returns the copies that were certainly not accepted.
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
        case broker::Verdict::Full: // the staging queue itself is full
        case broker::Verdict::NotSent:
            again.append(copy);
            trouble.notSent = outcome.error;
            break;
        case broker::Verdict::Unknown:
            attempt.unanswered.insert(copy.uniqueId);
            attempt.silence =
                core::Error{ErrorKind::Transient,
                            Text::tr("The broker did not answer when a copy was sent to the staging queue."),
                            outcome.error.message,
                            {}};
            if (outcome.error.kind == ErrorKind::Cancelled)
                trouble.end = outcome.error;
            break;
        case broker::Verdict::NoSuchDestination:
            trouble.end = core::Error{ErrorKind::Transient,
                                      Text::tr("The staging queue did not accept a copy. The batch is staged again."),
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
        co_return fail(
            ErrorKind::Transient,
            Text::tr("The staging queue does not hold the copies that were sent to it. The batch is staged again."));
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
    const int share = m_shared.context.broker.failingShare();
    if (share == 0)
        return Text::tr("The broker did not answer some requests. Missing copies are sent again.");
    return Text::tr("%1 % of the requests to the broker fail. Missing copies are sent again.").arg(share);
}

Result<Copies> Processor::copiesOf(const Attempt &attempt, qsizetype from, qsizetype *taken)
{
    return m_shared.context.store.read<Copies>([&](store::Session &session) -> Result<Copies> {
        Copies copies;
        *taken = 0;
        qint64 bytes = 0;
        const qsizetype most = attempt.singly ? 1 : chunkMessages;
        while (*taken < most && from + *taken < attempt.due.size() && bytes < chunkBytes) {
            const qsizetype before = copies.outgoing.size();
            TRY(addCopy(m_shared.context, session, attempt.operation, attempt.batch.stagingId,
                        attempt.due.at(from + *taken), copies));
            ++*taken;
            if (copies.outgoing.size() > before)
                bytes += weight(copies.outgoing.last().envelope);
        }
        return copies;
    });
}

} // namespace retry
