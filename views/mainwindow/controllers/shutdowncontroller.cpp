#include "views/mainwindow/controllers/shutdowncontroller.h"

#include "models/common/formatters.h"

namespace views {

namespace {

// The operation sends messages now, or will without a person.
bool isAtWork(const records::RetryOperation &operation)
{
    return records::mayGoOn(operation.state);
}

} // namespace

ShutdownController::ShutdownController(MainWindow &window)
    : QObject(&window)
    , m_window(window)
{
    connect(&window, &MainWindow::closeRequested, this, &ShutdownController::closeRequested);
    connect(&window.console().session, &models::ConsoleSession::snapshotTaken, this, &ShutdownController::endIfReady);
}

void ShutdownController::closeRequested()
{
    if (!isRunningHere()) {
        m_window.hide();
        Q_EMIT ended();
        return;
    }
    if (m_window.findChild<CloseQuestion *>() != nullptr)
        return;
    auto *question = new CloseQuestion(situation(), &m_window);
    connect(question, &CloseQuestion::chosen, this, &ShutdownController::take);
    question->open();
}

void ShutdownController::take(CloseQuestion::Way way)
{
    switch (way) {
    case CloseQuestion::Way::Stay:
        return;
    case CloseQuestion::Way::GoOnWithoutWindow:
        m_waiting = Waiting::ForRetries;
        m_window.hide();
        break;
    case CloseQuestion::Way::FinishBatches:
        m_waiting = Waiting::ForBatches;
        m_window.hide();
        m_window.console().session.pauseAll(true);
        return; // the current snapshot is older than the pause
    case CloseQuestion::Way::CloseNow:
        m_window.hide();
        Q_EMIT ended();
        return;
    }
    endIfReady();
}

void ShutdownController::endIfReady()
{
    const bool over = (m_waiting == Waiting::ForRetries && !isRunningHere())
                      || (m_waiting == Waiting::ForBatches && !isRunningHere() && !isSending());
    if (!over)
        return;
    m_waiting = Waiting::ForNothing;
    Q_EMIT ended();
}

bool ShutdownController::isRunningHere() const
{
    const api::Snapshot &now = m_window.console().session.snapshot();
    if (now.engine == api::EngineState::Viewer || now.engine == api::EngineState::StoreRefusesWrites)
        return false; // another process runs them, or the store refuses writes and nothing can run
    return std::any_of(now.operations.cbegin(), now.operations.cend(),
                       [](const api::OperationView &view) { return isAtWork(view.operation); });
}

bool ShutdownController::isSending() const
{
    const api::Snapshot &now = m_window.console().session.snapshot();
    return std::any_of(now.batches.cbegin(), now.batches.cend(),
                       [](const api::BatchView &view) { return view.batch.stage == records::BatchStage::Forwarding; });
}

QString ShutdownController::situation() const
{
    qint64 total = 0;
    qint64 withBroker = 0;
    int running = 0;
    for (const api::OperationView &view : m_window.console().session.snapshot().operations) {
        if (!isAtWork(view.operation))
            continue;
        const records::OutcomeCounts &counts = view.operation.counts;
        ++running;
        total += view.operation.total;
        withBroker += counts.sent + counts.staged + counts.inDoubt;
    }
    const QString retries = tr("%1 retries are running", nullptr, running).arg(models::formatNumber(running));
    return tr("%1: %2 of %3 messages are sent or already with the broker.")
        .arg(retries, models::formatNumber(withBroker), models::formatNumber(total));
}

} // namespace views

#include "moc_shutdowncontroller.cpp"
