#include "backend/dialect/frameworks/nservicebus.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestNServiceBus final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timesAreReadByPosition_data();
    void timesAreReadByPosition();
    void enclosedTypesAreShortened_data();
    void enclosedTypesAreShortened();
    void addressesWithMachines_data();
    void addressesWithMachines();
    void confirmations_data();
    void confirmations();
};

void TestNServiceBus::timesAreReadByPosition_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ms"); // -1: no time
    const auto row = [](const char *text, qint64 ms) { QTest::newRow(text) << QString::fromUtf8(text) << ms; };
    row("2026-04-29 22:06:16:406166 Z", 1777500376406);
    row("1970-01-01 00:00:00:000000 Z", 0);
    row("2024-02-29 23:59:59:999999 Z", 1709251199999);
    row("2023-02-29 23:59:59:999999 Z", -1);
    row("2026-04-29T22:06:16.406166Z", -1);
    row("2026-04-29 22:06:16:406166  ", -1);
    row("2026-04-29 22:06:16:40616x Z", -1);
    row("2026-04-29 24:06:16:406166 Z", -1);
    row("2026-4-29 22:06:16:4061660 Z", -1);
    row("2026-04-29 22:06:-6:406166 Z", -1);
    row("\u0662026-04-29 22:06:16:40616 Z", -1);
    row("", -1);
}

void TestNServiceBus::timesAreReadByPosition()
{
    QFETCH(QString, text);
    QFETCH(qint64, ms);
    const auto time = dialect::nServiceBusTime(text);
    QCOMPARE(time.has_value(), ms >= 0);
    QCOMPARE(time ? core::toMs(*time) : -1, ms);
}

void TestNServiceBus::enclosedTypesAreShortened_data()
{
    QTest::addColumn<QString>("types");
    QTest::addColumn<QString>("first");
    const auto row = [](const char *name, const char *types, const char *first) {
        QTest::newRow(name) << QString::fromUtf8(types) << QString::fromUtf8(first);
    };
    row("assembly-qualified",
        "Core.Headers.Writers.MyNamespace.MessageToSend, MyAssembly, Version=1.0.0.0, Culture=neutral, "
        "PublicKeyToken=null",
        "Core.Headers.Writers.MyNamespace.MessageToSend");
    row("list", "Shop.OrderPlaced, Shop;Shop.IEvent, Shop", "Shop.OrderPlaced");
    row("plain", "Shop.OrderPlaced", "Shop.OrderPlaced");
    row("generic", "Shop.Wrapped`1[[Shop.Order, Shop]], Shop", "Shop.Wrapped`1[[Shop.Order, Shop]]");
    row("brackets never closed", "a[b, c", "a[b, c");
    row("more closed than opened", "a]], c", "a]]");
    row("empty", "", "");
    row("only separators", ";;,", "");
}

void TestNServiceBus::enclosedTypesAreShortened()
{
    QFETCH(QString, types);
    QTEST(dialect::firstEnclosedType(types), "first");
}

namespace {

dialect::Arrival arrivalWith(const records::Headers &headers)
{
    dialect::Arrival arrival;
    arrival.queue = QStringLiteral("error");
    arrival.envelope.headers = headers;
    return arrival;
}

} // namespace

void TestNServiceBus::addressesWithMachines_data()
{
    QTest::addColumn<QString>("failedQ");
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("queue");
    QTest::addColumn<int>("certainty");
    const auto row = [](const char *failedQ, const char *machine, const char *queue, records::Certainty certainty) {
        QTest::newRow(failedQ) << QString::fromUtf8(failedQ) << QString::fromUtf8(machine) << QString::fromUtf8(queue)
                               << static_cast<int>(certainty);
    };
    row("billing", "PAY-07", "billing", records::Certainty::Exact);
    row("billing@PAY-07", "pay-07", "billing", records::Certainty::Derived);
    row("billing@[dbo]@[shop]", "", "billing", records::Certainty::Derived);
    row("billing@eu", "PAY-07", "billing@eu", records::Certainty::Exact); // a legal name on RabbitMQ
    row("@PAY-07", "PAY-07", "@PAY-07", records::Certainty::Exact);
}

void TestNServiceBus::addressesWithMachines()
{
    QFETCH(QString, failedQ);
    QFETCH(QString, machine);
    QFETCH(int, certainty);
    const dialect::Reading reading = dialect::read(arrivalWith({
        {QStringLiteral("NServiceBus.FailedQ"), failedQ},
        {QStringLiteral("NServiceBus.ProcessingMachine"), machine},
    }));
    QTEST(reading.destination.queue, "queue");
    QCOMPARE(static_cast<int>(reading.destination.certainty), certainty);
    QCOMPARE(reading.destination.knownFrom, QStringLiteral("NServiceBus.FailedQ"));
}

void TestNServiceBus::confirmations_data()
{
    QTest::addColumn<records::Headers>("headers");
    QTest::addColumn<QString>("confirms");
    const records::Header done{QStringLiteral("ServiceControl.Retry.Successful"),
                               QStringLiteral("2026-01-02 03:04:05:000000 Z")};
    const records::Header id{QStringLiteral("ServiceControl.Retry.UniqueMessageId"),
                             QStringLiteral("00112233-4455-6677-8899-AABBCCDDEEFF")};
    const QString hex = QStringLiteral("00112233445566778899aabbccddeeff");
    QTest::newRow("confirmation") << records::Headers{done, id} << hex;
    QTest::newRow("no id") << records::Headers{done} << QString();
    QTest::newRow("id is no guid") << records::Headers{done, {id.name, QStringLiteral("x' OR 1=1")}} << QString();
    QTest::newRow("a failed confirmation is a failed message")
        << records::Headers{done, id, {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("acks")}} << QString();
    QTest::newRow("a message on its way to be confirmed")
        << records::Headers{id, {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("orders")}} << QString();
}

void TestNServiceBus::confirmations()
{
    QFETCH(records::Headers, headers);
    const dialect::Reading reading = dialect::read(arrivalWith(headers));
    QCOMPARE(reading.dialect, QStringLiteral("NServiceBus"));
    QTEST(reading.confirms, "confirms");
    const bool isTold = reading.handledAt == core::fromMs(1767323045000); // 2026-01-02 03:04:05 UTC
    QCOMPARE(isTold, !reading.confirms.isEmpty());
}

REDRIVE_TEST(TestNServiceBus)
#include "tst_nservicebus.moc"
