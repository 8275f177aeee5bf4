// Every broker behind a network in which a share of the requests fails: dropped before or after forwarding, answered by
// a gateway, cut short, not answered, or delivered too late. Everything ends, nothing is lost, and nothing is
// duplicated without a flag. REDRIVE_MESSAGES (messages per row; runs all rows) and REDRIVE_SEED change what runs.
#include "tests/crash/campaign/faultcampaign.h"
#include "tests/support/brokerrig/azurequeuerig.h"
#include "tests/support/brokerrig/rabbitrig.h"
#include "tests/support/brokerrig/servicebusrig.h"
#include "tests/support/brokerrig/sqsrig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

enum class Kind { RabbitMq, RabbitMqIntentLog, RabbitMqSteps, ServiceBus, StorageQueues, Sqs };

struct Named
{
    Kind kind;
    const char *name;
};
const QList<Named> kinds{{Kind::ServiceBus, "Service Bus"},
                         {Kind::StorageQueues, "Storage Queues"},
                         {Kind::Sqs, "SQS"},
                         {Kind::RabbitMqIntentLog, "RabbitMQ, by intent log"},
                         {Kind::RabbitMqSteps, "RabbitMQ, in small steps"},
                         {Kind::RabbitMq, "RabbitMQ"}};

int asked(const char *name, int usual)
{
    const int value = qEnvironmentVariableIntValue(name);
    return value > 0 ? value : usual;
}

} // namespace

class TestFaultyNetwork final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLostAndAllEnds_data();
    void nothingIsLostAndAllEnds();

private:
    // Started at the first call. None: it is not installed.
    [[nodiscard]] support::BrokerRig *rig(Kind kind);
    template<typename Rig>
    [[nodiscard]] support::BrokerRig *started(std::unique_ptr<Rig> &place);

    std::unique_ptr<support::RabbitRig> m_rabbit;
    std::unique_ptr<support::ServiceBusRig> m_bus;
    std::unique_ptr<support::AzureQueueRig> m_storage;
    std::unique_ptr<support::SqsRig> m_sqs;
};

template<typename Rig>
support::BrokerRig *TestFaultyNetwork::started(std::unique_ptr<Rig> &place)
{
    const bool isNew = !place;
    if (isNew)
        place = std::make_unique<Rig>();
    if constexpr (requires { place->isInstalled(); }) {
        if (!place->isInstalled())
            return nullptr;
    }
    if (isNew && !place->start())
        qFatal("A server does not start.");
    return place.get();
}

support::BrokerRig *TestFaultyNetwork::rig(Kind kind)
{
    switch (kind) {
    case Kind::RabbitMq:
    case Kind::RabbitMqIntentLog:
    case Kind::RabbitMqSteps: {
        support::BrokerRig *const rabbit = started(m_rabbit);
        m_rabbit->takeInSteps(kind == Kind::RabbitMqSteps);
        return rabbit;
    }
    case Kind::ServiceBus:
        return started(m_bus);
    case Kind::StorageQueues:
        return started(m_storage);
    case Kind::Sqs:
        return started(m_sqs);
    }
    Q_UNREACHABLE();
}

void TestFaultyNetwork::nothingIsLostAndAllEnds_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("oneIn");
    // At low rates a few hundred messages meet so few failures that one hand-over is enough.
    const bool isLong = qEnvironmentVariableIsSet("REDRIVE_MESSAGES");
    for (const auto &[kind, name] : kinds) {
        const bool isSteps = kind == Kind::RabbitMqSteps;
        const bool isRabbit = kind == Kind::RabbitMq || kind == Kind::RabbitMqIntentLog || isSteps;
        if (support::RabbitServer::isFurtherRun() && !isRabbit)
            continue;
        if (isSteps && support::RabbitServer::isQuorumByDefault())
            continue; // the rows in small steps are for classic queues
        for (const int oneIn : {300, 50, 8}) {
            if (isLong || oneIn == 8 || kind == Kind::RabbitMq)
                QTest::addRow("%s: 1 in %d", name, oneIn) << kind << oneIn;
        }
    }
}

void TestFaultyNetwork::nothingIsLostAndAllEnds()
{
    QFETCH(Kind, kind);
    QFETCH(int, oneIn);
    support::BrokerRig *const shop = rig(kind);
    if (shop == nullptr)
        QSKIP("The server is not installed.");
    killing::FaultCampaign campaign(*shop, quint64(asked("REDRIVE_SEED", 20261125)));
    if (kind == Kind::RabbitMqIntentLog || kind == Kind::RabbitMqSteps)
        campaign.useIntentLog();
    const QString wrong = campaign.run(asked("REDRIVE_MESSAGES", 200), oneIn);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    qInfo("%s", qPrintable(campaign.summary()));
    QVERIFY(oneIn > 8 || campaign.failures() > 0);
}

REDRIVE_TEST(TestFaultyNetwork)
#include "tst_faultynetwork.moc"
