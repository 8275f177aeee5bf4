// How a broker counts deliveries, from its feature flags; from its version where the flags may not be read.
#include "backend/broker/rabbitmq/http/deliveryrules.h"
#include "tests/support/testmain/testmain.h"

#include <QCborMap>
#include <QTest>

using broker::rabbitmq::DeliveryRules;
using broker::rabbitmq::deliveryRulesOf;

namespace {

QCborMap flag(const char *name, const char *state)
{
    return {{QStringLiteral("name"), QLatin1String(name)}, {QStringLiteral("state"), QLatin1String(state)}};
}

} // namespace

class TestDeliveryRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void flagsCountMoreThanTheVersion();
    void withoutFlagsTheVersionTells_data();
    void withoutFlagsTheVersionTells();
};

void TestDeliveryRules::flagsCountMoreThanTheVersion()
{
    const QCborMap older = flag("rabbitmq_4.0.0", "enabled");
    const QString version = QStringLiteral("4.3.6");
    QCOMPARE(deliveryRulesOf(QCborArray{older}, version), (DeliveryRules{true, false}));
    QCOMPARE(deliveryRulesOf(QCborArray{older, flag("rabbitmq_4.3.0", "disabled")}, version),
             (DeliveryRules{true, false})); // a cluster with an older node
    QCOMPARE(deliveryRulesOf(QCborArray{older, flag("rabbitmq_4.3.0", "enabled")}, version),
             (DeliveryRules{true, true}));
    QCOMPARE(deliveryRulesOf(QCborArray{flag("quorum_queue", "enabled")}, QStringLiteral("3.10.8")),
             (DeliveryRules{false, false}));
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
    QCOMPARE(deliveryRulesOf(std::nullopt, version), (DeliveryRules{limitsByDefault, false}));
    QCOMPARE(deliveryRulesOf(QCborArray(), version), (DeliveryRules{limitsByDefault, false}));
}

REDRIVE_TEST(TestDeliveryRules)
#include "tst_deliveryrules.moc"
