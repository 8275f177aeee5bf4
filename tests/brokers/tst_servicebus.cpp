#include "backend/broker/servicebus/messagemapper.h"
#include "backend/localbroker/brokerthread.h"
#include "tests/support/servicebus/servicebusclient.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using broker::Outgoing;
using broker::ReceivedPage;
using broker::SendOutcome;
using broker::Verdict;
using core::ErrorKind;
using support::outgoing;
using support::request;

namespace {

localbroker::QueueSettings queueNamed(const QString &name)
{
    localbroker::QueueSettings settings;
    settings.name = name;
    return settings;
}

QString inWords(const SendOutcome &outcome)
{
    return QString::number(int(outcome.verdict)) + QLatin1String(" ") + outcome.error.message;
}

} // namespace

// The contract of broker::Broker, kept against the embedded broker over loopback.
class TestServiceBus final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void probeSaysWhatIsPossible();
    void wrongKeysAreUnauthorized();
    void queuesComeWithDepthsAndDeadLetterQueues();
    void manyQueuesComeInPages();
    void headersPropertiesAndBodySurvive_data();
    void headersPropertiesAndBodySurvive();
    void takeHoldsAndReleaseRemoves();
    void takeStopsAtItsLimits();
    void takeFromAnEmptyOrMissingQueue();
    void putBackMakesVisibleAgain();
    void lostLocksAreSaid();
    void browseChangesNothing();
    void aBatchReachesSeveralQueuesInOrder();
    void aFaultyMessageDoesNotTakeTheOthersAlong();
    void missingQueuesAreNamed();
    void theDedupIdIsUsedWhereDuplicatesAreDetected();
    void cancelEndsEverything();
    void acceptedMessagesSurviveARestart();

private:
    void startBroker(const QList<localbroker::QueueSettings> &queues, const localbroker::Keys &keys = {});
    QList<SendOutcome> send(const QList<Outgoing> &messages) { return QCoro::waitFor(m_client->bus.send(messages)); }
    ReceivedPage take(const QString &queue, int limit = 100, qint64 bytes = 0);
    qint64 depth(const QString &queue);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<localbroker::BrokerThread> m_broker;
    std::unique_ptr<support::ServiceBusClient> m_client;
    QUrl m_url;
    const QString m_queue = QStringLiteral("team/orders \u00fc");
    const QString m_dead = m_queue + QStringLiteral("/$DeadLetterQueue");
};

void TestServiceBus::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    localbroker::QueueSettings orders = queueNamed(m_queue);
    orders.maxDeliveryCount = 1;
    localbroker::QueueSettings once = queueNamed(QStringLiteral("once"));
    once.duplicateDetection = true;
    startBroker({orders, once, queueNamed(QStringLiteral("error"))});
}

void TestServiceBus::cleanup()
{
    m_client.reset();
    m_broker.reset();
    m_folder.reset();
}

void TestServiceBus::startBroker(const QList<localbroker::QueueSettings> &queues, const localbroker::Keys &keys)
{
    m_client.reset();
    m_broker = std::make_unique<localbroker::BrokerThread>();
    localbroker::BrokerSettings settings;
    settings.dataFile = m_folder->filePath(QStringLiteral("data/broker.db"));
    settings.queues = queues;
    settings.keys = keys;
    const core::Result<quint16> port = m_broker->start(settings);
    QVERIFY2(port.has_value(), port ? "" : qPrintable(port.error().message + port.error().detail));
    m_url = QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(*port));
    const QString name = keys.isEmpty() ? QString() : keys.constBegin().key();
    m_client = std::make_unique<support::ServiceBusClient>(m_url, name, keys.value(name).text);
    QVERIFY(QCoro::waitFor(m_client->bus.probe()).has_value());
}

ReceivedPage TestServiceBus::take(const QString &queue, int limit, qint64 bytes)
{
    const auto page = QCoro::waitFor(m_client->bus.take(request(queue, limit, bytes)));
    if (!page)
        qWarning("%s", qPrintable(page.error().message));
    return page.value_or(ReceivedPage());
}

qint64 TestServiceBus::depth(const QString &queue)
{
    const auto listing = QCoro::waitFor(m_client->bus.queues());
    if (!listing)
        return -1;
    for (const broker::QueueInfo &info : listing->queues) {
        if (info.name == queue)
            return info.depth.value_or(-1);
    }
    return -1;
}

void TestServiceBus::probeSaysWhatIsPossible()
{
    const auto capabilities = QCoro::waitFor(m_client->bus.probe());
    QVERIFY(capabilities.has_value());
    QVERIFY(capabilities->handOver == records::HandOver::IntentLog);
    QVERIFY(capabilities->canTake && capabilities->locks);
    QVERIFY(capabilities->product.startsWith(QLatin1String("Redrive broker")));
    QVERIFY(!capabilities->guarantee.isEmpty());
    QVERIFY(capabilities->missing.isEmpty());
    QCOMPARE(m_client->bus.stagingQueue(), nullptr);
    QVERIFY(QCoro::waitFor(m_client->bus.leftovers())->isEmpty());
}

void TestServiceBus::wrongKeysAreUnauthorized()
{
    m_folder = std::make_unique<QTemporaryDir>();
    startBroker({queueNamed(m_queue)}, {{QStringLiteral("root"), QStringLiteral("c2VjcmV0")}});
    QCOMPARE(depth(m_queue), 0);
    QVERIFY(send({outgoing(m_queue, "a")}).constFirst().verdict == Verdict::Accepted);
    const QList<std::pair<QString, QString>> wrong{{QStringLiteral("root"), QStringLiteral("wrong")},
                                                   {QStringLiteral("other"), QStringLiteral("c2VjcmV0")},
                                                   {QString(), QString()}};
    for (const auto &[name, key] : wrong) {
        support::ServiceBusClient client(m_url, name, key);
        const auto probed = QCoro::waitFor(client.bus.probe());
        QVERIFY(!probed);
        QVERIFY(probed.error().kind == ErrorKind::Unauthorized);
        QVERIFY(!key.isEmpty() == !probed.error().message.isEmpty() || key.isEmpty());
        const auto sent = QCoro::waitFor(client.bus.send({outgoing(m_queue, "b")}));
        QVERIFY(sent.constFirst().verdict == Verdict::NotSent);
        QVERIFY(sent.constFirst().error.kind == ErrorKind::Unauthorized);
    }
    QCOMPARE(depth(m_queue), 1);
}

void TestServiceBus::queuesComeWithDepthsAndDeadLetterQueues()
{
    send({outgoing(m_queue, "a"), outgoing(m_queue, "b"), outgoing(m_queue, "c")});
    const ReceivedPage page = take(m_queue, 1);
    QVERIFY(QCoro::waitFor(m_client->bus.putBack(request(m_queue), page)).has_value()); // one delivery: dead-lettered
    const auto listing = QCoro::waitFor(m_client->bus.queues());
    QVERIFY(listing && listing->complete);
    QCOMPARE(listing->queues.size(), 6);
    for (const broker::QueueInfo &info : listing->queues) {
        QVERIFY(info.depthIsExact); // of the embedded broker
        if (info.name == m_queue) {
            QCOMPARE(info.depth, std::optional(qint64{2}));
            QVERIFY(info.role == broker::QueueRole::Work);
        } else if (info.name == m_dead) {
            QCOMPARE(info.depth, std::optional(qint64{1}));
            QVERIFY(info.role == broker::QueueRole::DeadLetter);
            QCOMPARE(info.origin, m_queue);
        } else if (info.name == QLatin1String("error")) {
            QVERIFY(info.role == broker::QueueRole::ErrorQueue);
        }
    }
}

void TestServiceBus::manyQueuesComeInPages()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QList<localbroker::QueueSettings> queues;
    for (int i = 0; i < 250; ++i)
        queues.append(queueNamed(QStringLiteral("queue-%1").arg(i)));
    startBroker(queues);
    QCOMPARE(QCoro::waitFor(m_client->bus.queues())->queues.size(), 500);
}

void TestServiceBus::headersPropertiesAndBodySurvive_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("contentType");
    QTest::addColumn<bool>("oddNames"); // these need the batch form
    QTest::newRow("text") << QByteArray("{\"a\":1}") << QStringLiteral("application/json") << false;
    QTest::newRow("no content type") << QByteArray("plain") << QString() << false;
    QTest::newRow("empty") << QByteArray() << QString() << false;
    QTest::newRow("binary") << QByteArray("\x00\x01\xff\r\n\r\n", 7) << QString() << false;
    QTest::newRow("300 KB") << QByteArray(300 * 1024, 'x') << QStringLiteral("text/plain") << false;
    QTest::newRow("odd names, text") << QByteArray("plain \xc3\xbc") << QStringLiteral("text/plain") << true;
    QTest::newRow("odd names, binary") << QByteArray("\x00\xff", 2) << QString() << true;
    QTest::newRow("odd names, empty") << QByteArray() << QString() << true;
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf{}") << QString() << true;
}

void TestServiceBus::headersPropertiesAndBodySurvive()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, contentType);
    QFETCH(bool, oddNames);
    records::Headers headers{{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("1")},
                             {QStringLiteral("Retries"), 3},
                             {QStringLiteral("Vip"), true}};
    if (oddNames) {
        headers.append({QStringLiteral("Handler type"), QStringLiteral("My.Handler")});
        headers.append({QStringLiteral("StackTrace"), QStringLiteral("at A in C:\\new\\x.cs\r\n   at B \u00fc \"q\"")});
        headers.append({QStringLiteral("Host"), QStringLiteral("not the header of HTTP")});
        headers.append({QStringLiteral("Half"), QCborValue(0.5)});
    } else {
        headers.append({QStringLiteral("Whole"), QCborValue(1.0)});
    }
    records::Headers properties{{QStringLiteral("MessageId"), QStringLiteral("m-\u00fc")},
                                {QStringLiteral("CorrelationId"), QStringLiteral("c")},
                                {QStringLiteral("Label"), QStringLiteral("Order \"placed\"")},
                                {QStringLiteral("TimeToLive"), QCborValue(3600.0)}};
    if (!contentType.isEmpty())
        properties.append({QStringLiteral("ContentType"), contentType});
    const auto outcomes = send({outgoing(m_queue, body, headers, properties)});
    QVERIFY2(outcomes.constFirst().verdict == Verdict::Accepted, qPrintable(inWords(outcomes.constFirst())));

    const auto browsed = QCoro::waitFor(m_client->bus.browse(m_queue, 10));
    QVERIFY(browsed.has_value());
    QCOMPARE(browsed->messages.size(), 1);
    const ReceivedPage page = take(m_queue);
    QCOMPARE(page.messages.size(), 1);
    const records::Envelope &envelope = page.messages.constFirst().envelope;
    QCOMPARE(envelope.body, body);
    for (const records::Header &property : properties)
        QCOMPARE(records::text(envelope.properties, property.name), records::text(property.value));
    QCOMPARE(envelope.properties.size(), properties.size());
    QCOMPARE(browsed->messages.constFirst().envelope.body, body);
    for (const records::Header &header : headers) {
        const QCborValue *seen = records::find(browsed->messages.constFirst().envelope.headers, header.name);
        QVERIFY2(seen != nullptr && *seen == header.value,
                 qPrintable(header.name + (seen != nullptr ? seen->toDiagnosticNotation() : QString())));
        const QCborValue *received = records::find(envelope.headers, header.name);
        QVERIFY2(received != nullptr && *received == header.value && received->type() == header.value.type(),
                 qPrintable(header.name));
    }
}

void TestServiceBus::takeHoldsAndReleaseRemoves()
{
    QList<Outgoing> messages;
    for (int i = 0; i < 50; ++i)
        messages.append(outgoing(m_queue, QByteArray::number(i)));
    send(messages);
    const ReceivedPage page = take(m_queue, 30);
    QCOMPARE(page.messages.size(), 30);
    QVERIFY(page.more);
    QVERIFY(page.lockedUntil.has_value());
    for (qsizetype i = 0; i < 30; ++i) {
        QCOMPARE(page.messages.at(i).envelope.body, QByteArray::number(i)); // in the order of the queue
        QCOMPARE(page.messages.at(i).deliveryCount, std::optional(1));
        QVERIFY(page.messages.at(i).enqueuedAt.has_value());
    }
    QCOMPARE(depth(m_queue), 50); // nothing has left
    const ReceivedPage rest = take(m_queue, 100);
    QCOMPARE(rest.messages.size(), 20);
    QVERIFY(!rest.more);
    QVERIFY(QCoro::waitFor(m_client->bus.release(request(m_queue), page)).has_value());
    QCOMPARE(depth(m_queue), 20);
}

void TestServiceBus::takeStopsAtItsLimits()
{
    QList<Outgoing> messages;
    for (int i = 0; i < 40; ++i)
        messages.append(outgoing(m_queue, QByteArray(10000, 'x')));
    send(messages);
    const ReceivedPage page = take(m_queue, 40, 1);
    QVERIFY(page.messages.size() >= 1);
    QVERIFY(page.messages.size() <= 12); // those that were asked for together
    QVERIFY(page.more);
}

void TestServiceBus::takeFromAnEmptyOrMissingQueue()
{
    const auto empty = QCoro::waitFor(m_client->bus.take(request(m_queue)));
    QVERIFY(empty.has_value() && empty->messages.isEmpty() && !empty->more);
    const auto missing = QCoro::waitFor(m_client->bus.take(request(QStringLiteral("nowhere"))));
    QVERIFY(!missing && missing.error().kind == ErrorKind::NotFound);
}

void TestServiceBus::putBackMakesVisibleAgain()
{
    send({outgoing(m_queue, "a")});
    const ReceivedPage first = take(m_queue);
    QVERIFY(QCoro::waitFor(m_client->bus.putBack(request(m_queue), first)).has_value());
    // Its one delivery is used up: it lies in the dead-letter queue with the reason of the broker.
    const ReceivedPage dead = take(m_dead);
    QCOMPARE(dead.messages.size(), 1);
    const broker::ReceivedMessage &held = dead.messages.constFirst();
    QCOMPARE(held.origin, m_queue);
    QCOMPARE(records::text(held.envelope.headers, u"DeadLetterReason"), QStringLiteral("MaxDeliveryCountExceeded"));
    for (int i = 0; i < 3; ++i) {
        QVERIFY(QCoro::waitFor(m_client->bus.putBack(request(m_dead), i == 0 ? dead : take(m_dead))).has_value());
        QCOMPARE(depth(m_dead), 1); // looking does it no harm there
    }
}

void TestServiceBus::lostLocksAreSaid()
{
    send({outgoing(m_queue, "a"), outgoing(m_queue, "b")});
    ReceivedPage page = take(m_queue);
    ReceivedPage one;
    one.messages = {page.messages.constFirst()};
    QVERIFY(QCoro::waitFor(m_client->bus.release(request(m_queue), one)).has_value());
    const auto released = QCoro::waitFor(m_client->bus.release(request(m_queue), page));
    QVERIFY(!released && released.error().kind == ErrorKind::NotFound);
    QCOMPARE(depth(m_queue), 0); // the other one went all the same
    page.messages[0].settleToken = QStringLiteral("/other/messages/1/x");
    const auto forged = QCoro::waitFor(m_client->bus.release(request(m_queue), page));
    QVERIFY(!forged && forged.error().kind == ErrorKind::Corrupt);
}

void TestServiceBus::browseChangesNothing()
{
    send({outgoing(m_queue, "a"), outgoing(m_queue, "b"), outgoing(m_queue, "c")});
    for (int i = 0; i < 3; ++i) {
        const auto page = QCoro::waitFor(m_client->bus.browse(m_queue, 2));
        QVERIFY(page.has_value());
        QCOMPARE(page->messages.size(), 2);
        QCOMPARE(page->messages.constFirst().deliveryCount, std::optional(0));
    }
    QCOMPARE(take(m_queue).messages.size(), 3);

    // A broker without that extension: by locks, and never on a queue that counts deliveries.
    support::ServiceBusClient plain(m_url);
    const auto refused = QCoro::waitFor(plain.bus.browse(m_queue, 2));
    QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
}

void TestServiceBus::aBatchReachesSeveralQueuesInOrder()
{
    QList<Outgoing> messages;
    const QString other = QStringLiteral("error");
    for (int i = 0; i < 200; ++i)
        messages.append(outgoing(i % 2 == 0 ? m_queue : other, QByteArray::number(i), {{QStringLiteral("n"), i}}));
    const auto outcomes = send(messages);
    QCOMPARE(outcomes.size(), 200);
    for (const SendOutcome &outcome : outcomes)
        QVERIFY2(outcome.verdict == Verdict::Accepted, qPrintable(inWords(outcome)));
    const ReceivedPage page = take(other, 200);
    QCOMPARE(page.messages.size(), 100);
    for (qsizetype i = 0; i < 100; ++i)
        QCOMPARE(page.messages.at(i).envelope.body, QByteArray::number(2 * i + 1));
}

void TestServiceBus::aFaultyMessageDoesNotTakeTheOthersAlong()
{
    QList<Outgoing> messages;
    for (int i = 0; i < 5; ++i)
        messages.append(outgoing(m_queue, QByteArray::number(i)));
    messages[1].envelope.properties = {{QStringLiteral("SessionId"), QStringLiteral("a")},
                                       {QStringLiteral("PartitionKey"), QStringLiteral("b")}};
    messages[2].envelope.headers = {{QStringLiteral("bytes"), QCborValue(QByteArray("x"))}};
    messages[3].envelope.body = QByteArray(2'000'000, 'x');
    const auto outcomes = send(messages);
    QVERIFY2(outcomes.at(0).verdict == Verdict::Accepted, qPrintable(inWords(outcomes.at(0))));
    QVERIFY2(outcomes.at(1).verdict == Verdict::Rejected, qPrintable(inWords(outcomes.at(1))));
    QVERIFY2(outcomes.at(2).verdict == Verdict::Rejected, qPrintable(inWords(outcomes.at(2))));
    QVERIFY2(outcomes.at(3).verdict == Verdict::Rejected, qPrintable(inWords(outcomes.at(3))));
    QVERIFY2(outcomes.at(4).verdict == Verdict::Accepted, qPrintable(inWords(outcomes.at(4))));
    QCOMPARE(depth(m_queue), 2);
}

void TestServiceBus::missingQueuesAreNamed()
{
    const auto outcomes =
        send({outgoing(m_queue, "a"), outgoing(QStringLiteral("billing"), "b"), outgoing(m_dead, "c")});
    QVERIFY(outcomes.at(0).verdict == Verdict::Accepted);
    QVERIFY(outcomes.at(1).verdict == Verdict::NoSuchDestination);
    QVERIFY(outcomes.at(1).error.message.contains(QLatin1String("billing")));
    // The embedded broker takes dead letters back; tst_servicebussettler shows one that does not.
    QVERIFY(outcomes.at(2).verdict == Verdict::Accepted);
    QCOMPARE(take(m_dead).messages.first().envelope.body, QByteArray("c"));
}

void TestServiceBus::theDedupIdIsUsedWhereDuplicatesAreDetected()
{
    const records::Headers id{{QStringLiteral("MessageId"), QStringLiteral("original")}};
    QList<Outgoing> messages{outgoing(QStringLiteral("once"), "a", {}, id), outgoing(m_queue, "b", {}, id)};
    send({outgoing(QStringLiteral("once"), "earlier", {}, id)}); // would swallow the retry under its old id
    for (Outgoing &message : messages)
        message.dedupId = QStringLiteral("retry-1");
    for (int i = 0; i < 2; ++i) { // the second time is a re-send after an unknown outcome
        for (const SendOutcome &outcome : send(messages))
            QVERIFY(outcome.verdict == Verdict::Accepted);
    }
    const ReceivedPage once = take(QStringLiteral("once"));
    QCOMPARE(once.messages.size(), 2);
    const records::Envelope &copy = once.messages.at(1).envelope;
    QCOMPARE(records::text(copy.properties, u"MessageId"), QStringLiteral("retry-1"));
    QCOMPARE(records::text(copy.headers, u"Redrive-Original-MessageId"), QStringLiteral("original"));
    const ReceivedPage plain = take(m_queue);
    QCOMPARE(plain.messages.size(), 2);
    QCOMPARE(records::text(plain.messages.at(0).envelope.properties, u"MessageId"), QStringLiteral("original"));
}

void TestServiceBus::cancelEndsEverything()
{
    QList<Outgoing> messages;
    for (int i = 0; i < 50; ++i)
        messages.append(outgoing(m_queue, QByteArray(100000, 'x')));
    const auto sending = m_client->bus.send(messages);
    const auto taking = m_client->bus.take(request(m_queue));
    m_client->bus.cancelAll();
    QVERIFY(sending.isReady());
    QVERIFY(taking.isReady());
    const auto later = QCoro::waitFor(m_client->bus.queues());
    QVERIFY(!later && later.error().kind == ErrorKind::Cancelled);
    for (const SendOutcome &outcome : send({outgoing(m_queue, "a")}))
        QVERIFY(outcome.verdict == Verdict::NotSent);
}

void TestServiceBus::acceptedMessagesSurviveARestart()
{
    const records::Headers id{{QStringLiteral("MessageId"), QStringLiteral("kept")}};
    send({outgoing(m_queue, "a", {{QStringLiteral("n"), 1}}, id), outgoing(QStringLiteral("once"), "b", {}, id)});
    const ReceivedPage page = take(m_queue);
    QVERIFY(QCoro::waitFor(m_client->bus.putBack(request(m_queue), page)).has_value()); // into the dead-letter queue
    startBroker({});
    const ReceivedPage dead = take(m_dead);
    QCOMPARE(dead.messages.size(), 1);
    QCOMPARE(dead.messages.constFirst().nativeId, page.messages.constFirst().nativeId);
    QCOMPARE(dead.messages.constFirst().envelope.body, QByteArray("a"));
    QCOMPARE(records::text(dead.messages.constFirst().envelope.headers, u"DeadLetterReason"),
             QStringLiteral("MaxDeliveryCountExceeded"));
    send({outgoing(QStringLiteral("once"), "again", {}, id)}); // remembered: swallowed
    QCOMPARE(depth(QStringLiteral("once")), 1);
    send({outgoing(m_queue, "next")});
    QVERIFY(broker::sequenceOf(take(m_queue).messages.constFirst()) > broker::sequenceOf(page.messages.constFirst()));
}

REDRIVE_TEST(TestServiceBus)
#include "tst_servicebus.moc"
