// What a connection says of its broker, step by step on a fake clock.
#include "backend/engine/connectionruntime.h"
#include "backend/engine/journal.h"
#include "backend/engine/localsecrets.h"
#include "backend/engine/runrecorder.h"
#include "backend/store/connectionstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakebroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"

#include <QTest>

namespace {

broker::Capabilities capabilities()
{
    broker::Capabilities able;
    able.canTake = true;
    able.handOver = records::HandOver::Ledger;
    return able;
}

struct Scene
{
    support::FakeClock clock;
    core::SeededRandom random{1};
    engine::LocalSecrets secrets;
    std::unique_ptr<store::Store> store = test::must(store::openSqliteStore(QStringLiteral(":memory:")));
    std::shared_ptr<support::FakeBroker> broker = std::make_shared<support::FakeBroker>(clock, random, capabilities());
    engine::World world{*store, clock, random, secrets, {}, {}, QStringLiteral(":memory:"), QStringLiteral("session")};
    engine::Journal journal{*store, clock};
    engine::RunRecorder recorder{clock, [](core::OperationId, const api::RunSample &) {}, [] {}};
    std::unique_ptr<engine::ConnectionRuntime> runtime;

    Scene()
    {
        records::Connection connection;
        connection.name = QStringLiteral("shop");
        test::must(store->transact([&](store::Session &session) -> core::Result<> {
            connection.id = test::must(session.connections().add(connection));
            return {};
        }));
        runtime = std::make_unique<engine::ConnectionRuntime>(engine::Surroundings{world, journal, recorder, [] {}},
                                                              connection, broker);
    }

    ~Scene()
    {
        bool stopped = false;
        const auto end = [](engine::ConnectionRuntime &what, bool &done) -> core::Task<> {
            co_await what.stop();
            done = true;
        };
        end(*runtime, stopped);
        while (!stopped && clock.step()) {
        }
    }
};

} // namespace

class TestConnectionRuntime final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A plan made in between would call every destination missing.
    void aBrokerIsKnownOnlyWhenItsQueuesAre()
    {
        Scene scene;
        scene.broker->addQueue(QStringLiteral("orders"));
        scene.runtime->start();
        bool probedFirst = false;
        for (int steps = 0; steps < 1000 && !scene.runtime->isKnown(); ++steps) {
            probedFirst = probedFirst || !scene.runtime->capabilities().product.isEmpty()
                          || scene.runtime->capabilities().canTake;
            QVERIFY(scene.clock.step());
        }
        QVERIFY(probedFirst); // there was such a moment
        QVERIFY(scene.runtime->isKnown());
        const QList<broker::QueueInfo> &queues = scene.runtime->queues();
        QVERIFY(std::any_of(queues.cbegin(), queues.cend(),
                            [](const broker::QueueInfo &queue) { return queue.name == u"orders"; }));
    }
};

QTEST_GUILESS_MAIN(TestConnectionRuntime)
#include "tst_connectionruntime.moc"
