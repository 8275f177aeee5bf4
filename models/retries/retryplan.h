#pragma once

#include "models/session/whendone.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace models {

// One plan being made: what the person has chosen so far, what the engine says about it, and whether it may go. Every
// choice asks for a new preview; only the newest answer counts.
class RetryPlan final : public QObject
{
    Q_OBJECT

public:
    enum class State { Asking, Ready, Refused, Sending, Accepted };

    RetryPlan(api::EngineClient &client, api::RetryRequest request, QObject *parent = nullptr);

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const api::PlanPreview &preview() const { return m_preview; }
    [[nodiscard]] const api::RetryRequest &request() const { return m_request; }
    [[nodiscard]] core::OperationId operation() const { return m_operation; } // once Accepted
    [[nodiscard]] QString problem() const; // why it cannot go; empty when it can

    // ---- choices ----
    void setLimit(std::optional<qint64> limit);
    void setOnUnknown(records::OnUnknown choice);
    void setIncludeLooped(bool include);
    // What would go to `origin` (empty: unknown) goes to `queue`; nothing: as it would without a choice in this plan.
    void sendTo(const QString &origin, const std::optional<QString> &queue);
    // What was chosen for it in this plan.
    [[nodiscard]] std::optional<QString> chosenFor(const QString &origin) const;
    void setPerMinute(std::optional<qint64> perMinute); // no new preview, as with the next two
    void setNotBefore(std::optional<core::TimePoint> notBefore);
    void setMostWaiting(std::optional<qint64> most);
    void setCaution(std::optional<records::Ramp> ramp, std::optional<records::StopWhen> stop);
    // What is changed in every copy. Until it was asked how many it fits, nothing can go. An error: what was typed is no edit
    // yet; nothing is asked, and nothing can go.
    void setEdit(const core::Result<records::Edit> &edit);
    void setReason(const QString &reason); // no new preview: it changes nothing of the set
    void setConfirmation(const QString &typed);

    // The number the person has to type, or nothing when a click is enough.
    [[nodiscard]] std::optional<qint64> countToType() const;
    [[nodiscard]] bool canGo() const;
    [[nodiscard]] bool isPreviewed() const { return m_previewed; } // the preview is of what is chosen now

    void ask();
    // The same question once more, now: what would go, without sending anything.
    void dryRun();
    void go();

    // How fast earlier retries went, by connection.
    void setPaces(const QHash<core::ConnectionId, double> &perSecond) { m_paces = perSecond; }
    // Nothing: no earlier retry tells.
    [[nodiscard]] std::optional<double> pace() const;
    // When the newest answer is one to dryRun().
    [[nodiscard]] std::optional<core::TimePoint> dryRunAt() const { return m_dryRunAt; }

Q_SIGNALS:
    void changed();
    void accepted(core::OperationId operation);

private:
    void takePreview(quint64 question, bool dry, const core::Result<api::PlanPreview> &answer);
    void takeAnswer(const core::Result<core::OperationId> &answer);
    void refuse(const QString &why);
    [[nodiscard]] bool isTooLate() const; // the time to begin has passed
    void ask(bool dry);

    api::EngineClient &m_client;
    api::RetryRequest m_request;
    api::PlanPreview m_preview;
    State m_state = State::Asking;
    QString m_problem;
    QString m_editProblem; // what was typed is no edit, and why
    QTimer m_editPause; // since it was changed: nobody is asked for every letter
    std::optional<qint64> m_typed;
    core::OperationId m_operation;
    quint64 m_question = 0;
    QHash<core::ConnectionId, double> m_paces;
    std::optional<core::TimePoint> m_dryRunAt;
    bool m_unknownChosen = false;
    bool m_previewed = false;
};

} // namespace models
