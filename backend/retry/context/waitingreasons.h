#pragma once

#include "backend/retry/context/processorcontext.h"
#include "backend/retry/gates/gates.h"
#include "backend/retry/gates/restingbatches.h"

#include <array>

namespace retry {

// Why operations wait, as sentences for people. The one place that stores them at the operations
// (RetryOperation::waitingReason). Of several reasons the one that is nearest to the end of a message's way counts: of
// the forwarding lane, of the staging lane, of a refusing destination (RestingBatches), of a gate (Gates).
// Sending never depends on a reason: one that cannot be stored is stored with the next change. Engine thread.
class WaitingReasons final
{
public:
    enum class LaneName { Forwarding, Staging };

    WaitingReasons(ProcessorContext &context, const RestingBatches &resting, const Gates &gates);

    // The lane works for this operation and waits for this reason; empty: it does not wait. No operation: it works for
    // none, or waits for something that all operations of the connection wait for.
    void set(LaneName lane, core::OperationId operation, const QString &reason);
    [[nodiscard]] core::OperationId operation(LaneName lane) const { return of(lane).operation; }
    // The lane waits for something that all operations of the connection wait for.
    [[nodiscard]] bool concernsAll(LaneName lane) const;

    // Stores the reason of the operation, or of all that may go on, if it changed.
    void store(core::OperationId operation);
    void storeAll();
    // Somebody else changed the stored reason.
    void forgetStored(core::OperationId operation) { m_stored.remove(operation); }

private:
    struct LaneReason
    {
        core::OperationId operation;
        QString reason;
    };
    [[nodiscard]] const LaneReason &of(LaneName lane) const { return m_lanes.at(size_t(lane)); }
    [[nodiscard]] QString reasonFor(core::OperationId operation) const;

    ProcessorContext &m_context;
    const RestingBatches &m_resting;
    const Gates &m_gates;
    std::array<LaneReason, 2> m_lanes; // by LaneName
    QHash<core::OperationId, QString> m_stored; // as known
};

} // namespace retry
