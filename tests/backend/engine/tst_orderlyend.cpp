// The engine ends right after a retry has ended, as `retry --wait` does it: nothing of ours stays on a broker that answers.
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using support::EngineFixture;
using test::must;

class TestOrderlyEnd final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theStagingQueueOfAnEndedRetryIsRemoved()
    {
        EngineFixture fixture(records::HandOver::StagingQueue);
        fixture.fill(20);
        fixture.start();
        const core::OperationId id = must(fixture.retryAll());
        QVERIFY(fixture.runUntil([&] { return fixture.operation(id).finished.has_value(); }));
        QVERIFY(!fixture.broker->places().isEmpty()); // its removal is on its way
        fixture.stop();
        QCOMPARE(fixture.broker->places(), QStringList());
    }

    // What the broker does not answer in time stays, and the next start removes it.
    void aBrokerThatDoesNotAnswerHoldsNobody()
    {
        EngineFixture fixture(records::HandOver::StagingQueue);
        fixture.fill(20);
        fixture.start();
        const core::OperationId id = must(fixture.retryAll());
        QVERIFY(fixture.runUntil([&] { return fixture.operation(id).finished.has_value(); }));
        QVERIFY(!fixture.broker->places().isEmpty());
        fixture.broker->network = 1000;
        fixture.stop();
        fixture.broker->network = 0;
        fixture.start();
        QVERIFY(fixture.runUntil([&] { return fixture.broker->places().isEmpty(); }));
        QVERIFY(fixture.runToEnd(id));
    }
};

REDRIVE_TEST(TestOrderlyEnd)
#include "tst_orderlyend.moc"
