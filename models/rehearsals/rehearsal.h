#pragma once

#include "backend/api/requests/rehearsals.h"
#include "models/session/enginecall.h"

#include <QTimer>

namespace models {

// A rehearsal that a person begins, watches and cancels in the window. A new start() forgets the result before. The
// destructor cancels what runs. GUI thread; nothing blocks.
class Rehearsal final : public QObject
{
    Q_OBJECT

public:
    enum class State { Ready, Running, Ended, Failed };

    // `request`: the messages, and the plan or the policy. The session outlives this object.
    Rehearsal(ConsoleSession &session, api::Rehearse request, QObject *parent = nullptr);
    ~Rehearsal() override;

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const api::Rehearse &request() const { return m_request; }
    [[nodiscard]] const api::RehearsalReport &report() const { return m_report; } // once Ended
    [[nodiscard]] QString problem() const { return m_problem; } // once Failed
    [[nodiscard]] QString progress() const; // while Running, for people

    void start(const api::RehearsalFaults &faults, bool mask, int atMost);
    void cancel();

Q_SIGNALS:
    void changed();

private:
    void askProgress();
    void take(const core::Result<api::RehearsalReport> &answer);

    ConsoleSession &m_session;
    api::Rehearse m_request;
    State m_state = State::Ready;
    api::RehearsalReport m_report;
    std::optional<api::RehearsalProgress> m_progress;
    QString m_problem;
    EngineCall m_run;
    EngineCall m_look;
    QTimer m_looks;
    bool m_isCancelling = false;
};

} // namespace models
