#include "views/mainwindow/controllers/retrycontroller.h"

#include "models/retries/retrypace.h"
#include "views/charts/throughputpanel.h"
#include "views/connections/connectiondialog.h"
#include "views/edits/editdialog.h"
#include "views/rehearsals/rehearsaldialog.h"
#include "views/retries/doubtdialog.h"
#include "views/retries/plan/plandialog.h"
#include "views/retries/retriespage.h"
#include "views/retries/returnsdialog.h"
#include "views/retries/stageboard.h"

#include <QDockWidget>

namespace views {

RetryController::RetryController(MainWindow &window)
    : QObject(&window)
    , m_window(window)
    , m_retries(new RetriesPage(window.console()))
    , m_board(new StageBoard(window.console().session))
    , m_chart(new ThroughputPanel(window.console().session, window.console().theme))
{
    makePage();
    makeDocks();
    connect(&window.navigator(), &Navigator::retryRequested, this, &RetryController::openPlan);
    connect(&window.navigator(), &Navigator::editRequested, this, &RetryController::openEdit);
    connect(&window.navigator(), &Navigator::releaseRequested, this, [this](const models::ActionScope &scope) {
        if (!scope.isEmpty())
            makePlan(scope, {}, &m_window, records::OperationKind::Release)->open();
    });
    connect(&window.navigator(), &Navigator::connectionRequested, this, &RetryController::openConnection);
    connect(&window.navigator(), &Navigator::operationRequested, this, [this](core::OperationId id) {
        m_retries->choose(id);
        m_window.showPage(m_retries);
    });
    connect(&console().session, &models::ConsoleSession::operationsChanged, this, &RetryController::updateNote);
    connect(&console().session, &models::ConsoleSession::retryStarted, m_retries, &RetriesPage::choose);
    const auto setZone = [this] { m_chart->setZone(console().filter.zone()); };
    connect(&console().filter, &models::ConsoleFilter::zoneChanged, this, setZone);
    setZone();
    updateNote();
}

void RetryController::makePage()
{
    using models::OperationsShown;
    m_window.addPage(m_retries, tr("Retries"), ActionId::ShowRetries);
    connect(m_window.action(ActionId::ShowRetries), &QAction::triggered, m_retries,
            [this] { m_retries->setShown(OperationsShown::Current); });
    connect(m_window.action(ActionId::ShowHistory), &QAction::triggered, m_retries, [this] {
        m_retries->setShown(OperationsShown::Ended);
        m_window.showPage(m_retries);
        m_retries->focusList();
    });
    connect(m_retries, &RetriesPage::chosen, m_board, &StageBoard::follow);
    connect(m_retries, &RetriesPage::cameBackWanted, this, &RetryController::showCameBack);
    connect(m_retries, &RetriesPage::doubtsWanted, this, &RetryController::openDoubts);
    connect(m_board, &StageBoard::doubtsWanted, this, &RetryController::openDoubts);
}

void RetryController::makeDocks()
{
    // Both have their own title bar with the controls of the operation.
    QDockWidget *board = m_window.addBottomDock(QStringLiteral("boardDock"), tr("Retry batches"), m_board);
    board->setTitleBarWidget(new QWidget(board));
    QDockWidget *chart = m_window.addBottomDock(QStringLiteral("chartDock"), tr("Retry throughput"), m_chart);
    chart->setTitleBarWidget(new QWidget(chart));
    connect(m_board, &StageBoard::shownChanged, m_chart, &ThroughputPanel::follow);
    connect(m_board, &StageBoard::shownChanged, m_retries, &RetriesPage::mark); // all show the same operation
    m_chart->follow(m_board->shown());
}

void RetryController::openPlan(const models::ActionScope &scope)
{
    if (!scope.isEmpty())
        makePlan(scope, {}, &m_window)->open();
}

PlanDialog *RetryController::makePlan(const models::ActionScope &scope, const records::Edit &edit, QWidget *parent,
                                      records::OperationKind kind)
{
    api::RetryDraft request;
    request.kind = kind;
    request.filter = scope.filter;
    request.asOfChange = scope.asOfChange;
    request.plan.edit = edit;
    auto *dialog = new PlanDialog(console().session, request, console().theme, console().filter.zone(), parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->plan().setPaces(models::retryPaces(console().session.snapshot()));
    connect(dialog, &PlanDialog::rehearsalWanted, this,
            [this, dialog](const api::RetryDraft &draft, const QString &about) {
                api::Rehearse rehearsal;
                rehearsal.retry = draft;
                rehearsal.retry.asOfChange.reset();
                auto *opened =
                    new RehearsalDialog(console(), rehearsal, tr("Rehearsal of the retry: %1").arg(about), dialog);
                opened->setAttribute(Qt::WA_DeleteOnClose);
                opened->open();
            });
    connect(dialog, &PlanDialog::started, this, [this, scope](core::OperationId id) {
        m_window.keepGroups(scope, id);
        m_retries->choose(id);
        m_board->follow(id);
    });
    return dialog;
}

// One message opens the editor, then the plan. Several messages open the plan with one edit for all.
void RetryController::openEdit(const models::ActionScope &scope)
{
    const QString noEdit = console().session.refusal(models::Verb::Edit, scope.connection);
    if (scope.isEmpty() || !noEdit.isEmpty())
        return;
    const bool isOne = scope.count == 1 && scope.filter.messages.size() == 1;
    if (!isOne) {
        PlanDialog *plan = makePlan(scope, {}, &m_window);
        plan->openEdit();
        plan->open();
        return;
    }
    auto *dialog = new EditDialog(console().session, console().theme, scope, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &EditDialog::planWanted, this, [this, dialog](const records::Edit &edit) {
        PlanDialog *plan = makePlan(dialog->scope(), edit, dialog);
        connect(plan, &PlanDialog::started, dialog, &EditDialog::finish);
        plan->open();
    });
    dialog->open();
}

void RetryController::openConnection(core::ConnectionId id)
{
    const api::ConnectionView *view = console().session.connection(id);
    const records::Connection connection = view != nullptr ? view->connection : records::Connection{};
    auto *dialog = new ConnectionDialog(console().session, connection, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void RetryController::openDoubts(core::OperationId operation)
{
    if (m_doubts)
        m_doubts->close();
    m_doubts = new DoubtDialog(console(), operation, &m_window);
    m_doubts->setAttribute(Qt::WA_DeleteOnClose);
    m_doubts->show(); // not modal, because its rows open messages in the window
}

void RetryController::showCameBack(core::OperationId operation)
{
    auto *dialog = new ReturnsDialog(console(), operation, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void RetryController::updateNote()
{
    int running = 0;
    int paused = 0;
    for (const api::OperationView &view : console().session.snapshot().operations) {
        const bool rests = view.operation.state == records::OperationState::Paused;
        paused += rests ? 1 : 0;
        running += !rests && records::isLive(view.operation.state) ? 1 : 0;
    }
    QStringList parts;
    if (running > 0)
        parts.append(tr("%1 running").arg(running));
    if (paused > 0)
        parts.append(tr("%1 paused").arg(paused));
    m_window.setPageNote(m_retries, parts.join(QStringLiteral(" · ")));
}

} // namespace views

#include "moc_retrycontroller.cpp"
