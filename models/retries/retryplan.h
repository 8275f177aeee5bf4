#pragma once

#include "backend/api/requests/retryplan.h"
#include "models/session/enginecall.h"
#include "models/session/longwork.h"

#include <QHash>
#include <QTimer>

#include <memory>

namespace models {

// A retry plan that a person is making: the choices so far, the preview of the engine, and whether the retry can start.
// A choice that affects the preview requests a new one; only the newest answer counts. Nothing is sent before go(). GUI
// thread.
class RetryPlan final : public QObject
{
    Q_OBJECT

public:
    enum class State { Asking, Ready, Refused, Sending, Accepted };

    RetryPlan(ConsoleSession &session, api::RetryDraft draft, QObject *parent = nullptr);
    ~RetryPlan() override; // cancels the counting that is under way

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const api::PlanPreview &preview() const { return m_preview; }
    [[nodiscard]] const api::RetryDraft &draft() const { return m_draft; }
    [[nodiscard]] core::OperationId operation() const { return m_operation; } // once Accepted
    [[nodiscard]] QString problem() const; // why the retry cannot start; empty when it can

    // ---- choices ----
    void setLimit(std::optional<qint64> limit);
    void setOnUnknown(records::OnUnknown choice);
    void setIncludeLooped(bool include);
    void setIncludeDuplicates(bool include);
    // Sends messages for `origin` (empty: unknown) to `queue`; nothing: removes the choice of this plan.
    void sendTo(const QString &origin, const std::optional<QString> &queue);
    // The queue that this plan chose for `origin`; nothing: no choice.
    [[nodiscard]] std::optional<QString> chosenFor(const QString &origin) const;
    // The redirects of this plan that can be remembered as standing ones: those of messages that name a queue.
    [[nodiscard]] QList<records::Redirect> rememberable() const;
    // Whether the redirect from `origin` becomes a standing one when the retry starts. No new preview.
    void setRemembered(const QString &origin, bool remembered);
    [[nodiscard]] bool isRemembered(const QString &origin) const { return m_remembered.contains(origin); }
    void setPerMinute(std::optional<qint64> perMinute); // no new preview, as for setNotBefore
    void setNotBefore(std::optional<core::TimePoint> notBefore);
    void setMostWaiting(std::optional<qint64> most);
    void setBrokerShare(std::optional<qint64> percent);
    void setAcceptDrops(bool accept);
    void setKeepOrder(bool keep);
    void setAskEndpoints(bool asks);
    void setCaution(std::optional<records::Ramp> ramp, std::optional<records::StopWhen> stop);
    // The change in every copy. The retry cannot start before a preview has counted the messages that the edit fits. An
    // error means that the typed edit is invalid: no preview is requested, and the retry cannot start.
    void setEdit(const core::Result<records::Edit> &edit);
    void setReason(const QString &reason); // no new preview: it does not change the set
    void setConfirmation(const QString &typed);

    // The number that the person must type to confirm; nothing when a click is enough.
    [[nodiscard]] std::optional<qint64> countToType() const;
    [[nodiscard]] bool canGo() const;
    [[nodiscard]] bool isPreviewed() const { return m_previewed; } // the preview matches the current choices

    void ask(); // requests a preview
    // The same, of the messages as they are now: this program has changed them itself.
    void freezeAgain();
    // Requests the preview again and notes it as a dry run. Sends nothing.
    void dryRun();
    void go(); // starts the retry; `accepted` on success, else `changed` with a problem
    // While Sending: nothing is sent if not all messages are frozen yet, and the answer says so. False: it is cancelled
    // already, or nothing is sent now.
    bool cancel();
    // While Asking or Sending, if it takes long: "Freezing messages: 1,200 of 3,000".
    [[nodiscard]] QString progress() const;

    // The rates of earlier retries in messages per second, by connection.
    void setPaces(const QHash<core::ConnectionId, double> &perSecond) { m_paces = perSecond; }
    // The rate for this connection; nothing: no earlier retry gives one.
    [[nodiscard]] std::optional<double> pace() const;
    // The time of the dry run; nothing when the newest preview is not one.
    [[nodiscard]] std::optional<core::TimePoint> dryRunAt() const { return m_dryRunAt; }

Q_SIGNALS:
    void changed();
    void accepted(core::OperationId operation);
    void progressed();

private:
    void watch(const QString &doing);
    void dropPreview();
    void takePreview(bool dry, const core::Result<api::PlanPreview> &answer);
    void takeAnswer(const core::Result<core::OperationId> &answer);
    void refuse(const QString &why);
    [[nodiscard]] bool isTooLate() const; // the start time has passed
    void ask(bool dry);

    ConsoleSession &m_session;
    api::RetryDraft m_draft;
    api::PlanPreview m_preview;
    State m_state = State::Asking;
    QString m_problem;
    QString m_editProblem; // why the typed edit is invalid
    QTimer m_editPause; // since the last edit: not every keystroke makes a request
    std::optional<qint64> m_typed;
    core::OperationId m_operation;
    EngineCall m_previewing;
    std::unique_ptr<LongWork> m_work; // what the engine does for this plan now
    QHash<core::ConnectionId, double> m_paces;
    std::optional<core::TimePoint> m_dryRunAt;
    QStringList m_remembered; // origins of redirects
    bool m_unknownChosen = false;
    bool m_previewed = false;
};

} // namespace models
