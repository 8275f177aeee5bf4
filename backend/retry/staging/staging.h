#pragma once

#include "backend/retry/context/sharedstate.h"
#include "backend/retry/staging/attempt.h"
#include "backend/retry/staging/marking.h"
#include "backend/retry/staging/stagingqueuefiller.h"

namespace retry {

// The steps of the staging lane: chooses the next batch, names one attempt to stage it (nameStaging), has its staging
// queue filled, and hands it over to the forwarding lane (commitStaged). One object per Processor. Engine thread.
class Staging final
{
public:
    Staging(SharedState &shared, Marking &marking);

    // One step of the lane. False: there is nothing to do now. An error changes nothing of what is stored: the same
    // batch is staged again, under a new name.
    [[nodiscard]] Task<Result<bool>> stageNext();

private:
    [[nodiscard]] Task<Result<>> prepareBroker();
    [[nodiscard]] Result<bool> cancelOrMark();
    void storeGateReasons();
    [[nodiscard]] Task<Result<>> stage(records::RetryBatch batch);
    [[nodiscard]] Task<Result<>> stageOnBroker(Attempt *attempt);
    // True: every destination of the attempt can be reached. False: those that cannot are set aside or ejected, and the
    // members must be chosen again.
    [[nodiscard]] Task<Result<bool>> openWays(const Attempt *attempt);
    [[nodiscard]] Result<> leaveOut(const Attempt &attempt, const QList<broker::Unreachable> &unreachable);
    [[nodiscard]] Task<Result<bool>> waitForPointer(const Attempt *attempt);

    [[nodiscard]] Result<Attempt> nameStaging(records::RetryBatch batch);
    [[nodiscard]] Result<RestingBatches::KeptOut> chooseMembers(store::Session &session, Attempt &attempt);
    [[nodiscard]] Result<> setExcessAside(store::Session &session, Attempt &attempt);
    [[nodiscard]] Result<> commitStaged(const Attempt &attempt, int staged);
    [[nodiscard]] Result<> beginForwarding(store::Session &session, const Attempt &attempt, int staged,
                                           records::RetryOperation operation);
    void handedOver(const Attempt &attempt, const records::RetryOperation &operation, int staged);

    ProcessorContext &m_context;
    Gates &m_gates;
    RestingBatches &m_resting;
    WaitingReasons &m_reasons;
    OperationFinisher &m_finisher;
    VoidStagingQueues &m_voidQueues;
    Lane &m_lane;
    Lane &m_forwardingLane;
    Marking &m_marking;
    StagingQueueFiller m_filler;
    core::OperationId m_lastServed; // operations take turns
};

} // namespace retry
