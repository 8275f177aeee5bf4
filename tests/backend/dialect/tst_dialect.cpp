#include "backend/dialect/dialect.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QTest>

using records::BrokerKind;
using records::Certainty;
using records::Header;
using records::Headers;

class TestDialect final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleOfNServiceBusIsRead();
    void theExampleOfRabbitMqIsRead();
    void theExampleOfServiceBusIsRead();
    void deliveriesOfStorageQueuesAreAttempts();
    void receivesOfSqsAreAttempts();
    void dialectsAreToldApart_data();
    void dialectsAreToldApart();
    void deathsOfDelayQueuesAreIgnored();
    void destinations_data();
    void destinations();
    void aRetryCarriesNoFailureHeader_data();
    void aRetryCarriesNoFailureHeader();
    void keptHeadersKeepOrderValueAndKind();
    void countersAreResetInTheirOwnKind();
    void nativePropertiesOfAnswersAreDropped();
    void hostileHeadersAreReadAsNothing_data();
    void hostileHeadersAreReadAsNothing();
};

namespace {

Header text(const char *name, const QString &value)
{
    return {QString::fromLatin1(name), value};
}

Header text(const char *name, const char *value)
{
    return text(name, QString::fromUtf8(value));
}

QCborMap death(const char *queue, const char *reason, qint64 count, qint64 time)
{
    return {{QStringLiteral("count"), count},
            {QStringLiteral("reason"), QString::fromLatin1(reason)},
            {QStringLiteral("queue"), QString::fromLatin1(queue)},
            {QStringLiteral("time"), time},
            {QStringLiteral("exchange"), QString()},
            {QStringLiteral("routing-keys"), QCborArray{QString::fromLatin1(queue)}}};
}

dialect::Arrival rabbit(const char *queue, const Headers &headers)
{
    dialect::Arrival arrival;
    arrival.queue = QString::fromLatin1(queue);
    arrival.envelope.headers = headers;
    return arrival;
}

dialect::Arrival bus(const char *queue, const Headers &headers)
{
    dialect::Arrival arrival = rabbit(queue, headers);
    arrival.broker = BrokerKind::ServiceBus;
    return arrival;
}

// Particular's documentation, HeaderWriterErrorError.txt, of NServiceBus 10.
Headers nServiceBusExample()
{
    return {
        text("NServiceBus.MessageId", "9f1a2b3c-0000-4000-8000-b43a00e8a0f1"),
        text("NServiceBus.CorrelationId", "9f1a2b3c-0000-4000-8000-b43a00e8a0f1"),
        text("NServiceBus.ConversationId", "c0ffee00-0000-4000-8000-b43a00e8a0f1"),
        text("NServiceBus.FailedQ", "HeaderWriterError"),
        text("NServiceBus.ExceptionInfo.ExceptionType", "System.Exception"),
        text("NServiceBus.ExceptionInfo.HelpLink", ""),
        text("NServiceBus.ExceptionInfo.Message", "The exception message from the handler."),
        text("NServiceBus.ExceptionInfo.Source", "Core_10"),
        text("NServiceBus.ExceptionInfo.StackTrace", "System.Exception: The exception message from the handler.\n   at "
                                                     "Core.Headers.MessageHandler.Handle(MessageToSend m)"),
        text("NServiceBus.ExceptionInfo.Data.Handler type", "Core.Headers.Writers.MyNamespace.MessageHandler"),
        text("NServiceBus.ExceptionInfo.Data.Transport message ID", "737be1a4-0000-4000-8000-000000000000"),
        text("NServiceBus.TimeOfFailure", "2026-04-29 22:06:16:406166 Z"),
        text("NServiceBus.EnclosedMessageTypes",
             "Core.Headers.Writers.MyNamespace.MessageToSend, MyAssembly, Version=1.0.0.0, "
             "Culture=neutral, PublicKeyToken=null"),
        text("NServiceBus.MessageIntent", "Send"),
        text("NServiceBus.ProcessingEndpoint", "HeaderWriterError"),
        text("NServiceBus.ProcessingMachine", "MACHINE"),
        text("$.diagnostics.hostid", "daaf5ebc8d6a51b7b0dccdd8b15c3626"),
        text("$.diagnostics.hostdisplayname", "MACHINE"),
        text("NServiceBus.Version", "10.2.0"),
        text("NServiceBus.ContentType", "application/json"),
    };
}

Headers xDeath(const QCborArray &deaths)
{
    return {{QStringLiteral("x-death"), deaths}};
}

} // namespace

void TestDialect::theExampleOfNServiceBusIsRead()
{
    const dialect::Reading reading = dialect::read(rabbit("error", nServiceBusExample()));
    QCOMPARE(reading.dialect, QStringLiteral("NServiceBus"));
    QCOMPARE(reading.messageId, QStringLiteral("9f1a2b3c-0000-4000-8000-b43a00e8a0f1"));
    QVERIFY(reading.messageIdIsUnique);
    QCOMPARE(reading.conversationId, QStringLiteral("c0ffee00-0000-4000-8000-b43a00e8a0f1"));
    QCOMPARE(reading.messageType, QStringLiteral("Core.Headers.Writers.MyNamespace.MessageToSend"));
    QCOMPARE(reading.destination, (records::Destination{QStringLiteral("HeaderWriterError"), Certainty::Exact,
                                                        QStringLiteral("NServiceBus.FailedQ")}));
    QCOMPARE(reading.failure.exceptionType, QStringLiteral("System.Exception"));
    QCOMPARE(reading.failure.exceptionMessage, QStringLiteral("The exception message from the handler."));
    QCOMPARE(reading.failure.endpoint, QStringLiteral("HeaderWriterError"));
    QCOMPARE(reading.failure.host, QStringLiteral("MACHINE"));
    QVERIFY(reading.failure.at.has_value());
    QCOMPARE(core::toMs(*reading.failure.at), 1777500376406);
    QCOMPARE(reading.contentType, QStringLiteral("application/json"));
    QVERIFY(!reading.attempts); // NServiceBus removes its counters when it gives up
    QVERIFY(reading.confirms.isEmpty());
}

// rabbit/test/dead_lettering_SUITE.erl, dead_letter_headers.
void TestDialect::theExampleOfRabbitMqIsRead()
{
    dialect::Arrival arrival = rabbit("orders.dlq", xDeath({death("orders", "rejected", 1, 1767323045)}));
    arrival.envelope.properties = {text("message_id", "m1"), text("correlation_id", "c1"), text("type", "OrderPlaced"),
                                   text("content_type", "application/json")};
    const dialect::Reading reading = dialect::read(arrival);
    QCOMPARE(reading.dialect, QStringLiteral("RabbitMQ"));
    QCOMPARE(reading.messageId, QStringLiteral("m1"));
    QVERIFY(!reading.messageIdIsUnique); // the sender chooses it
    QCOMPARE(reading.correlationId, QStringLiteral("c1"));
    QCOMPARE(reading.messageType, QStringLiteral("OrderPlaced"));
    QCOMPARE(reading.contentType, QStringLiteral("application/json"));
    QCOMPARE(reading.destination, (records::Destination{QStringLiteral("orders"), Certainty::Exact,
                                                        QStringLiteral("x-death: rejected from orders")}));
    QCOMPARE(reading.failure.exceptionType, QStringLiteral("dead-letter:rejected"));
    QCOMPARE(reading.attempts, 1);
    QVERIFY(reading.failure.at.has_value());
    QCOMPARE(core::toMs(*reading.failure.at), 1767323045000);
}

void TestDialect::theExampleOfServiceBusIsRead()
{
    dialect::Arrival arrival =
        bus("orders/$DeadLetterQueue",
            {text("DeadLetterReason", "MaxDeliveryCountExceeded"),
             text("DeadLetterErrorDescription", "Message could not be consumed after 10 delivery attempts.")});
    arrival.envelope.properties = {text("MessageId", "m1"), text("CorrelationId", "c1"), text("Label", "OrderPlaced")};
    arrival.deliveryCount = 10;
    const dialect::Reading reading = dialect::read(arrival);
    QCOMPARE(reading.dialect, QStringLiteral("Service Bus"));
    QCOMPARE(reading.messageId, QStringLiteral("m1"));
    QCOMPARE(reading.messageType, QStringLiteral("OrderPlaced"));
    QCOMPARE(reading.destination.queue, QStringLiteral("orders"));
    QCOMPARE(reading.destination.certainty, Certainty::Exact);
    QCOMPARE(reading.failure.exceptionType, QStringLiteral("MaxDeliveryCountExceeded"));
    QCOMPARE(reading.attempts, 10);
    QVERIFY(!reading.failure.at); // the time it was enqueued is not the time it failed
}

void TestDialect::deliveriesOfStorageQueuesAreAttempts()
{
    dialect::Arrival arrival;
    arrival.broker = records::BrokerKind::AzureQueue;
    arrival.queue = QStringLiteral("orders-failed");
    arrival.deliveryCount = 5;
    QCOMPARE(dialect::read(arrival).attempts, std::optional(5));
    arrival.queue = QStringLiteral("orders-poison"); // a fresh copy, which somebody looked at five times
    const dialect::Reading poison = dialect::read(arrival);
    QCOMPARE(poison.attempts, std::nullopt);
    QCOMPARE(poison.destination.queue, QStringLiteral("orders"));
    QCOMPARE(poison.destination.certainty, Certainty::Derived);
}

void TestDialect::receivesOfSqsAreAttempts()
{
    dialect::Arrival arrival;
    arrival.broker = records::BrokerKind::Sqs;
    arrival.queue = QStringLiteral("orders-dlq");
    arrival.deliveryCount = 5;
    arrival.origin = QStringLiteral("shop");
    records::set(arrival.envelope.properties, QStringLiteral("ApproximateReceiveCount"), QStringLiteral("6"));
    const dialect::Reading concluded = dialect::read(arrival);
    QCOMPARE(concluded.attempts, std::optional(5));
    QCOMPARE(concluded.destination.queue, QStringLiteral("shop"));
    QCOMPARE(concluded.destination.certainty, Certainty::Derived);
    records::set(arrival.envelope.properties, QStringLiteral("DeadLetterQueueSourceArn"),
                 QStringLiteral("arn:aws:sqs:eu-west-1:123456789012:orders"));
    const dialect::Reading told = dialect::read(arrival);
    QCOMPARE(told.dialect, QStringLiteral("SQS"));
    QCOMPARE(told.attempts, std::optional(5));
    QCOMPARE(told.destination.queue, QStringLiteral("orders"));
    QCOMPARE(told.destination.certainty, Certainty::Exact);
}

void TestDialect::dialectsAreToldApart_data()
{
    QTest::addColumn<dialect::Arrival>("arrival");
    QTest::addColumn<QString>("name");
    const auto row = [](const char *what, const dialect::Arrival &arrival, const char *name) {
        QTest::newRow(what) << arrival << QString::fromLatin1(name);
    };
    const Header enclosed = text("NServiceBus.EnclosedMessageTypes", "Shop.Order, Shop");
    row("nservicebus by exception only", rabbit("error", {text("NServiceBus.ExceptionInfo.Message", "no")}),
        "NServiceBus");
    row("nservicebus in lower case", bus("error", {text("nservicebus.failedq", "orders")}), "NServiceBus");
    row("nservicebus wins over native",
        bus("q/$DeadLetterQueue", {text("DeadLetterReason", "NServiceBus"), text("NServiceBus.FailedQ", "q")}),
        "NServiceBus");
    row("an NServiceBus message that a consumer rejected",
        rabbit("orders.dlq", {enclosed, xDeath({death("orders", "rejected", 1, 1)}).constFirst()}), "RabbitMQ");
    row("an NServiceBus message that did not fail", rabbit("error", {enclosed, text("NServiceBus.Retries", "1")}),
        "unknown");
    row("a name that only begins alike",
        rabbit("error", {text("NServiceBus.FailedQueue", "x"), text("NServiceBus.ExceptionInfo", "x")}), "unknown");
    row("x-death that is a text", rabbit("dlq", {text("x-death", "orders")}), "unknown");
    row("x-death that is empty", rabbit("dlq", xDeath({})), "unknown");
    row("x-death of delays only", rabbit("error", xDeath({death("nsb.v2.delay-level-07", "expired", 1, 1)})),
        "unknown");
    row("last death of a delay",
        rabbit("error", {text("x-last-death-queue", "nsb.v2.delay-level-00"), text("x-last-death-reason", "expired")}),
        "unknown");
    row("last death of a queue", rabbit("dlq", {text("x-last-death-queue", "orders")}), "RabbitMQ");
    row("x-death on Service Bus", bus("q", xDeath({death("orders", "rejected", 1, 1)})), "unknown");
    row("DeadLetterReason on RabbitMQ", rabbit("q", {text("DeadLetterReason", "x")}), "unknown");
    row("service bus by its path", bus("Orders/$deadletterqueue", {}), "Service Bus");
    row("service bus work queue", bus("orders", {text("Priority", "1")}), "unknown");
    row("nothing at all", rabbit("error", {}), "unknown");
}

void TestDialect::dialectsAreToldApart()
{
    QFETCH(dialect::Arrival, arrival);
    QTEST(dialect::read(arrival).dialect, "name");
}

void TestDialect::deathsOfDelayQueuesAreIgnored()
{
    const dialect::Reading symfony =
        dialect::read(rabbit("failed", xDeath({death("delay_x_orders_1000_retry", "expired", 3, 1),
                                               death("hop", "expired", 1, 2), death("orders", "rejected", 2, 3)})));
    QCOMPARE(symfony.destination.queue, QStringLiteral("orders"));
    QCOMPARE(symfony.attempts, 2);
    QVERIFY(!symfony.failure.at); // "time" is that of the first of two deaths
    Headers both = nServiceBusExample();
    both.append(xDeath({death("nsb.v2.delay-level-07", "expired", 1, 1)}));
    QVERIFY(!dialect::read(rabbit("error", both)).attempts);
}

void TestDialect::destinations_data()
{
    QTest::addColumn<dialect::Arrival>("arrival");
    QTest::addColumn<QString>("queue");
    QTest::addColumn<int>("certainty");
    const auto row = [](const char *what, const dialect::Arrival &arrival, const char *queue, Certainty certainty) {
        QTest::newRow(what) << arrival << QString::fromLatin1(queue) << static_cast<int>(certainty);
    };
    row("unknown", rabbit("error", {}), "", Certainty::Unknown);
    row("by the name", rabbit("orders.dlq", {}), "orders", Certainty::Derived);
    row("poison queue", rabbit("process-poison", {}), "process", Certainty::Derived);
    row("poison queue of ReportStream", rabbit("process_poison", {}), "process", Certainty::Derived);
    row("poison queue on Service Bus", bus("process-poison", {}), "process", Certainty::Derived);
    row("that of ReportStream on Service Bus", bus("process_poison", {}), "process", Certainty::Derived);
    row("only a suffix", rabbit(".dlq", {}), "", Certainty::Unknown);
    dialect::Arrival origin = rabbit("dead", {});
    origin.origin = QStringLiteral("orders");
    row("the broker knows", origin, "orders", Certainty::Derived);
    dialect::Arrival endless = origin;
    endless.origin = QString(1025, u'o');
    row("what the broker says has no end", endless, "", Certainty::Unknown);
    row("nor has the name of the queue", rabbit((QByteArray(1030, 'o') + ".dlq").constData(), {}), "",
        Certainty::Unknown);
    row(
        "the header wins over the broker",
        [&] {
            dialect::Arrival arrival = origin;
            arrival.envelope.headers = {text("NServiceBus.FailedQ", "billing")};
            return arrival;
        }(),
        "billing", Certainty::Exact);
    row("exception without FailedQ falls back to the death",
        rabbit("dlq",
               Headers{text("NServiceBus.ExceptionInfo.Message", "m")} + xDeath({death("orders", "rejected", 1, 1)})),
        "orders", Certainty::Exact);
    row("subscription", bus("topic/Subscriptions/sub/$DeadLetterQueue", {}), "topic", Certainty::FanOut);
    row("transfer", bus("orders/$Transfer/$DeadLetterQueue", {}), "orders", Certainty::Exact);
    dialect::Arrival forwarded = bus("central", {text("DeadLetterReason", "x")});
    forwarded.envelope.properties = {text("DeadLetterSource", "orders")};
    row("auto-forwarded", forwarded, "orders", Certainty::Exact);
    forwarded.envelope.properties = {text("DeadLetterSource", "orders/Subscriptions/bills")};
    row("auto-forwarded from a subscription", forwarded, "orders", Certainty::FanOut);
    dialect::Arrival told = bus("central", {text("DeadLetterReason", "x")});
    told.origin = QStringLiteral("orders/Subscriptions/bills");
    row("auto-forwarded, as the broker tells", told, "orders", Certainty::FanOut);
    row("an endless name is no name", rabbit("error", {text("NServiceBus.FailedQ", QString(5000, QLatin1Char('q')))}),
        "", Certainty::Unknown);
}

void TestDialect::destinations()
{
    QFETCH(dialect::Arrival, arrival);
    QFETCH(int, certainty);
    const dialect::Reading reading = dialect::read(arrival);
    QTEST(reading.destination.queue, "queue");
    QCOMPARE(static_cast<int>(reading.destination.certainty), certainty);
    QCOMPARE(reading.destination.knownFrom.isEmpty(), reading.destination.queue.isEmpty());
}

void TestDialect::aRetryCarriesNoFailureHeader_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("always"); // whatever the dialect
    // First those that ServiceControl removes ("Technicalities of retrying messages"), then what became of them since.
    for (const char *name :
         {"NServiceBus.Retries", "NServiceBus.FailedQ", "NServiceBus.TimeOfFailure",
          "NServiceBus.ExceptionInfo.ExceptionType", "NServiceBus.ExceptionInfo.AuditMessage",
          "NServiceBus.ExceptionInfo.Source", "NServiceBus.ExceptionInfo.StackTrace", "NServiceBus.Retries.Timestamp",
          "NServiceBus.FLRetries", "NServiceBus.ExceptionInfo.Data.Handler type", "ServiceControl.EditOf"})
        QTest::newRow(name) << QString::fromLatin1(name) << false;
    for (const char *name : {"x-death", "x-first-death-queue", "x-last-death-reason", "x-delivery-count",
                             "x-acquired-count", "x-delay", "x-opt-deaths", "CC", "BCC", "DeadLetterReason",
                             "DeadLetterErrorDescription", "NServiceBus.Transport.Recovery"})
        QTest::newRow(name) << QString::fromLatin1(name) << true;
}

void TestDialect::aRetryCarriesNoFailureHeader()
{
    QFETCH(QString, name);
    QFETCH(bool, always);
    const records::Envelope envelope{{{name, QStringLiteral("x")}}, {}, "body", {}, {}};
    QVERIFY(dialect::stripped(QStringLiteral("NServiceBus"), envelope).headers.isEmpty());
    for (const char *other : {"unknown", "RabbitMQ", "Service Bus", "a dialect of a newer version"})
        QCOMPARE(dialect::stripped(QString::fromLatin1(other), envelope).headers.isEmpty(), always);
}

void TestDialect::keptHeadersKeepOrderValueAndKind()
{
    const Headers kept{
        text("NServiceBus.MessageId", "m"),
        text("NServiceBus.ProcessingEndpoint", "e"),
        text("NServiceBus.OpenTelemetry.StartNewTrace", "True"),
        text("NServiceBus.Timeout.Expire", "t"),
        text("ServiceControl.Retry.UniqueMessageId", "u"),
        text("ServiceControl.Retry.AcknowledgementQueue", "acks"),
        text("Redrive-Retry-Count", "2"),
        text("traceparent", "00-1-2-01"),
        text("nservicebus.failedq", "not ours: names compare Ordinal"),
        text("cc", "not the broker's"),
        {QStringLiteral("integer"), QCborValue(7)},
        {QStringLiteral("double"), QCborValue(7.0)},
        {QStringLiteral("bool"), QCborValue(false)},
        {QStringLiteral("void"), QCborValue(QCborValue::Null)},
        {QStringLiteral("bytes"), QCborValue(QByteArray("\x00\xff", 2))},
        {QStringLiteral("map"), QCborMap{{QStringLiteral("a"), QCborArray{1, 2.0}}}},
    };
    records::Envelope envelope;
    envelope.body = QByteArray("\x00\x01body", 6);
    envelope.exchange = QStringLiteral("e");
    envelope.properties = {text("message_id", "m"),
                           {QStringLiteral("priority"), 3},
                           text("expiration", "5000"),
                           {QStringLiteral("delivery_mode"), 2}};
    for (const Header &header : kept) {
        envelope.headers.append(text("NServiceBus.ExceptionInfo.Message", "between"));
        envelope.headers.append(header);
    }
    const records::Envelope copy = dialect::stripped(QStringLiteral("NServiceBus"), envelope);
    QCOMPARE(copy.headers, kept);
    for (qsizetype i = 0; i < kept.size(); ++i)
        QCOMPARE(copy.headers.at(i).value.type(), kept.at(i).value.type());
    QCOMPARE(copy.body, envelope.body);
    QCOMPARE(copy.exchange, envelope.exchange);
    QCOMPARE(copy.properties,
             (Headers{text("message_id", "m"), {QStringLiteral("priority"), 3}, {QStringLiteral("delivery_mode"), 2}}));
}

void TestDialect::countersAreResetInTheirOwnKind()
{
    records::Envelope envelope;
    envelope.headers = {{QStringLiteral("X-Custom-Retry-Count"), 5},
                        text("MT-Redelivery-Count", "3"),
                        {QStringLiteral("HandledCount"), QCborValue(2.0)},
                        {QStringLiteral("retry-count"), QCborValue(QCborArray{1})}};
    const Headers copy = dialect::stripped(QStringLiteral("unknown"), envelope).headers;
    QVERIFY(records::find(copy, u"X-Custom-Retry-Count")->isInteger());
    QCOMPARE(records::find(copy, u"X-Custom-Retry-Count")->toInteger(), 0);
    QCOMPARE(records::find(copy, u"MT-Redelivery-Count")->toString(), QStringLiteral("0"));
    QVERIFY(records::find(copy, u"HandledCount")->isDouble());
    QVERIFY(records::find(copy, u"retry-count")->isArray()); // no number, so no counter
}

void TestDialect::nativePropertiesOfAnswersAreDropped()
{
    records::Envelope envelope;
    envelope.properties = {text("MessageId", "m"),
                           text("SessionId", "s"),
                           {QStringLiteral("DeliveryCount"), 10},
                           text("LockToken", "t"),
                           text("LockedUntilUtc", "x"),
                           {QStringLiteral("SequenceNumber"), 1},
                           {QStringLiteral("EnqueuedSequenceNumber"), 1},
                           text("EnqueuedTimeUtc", "x"),
                           text("State", "Active"),
                           {QStringLiteral("TimeToLive"), QCborValue(922337203685.47754)}};
    QCOMPARE(dialect::stripped(QStringLiteral("Service Bus"), envelope).properties,
             (Headers{text("MessageId", "m"), text("SessionId", "s")}));
    envelope.properties = {text("TimeToLive", "90")}; // a real one: the copy lives as long as the original did
    QCOMPARE(dialect::stripped(QStringLiteral("Service Bus"), envelope).properties, envelope.properties);
}

void TestDialect::hostileHeadersAreReadAsNothing_data()
{
    QTest::addColumn<QCborValue>("value");
    QTest::newRow("null") << QCborValue(QCborValue::Null);
    QTest::newRow("map") << QCborValue(QCborMap{{QStringLiteral("a"), 1}});
    QTest::newRow("array of nonsense") << QCborValue(QCborArray{1, QStringLiteral("x"), QCborArray{}, QCborMap{}});
    QTest::newRow("bytes") << QCborValue(QByteArray(1000, '\xff'));
    QTest::newRow("long text") << QCborValue(QString(5000000, QLatin1Char('x')));
    QTest::newRow("lone surrogate") << QCborValue(QString(QChar(0xdc00)));
    QTest::newRow("largest integer") << QCborValue(std::numeric_limits<qint64>::max());
    QTest::newRow("wild death") << QCborValue(
        QCborArray{QCborMap{{QStringLiteral("queue"), QStringLiteral("q")},
                            {QStringLiteral("reason"), QStringLiteral("rejected")},
                            {QStringLiteral("count"), std::numeric_limits<qint64>::max()},
                            {QStringLiteral("time"), std::numeric_limits<qint64>::max()}}});
    QCborArray many;
    for (int i = 0; i < 20000; ++i)
        many.append(death("q", "rejected", 1, 1));
    QTest::newRow("many deaths") << QCborValue(many);
}

void TestDialect::hostileHeadersAreReadAsNothing()
{
    QFETCH(QCborValue, value);
    dialect::Arrival arrival = rabbit("error", nServiceBusExample());
    for (Header &header : arrival.envelope.headers)
        header.value = value;
    for (const char *name :
         {"x-death", "x-opt-deaths", "x-first-death-queue", "DeadLetterReason", "ServiceControl.Retry.Successful"})
        arrival.envelope.headers.append({QString::fromLatin1(name), value});
    for (const char *name : {"message_id", "type", "content_type", "MessageId", "DeadLetterSource", "TimeToLive"})
        arrival.envelope.properties.append({QString::fromLatin1(name), value});
    for (const BrokerKind kind : {BrokerKind::RabbitMq, BrokerKind::ServiceBus}) {
        arrival.broker = kind;
        const dialect::Reading reading = dialect::read(arrival);
        QVERIFY(reading.failure.exceptionType.size() <= 512);
        QVERIFY(reading.failure.stackTrace.size() <= 256 * 1024);
        QVERIFY(reading.messageId.size() <= 1024);
        QVERIFY(reading.destination.queue.size() <= 1024);
        QVERIFY(reading.confirms.isEmpty());
        QVERIFY(!reading.failure.at || core::toMs(*reading.failure.at) < 253402300800000);
        QVERIFY(!dialect::groupTitle(records::Classifier::ExceptionAndStack, reading, arrival).isEmpty());
        static_cast<void>(dialect::stripped(reading.dialect, arrival.envelope));
    }
}

REDRIVE_TEST(TestDialect)
#include "tst_dialect.moc"
