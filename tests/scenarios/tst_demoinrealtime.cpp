// A scenario in real time, over sockets: as it runs beside the console.
#include "app/brokers.h"
#include "app/demo/democonsumerthread.h"
#include "backend/core/time/systemclock.h"
#include "backend/localbroker/brokerthread.h"
#include "backend/sandbox/scenariofile.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

class TestDemoInRealTime final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failedMessagesArriveInTheErrorQueue();
};

namespace {

constexpr int timeoutMs = 60000;
constexpr auto scenario = R"({
    "scenario": "orders", "messages": 6, "per_second": 50,
    "endpoints": [{"name": "Shop.Sales", "queue": "sales", "type": "Shop.PlaceOrder", "takes_ms": 1,
                   "policy": {"name": "sales", "immediate": 2, "delayed": 0},
                   "faults": [{"fault": "always", "exception": "System.TimeoutException"}]}],
    "return": {"policy": {"name": "return", "immediate": 0, "delayed": 0}}
})";

} // namespace

void TestDemoInRealTime::failedMessagesArriveInTheErrorQueue()
{
    const auto script = sandbox::scenarioFrom(scenario);
    QVERIFY2(script, script ? "" : qPrintable(script.error().message));
    const QTemporaryDir folder;
    const QString key = QStringLiteral("key");
    localbroker::BrokerSettings settings;
    settings.dataFile = folder.filePath(QStringLiteral("broker.db"));
    settings.keys.insert(QStringLiteral("Root"), key);
    settings.queues = (*script)->queues();
    localbroker::BrokerThread thread;
    const core::Result<quint16> port = thread.start(settings);
    QVERIFY(port);
    records::Connection connection;
    connection.kind = records::BrokerKind::ServiceBus;
    connection.url = QUrl(QStringLiteral("http://Root@127.0.0.1:%1/").arg(*port));

    core::SystemClock clock;
    core::SystemRandom random;
    const std::shared_ptr<broker::Broker> watcher = app::brokerFactory(clock, random)(connection, key);
    {
        app::DemoConsumerThread services(
            [&script](sandbox::ScenarioContext context) { return (*script)->makeRun(std::move(context)); }, connection,
            key);
        QVERIFY(services.start());
        qint64 failed = 0;
        bool isAsking = false;
        const auto ask = [&]() -> core::Task<> {
            isAsking = true;
            const core::Result<broker::Listing> listing = co_await watcher->queues();
            for (const broker::QueueInfo &queue : listing.value_or(broker::Listing{}).queues) {
                if (queue.name == QLatin1String("error"))
                    failed = queue.depth.value_or(0);
            }
            isAsking = false;
        };
        const auto allFailed = [&] {
            if (!isAsking)
                static_cast<void>(ask());
            return failed == 6;
        };
        QTRY_VERIFY_WITH_TIMEOUT(allFailed(), timeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(!isAsking, timeoutMs);
    } // stops the services while the broker still answers
}

REDRIVE_TEST(TestDemoInRealTime)
#include "tst_demoinrealtime.moc"
