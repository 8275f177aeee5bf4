// How a broker counts deliveries, from its feature flags; from its version where the flags may not be read. And the limit that
// it makes of argument, policy and operator policy.
#include "backend/broker/rabbitmq/http/deliveryrules.h"
#include "backend/broker/rabbitmq/staging/topology.h"
#include "tests/support/testmain/testmain.h"

#include <QCborMap>
#include <QTest>

using broker::rabbitmq::deliveryLimitOf;
using broker::rabbitmq::DeliveryRules;
using broker::rabbitmq::deliveryRulesOf;
using broker::rabbitmq::LiveQueue;

namespace {

QCborMap flag(const char *name, const char *state)
{
    return {{QStringLiteral("name"), QLatin1String(name)}, {QStringLiteral("state"), QLatin1String(state)}};
}

constexpr int unset = 1000;

QCborArray policy(int limit)
{
    if (limit == unset)
        return {};
    const QCborMap definition{{QStringLiteral("delivery-limit"), limit}};
    return {QCborMap{{QStringLiteral("pattern"), QStringLiteral("^error")},
                     {QStringLiteral("apply-to"), QStringLiteral("all")},
                     {QStringLiteral("definition"), definition},
                     {QStringLiteral("priority"), 1}}};
}

} // namespace

class TestDeliveryRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void flagsCountMoreThanTheVersion();
    void theDefaultLimitNeedsNoFlag();
    void withoutFlagsTheVersionTells_data();
    void withoutFlagsTheVersionTells();
    void theLimitIsMergedAsTheBrokerMergesIt_data();
    void theLimitIsMergedAsTheBrokerMergesIt();
};

void TestDeliveryRules::flagsCountMoreThanTheVersion()
{
    const QCborMap older = flag("rabbitmq_4.0.0", "enabled");
    const QString version = QStringLiteral("4.3.6");
    QCOMPARE(deliveryRulesOf(QCborArray{older}, version), (DeliveryRules{true, true, false}));
    QCOMPARE(deliveryRulesOf(QCborArray{older, flag("rabbitmq_4.3.0", "disabled")}, version),
             (DeliveryRules{true, true, false})); // a cluster with an older node
    QCOMPARE(deliveryRulesOf(QCborArray{older, flag("rabbitmq_4.3.0", "enabled")}, version),
             (DeliveryRules{true, true, true}));
    QCOMPARE(deliveryRulesOf(QCborArray{flag("quorum_queue", "enabled")}, QStringLiteral("3.10.8")),
             (DeliveryRules{false, false, false}));
}

// A broker that was upgraded from 3.13 and whose flags nobody enabled, and a node of 3.13 beside one of 4.
void TestDeliveryRules::theDefaultLimitNeedsNoFlag()
{
    const QCborArray disabled{flag("quorum_queue", "enabled"), flag("rabbitmq_4.0.0", "disabled")};
    QCOMPARE(deliveryRulesOf(disabled, QStringLiteral("4.0.5")), (DeliveryRules{true, false, false}));
    QCOMPARE(deliveryRulesOf(QCborArray{flag("quorum_queue", "enabled")}, QStringLiteral("4.2.0")),
             (DeliveryRules{true, false, false}));
    QCOMPARE(deliveryRulesOf(QCborArray{flag("rabbitmq_4.0.0", "enabled")}, QStringLiteral("3.13.7")),
             (DeliveryRules{true, true, false}));
}

void TestDeliveryRules::withoutFlagsTheVersionTells_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<bool>("limitsByDefault");
    QTest::newRow("3") << QStringLiteral("3.10.8") << false;
    QTest::newRow("4") << QStringLiteral("4.3.6") << true;
    QTest::newRow("none") << QString() << false;
}

void TestDeliveryRules::withoutFlagsTheVersionTells()
{
    QFETCH(QString, version);
    QFETCH(bool, limitsByDefault);
    QCOMPARE(deliveryRulesOf(std::nullopt, version), (DeliveryRules{limitsByDefault, limitsByDefault, false}));
    QCOMPARE(deliveryRulesOf(QCborArray(), version), (DeliveryRules{limitsByDefault, limitsByDefault, false}));
}

void TestDeliveryRules::theLimitIsMergedAsTheBrokerMergesIt_data()
{
    QTest::addColumn<DeliveryRules>("rules");
    QTest::addColumn<int>("argument");
    QTest::addColumn<int>("ofUser");
    QTest::addColumn<int>("ofOperator");
    QTest::addColumn<int>("most"); // -1: no limit
    const DeliveryRules three{false, false, false};
    const DeliveryRules upgraded{true, false, false};
    const DeliveryRules four{true, true, false};
    QTest::newRow("3") << three << unset << unset << unset << -1;
    QTest::newRow("3, below 0") << three << 5 << -1 << unset << 0;
    QTest::newRow("upgraded") << upgraded << unset << unset << unset << 20;
    QTest::newRow("upgraded, below 0") << upgraded << unset << -1 << unset << 0;
    QTest::newRow("4, the lowest") << four << 9 << 8 << 7 << 7;
    QTest::newRow("4, an argument limits") << four << 5 << -1 << unset << 5;
    QTest::newRow("3, of users below 0") << three << unset << -1 << 10 << 0;
    QTest::newRow("4, of users below 0") << four << unset << -1 << 10 << 10;
    QTest::newRow("4, of operators below 0") << four << unset << 10 << -1 << 10;
    QTest::newRow("4, both below 0") << four << unset << -1 << -1 << -1;
    QTest::newRow("4, both, and an argument") << four << 6 << 10 << -1 << 6;
}

void TestDeliveryRules::theLimitIsMergedAsTheBrokerMergesIt()
{
    QFETCH(const DeliveryRules, rules);
    QFETCH(const int, argument);
    QFETCH(const int, ofUser);
    QFETCH(const int, ofOperator);
    LiveQueue queue;
    queue.name = QStringLiteral("error");
    queue.type = QStringLiteral("quorum");
    if (argument != unset)
        queue.arguments.insert(QStringLiteral("x-delivery-limit"), argument);
    const auto limit = deliveryLimitOf(queue, policy(ofUser), policy(ofOperator), rules);
    QTEST(limit ? int(limit->most) : -1, "most");
    QCOMPARE(limit && limit->byArgument, limit && limit->most == argument);
}

REDRIVE_TEST(TestDeliveryRules)
#include "tst_deliveryrules.moc"
