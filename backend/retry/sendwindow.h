#pragma once

#include "backend/broker/broker.h"
#include "backend/core/async.h"
#include "backend/core/clock.h"
#include "backend/store/retryrecords.h"

#include <utility>

namespace retry {

// The messages of one ledger batch between L1 and L2: at most as many as the broker takes at a time, so that no more are
// in doubt after a crash. Says when the next durable step is worth its commit: a quarter of what may be open has its
// answer, or `rhythm` has passed since the last step, or nothing is under way any more.
class SendWindow final
{
public:
    static constexpr core::Milliseconds rhythm{100};

    // What the broker takes in one call.
    struct Call
    {
        QList<broker::Outgoing> messages;
        qint64 bytes = 0;
    };

    SendWindow(core::Clock &clock, const broker::Capabilities &capabilities);
    ~SendWindow();
    SendWindow(const SendWindow &) = delete;
    SendWindow &operator=(const SendWindow &) = delete;

    // How many intents may be written now.
    [[nodiscard]] int room() const;
    // Their intents are on disk.
    void load(QList<broker::Outgoing> messages);
    // The ordinals of what was loaded and never launched: their intents are to be taken back.
    [[nodiscard]] QList<qint64> unload();

    [[nodiscard]] bool canLaunch() const { return !m_ready.isEmpty() && m_calls < m_inFlight; }
    [[nodiscard]] Call launch();
    // The call has ended; its outcomes were added before.
    void landed(const Call &call);
    // Whether a call failed. True: so did the one that ended before it.
    [[nodiscard]] bool failsAgain(bool failed) { return std::exchange(m_failed, failed) && failed; }
    [[nodiscard]] bool isUnderWay() const { return m_calls > 0; }

    // Outcomes that wait for the next durable step.
    [[nodiscard]] const QList<store::IntentOutcome> &due() const { return m_due; }
    void add(store::IntentOutcome outcome) { m_due.append(std::move(outcome)); }
    void kept(); // all that is due is on disk

    // Resolves when the next durable step is worth it. One awaiter.
    [[nodiscard]] core::Pending<bool> stepDue();
    // A step failed: the next one is due when nothing is under way any more.
    void holdSteps() { m_held = true; }
    // To be called after a landing; may resume the awaiter of stepDue().
    void look();

private:
    struct Loaded
    {
        broker::Outgoing message;
        qint64 bytes = 0;
    };
    [[nodiscard]] bool isStepDue() const;

    core::Clock &m_clock;
    const int m_batch; // messages in one call
    const qint64 m_batchBytes; // 0: no bound
    const int m_inFlight; // calls at a time
    const int m_most; // messages open at a time
    QList<Loaded> m_ready;
    QList<store::IntentOutcome> m_due;
    int m_calls = 0;
    qsizetype m_sending = 0; // messages in these calls
    qint64 m_bytes = 0; // of what is loaded or in calls
    core::SteadyTime m_stepped;
    bool m_held = false;
    bool m_failed = false; // the call that ended last
    core::Clock::Ticket m_ticket = 0;
    std::optional<core::Pending<bool>> m_awaited;
};

} // namespace retry
