// The end of a program: threads that have been waited for are gone before its exit handlers run. All happens before Qt
// Test begins, which has a thread of its own.
#include "backend/core/otherthreads.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>
#include <pthread.h>

namespace {

constexpr int slowThreads = 4;
std::atomic<int> givenBack = 0;

// Runs in QThread::wait()'s blind spot: after the thread has finished, while libraries give back what they keep for it.
void giveBackSlowly(void *)
{
    static_cast<void>(::poll(nullptr, 0, 100));
    ++givenBack;
}

struct Seen
{
    int givenBack = 0;
    qsizetype left = -1; // other threads
};

// After threads that finished and were waited for.
Seen afterFinishedThreads()
{
    pthread_key_t key{};
    pthread_key_create(&key, giveBackSlowly);
    for (int i = 0; i < slowThreads; ++i) {
        const std::unique_ptr<QThread> thread(QThread::create([&key] { pthread_setspecific(key, &key); }));
        thread->start();
        thread->wait();
    }
    core::waitForOtherThreads();
    return {givenBack, core::otherThreads()};
}

// Beside a thread of the desktop that does not end.
Seen besideTheDesktop()
{
    QThread thread;
    thread.setObjectName(QStringLiteral("QDBusConnectionManager")); // Linux cuts it
    thread.start();
    core::waitForOtherThreads();
    const Seen seen{thread.isRunning() ? 1 : 0, core::otherThreads()};
    thread.quit();
    thread.wait();
    return seen;
}

Seen finished;
Seen desktop;

} // namespace

class TestOtherThreads final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFinishedThreadIsWaitedForToItsEnd()
    {
        QCOMPARE(finished.givenBack, slowThreads);
        QCOMPARE(finished.left, 0);
    }

    void aThreadOfTheDesktopIsNotWaitedFor()
    {
        QCOMPARE(desktop.givenBack, 1); // it runs
        QCOMPARE(desktop.left, 0);
    }
};

static int runAfterThreads(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    finished = afterFinishedThreads();
    desktop = besideTheDesktop();
    TestOtherThreads test;
    return QTest::qExec(&test, argc, argv);
}

REDRIVE_TEST_RUN(runAfterThreads)
#include "tst_otherthreads.moc"
