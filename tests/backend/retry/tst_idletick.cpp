// New work wakes the lanes. Where nobody does, they look again after 30 s (ServiceControl: "a single background thread that
// will sleep for 30 seconds if it can't find anything to do").
#include "backend/retry/processor.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/backend/retry/retrystorefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTest>

using namespace std::chrono_literals;
using test::must;

namespace {

struct Bench
{
    Bench()
    {
        fixture.broker.can().handOver = records::HandOver::IntentLog;
        processor = std::make_unique<retry::Processor>(fixture.connection, fixture.dependencies());
        processor->start();
        pass(100ms); // both lanes have found nothing
    }
    ~Bench()
    {
        processor->stop();
        fixture.broker.cancelAll();
        for (int i = 0; i < 1000 && processor->isRunning(); ++i)
            pass(1ms);
    }
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;

    void pass(core::Milliseconds time)
    {
        QCoreApplication::sendPostedEvents();
        fixture.clock.advance(time);
        QCoreApplication::sendPostedEvents();
    }
    qsizetype batches(core::OperationId operation)
    {
        qsizetype count = 0;
        fixture.transact(
            [&](store::Session &session) { count = must(session.retryBatches().ofOperation(operation)).size(); });
        return count;
    }

    test::RetryStoreFixture fixture;
    std::unique_ptr<retry::Processor> processor;
};

} // namespace

class TestIdleTick final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void workOfWhichNobodyTellsIsFoundAfterThirtySeconds()
    {
        Bench bench;
        const core::OperationId operation = bench.fixture.addOperation(3);
        bench.pass(29s);
        QCOMPARE(bench.batches(operation), 0);
        bench.pass(2s);
        QCOMPARE(bench.batches(operation), 1);
    }

    void newWorkNeedNotWaitForIt()
    {
        Bench bench;
        const core::OperationId operation = bench.fixture.addOperation(3);
        bench.processor->wake();
        bench.pass(1ms);
        QCOMPARE(bench.batches(operation), 1);
    }
};

REDRIVE_TEST(TestIdleTick)
#include "tst_idletick.moc"
