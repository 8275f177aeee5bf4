#pragma once

#include <QObject>

class QSocketNotifier;

namespace app {

// While it lives, SIGTERM and SIGINT quit the event loop, so that the program ends cleanly. A second signal has its
// default effect and kills the program. At most one object at a time; its end restores the default handlers. Main
// thread.
class Termination final : public QObject
{
    Q_OBJECT

public:
    enum class Ends {
        Done, // for a program that runs until a signal: exit code 0
        Interrupted, // for a command: exit code 130 (SIGINT) or 143 (SIGTERM), the convention of shells
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
