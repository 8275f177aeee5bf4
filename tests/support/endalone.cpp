// Linked into every program of a build with sanitizers. QThread::wait() returns while the thread still gives back what
// libraries keep for each thread, OpenSSL's random generators above all. When the exit handlers of the program come first,
// that is lost for good, and the leak check reports it: about one end in four on a single processor. So the application
// does not end before every other thread is gone.
#include <QCoreApplication>
#include <QDir>
#include <QThread>

static void waitForOtherThreads()
{
    constexpr int rounds = 200;
    constexpr unsigned long roundMs = 10; // 2 s in all: a thread that stays for good keeps no program from ending
    const QDir threads(QStringLiteral("/proc/self/task"));
    for (int i = 0; i < rounds && threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() > 1; ++i)
        QThread::msleep(roundMs);
}

static void atTheEnd()
{
    qAddPostRoutine(waitForOtherThreads);
}

Q_COREAPP_STARTUP_FUNCTION(atTheEnd)
