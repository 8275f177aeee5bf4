#pragma once

#include "backend/retry/context/sharedstate.h"
#include "backend/retry/forwarding/intentwriter.h"
#include "backend/retry/forwarding/sendwindow.h"

namespace retry {

// One batch that is being sent from the intent log: its SendWindow, the transactions between its sends, and what an
// answer of the broker means for a message. In memory only; the open intents are in the store. Engine thread.
class IntentLogRun final
{
public:
    IntentLogRun(SharedState &shared, const records::RetryBatch &batch, const broker::Capabilities &capabilities);

    [[nodiscard]] const records::RetryBatch &batch() const { return m_batch; }
    [[nodiscard]] const IntentWriter &intents() const { return m_intents; }

    // recordOutcomes for answered messages and recordIntents for the next ones, in one transaction. If it fails, nothing
    // changes, and its error ends this run.
    void step();
    // Resolves when the next step() is due. For one awaiter.
    [[nodiscard]] core::Pending<bool> stepDue() { return m_window.stepDue(); }

    [[nodiscard]] bool maySend() const;
    [[nodiscard]] SendWindow::Call nextCall() { return m_window.launch(); }
    // The call has ended. Resumes the awaiter of stepDue() if a step is due; that may close this run.
    void answered(const SendWindow::Call &call, const QList<broker::SendOutcome> &outcomes);

    // No send is in progress, and none follows.
    [[nodiscard]] bool isOver() const;
    // No send may begin any more. Outcomes may still have to be recorded.
    void close();
    [[nodiscard]] bool isClosed() const { return m_closed; }
    [[nodiscard]] Result<> recordOutcomes();
    // The error that ended this run: what to wait for before the batch continues. Nothing: there was none.
    [[nodiscard]] const std::optional<core::Error> &error() const { return m_error; }

private:
    [[nodiscard]] Result<> storeStep();
    [[nodiscard]] Result<core::BatchId> setRefusedAside(store::Session &session, QStringList &refusing);
    void takeIntentsBack();
    void applyOutcome(const broker::Outgoing &message, const broker::SendOutcome &outcome);
    void reportRecorded(const QList<store::SendResult> &outcomes);

    ProcessorContext &m_context;
    RestingBatches &m_resting;
    WaitingReasons &m_reasons;
    Lane &m_lane;
    const records::RetryBatch m_batch;
    SendWindow m_window;
    IntentWriter m_intents;
    std::optional<core::Error> m_error;
    bool m_refusing = false; // a destination has refused since the last step
    bool m_closed = false;
};

} // namespace retry
