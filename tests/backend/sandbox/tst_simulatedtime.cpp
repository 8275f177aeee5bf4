// A simulation that goes on after a kill does not go back in time.
#include "app/brokers.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/queueconsumer.h"
#include "backend/sandbox/scenariorun.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using sandbox::Simulation;

class TestSimulatedTime final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasDueIsNotEarlyAfterAKill();

private:
    [[nodiscard]] std::unique_ptr<Simulation> opened() const;
    // Lets the broker look for what is due.
    [[nodiscard]] static qsizetype arrived(Simulation &simulation);

    QTemporaryDir m_folder;
};

namespace {

const QString queueName = QStringLiteral("later");
const core::TimePoint begin = core::fromMs(1767225600000);
constexpr core::Milliseconds wait = 1h;

} // namespace

std::unique_ptr<Simulation> TestSimulatedTime::opened() const
{
    auto simulation = std::make_unique<Simulation>(begin, 7);
    const core::Result<> done =
        simulation->open(m_folder.filePath(QStringLiteral("broker.db")), sandbox::queuesOfEndpoints({queueName}));
    return done ? std::move(simulation) : nullptr;
}

qsizetype TestSimulatedTime::arrived(Simulation &simulation)
{
    const std::shared_ptr<broker::Broker> broker = app::simulatedBroker(simulation);
    if (!support::outcomeOf(simulation, broker->probe()))
        return -1;
    broker::TakeRequest request;
    request.queue = queueName;
    request.limit = 1;
    const core::Result<broker::ReceivedPage> page = support::outcomeOf(simulation, broker->take(request));
    return page ? page->messages.size() : -1;
}

void TestSimulatedTime::whatWasDueIsNotEarlyAfterAKill()
{
    {
        const std::unique_ptr<Simulation> first = opened();
        QVERIFY(first);
        const std::shared_ptr<broker::Broker> broker = app::simulatedBroker(*first);
        QVERIFY(support::outcomeOf(*first, broker->probe()));
        records::Envelope message;
        message.body = "1";
        sandbox::scheduleFor(message, begin + wait);
        QVERIFY(support::outcomeOf(*first, sandbox::sendOne(broker, queueName, message)));
        QCOMPARE(arrived(*first), 0);
    }
    {
        const std::unique_ptr<Simulation> second = opened();
        QVERIFY(second);
        QVERIFY(second->clock().now() < begin + wait); // what is not due yet says nothing of the time
        second->clock().advance(wait);
        QCOMPARE(arrived(*second), 1);
    }
    const std::unique_ptr<Simulation> third = opened();
    QVERIFY(third);
    QVERIFY(third->clock().now() >= begin + wait);
}

REDRIVE_TEST(TestSimulatedTime)
#include "tst_simulatedtime.moc"
