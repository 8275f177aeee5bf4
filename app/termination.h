#pragma once

#include <QObject>

class QSocketNotifier;

namespace app {

// SIGTERM and SIGINT as a signal of the event loop. One at a time; the handlers of before come back with its end.
class Termination final : public QObject
{
    Q_OBJECT

public:
    explicit Termination(QObject *parent = nullptr);
    ~Termination() override;

Q_SIGNALS:
    void asked();

private:
    int m_pipe[2];
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace app
