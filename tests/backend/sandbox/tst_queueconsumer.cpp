// A consumer that puts a message back does not take it again at once.
#include "app/brokers.h"
#include "backend/sandbox/queueconsumer.h"
#include "backend/sandbox/scenariorun.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using Settle = sandbox::QueueConsumer::Settle;

class TestQueueConsumer final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pausesLongerAfterEachPutBack();
};

void TestQueueConsumer::pausesLongerAfterEachPutBack()
{
    const QString queue = QStringLiteral("work");
    sandbox::Simulation simulation(core::fromMs(1767225600000), 7);
    QVERIFY(simulation.open({}, sandbox::queuesOfEndpoints({queue})));
    const std::shared_ptr<broker::Broker> broker = app::simulatedBroker(simulation);
    QVERIFY(support::outcomeOf(simulation, broker->probe()));
    records::Envelope message;
    message.body = "1";
    QVERIFY(support::outcomeOf(simulation, sandbox::sendOne(broker, queue, message)));
    int taken = 0;
    sandbox::WorkerGroup group(simulation.clock());
    sandbox::QueueConsumer consumer(queue, 5s, [&taken](broker::ReceivedMessage) -> core::Task<Settle> {
        ++taken;
        co_return Settle::PutBack;
    });
    consumer.start(group, broker);
    simulation.runUntil([] { return false; }, 60s);
    QVERIFY2(taken >= 10 && taken <= 20, qPrintable(QString::number(taken)));
    bool stopped = false;
    broker->cancelAll();
    group.stop([&stopped] { stopped = true; });
    QVERIFY(simulation.runUntil([&stopped] { return stopped; }, 1min));
}

REDRIVE_TEST(TestQueueConsumer)
#include "tst_queueconsumer.moc"
