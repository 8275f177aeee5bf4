#include "app/termination.h"

#include <QSocketNotifier>

#include <array>
#include <atomic>
#include <csignal>
#include <unistd.h>

namespace app {

namespace {

std::atomic<int> wakeUp = -1; // the writing end; a signal handler may touch nothing else
constexpr std::array watched{SIGTERM, SIGINT};

void onSignal(int)
{
    const char byte = 1;
    static_cast<void>(write(wakeUp, &byte, 1));
}

} // namespace

Termination::Termination(QObject *parent)
    : QObject(parent)
{
    if (pipe(m_pipe) != 0) {
        m_pipe[0] = -1;
        m_pipe[1] = -1;
        return; // the signals keep their usual effect
    }
    wakeUp = m_pipe[1];
    m_notifier = new QSocketNotifier(m_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        static_cast<void>(read(m_pipe[0], &byte, 1));
        Q_EMIT asked();
    });
    for (const int number : watched)
        std::signal(number, onSignal);
}

Termination::~Termination()
{
    for (const int number : watched)
        std::signal(number, SIG_DFL);
    wakeUp = -1;
    if (m_pipe[0] >= 0) {
        close(m_pipe[0]);
        close(m_pipe[1]);
    }
}

} // namespace app
