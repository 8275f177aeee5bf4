#include "views/retries/operationbar.h"

#include "models/common/glossary.h"
#include "models/retries/returnsmodel.h"
#include "views/common/lists/buttonrow.h"
#include "views/common/widgets/plaintext.h"
#include "views/retries/confirmcancel.h"
#include "views/retries/ratedialog.h"
#include "views/retries/savereport.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace views {

OperationBar::OperationBar(models::ConsoleSession &session, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_buttons(new ButtonRow)
{
    setObjectName(QStringLiteral("filterRow"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 8, 6);
    row->addWidget(m_buttons);
    const auto button = [this](const QString &name, const QString &text, const QString &tip) {
        auto *one = new QPushButton(text, this);
        one->setObjectName(name);
        one->setToolTip(plainToolTip(tip));
        m_buttons->add(one);
        return one;
    };
    // Short texts, because the page may be narrow.
    m_pause = button(QStringLiteral("retriesPause"), tr("Pause"), {});
    m_cancel = button(QStringLiteral("retriesCancel"), tr("Cancel…"), {});
    m_rate = button(QStringLiteral("retriesRate"), tr("Rate…"), {});
    m_cameBack = button(QStringLiteral("retriesCameBack"), tr("Came back…"), models::explained(models::Term::CameBack));
    m_retry = button(QStringLiteral("retriesRetry"), tr("Retry what came back…"), {});
    m_doubt = button(QStringLiteral("retriesDoubt"), tr("In doubt…"), models::explained(models::Term::InDoubt));
    m_report = button(QStringLiteral("retriesReport"), tr("Report…"), tr("Save a report of this retry"));
    m_dismiss = button(QStringLiteral("retriesDismiss"), tr("Dismiss"), {});
    connectButtons();
    refresh();
}

void OperationBar::connectButtons()
{
    connect(m_pause, &QPushButton::clicked, this, &OperationBar::pauseOrResume);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_view)
            confirmCancel(m_session, *m_view, this);
    });
    connect(m_rate, &QPushButton::clicked, this, [this] {
        if (m_view)
            askForRate(m_session, *m_view, this);
    });
    connect(m_cameBack, &QPushButton::clicked, this, [this] {
        if (m_view)
            Q_EMIT cameBackWanted(m_view->operation.id);
    });
    connect(m_retry, &QPushButton::clicked, this, [this] {
        if (m_view)
            Q_EMIT retryWanted(models::retryOfReturns(m_view->operation));
    });
    connect(m_doubt, &QPushButton::clicked, this, [this] {
        if (m_view)
            Q_EMIT doubtsWanted(m_view->operation.id);
    });
    connect(m_report, &QPushButton::clicked, this, [this] {
        if (m_view)
            saveReport(m_session, m_view->operation.id, this);
    });
    connect(m_dismiss, &QPushButton::clicked, this, [this] { act(api::OperationAction::Dismiss); });
}

void OperationBar::show(const api::OperationView *view)
{
    m_view = view == nullptr ? std::optional<api::OperationView>() : std::optional(*view);
    refresh();
}

void OperationBar::refresh()
{
    const auto allow = [](QPushButton *button, bool possible, const QString &refusal, const QString &tip) {
        button->setEnabled(possible && refusal.isEmpty());
        button->setToolTip(plainToolTip(refusal.isEmpty() ? tip : refusal));
    };
    const bool live = m_view && records::isLive(m_view->operation.state);
    const bool paused = live && m_view->operation.state == records::OperationState::Paused;
    const bool returned = m_view && m_view->operation.counts.cameBack > 0;
    const QString noPause = m_session.refusal(models::Verb::Pause);
    const QString noRetry = m_view ? m_session.refusal(models::Verb::Retry, m_view->operation.connection) : QString();
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    allow(m_pause, live, noPause, paused ? tr("Resume this retry") : tr("Pause this retry. No message is lost."));
    allow(m_cancel, live, noPause,
          tr("Cancel this retry. Messages that are not sent yet become free for another retry."));
    allow(m_rate, live, noRetry, tr("Change the rate of this retry"));
    m_cameBack->setEnabled(returned);
    allow(m_retry, returned, noRetry, tr("Retry the messages of this retry that came back"));
    m_buttons->setOffered(m_doubt, m_view && m_view->operation.counts.inDoubt > 0);
    m_report->setEnabled(m_view.has_value());
    allow(m_dismiss, m_view && !live, noPause,
          tr("Remove this retry from \"Running and recent\". \"Ended\" and \"All\" still list it."));
}

void OperationBar::act(api::OperationAction action)
{
    if (m_view)
        m_session.act(m_view->operation.id, action);
}

void OperationBar::pauseOrResume()
{
    const bool paused = m_view && m_view->operation.state == records::OperationState::Paused;
    act(paused ? api::OperationAction::Resume : api::OperationAction::Pause);
}

} // namespace views

#include "moc_operationbar.cpp"
