#include "backend/dialect/dialect.h"
#include "tests/support/testmain/testmain.h"

#include <QSet>
#include <QTest>

using records::Classifier;

class TestGroupTitle final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void causes_data();
    void causes();
    void namespacesTellCausesApart();
    void theOtherFourClassifiers();
    void titlesAreNeverEmptyNorLong_data();
    void titlesAreNeverEmptyNorLong();
};

namespace {

dialect::Arrival failed(const QString &type, const QString &stack)
{
    dialect::Arrival arrival;
    arrival.queue = QStringLiteral("error");
    arrival.envelope.headers = {
        {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("billing")},
        {QStringLiteral("NServiceBus.ProcessingEndpoint"), QStringLiteral("Shop.Billing")},
        {QStringLiteral("$.diagnostics.hostdisplayname"), QStringLiteral("pay-07")},
        {QStringLiteral("NServiceBus.EnclosedMessageTypes"), QStringLiteral("Shop.AuthorizePayment, Shop")},
        {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), type},
        {QStringLiteral("NServiceBus.ExceptionInfo.StackTrace"), stack},
    };
    return arrival;
}

dialect::Arrival deadLetter(const QString &queue, const QString &reason, const QString &description = {})
{
    dialect::Arrival arrival;
    arrival.broker = records::BrokerKind::ServiceBus;
    arrival.queue = queue;
    arrival.envelope.headers = {{QStringLiteral("DeadLetterReason"), reason},
                                {QStringLiteral("DeadLetterErrorDescription"), description}};
    return arrival;
}

QString title(Classifier classifier, const dialect::Arrival &arrival)
{
    return dialect::groupTitle(classifier, dialect::read(arrival), arrival);
}

} // namespace

void TestGroupTitle::causes_data()
{
    QTest::addColumn<dialect::Arrival>("arrival");
    QTest::addColumn<QString>("cause");
    const auto row = [](const char *name, const dialect::Arrival &arrival, const char *cause) {
        QTest::newRow(name) << arrival << QString::fromUtf8(cause);
    };
    row("type and frame",
        failed(QStringLiteral("System.Data.SqlClient.SqlException"),
               QStringLiteral("System.Data.SqlClient.SqlException: deadlock\n   at Shop.OrderStore.Save(Order order)")),
        "SqlException: OrderStore.Save(Order)");
    row("no stack", failed(QStringLiteral("System.TimeoutException"), QString()), "TimeoutException: No stacktrace");
    row("unreadable stack", failed(QStringLiteral("E"), QStringLiteral("gibberish")), "E: No stacktrace");
    row("stack without type", failed(QString(), QStringLiteral("   at A.B()")), "Unknown exception: A.B()");
    row("service bus",
        deadLetter(QStringLiteral("vehicle-speed/$DeadLetterQueue"), QStringLiteral("TTLExpiredException")),
        "dead-letter: TTLExpiredException (vehicle-speed)");
    row("service bus, forwarded", deadLetter(QStringLiteral("orders.dlq"), QStringLiteral("MaxDeliveryCountExceeded")),
        "dead-letter: MaxDeliveryCountExceeded (orders.dlq)");
    row("service bus with a stack in its description",
        deadLetter(QStringLiteral("orders/$DeadLetterQueue"), QStringLiteral("Shop.Bad"),
                   QStringLiteral("it broke\n   at Shop.Store.Save(Order o)")),
        "Bad: Store.Save(Order)");
    dialect::Arrival rejected;
    rejected.queue = QStringLiteral("orders.dlq");
    rejected.envelope.headers = {{QStringLiteral("x-first-death-queue"), QStringLiteral("orders")},
                                 {QStringLiteral("x-first-death-reason"), QStringLiteral("rejected")}};
    row("rabbitmq", rejected, "dead-letter: rejected (orders.dlq)");
    dialect::Arrival nothing;
    nothing.queue = QStringLiteral("process-poison");
    row("nothing known", nothing, "process-poison (no exception recorded)");
}

void TestGroupTitle::causes()
{
    QFETCH(dialect::Arrival, arrival);
    QTEST(title(Classifier::ExceptionAndStack, arrival), "cause");
}

// The title is for the eye, the cause for the identity.
void TestGroupTitle::namespacesTellCausesApart()
{
    const auto frame = [](const char *where) {
        return QStringLiteral("x\n   at Shop.%1.Handler.Handle(Order o)").arg(QLatin1StringView(where));
    };
    const dialect::Arrival orders = failed(QStringLiteral("Shop.Orders.NotFound"), frame("Orders"));
    const dialect::Arrival otherType = failed(QStringLiteral("Shop.Mail.NotFound"), frame("Orders"));
    const dialect::Arrival otherFrame = failed(QStringLiteral("Shop.Orders.NotFound"), frame("Mail"));
    QSet<QString> causes;
    for (const dialect::Arrival &arrival : {orders, otherType, otherFrame}) {
        QCOMPARE(title(Classifier::ExceptionAndStack, arrival), QStringLiteral("NotFound: Handler.Handle(Order)"));
        causes.insert(dialect::groupCause(dialect::read(arrival), arrival));
    }
    QCOMPARE(causes.size(), 3);
    QVERIFY(causes.contains(QStringLiteral("Shop.Mail.NotFound: Shop.Orders.Handler.Handle(Order)")));
}

void TestGroupTitle::theOtherFourClassifiers()
{
    dialect::Arrival arrival = failed(QStringLiteral("E"), QString());
    QCOMPARE(title(Classifier::MessageType, arrival), QStringLiteral("Shop.AuthorizePayment"));
    QCOMPARE(title(Classifier::EndpointAddress, arrival), QStringLiteral("billing"));
    QCOMPARE(title(Classifier::EndpointName, arrival), QStringLiteral("Shop.Billing"));
    QCOMPARE(title(Classifier::EndpointInstance, arrival), QStringLiteral("pay-07"));
    records::set(arrival.envelope.headers, QStringLiteral("NServiceBus.Metric.InstanceId"), QStringLiteral("i-1"));
    QCOMPARE(title(Classifier::EndpointInstance, arrival), QStringLiteral("i-1"));
}

void TestGroupTitle::titlesAreNeverEmptyNorLong_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("spaces and line ends") << QStringLiteral(" \n\r\t ");
    QTest::newRow("long") << QString(200000, QLatin1Char('x'));
    QTest::newRow("many lines") << QString(200000, QLatin1Char('\n')) + QStringLiteral("x");
    QTest::newRow("one dot") << QStringLiteral(".");
}

void TestGroupTitle::titlesAreNeverEmptyNorLong()
{
    QFETCH(QString, text);
    dialect::Arrival arrival = failed(text, text);
    for (const char *name : {"NServiceBus.FailedQ", "NServiceBus.ProcessingEndpoint", "$.diagnostics.hostdisplayname",
                             "NServiceBus.EnclosedMessageTypes"})
        records::set(arrival.envelope.headers, QString::fromLatin1(name), text);
    for (int i = 0; i < records::classifierCount; ++i) {
        const QString made = title(static_cast<Classifier>(i), arrival);
        QVERIFY(!made.trimmed().isEmpty());
        QVERIFY(made.size() <= 300);
        QVERIFY(!made.contains(QLatin1Char('\n')));
    }
}

REDRIVE_TEST(TestGroupTitle)
#include "tst_grouptitle.moc"
