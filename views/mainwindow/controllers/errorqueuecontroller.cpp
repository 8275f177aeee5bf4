#include "views/mainwindow/controllers/errorqueuecontroller.h"

#include "models/common/visibletext.h"
#include "views/common/widgets/banner.h"

#include <algorithm>

namespace views {

ErrorQueueController::ErrorQueueController(MainWindow &window)
    : QObject(&window)
    , m_window(window)
    , m_banner(new Banner)
{
    window.addBanner(m_banner);
    connect(&console().session, &models::ConsoleSession::connectionsChanged, this, &ErrorQueueController::update);
    connect(&console().session, &models::ConsoleSession::queuesChanged, this, &ErrorQueueController::update);
    update();
}

// With what speaks for and against them, which the broker tells.
bool ErrorQueueController::asks(const api::ConnectionView &view)
{
    return !view.unanswered.isEmpty()
           && std::none_of(view.unanswered.cbegin(), view.unanswered.cend(),
                           [](const api::CandidateQueue &queue) { return queue.facts.isEmpty(); });
}

// Failed messages wait, and nothing is taken, because the connection has no error queue at all.
bool ErrorQueueController::lacksErrorQueues(const api::ConnectionView &view) const
{
    bool waits = false;
    for (const api::QueueView &queue : console().session.snapshot().queues) {
        if (queue.connection != view.connection.id)
            continue;
        if (queue.holdsFailed)
            return false;
        waits = waits || (queue.isCandidate && queue.depth != 0 && records::isRecommended(queue.facts));
    }
    return waits && view.connection.errorQueues.isEmpty();
}

QList<api::CandidateQueue> ErrorQueueController::candidates(core::ConnectionId connection) const
{
    QList<api::CandidateQueue> found;
    for (const api::QueueView &queue : console().session.snapshot().queues) {
        if (queue.connection == connection && queue.isCandidate)
            found.append({queue.name, queue.depth, queue.facts});
    }
    std::stable_partition(found.begin(), found.end(),
                          [](const api::CandidateQueue &queue) { return records::isRecommended(queue.facts); });
    return found;
}

void ErrorQueueController::update()
{
    for (const api::ConnectionView &view : console().session.snapshot().connections) {
        const QString name = models::visibleLine(view.connection.name);
        QString text;
        if (asks(view))
            text = tr("Redrive no longer takes messages by itself from %1 queues of %2. Decide which of them are error "
                      "queues.",
                      nullptr, int(view.unanswered.size()))
                       .arg(QString::number(view.unanswered.size()), name);
        else if (!m_declined.contains(view.connection.id) && lacksErrorQueues(view))
            text = tr("%1 has no error queue yet, so nothing is taken. Dead letters arrive on its broker.").arg(name);
        if (text.isEmpty())
            continue;
        const core::ConnectionId id = view.connection.id;
        m_banner->show(models::Tone::Warn, text, {tr("Choose error queues…"), [this, id] { open(id); }});
        return;
    }
    m_banner->dismiss();
}

void ErrorQueueController::open(core::ConnectionId connection)
{
    const api::ConnectionView *view = console().session.connection(connection);
    if (view == nullptr)
        return;
    const bool isQuestion = asks(*view);
    auto *dialog =
        new ErrorQueuesDialog(isQuestion ? ErrorQueuesDialog::About::TakenBefore : ErrorQueuesDialog::About::Offer,
                              view->connection.name, isQuestion ? view->unanswered : candidates(connection), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ErrorQueuesDialog::chosen, this,
            [this, connection, isQuestion](const QStringList &take, const QStringList &leave) {
                console().session.chooseErrorQueues(connection, take, isQuestion ? leave : QStringList());
            });
    connect(dialog, &QDialog::rejected, this, [this, connection, isQuestion] {
        if (isQuestion) // nothing is taken until it is answered
            return;
        m_declined.insert(connection);
        update();
    });
    dialog->open();
}

} // namespace views

#include "moc_errorqueuecontroller.cpp"
