#include "app/termination.h"

#include <QCoreApplication>
#include <QSocketNotifier>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace app {

namespace {

std::atomic<int> wakeUp = -1; // write end of the pipe; the only thing that the signal handler uses
constexpr std::array watched{SIGTERM, SIGINT};
constexpr int interrupted = 128;

void onSignal(int number)
{
    const int before = errno; // the interrupted code may still need it
    for (const int one : watched)
        std::signal(one, SIG_DFL);
    const char byte = char(number);
    static_cast<void>(write(wakeUp, &byte, 1));
    errno = before;
}

} // namespace

Termination::Termination(Ends ends, QObject *parent)
    : QObject(parent)
    , m_ends(ends)
{
    if (pipe(m_pipe) != 0) {
        m_pipe[0] = -1;
        m_pipe[1] = -1;
        return; // the signals keep their default effect
    }
    wakeUp = m_pipe[1];
    m_notifier = new QSocketNotifier(m_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Termination::end);
    for (const int number : watched)
        std::signal(number, onSignal);
}

void Termination::end()
{
    char number = 0;
    static_cast<void>(read(m_pipe[0], &number, 1));
    QCoreApplication::exit(m_ends == Ends::Done ? 0 : interrupted + number);
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

#include "moc_termination.cpp"
