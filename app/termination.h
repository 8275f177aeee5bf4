#pragma once

#include <QObject>

class QSocketNotifier;

namespace app {

// SIGTERM and SIGINT end the event loop, so that everything ends in order; whoever cannot wait for that asks a second time,
// and the signal has its usual effect. One at a time; the handlers of before come back with its end.
class Termination final : public QObject
{
    Q_OBJECT

public:
    enum class Ends {
        Done, // a program that has no other end: exit code 0
        Interrupted, // a command before its end: 130 or 143, as a shell has it
    };

    explicit Termination(Ends ends, QObject *parent = nullptr);
    ~Termination() override;

private:
    void end();

    const Ends m_ends;
    int m_pipe[2];
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace app
