#pragma once

#include "backend/broker/broker.h"
#include "backend/core/async.h"
#include "backend/core/time/clock.h"
#include "backend/store/retry/retryrecords.h"

#include <utility>

namespace retry {

// The messages of one intent-log batch between recordIntents and recordOutcomes: at most as many as the broker takes at
// a time, so that no more are in doubt after a crash. Decides when the next transaction is worth its commit: a quarter
// of the possible answers are there, `rhythm` has passed since the last one, or no send is in progress. Engine thread.
class SendWindow final
{
public:
    static constexpr core::Milliseconds rhythm{100};

    // The messages of one call to the broker.
    struct Call
    {
        QList<broker::Outgoing> messages;
        qint64 bytes = 0;
    };

    SendWindow(core::Clock &clock, const broker::Capabilities &capabilities);
    ~SendWindow();
    SendWindow(const SendWindow &) = delete;
    SendWindow &operator=(const SendWindow &) = delete;

    // How many intents may be stored now.
    [[nodiscard]] int room() const;
    // Adds messages whose intents are on the disk.
    void load(QList<broker::Outgoing> messages);
    // Removes what was loaded and never launched, and returns its ordinals: these intents must be taken back.
    [[nodiscard]] QList<qint64> unload();

    [[nodiscard]] bool canLaunch() const { return !m_ready.isEmpty() && m_calls < m_inFlight; }
    [[nodiscard]] Call launch();
    // A call has ended; its outcomes were added before.
    void landed(const Call &call);
    // Notes whether a call failed. True: it failed, and so did the call that ended before it.
    [[nodiscard]] bool failsAgain(bool failed) { return std::exchange(m_failed, failed) && failed; }
    [[nodiscard]] bool isUnderWay() const { return m_calls > 0; }

    // Outcomes that wait for the next transaction.
    [[nodiscard]] const QList<store::SendResult> &due() const { return m_due; }
    void add(store::SendResult outcome) { m_due.append(std::move(outcome)); }
    void kept(); // all due outcomes are on the disk

    // Resolves when the next transaction is due. For one awaiter.
    [[nodiscard]] core::Pending<bool> stepDue();
    // A transaction failed: the next one is due when no send is in progress.
    void holdSteps() { m_held = true; }
    // To be called after landed(). May resume the awaiter of stepDue().
    void wakeWhenDue();

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
    QList<store::SendResult> m_due;
    int m_calls = 0;
    qsizetype m_sending = 0; // messages in running calls
    qint64 m_bytes = 0; // of messages loaded or in running calls
    core::SteadyTime m_stepped;
    bool m_held = false;
    bool m_failed = false; // the last ended call failed
    core::Clock::Ticket m_ticket = 0;
    std::optional<core::Pending<bool>> m_awaited;
};

} // namespace retry
