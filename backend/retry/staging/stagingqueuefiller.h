#pragma once

#include "backend/retry/context/sharedstate.h"
#include "backend/retry/copies.h"
#include "backend/retry/staging/attempt.h"
#include "backend/retry/staging/marking.h"

#include <functional>

namespace retry {

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
//
// One object per Processor, for its staging lane. Engine thread. Every error means that the staging queue is void.
class StagingQueueFiller final
{
public:
    // Meanwhile the next batch is marked.
    StagingQueueFiller(SharedState &shared, Marking &marking);

    // Creates the staging queue of the attempt.
    [[nodiscard]] Task<Result<>> open(const Attempt *attempt);
    // The destinations to which there is no way.
    [[nodiscard]] Task<Result<QList<broker::Unreachable>>> openWays(const Attempt *attempt);
    // Returns how many copies it holds in the end. Rejected: the broker refused one message, and the refusal is stored.
    [[nodiscard]] Task<Result<int>> fill(Attempt *attempt);
    // Whether the staging queue still holds that many copies; an error if not.
    [[nodiscard]] Task<Result<>> checkCount(const Attempt *attempt, int staged);

private:
    struct Trouble;
    template<typename T>
    [[nodiscard]] Task<Result<T>> repeatUnanswered(std::function<Task<Result<T>>(broker::StagingQueue &)> request);
    [[nodiscard]] Task<Result<>> sendDue(Attempt *attempt);
    [[nodiscard]] Task<Result<>> sendCopies(Attempt *attempt, QList<broker::Outgoing> copies);
    [[nodiscard]] QList<broker::Outgoing> applyOutcomes(Attempt &attempt, const QList<broker::Outgoing> &copies,
                                                        const QList<broker::SendOutcome> &outcomes, Trouble &trouble);
    [[nodiscard]] Result<> storeRefusals(const Attempt &attempt, const QList<store::MemberReason> &refused);
    [[nodiscard]] Task<Result<>> reconcile(Attempt *attempt);
    [[nodiscard]] Result<Copies> nextCopies(Attempt &attempt, qsizetype *next);
    [[nodiscard]] Result<> ejectLarge(Attempt *attempt);
    [[nodiscard]] Result<> eject(Attempt &attempt, const QList<store::MemberReason> &members);
    [[nodiscard]] Result<Copies> copiesOf(Attempt &attempt, qsizetype from, qsizetype *taken);
    [[nodiscard]] broker::StagingQueue *stagingQueue();
    [[nodiscard]] QString failingText() const;
    void reportProgress(const Attempt &attempt, qsizetype arrived);

    ProcessorContext &m_context;
    Lane &m_lane;
    Marking &m_marking;
};

} // namespace retry
