#include "backend/retry/staging/stagingqueuefiller.h"

#include "backend/core/limits.h"
#include "backend/retry/outgoing.h"
#include "backend/retry/text.h"
#include "backend/store/retry/stagingstore.h"

#include <algorithm>
#include <deque>

namespace retry {

using core::ErrorKind;
using core::fail;

namespace {

constexpr int chunkMessages = 200; // copies in memory, and in one stage call
constexpr size_t chunksInFlight = 2;
constexpr qint64 chunkBytes = 8LL * 1024 * 1024;
constexpr int mostFruitless = 6; // failed tries in a row before the staging queue is given up
constexpr qint64 largeCopy =
    1024LL * 1024; // bytes; the size of a smaller one is no reason to be refused without a word

core::Error noStagingQueue()
{
    return {ErrorKind::Transient,
            Text::tr("The broker no longer offers staging queues. Redrive checks again what this account may do."),
            {},
            {}};
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

bool mayPass(const core::Error &error)
{
    return error.kind == ErrorKind::Transient || error.kind == ErrorKind::Throttled;
}

} // namespace

// The problems of sending some copies; accepted and unanswered copies are not in it.
struct StagingQueueFiller::Trouble
{
    QList<store::MemberReason> refused; // because of the message itself
    QList<store::MemberReason> tooLarge; // likewise, and trying again is pointless
    core::Error notSent; // why some must be sent again
    std::optional<core::Error> end; // nothing more can be staged there
};

StagingQueueFiller::StagingQueueFiller(SharedState &shared, Marking &marking)
    : m_context(shared.context)
    , m_lane(shared.staging)
    , m_marking(marking)
{
}

// Asked for before each request, because it may be withdrawn while we wait: then the rights are probed again.
broker::StagingQueue *StagingQueueFiller::stagingQueue()
{
    broker::StagingQueue *queue = m_context.broker.stagingQueue();
    if (queue == nullptr)
        m_context.brokerState.rightsMayHaveChanged();
    return queue;
}

// Repeats a request that had no answer, so that what was already staged is not thrown away for one lost answer.
template<typename T>
Task<Result<T>> StagingQueueFiller::repeatUnanswered(std::function<Task<Result<T>>(broker::StagingQueue &)> request)
{
    const recovery::Backoff before = m_lane.backoff();
    for (int tries = 0;; ++tries) {
        broker::StagingQueue *queue = stagingQueue();
        if (queue == nullptr)
            co_return fail(noStagingQueue());
        Result<T> answer = co_await request(*queue);
        if (answer && tries > 0) {
            m_lane.restoreBackoff(before);
            m_lane.setReason({});
        }
        if (answer || !mayPass(answer.error()) || tries >= mostFruitless)
            co_return answer;
        const bool goOn = co_await m_lane.waitAfter(answer.error());
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, answer.error().message);
    }
}

Task<Result<>> StagingQueueFiller::open(const Attempt *attempt)
{
    const std::function<Task<Result<>>(broker::StagingQueue &)> create = [attempt](broker::StagingQueue &queue) {
        return queue.open(attempt->place);
    };
    const Result<> opened = co_await repeatUnanswered<void>(create);
    co_return opened;
}

Task<Result<QList<broker::Unreachable>>> StagingQueueFiller::openWays(const Attempt *attempt)
{
    const std::function<Task<Result<QList<broker::Unreachable>>>(broker::StagingQueue &)> ask =
        [attempt](broker::StagingQueue &queue) { return queue.openWays(attempt->place); };
    const Result<QList<broker::Unreachable>> unreachable = co_await repeatUnanswered<QList<broker::Unreachable>>(ask);
    co_return unreachable;
}

Task<Result<int>> StagingQueueFiller::fill(Attempt *attempt)
{
    const recovery::Backoff before = m_lane.backoff();
    attempt->due = attempt->members;
    int fruitless = 0; // rounds in a row in which no copy arrived
    while (!attempt->due.isEmpty()) {
        const qsizetype there = attempt->there.size();
        CO_TRY(co_await sendDue(attempt));
        if (attempt->unanswered.isEmpty())
            break;
        m_lane.setReason(failingText());
        CO_TRY(co_await reconcile(attempt));
        fruitless = attempt->there.size() > there ? 0 : fruitless + 1;
        if (fruitless == 0)
            m_lane.restoreBackoff(before);
        if (fruitless >= mostFruitless)
            CO_TRY(ejectLarge(attempt));
        if (fruitless == 0 || attempt->due.isEmpty())
            continue;
        if (fruitless >= mostFruitless)
            co_return fail(attempt->silence);
        const bool goOn = co_await m_lane.waitAfter(attempt->silence);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, attempt->silence.message);
    }
    co_return int(attempt->there.size());
}

Task<Result<>> StagingQueueFiller::checkCount(const Attempt *attempt, int staged)
{
    const std::function<Task<Result<qint64>>(broker::StagingQueue &)> count = [attempt](broker::StagingQueue &queue) {
        return queue.depth(attempt->place);
    };
    const Result<qint64> depth = co_await repeatUnanswered<qint64>(count);
    if (!depth)
        co_return fail(vanishedOr(depth.error()));
    if (*depth != staged) {
        co_return fail(ErrorKind::Transient,
                       Text::tr("The staging queue holds %1 copies instead of %2. The batch is staged again.")
                           .arg(*depth)
                           .arg(staged));
    }
    co_return {};
}

// Sends the due copies. Two chunks are being sent at a time, so that the broker never waits for the last copies of one;
// meanwhile the next batch is marked.
Task<Result<>> StagingQueueFiller::sendDue(Attempt *attempt)
{
    qsizetype next = 0;
    std::deque<Task<Result<>>> sending;
    const size_t most = attempt->isOneByOne() ? 1 : chunksInFlight;
    Result<> going;
    while (true) {
        // In order, nothing follows a copy whose fate is unknown before the staging queue was listed.
        const bool isHeld = attempt->operation.plan.keepOrder && !attempt->unanswered.isEmpty();
        while (going && !isHeld && sending.size() < most && next < attempt->due.size()) {
            Result<Copies> copies = nextCopies(*attempt, &next);
            if (copies)
                sending.push_back(sendCopies(attempt, std::move(copies->outgoing)));
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

// Makes the next chunk; members without a sendable copy are ejected.
Result<Copies> StagingQueueFiller::nextCopies(Attempt &attempt, qsizetype *next)
{
    qsizetype taken = 0;
    Result<Copies> copies = copiesOf(attempt, *next, &taken);
    if (!copies)
        return copies;
    *next += taken;
    const Result<> ejected = eject(attempt, copies->unfit);
    return ejected ? copies : Result<Copies>(fail(ejected.error()));
}

// The broker answers, because it has just listed the staging queue, and it does not hold these copies, nor can they arrive
// any more. So their size is what it does not take: a server may close the connection while a long body is sent.
Result<> StagingQueueFiller::ejectLarge(Attempt *attempt)
{
    const qint64 megabyte = 1024LL * 1024;
    QList<store::MemberReason> large;
    for (const store::RetryMember &member : std::as_const(attempt->due)) {
        const qint64 bytes = attempt->large.value(member.ordinal);
        if (bytes > 0 && attempt->tried.contains(member.uniqueId))
            large.append(
                {member.ordinal,
                 Text::tr("The broker answers, but did not take this message of %1 MB in %2 tries: it is too large "
                          "for its HTTP interface.")
                     .arg(QString::number(double(bytes) / double(megabyte), 'f', 1), QString::number(mostFruitless))});
    }
    TRY(eject(*attempt, large));
    attempt->due.removeIf([&](const store::RetryMember &member) { return attempt->out.contains(member.ordinal); });
    return {};
}

Result<> StagingQueueFiller::eject(Attempt &attempt, const QList<store::MemberReason> &members)
{
    for (const store::MemberReason &member : members)
        attempt.out.insert(member.ordinal);
    return members.isEmpty() ? Result<>() : m_context.store.transact([&](store::Session &session) {
        return session.staging().eject(attempt.batch.id, members);
    });
}

Result<Copies> StagingQueueFiller::copiesOf(Attempt &attempt, qsizetype from, qsizetype *taken)
{
    return m_context.store.read<Copies>([&](store::Session &session) -> Result<Copies> {
        Copies copies;
        *taken = 0;
        qint64 bytes = 0;
        const core::SteadyTime begin = m_context.clock.steady(); // an edit may take its time
        const auto isSoon = [&] { return m_context.clock.steady() - begin <= core::limits::transactionSlice; };
        const qsizetype most = std::min<qsizetype>(attempt.isOneByOne() ? 1 : chunkMessages, attempt.due.size() - from);
        while (*taken < most && bytes < chunkBytes && (*taken == 0 || isSoon())) {
            const qsizetype before = copies.outgoing.size();
            TRY(addCopy(m_context, session, attempt.operation, attempt.batch.stagingId, attempt.due.at(from + *taken),
                        copies));
            ++*taken;
            const qint64 added = copies.outgoing.size() > before ? weight(copies.outgoing.last().envelope) : 0;
            if (added > largeCopy)
                attempt.large.insert(copies.outgoing.last().ordinal, added);
            bytes += added;
        }
        return copies;
    });
}

// Copies that were certainly not accepted are sent again through the same entrance; unanswered ones wait for the end of
// the round.
Task<Result<>> StagingQueueFiller::sendCopies(Attempt *attempt, QList<broker::Outgoing> copies)
{
    const recovery::Backoff before = m_lane.backoff();
    int fruitless = 0; // tries in a row without progress
    while (!copies.isEmpty()) {
        broker::StagingQueue *queue = stagingQueue();
        if (queue == nullptr)
            co_return fail(noStagingQueue());
        const QList<broker::SendOutcome> outcomes = co_await queue->stage(attempt->place, copies);
        const qsizetype asked = copies.size();
        Trouble trouble;
        copies = applyOutcomes(*attempt, copies, outcomes, trouble);
        CO_TRY(eject(*attempt, trouble.tooLarge));
        if (trouble.end)
            co_return fail(*trouble.end);
        if (!trouble.refused.isEmpty())
            co_return storeRefusals(*attempt, trouble.refused);
        if (copies.isEmpty())
            break;
        fruitless = copies.size() < asked ? 0 : fruitless + 1;
        if (fruitless == 0)
            m_lane.restoreBackoff(before);
        if (fruitless > mostFruitless)
            co_return fail(trouble.notSent);
        const bool goOn = co_await m_lane.waitAfter(trouble.notSent);
        if (!goOn)
            co_return fail(ErrorKind::Cancelled, trouble.notSent.message);
    }
    co_return {};
}

// Always an error: Rejected once the refusals are stored.
Result<> StagingQueueFiller::storeRefusals(const Attempt &attempt, const QList<store::MemberReason> &refused)
{
    TRY(m_context.store.transact(
        [&](store::Session &session) { return session.staging().countRefusals(attempt.batch.id, refused); }));
    return fail(ErrorKind::Rejected, refused.first().reason);
}

// Returns the copies that were certainly not accepted.
QList<broker::Outgoing> StagingQueueFiller::applyOutcomes(Attempt &attempt, const QList<broker::Outgoing> &copies,
                                                          const QList<broker::SendOutcome> &outcomes, Trouble &trouble)
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
        case broker::Verdict::TooLarge:
            trouble.tooLarge.append({copy.ordinal, outcome.error.message});
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
    reportProgress(attempt, attempt.there.size() - before);
    return again;
}

// Closes the entrance and compares what the staging queue holds with what was sent.
Task<Result<>> StagingQueueFiller::reconcile(Attempt *attempt)
{
    const std::function<Task<Result<QStringList>>(broker::StagingQueue &)> ask =
        [attempt](broker::StagingQueue &queue) { return queue.reconcile(attempt->place); };
    const Result<QStringList> held = co_await repeatUnanswered<QStringList>(ask);
    if (!held)
        co_return fail(vanishedOr(held.error()));
    ++attempt->place.entrance;
    const QSet<QString> there(held->cbegin(), held->cend());
    const bool isOnce = there.size() == held->size();
    if (!isOnce || !there.contains(attempt->there) || !(attempt->there + attempt->unanswered).contains(there))
        co_return fail(
            ErrorKind::Transient,
            Text::tr("The staging queue does not hold the copies that were sent to it. The batch is staged again."));
    attempt->tried = attempt->unanswered;
    attempt->due.removeIf([&](const store::RetryMember &member) {
        const bool isLeft = attempt->unanswered.contains(member.uniqueId)
                            || (attempt->operation.plan.keepOrder && !attempt->out.contains(member.ordinal));
        return !isLeft || there.contains(member.uniqueId);
    });
    attempt->unanswered.clear();
    const qsizetype arrived = there.size() - attempt->there.size();
    attempt->there = there;
    reportProgress(*attempt, arrived);
    co_return {};
}

void StagingQueueFiller::reportProgress(const Attempt &attempt, qsizetype arrived)
{
    if (arrived > 0)
        m_context.progress.staged(attempt.batch.operation, arrived);
    m_context.progress.batchMoved(BatchProgress{attempt.batch.id, attempt.batch.operation, attempt.there.size(), 0});
}

QString StagingQueueFiller::failingText() const
{
    const int share = m_context.broker.failingShare();
    if (share == 0)
        return Text::tr("The broker did not answer some requests. Missing copies are sent again.");
    return Text::tr("%1 % of the requests to the broker fail. Missing copies are sent again.").arg(share);
}

} // namespace retry
