// The last step of a program, after its application object is gone. Main thread. Linux; elsewhere nothing waits. Inline,
// because every program of a build with sanitizers has it, also those without this library.
#pragma once

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <array>
#include <poll.h>

namespace core {

// Threads of the desktop's libraries for D-Bus, which live until the exit handlers end them.
inline bool staysToTheEnd(const QString &thread)
{
    constexpr std::array names = {"QDBusConnection", "gmain", "gdbus", "pool-spawner", "dconf worker"};
    QFile file(QStringLiteral("/proc/self/task/%1/comm").arg(thread));
    const QByteArray name = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
    return std::any_of(names.begin(), names.end(), [&name](const char *one) { return name == one; });
}

// How many threads run beside this one.
inline qsizetype otherThreads()
{
    const QStringList all = QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return std::max<qsizetype>(0, all.size() - 1 - std::count_if(all.cbegin(), all.cend(), staysToTheEnd));
}

// Waits until this thread is the last one. QThread::wait() returns while the thread still gives back what libraries keep
// for each thread. OpenSSL's exit handler frees the same (OPENSSL_cleanup: no thread may use the library any more), so
// together they damage the heap, and the program ends with an abort instead of its exit code. A thread that is stuck
// keeps no program from ending: it is left after two seconds.
inline void waitForOtherThreads()
{
    const QDeadlineTimer longest(std::chrono::seconds(2));
    while (otherThreads() > 0 && !longest.hasExpired())
        static_cast<void>(::poll(nullptr, 0, 1)); // no clock and no event loop are left to wait on
}

} // namespace core
