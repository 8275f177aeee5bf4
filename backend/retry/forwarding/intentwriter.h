#pragma once

#include "backend/retry/context/processorcontext.h"
#include "backend/retry/copies.h"

namespace retry {

// Step recordIntents of one batch: stores which messages are about to be sent, and makes their copies. Knows what the
// plan of the operation said at the last step. Engine thread.
class IntentWriter final
{
public:
    IntentWriter(const ProcessorContext &context, const records::RetryBatch &batch);

    // Inside a transaction: stores the intents of up to `room` members and returns their copies. Members that can never
    // be sent are ejected. If the transaction is rolled back, the next call stores what is missing.
    [[nodiscard]] Result<QList<broker::Outgoing>> write(store::Session &session, qsizetype room);

    // As of the last write():
    [[nodiscard]] bool isDry() const { return m_dry; } // nothing more may be sent
    [[nodiscard]] records::OperationState operationState() const { return m_state; }
    [[nodiscard]] bool isSlowed() const { return m_slowed; } // the batch holds more than the rate allows now
    [[nodiscard]] records::OnUnknown onUnknown() const { return m_onUnknown; }

private:
    [[nodiscard]] Result<QList<qint64>> makeCopies(store::Session &session, const records::RetryOperation &operation,
                                                   qsizetype room, Copies &copies);
    [[nodiscard]] Result<> ejectUnfit(store::Session &session, const QList<store::MemberReason> &unfit);

    const ProcessorContext &m_context;
    const records::RetryBatch m_batch;
    records::OperationState m_state = records::OperationState::Running;
    records::OnUnknown m_onUnknown = records::OnUnknown::LeaveInDoubt;
    QList<store::RetryMember> m_unsent; // as read from the store, which has the last word
    qsizetype m_next = 0; // index of the first one that no step has tried
    bool m_dry = false;
    bool m_slowed = false;
};

} // namespace retry
