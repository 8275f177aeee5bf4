// The broker contract on azurite, a server of Storage Queues that checks every signature.
#include "tests/support/must.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/storagequeue/storagequeuetools.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTest>

using broker::Verdict;
using core::ErrorKind;
using support::StorageQueueClient;
using test::must;

namespace {

broker::TakeRequest request(const QString &queue, int limit = 1000)
{
    return {queue, {}, limit, 0};
}

broker::Outgoing outgoing(const QString &queue, const records::Envelope &envelope)
{
    broker::Outgoing message;
    message.destination = queue;
    message.envelope = envelope;
    return message;
}

} // namespace

class TestAzureQueue final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void queuesAreListedWithTheirOriginsAndCounts();
    void lookingDisturbsNothing();
    void everythingIsTakenAndReleased();
    void bodiesGoBackExactly_data();
    void bodiesGoBackExactly();
    void whatIsPutBackIsThereAtOnce();
    void anOldReceiptIsToldAndTheMessageStays();
    void sizesAreTheServices();
    void aDelayedMessageIsInvisibleUntilItsTime();
    void aQueueThatIsNotThereIsTold();
    void aWrongKeyIsTold();
    void tokensAreTakenForWhatTheyAllow();

private:
    // Of its own for each test.
    QString queue(const char *suffix = "")
    {
        return QStringLiteral("queue%1%2").arg(m_queues).arg(QLatin1String(suffix));
    }

    support::NodeServer m_server{support::azurite()};
    std::unique_ptr<StorageQueueClient> m_client;
    std::unique_ptr<support::StorageQueueTools> m_tools;
    int m_queues = 0;

private Q_SLOTS:
    void init()
    {
        ++m_queues;
        m_tools->create(queue());
        m_tools->create(queue("-poison"));
    }
};

void TestAzureQueue::initTestCase()
{
    if (!m_server.isInstalled())
        QSKIP("azurite is not installed");
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_client = std::make_unique<StorageQueueClient>(
        support::storageConnection(m_server.port(), {QStringLiteral("queue1-failed")}));
    m_tools = std::make_unique<support::StorageQueueTools>(m_server.port());
}

void TestAzureQueue::queuesAreListedWithTheirOriginsAndCounts()
{
    m_tools->create(queue("-failed"));
    m_tools->create(QStringLiteral("lonely-poison"));
    m_tools->put(queue("-poison"), QStringLiteral("a"));
    m_tools->put(queue("-poison"), QStringLiteral("b"));
    const auto capabilities = must(QCoro::waitFor(m_client->queues.probe()));
    QVERIFY(capabilities.canTake && capabilities.canBrowse && capabilities.locks);
    QVERIFY(capabilities.handOver == records::HandOver::IntentLog);
    QVERIFY(capabilities.guarantee.contains(QLatin1String("may arrive twice")));
    const auto queues = must(QCoro::waitFor(m_client->queues.queues())).queues;
    const auto find = [&queues](const QString &name) {
        for (const broker::QueueInfo &info : queues) {
            if (info.name == name)
                return info;
        }
        return broker::QueueInfo{};
    };
    const broker::QueueInfo poison = find(queue("-poison"));
    QVERIFY(poison.role == broker::QueueRole::Candidate);
    QCOMPARE(poison.origin, queue());
    QCOMPARE(poison.depth, std::optional<qint64>(2));
    QVERIFY(find(queue()).role == broker::QueueRole::Work);
    QCOMPARE(find(queue()).depth, std::optional<qint64>(0));
    QVERIFY(find(queue("-failed")).role == broker::QueueRole::ErrorQueue);
    const broker::QueueInfo lonely = find(QStringLiteral("lonely-poison"));
    QVERIFY(lonely.role == broker::QueueRole::Candidate);
    QCOMPARE(lonely.origin, QString());
}

void TestAzureQueue::lookingDisturbsNothing()
{
    m_tools->put(queue("-poison"), QStringLiteral("a"));
    for (int i = 0; i < 3; ++i) {
        const auto page = must(QCoro::waitFor(m_client->queues.browse(queue("-poison"), 100)));
        QCOMPARE(page.messages.size(), 1);
        QCOMPARE(page.messages.constFirst().deliveryCount, std::optional(0));
        QVERIFY(!page.more);
        QVERIFY(!page.lockedUntil);
    }
}

void TestAzureQueue::everythingIsTakenAndReleased()
{
    QSet<QByteArray> bodies;
    for (int i = 0; i < 70; ++i) {
        const QString text = QStringLiteral("message %1").arg(i);
        m_tools->put(queue("-poison"), text);
        bodies.insert(text.toUtf8());
    }
    QSet<QByteArray> taken;
    QSet<QString> ids;
    for (bool more = true; more;) {
        const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-poison"), 50))));
        QVERIFY(page.messages.size() <= 50);
        for (const broker::ReceivedMessage &held : page.messages) {
            taken.insert(held.envelope.body);
            ids.insert(held.nativeId);
            QCOMPARE(held.deliveryCount, std::optional(0));
            QVERIFY(held.enqueuedAt);
        }
        must(QCoro::waitFor(m_client->queues.release(request(queue("-poison")), page)));
        more = page.more && !page.messages.isEmpty();
    }
    QCOMPARE(taken, bodies);
    QCOMPARE(ids.size(), 70);
    QCOMPARE(m_tools->texts(queue("-poison")), QStringList());
}

void TestAzureQueue::bodiesGoBackExactly_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("JSON") << QStringLiteral("{\"a\": \"<b> & \\\"c\\\"\"}");
    QTest::newRow("base64") << QStringLiteral("eyJhIjoxfQ==");
    QTest::newRow("base64 of binary") << QStringLiteral("AAEC/w==");
    QTest::newRow("line ends") << QStringLiteral("a\r\nb\nc\rd");
    QTest::newRow("blanks around") << QStringLiteral("  a\t ");
    QTest::newRow("only blanks") << QStringLiteral("  ");
    QTest::newRow("umlauts and pictures") << QString::fromUtf8("\xc3\xbc \xf0\x9f\x90\x87 \xe2\x80\xae");
    QTest::newRow("written references") << QStringLiteral("&amp; &#x1; ]]> <![CDATA[x]]>");
    QTest::newRow("private use") << QString::fromUtf8("\xee\x80\x80");
    QTest::newRow("largest") << QString(65536, QLatin1Char('x'));
}

void TestAzureQueue::bodiesGoBackExactly()
{
    QFETCH(QString, text);
    m_tools->put(queue("-poison"), text);
    const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-poison"), 1))));
    QCOMPARE(page.messages.size(), 1);
    const auto outcomes =
        QCoro::waitFor(m_client->queues.send({outgoing(queue(), page.messages.constFirst().envelope)}));
    QVERIFY2(outcomes.constFirst().verdict == Verdict::Accepted, qPrintable(outcomes.constFirst().error.message));
    must(QCoro::waitFor(m_client->queues.release(request(queue("-poison")), page)));
    QCOMPARE(m_tools->texts(queue()), QStringList(text));
}

void TestAzureQueue::whatIsPutBackIsThereAtOnce()
{
    m_tools->put(queue("-poison"), QStringLiteral("a"));
    const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-poison")))));
    QCOMPARE(m_tools->texts(queue("-poison")), QStringList());
    must(QCoro::waitFor(m_client->queues.putBack(request(queue("-poison")), page)));
    QCOMPARE(m_tools->texts(queue("-poison")), QStringList(QStringLiteral("a")));
    const auto again = must(QCoro::waitFor(m_client->queues.take(request(queue("-poison")))));
    QCOMPARE(again.messages.constFirst().nativeId, page.messages.constFirst().nativeId);
    QCOMPARE(again.messages.constFirst().deliveryCount, std::optional(1));
}

void TestAzureQueue::anOldReceiptIsToldAndTheMessageStays()
{
    m_tools->put(queue("-poison"), QStringLiteral("a"));
    const auto page = must(QCoro::waitFor(m_client->queues.take(request(queue("-poison")))));
    must(QCoro::waitFor(m_client->queues.putBack(request(queue("-poison")), page)));
    const auto released = QCoro::waitFor(m_client->queues.release(request(queue("-poison")), page));
    QVERIFY(!released);
    QVERIFY2(released.error().kind == ErrorKind::NotFound, qPrintable(released.error().message));
    QCOMPARE(m_tools->texts(queue("-poison")), QStringList(QStringLiteral("a")));
}

void TestAzureQueue::sizesAreTheServices()
{
    records::Envelope envelope;
    envelope.body = QByteArray(65537, 'x');
    const auto outcomes = QCoro::waitFor(m_client->queues.send({outgoing(queue(), envelope)}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::Rejected);
    QVERIFY2(outcomes.constFirst().error.message.contains(QLatin1String("64 KB")),
             qPrintable(outcomes.constFirst().error.message));
    QCOMPARE(m_tools->texts(queue()), QStringList());
}

// The clock of the server goes on, not ours.
void TestAzureQueue::aDelayedMessageIsInvisibleUntilItsTime()
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
    QCOMPARE(m_tools->texts(queue()), QStringList{QStringLiteral("now")});
    m_server.letTimePass();
    QStringList both = m_tools->texts(queue());
    both.sort();
    QCOMPARE(both, (QStringList{QStringLiteral("later"), QStringLiteral("now")}));
}

void TestAzureQueue::aQueueThatIsNotThereIsTold()
{
    records::Envelope envelope;
    envelope.body = "x";
    const auto outcomes = QCoro::waitFor(m_client->queues.send({outgoing(QStringLiteral("nowhere"), envelope)}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
    QVERIFY(QCoro::waitFor(m_client->queues.take(request(QStringLiteral("nowhere")))).error().kind
            == ErrorKind::NotFound);
    QVERIFY(QCoro::waitFor(m_client->queues.browse(QStringLiteral("nowhere"), 1)).error().kind == ErrorKind::NotFound);
}

void TestAzureQueue::aWrongKeyIsTold()
{
    StorageQueueClient client(support::storageConnection(m_server.port()), QStringLiteral("d3Jvbmc="));
    const auto capabilities = QCoro::waitFor(client.queues.probe());
    QVERIFY(!capabilities);
    QVERIFY(capabilities.error().kind == ErrorKind::Unauthorized);
    QVERIFY2(capabilities.error().message.contains(QLatin1String("Check the name of the account and the key")),
             qPrintable(capabilities.error().message));
}

void TestAzureQueue::tokensAreTakenForWhatTheyAllow()
{
    m_tools->put(queue("-poison"), QStringLiteral("a"));
    StorageQueueClient whole(support::storageConnection(m_server.port()), m_tools->accountToken("rwdlacup"));
    QVERIFY(must(QCoro::waitFor(whole.queues.probe())).canTake);
    const auto page = must(QCoro::waitFor(whole.queues.take(request(queue("-poison")))));
    QCOMPARE(page.messages.size(), 1);
    must(QCoro::waitFor(whole.queues.putBack(request(queue("-poison")), page)));

    StorageQueueClient one(support::storageConnection(m_server.port(), {queue("-poison")}),
                           m_tools->queueToken(queue("-poison"), "raup"));
    const auto capabilities = must(QCoro::waitFor(one.queues.probe()));
    QVERIFY(capabilities.canTake);
    QCOMPARE(must(QCoro::waitFor(one.queues.queues())).queues.size(), 1);
    const auto taken = must(QCoro::waitFor(one.queues.take(request(queue("-poison")))));
    QCOMPARE(taken.messages.size(), 1);
    must(QCoro::waitFor(one.queues.release(request(queue("-poison")), taken)));
    const auto elsewhere = QCoro::waitFor(one.queues.take(request(queue())));
    QVERIFY(!elsewhere && elsewhere.error().kind == ErrorKind::Unauthorized);

    StorageQueueClient browses(support::storageConnection(m_server.port()), m_tools->accountToken("rl"));
    const auto browsing = must(QCoro::waitFor(browses.queues.probe()));
    QVERIFY(browsing.canBrowse && !browsing.canTake);
    QVERIFY(browsing.handOver == records::HandOver::None);
}

REDRIVE_TEST(TestAzureQueue)
#include "tst_azurequeue.moc"
