#pragma once

#include "views/connections/errorqueuesdialog.h"
#include "views/mainwindow/mainwindow.h"

#include <QSet>

namespace views {

// Asks which queues are error queues: a banner for a connection whose queues were taken from before they had to be named,
// or that names none though failed messages wait on its broker. Lives as long as the window. GUI thread.
class ErrorQueueController final : public QObject
{
    Q_OBJECT

public:
    explicit ErrorQueueController(MainWindow &window);

private:
    void update();
    void open(core::ConnectionId connection);
    [[nodiscard]] QList<api::CandidateQueue> candidates(core::ConnectionId connection) const;
    [[nodiscard]] static bool asks(const api::ConnectionView &view);
    [[nodiscard]] bool lacksErrorQueues(const api::ConnectionView &view) const;
    [[nodiscard]] const Console &console() const { return m_window.console(); }

    MainWindow &m_window;
    Banner *m_banner;
    QSet<core::ConnectionId> m_declined; // a person closed their offer; asked again with the next window
};

} // namespace views
