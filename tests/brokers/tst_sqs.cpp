// The broker contract on fauxqs, a server that answers as SQS does; it checks no signatures and moves dead letters itself.
#include "tests/support/must.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/sqs/sqstools.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QJsonDocument>
#include <QTest>

using broker::Verdict;
using core::ErrorKind;
using test::must;

namespace {

broker::TakeRequest request(const QString &queue, int limit = 1000)
{
    return {queue, {}, limit, 0};
}

broker::Outgoing outgoing(const QString &queue, const records::Envelope &envelope)
{
    broker::Outgoing message;
    message.uniqueId = QStringLiteral("u");
    message.dedupId = QStringLiteral("u-1-1");
    message.destination = queue;
    message.envelope = envelope;
    return message;
}

QJsonObject bodyOnly(const QString &text)
{
    return {{QStringLiteral("MessageBody"), text}};
}

} // namespace

class TestSqs final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void queuesAreListedWithTheirOriginsAndCounts();
    void lookingPutsBackWhatItSaw();
    void everythingIsTakenAndReleased();
    void bodiesGoBackExactly_data();
    void bodiesGoBackExactly();
    void attributesGoBackExactly();
    void aFifoQueueIsTakenFromGroupByGroup();
    void aDelayedMessageIsInvisibleUntilItsTime();
    void aQueueThatIsNotThereIsTold();
    void severalSourcesAreNoOrigin();

private:
    // Of its own for each test.
    QString queue(const char *suffix = "")
    {
        return QStringLiteral("queue%1%2").arg(m_queues).arg(QLatin1String(suffix));
    }

    support::NodeServer m_server{support::fauxqs()};
    std::unique_ptr<support::SqsClient> m_client;
    std::unique_ptr<support::SqsTools> m_tools;
    int m_queues = 0;
};

void TestSqs::initTestCase()
{
    if (!m_server.isInstalled())
        QSKIP("fauxqs is not installed, or Node.js is older than 20");
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_client = std::make_unique<support::SqsClient>(
        support::sqsConnection(m_server.port(), {QStringLiteral("queue1-failed")}));
    m_tools = std::make_unique<support::SqsTools>(m_server.port());
}

void TestSqs::init()
{
    ++m_queues;
    m_tools->create(queue("-dlq"));
    m_tools->create(queue(), queue("-dlq"));
}

void TestSqs::queuesAreListedWithTheirOriginsAndCounts()
{
    m_tools->create(queue("-failed"));
    m_tools->send(queue(), bodyOnly(QStringLiteral("a")));
    m_tools->fail(queue());
    const auto capabilities = must(QCoro::waitFor(m_client->queues.probe()));
    QVERIFY(capabilities.handOver == records::HandOver::IntentLog);
    const auto queues = must(QCoro::waitFor(m_client->queues.queues())).queues;
    const auto find = [&queues](const QString &name) {
        for (const broker::QueueInfo &info : queues) {
            if (info.name == name)
                return info;
        }
        return broker::QueueInfo{};
    };
    const broker::QueueInfo dead = find(queue("-dlq"));
    QVERIFY(dead.role == broker::QueueRole::Candidate);
    QCOMPARE(dead.origin, queue());
    QCOMPARE(dead.depth, std::optional<qint64>(1));
    QVERIFY(find(queue()).role == broker::QueueRole::Work);
    QCOMPARE(find(queue()).depth, std::optional<qint64>(0));
    QVERIFY(find(queue("-failed")).role == broker::QueueRole::ErrorQueue);
}

void TestSqs::lookingPutsBackWhatItSaw()
{
    for (int i = 0; i < 25; ++i)
        m_tools->send(queue("-dlq"), bodyOnly(QString::number(i)));
    for (int i = 0; i < 3; ++i) {
        const auto page = must(QCoro::waitFor(m_client->queues.browse(queue("-dlq"), 20)));
        QCOMPARE(page.messages.size(), 20);
        QVERIFY(page.more && !page.lockedUntil);
    }
    QCOMPARE(m_tools->drain(queue("-dlq")).size(), 25);
    const auto refused = QCoro::waitFor(m_client->queues.browse(queue(), 20));
    QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
}

void TestSqs::everythingIsTakenAndReleased()
{
    QSet<QByteArray> bodies;
    for (int i = 0; i < 70; ++i) {
        const QString text = QStringLiteral("message %1").arg(i);
        m_tools->send(queue("-dlq"), bodyOnly(text));
        bodies.insert(text.toUtf8());
    }
    QSet<QByteArray> taken;
    QSet<QString> ids;
    for (bool more = true; more;) {
        const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-dlq"), 50))));
        QVERIFY(page.messages.size() <= 50);
        for (const broker::ReceivedMessage &held : page.messages) {
            taken.insert(held.envelope.body);
            ids.insert(held.nativeId);
            QCOMPARE(held.deliveryCount, std::optional(0));
            QVERIFY(held.enqueuedAt);
        }
        must(QCoro::waitFor(m_client->queues.release(request(queue("-dlq")), page)));
        more = page.more && !page.messages.isEmpty();
    }
    QCOMPARE(taken, bodies);
    QCOMPARE(ids.size(), 70);
    QCOMPARE(m_tools->count(queue("-dlq")), 0);
}

void TestSqs::bodiesGoBackExactly_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("JSON") << QStringLiteral("{\"a\": \"<b> & \\\"c\\\"\"}");
    QTest::newRow("base64") << QStringLiteral("AAEC/w==");
    QTest::newRow("line ends") << QStringLiteral("a\r\nb\nc\rd");
    QTest::newRow("blanks around") << QStringLiteral("  a\t ");
    QTest::newRow("only blanks") << QStringLiteral("  ");
    QTest::newRow("umlauts and signs") << QString::fromUtf8("\xc3\xbc \xe2\x80\xae \xef\xbb\xbf \\u00fc");
    QTest::newRow("largest") << QString(1024 * 1024, QLatin1Char('x'));
}

void TestSqs::bodiesGoBackExactly()
{
    QFETCH(QString, text);
    m_tools->send(queue("-dlq"), bodyOnly(text));
    const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-dlq"), 1))));
    QCOMPARE(page.messages.size(), 1);
    QVERIFY(!page.messages.constFirst().notFaithful);
    const auto outcomes =
        QCoro::waitFor(m_client->queues.send({outgoing(queue(), page.messages.constFirst().envelope)}));
    QVERIFY2(outcomes.constFirst().verdict == Verdict::Accepted, qPrintable(outcomes.constFirst().error.message));
    must(QCoro::waitFor(m_client->queues.release(request(queue("-dlq")), page)));
    const QList<QJsonObject> arrived = m_tools->drain(queue());
    QCOMPARE(arrived.size(), 1);
    QCOMPARE(arrived.constFirst().value(QLatin1String("Body")).toString(), text);
}

void TestSqs::attributesGoBackExactly()
{
    const QJsonObject attributes = QJsonDocument::fromJson(R"({
        "text":{"DataType":"String","StringValue":"\u00fc"},
        "decimal":{"DataType":"Number","StringValue":"1.50"},
        "count":{"DataType":"Number","StringValue":"7"},
        "custom":{"DataType":"String.json","StringValue":"{}"},
        "bytes":{"DataType":"Binary","BinaryValue":"AAEC/w=="},
        "picture":{"DataType":"Binary.png","BinaryValue":"iVBO"}})")
                                       .object();
    QJsonObject message = bodyOnly(QStringLiteral("a"));
    message.insert(QStringLiteral("MessageAttributes"), attributes);
    m_tools->send(queue("-dlq"), message);
    const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-dlq")))));
    QCOMPARE(page.messages.size(), 1);
    const auto outcomes =
        QCoro::waitFor(m_client->queues.send({outgoing(queue(), page.messages.constFirst().envelope)}));
    QVERIFY2(outcomes.constFirst().verdict == Verdict::Accepted, qPrintable(outcomes.constFirst().error.message));
    const QList<QJsonObject> arrived = m_tools->drain(queue());
    QCOMPARE(arrived.size(), 1);
    QCOMPARE(arrived.constFirst().value(QLatin1String("MessageAttributes")).toObject(), attributes);
}

void TestSqs::aFifoQueueIsTakenFromGroupByGroup()
{
    const QString fifo = queue(".fifo");
    m_tools->create(fifo);
    for (int i = 0; i < 5; ++i) {
        QJsonObject message = bodyOnly(QString::number(i));
        message.insert(QStringLiteral("MessageGroupId"), QStringLiteral("g"));
        message.insert(QStringLiteral("MessageDeduplicationId"), QString::number(i));
        m_tools->send(fifo, message);
    }
    QList<QByteArray> bodies;
    for (bool more = true; more;) {
        const auto page = must(QCoro::waitFor(m_client->queues.take(request(fifo))));
        for (const broker::ReceivedMessage &held : page.messages)
            bodies.append(held.envelope.body);
        must(QCoro::waitFor(m_client->queues.release(request(fifo), page)));
        more = page.more;
    }
    QCOMPARE(bodies.size(), 5);
    QCOMPARE(bodies.constFirst(), "0"); // in their order
    QCOMPARE(bodies.constLast(), "4");
}

// The clock of the server goes on, not ours.
void TestSqs::aDelayedMessageIsInvisibleUntilItsTime()
{
    records::Envelope envelope;
    envelope.body = "now";
    broker::Outgoing now = outgoing(queue(), envelope);
    envelope.body = "later";
    broker::Outgoing later = outgoing(queue(), envelope);
    now.deliverAt = m_client->clock.now() - std::chrono::hours(1); // sent again after its time
    later.deliverAt = m_client->clock.now() + std::chrono::minutes(2);
    const auto outcomes = QCoro::waitFor(m_client->queues.send({now, later}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Accepted && outcomes.at(1).verdict == Verdict::Accepted);
    const QList<QJsonObject> first = m_tools->drain(queue());
    QCOMPARE(first.size(), 1);
    QCOMPARE(first.first().value(QLatin1String("Body")).toString(), QStringLiteral("now"));
    m_server.letTimePass();
    const QList<QJsonObject> second = m_tools->drain(queue());
    QCOMPARE(second.size(), 1);
    QCOMPARE(second.first().value(QLatin1String("Body")).toString(), QStringLiteral("later"));
}

void TestSqs::aQueueThatIsNotThereIsTold()
{
    records::Envelope envelope;
    envelope.body = "x";
    const auto outcomes = QCoro::waitFor(m_client->queues.send({outgoing(QStringLiteral("nowhere"), envelope)}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
    for (const ErrorKind kind : {QCoro::waitFor(m_client->queues.take(request(QStringLiteral("nowhere")))).error().kind,
                                 QCoro::waitFor(m_client->queues.browse(QStringLiteral("nowhere"), 1)).error().kind})
        QVERIFY(kind == ErrorKind::NotFound);
}

void TestSqs::severalSourcesAreNoOrigin()
{
    m_tools->create(queue("-other"), queue("-dlq"));
    m_tools->send(queue("-dlq"), bodyOnly(QStringLiteral("a")));
    const auto listing = must(QCoro::waitFor(m_client->queues.queues()));
    for (const broker::QueueInfo &info : listing.queues) {
        if (info.name == queue("-dlq")) {
            QVERIFY(info.role == broker::QueueRole::Candidate);
            QCOMPARE(info.origin, QString());
        }
    }
    const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-dlq")))));
    QCOMPARE(page.messages.constFirst().origin, QString());
}

REDRIVE_TEST(TestSqs)
#include "tst_sqs.moc"
