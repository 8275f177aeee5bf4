#include "views/retries/retriespage.h"

#include "models/common/roles.h"
#include "models/common/terms.h"
#include "views/common/datatable.h"
#include "views/common/emptystate.h"
#include "views/common/plaintext.h"
#include "views/retries/confirmcancel.h"
#include "views/retries/ratedialog.h"
#include "views/retries/savereport.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace views {

RetriesPage::RetriesPage(models::ConsoleSession &session, const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_table(new DataTable(theme, -1, this))
    , m_list(new ListOrState(m_table, this))
{
    setObjectName(QStringLiteral("retriesPage"));
    m_table->setObjectName(QStringLiteral("retriesTable"));
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Retry operations"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({0, 96, 116, 62, 74, 80, 96, 66, 84, 84, 100}, models::OperationsModel::Scope, 170);
    m_list->showState(tr("Nothing was retried yet"), tr("Select failure groups or messages and choose Retry."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    layout->addWidget(m_list, 1);
    connect(&m_session, &models::ConsoleSession::snapshotTaken, this, &RetriesPage::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &row) {
        refreshButtons();
        if (row.isValid() && !m_marking)
            Q_EMIT chosen({row.data(models::IdRole).toLongLong()});
    });
    refresh();
}

QWidget *RetriesPage::makeBar()
{
    auto *bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("filterRow"));
    m_summary = new PlainLabel({}, bar);
    m_summary->setObjectName(QStringLiteral("retriesSummary"));
    m_summary->setProperty("tone", QStringLiteral("muted"));
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 6, 8, 6);
    const auto button = [&](const QString &name, const QString &text, const QString &tip) {
        auto *one = new QPushButton(text, bar);
        one->setObjectName(name);
        one->setToolTip(plainToolTip(tip));
        row->addWidget(one);
        return one;
    };
    // Short texts, because the page may be narrow.
    m_pause = button(QStringLiteral("retriesPause"), tr("Pause"), {});
    m_cancel = button(QStringLiteral("retriesCancel"), tr("Cancel…"), {});
    m_rate = button(QStringLiteral("retriesRate"), tr("Rate…"), {});
    m_cameBack = button(QStringLiteral("retriesCameBack"), tr("Came back…"), models::explained(models::Term::CameBack));
    m_doubt = button(QStringLiteral("retriesDoubt"), tr("In doubt…"), models::explained(models::Term::InDoubt));
    m_report = button(QStringLiteral("retriesReport"), tr("Report…"), tr("Save a report of this retry"));
    m_dismiss = button(QStringLiteral("retriesDismiss"), tr("Dismiss"), {});
    row->addStretch(1);
    row->addWidget(m_summary);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        const api::OperationView *view = current();
        const bool paused = view != nullptr && view->operation.state == records::OperationState::Paused;
        act(paused ? api::OperationAction::Resume : api::OperationAction::Pause);
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (const api::OperationView *view = current())
            confirmCancel(m_session, *view, this);
    });
    connect(m_rate, &QPushButton::clicked, this, [this] {
        if (const api::OperationView *view = current())
            askForRate(m_session, *view, this);
    });
    connect(m_cameBack, &QPushButton::clicked, this, [this] {
        if (const api::OperationView *view = current())
            Q_EMIT cameBackWanted(view->operation.id);
    });
    connect(m_doubt, &QPushButton::clicked, this, [this] {
        if (const api::OperationView *view = current())
            Q_EMIT doubtsWanted(view->operation.id);
    });
    connect(m_report, &QPushButton::clicked, this, [this] {
        if (const api::OperationView *view = current())
            saveReport(m_session, view->operation.id, this);
    });
    connect(m_dismiss, &QPushButton::clicked, this, [this] { act(api::OperationAction::Dismiss); });
    return bar;
}

void RetriesPage::setZone(models::TimeZone zone)
{
    m_model.setZone(zone);
}

void RetriesPage::choose(core::OperationId operation)
{
    m_wanted = operation;
    m_onlyMark = false;
    refresh();
}

void RetriesPage::mark(core::OperationId operation)
{
    m_wanted = operation;
    m_onlyMark = true;
    refresh();
}

void RetriesPage::refresh()
{
    m_model.show(m_session.snapshot());
    if (m_model.rowCount() > 0)
        m_list->showList();
    const int wanted = m_wanted.isValid() ? m_model.rowOf(m_wanted) : -1;
    if (wanted >= 0) {
        m_wanted = {};
        m_marking = m_onlyMark;
        m_table->selectRow(wanted);
        m_marking = false;
    }
    refreshButtons();
}

void RetriesPage::refreshButtons()
{
    const api::OperationView *view = current();
    const bool live = view != nullptr && records::isLive(view->operation.state);
    const bool paused = live && view->operation.state == records::OperationState::Paused;
    const QString refusal = m_session.refusal(models::Verb::Pause);
    const auto explain = [](QPushButton *button, const QString &no, const QString &tip) {
        button->setToolTip(plainToolTip(no.isEmpty() ? tip : no));
    };
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    explain(m_pause, refusal, paused ? tr("Resume this retry") : tr("Pause this retry. No message is lost."));
    explain(m_cancel, refusal, tr("Cancel this retry. Messages that are not sent yet become free for another retry."));
    explain(m_dismiss, refusal, tr("Remove this retry from the list. History keeps it."));
    m_pause->setEnabled(live && refusal.isEmpty());
    m_cancel->setEnabled(live && refusal.isEmpty());
    const QString noRate =
        view == nullptr ? QString() : m_session.refusal(models::Verb::Retry, view->operation.connection);
    m_rate->setEnabled(live && noRate.isEmpty());
    explain(m_rate, noRate, tr("Change the rate of this retry"));
    m_dismiss->setEnabled(view != nullptr && !live && refusal.isEmpty());
    m_report->setEnabled(view != nullptr);
    m_doubt->setVisible(view != nullptr && view->operation.counts.inDoubt > 0);
    m_cameBack->setEnabled(view != nullptr && view->operation.counts.cameBack > 0);
    int running = 0;
    for (const api::OperationView &one : m_model.rows())
        running += records::isLive(one.operation.state) ? 1 : 0;
    showPace(running > 0);
    m_summary->setText(
        tr("%1 active · %2 in all").arg(models::formatNumber(running), models::formatNumber(m_model.rowCount())));
}

// Rate and time left say nothing about ended retries. Changed only when needed, to keep the columns that the person
// chose.
void RetriesPage::showPace(bool anyLive)
{
    if (m_showsPace == anyLive)
        return;
    m_showsPace = anyLive;
    for (const int column : {int(models::OperationsModel::Rate), int(models::OperationsModel::TimeLeft)})
        m_table->setColumnHidden(column, !anyLive);
}

const api::OperationView *RetriesPage::current() const
{
    const QModelIndex row = m_table->currentIndex();
    return row.isValid() ? m_model.find({row.siblingAtColumn(0).data(models::IdRole).toLongLong()}) : nullptr;
}

void RetriesPage::act(api::OperationAction action)
{
    if (const api::OperationView *view = current())
        m_session.act(view->operation.id, action);
}

} // namespace views
