// A scope ends after all its tasks, however they end.
#include "backend/engine/connection/taskscope.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <stdexcept>

using engine::TaskScope;

class TestTaskScope final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void drainedWaitsForTheLast()
    {
        TaskScope scope;
        const core::Pending<bool> gate;
        scope.spawn([gate]() -> core::Task<> { co_await gate; });
        QVERIFY(!scope.drained().isResolved());
        gate.resolve(true);
        QCOMPARE(scope.running(), 0);
        QVERIFY(scope.drained().isResolved());
    }

    void aBodyThatThrowsHasEnded_data()
    {
        QTest::addColumn<bool>("afterAWait");
        QTest::newRow("at once") << false;
        QTest::newRow("after a wait") << true;
    }

    void aBodyThatThrowsHasEnded()
    {
        QFETCH(const bool, afterAWait);
        TaskScope scope;
        const core::Pending<bool> gate;
        QTest::ignoreMessage(QtCriticalMsg, "A task ended with an exception: broken");
        scope.spawn([gate, afterAWait]() -> core::Task<> {
            if (afterAWait)
                co_await gate;
            throw std::runtime_error("broken");
        });
        const core::Pending<bool> drained = scope.drained();
        gate.resolve(true);
        QCOMPARE(scope.running(), 0);
        QVERIFY(drained.isResolved());
    }
};

REDRIVE_TEST(TestTaskScope)
#include "tst_taskscope.moc"
