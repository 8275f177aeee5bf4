#include "backend/localbroker/brokerthread.h"
#include "tests/support/network/brokenserver.h"
#include "tests/support/servicebus/servicebusclient.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTemporaryDir>
#include <QTest>

using broker::QueueInfo;
using broker::QueueRole;
using broker::ReceivedPage;
using broker::Verdict;
using core::ErrorKind;
using localbroker::AccessKey;
using localbroker::Claim;
using localbroker::EntityKind;
using support::BrokenServer;
using support::outgoing;
using support::request;

namespace {

const QString topic = QStringLiteral("shop/orders");
const QString bills = topic + QStringLiteral("/Subscriptions/bills");
const QString parcels = topic + QStringLiteral("/Subscriptions/parcels");
const QString dead = QStringLiteral("/$DeadLetterQueue");

localbroker::QueueSettings entity(const QString &name, EntityKind kind = EntityKind::Queue)
{
    localbroker::QueueSettings settings;
    settings.name = name;
    settings.kind = kind;
    settings.maxDeliveryCount = 1;
    return settings;
}

QList<localbroker::QueueSettings> shop()
{
    localbroker::QueueSettings on = entity(topic + QStringLiteral("/Subscriptions/on"), EntityKind::Subscription);
    on.forwardTo = QStringLiteral("end");
    localbroker::QueueSettings work = entity(QStringLiteral("work"));
    work.forwardDeadLettersTo = QStringLiteral("grave");
    return {entity(QStringLiteral("end")),
            entity(QStringLiteral("grave")),
            entity(topic, EntityKind::Topic),
            entity(bills, EntityKind::Subscription),
            entity(parcels, EntityKind::Subscription),
            on,
            work};
}

} // namespace

// Topics, subscriptions and auto-forwarding of the embedded broker, as the connection shows and uses them.
class TestServiceBusTopics final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theListingHasThemAll();
    void manySubscriptionsComeInPages();
    void deadLettersOfASubscriptionAreTakenAndSentAgain();
    void forwardedDeadLettersKnowTheirOrigin();
    void aSubscriptionIsNoDestination();
    void aBatchIntoATopicIsTaken();
    void theDedupIdIsUsedInATopicThatDetectsDuplicates();
    void rightsDecideWhatCanBeDone();
    void aNamespaceWithoutTopicsIsListed_data();
    void aNamespaceWithoutTopicsIsListed();
    void troubleWithTopicsIsNoListingWithoutThem();

private:
    void start(const QList<localbroker::QueueSettings> &entities, const localbroker::Keys &keys = {});
    [[nodiscard]] std::unique_ptr<support::ServiceBusClient> clientOf(const QString &name)
    {
        auto client = std::make_unique<support::ServiceBusClient>(m_url, name, QStringLiteral("c2VjcmV0"));
        const auto probed = QCoro::waitFor(client->bus.probe());
        return probed ? std::move(client) : nullptr;
    }
    Verdict send(const QString &to, const QByteArray &body)
    {
        return QCoro::waitFor(m_client->bus.send({outgoing(to, body)})).constFirst().verdict;
    }
    ReceivedPage take(const QString &queue)
    {
        const auto page = QCoro::waitFor(m_client->bus.take(request(queue)));
        return page.value_or(ReceivedPage());
    }
    // Its one delivery is used up.
    void kill(const QString &queue)
    {
        const ReceivedPage page = take(queue);
        QVERIFY(!page.messages.isEmpty());
        QVERIFY(QCoro::waitFor(m_client->bus.putBack(request(queue), page)).has_value());
    }
    QueueInfo info(const QString &name)
    {
        const auto listing = QCoro::waitFor(m_client->bus.queues());
        for (const QueueInfo &one : listing ? listing->queues : QList<QueueInfo>()) {
            if (one.name == name)
                return one;
        }
        return {};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<localbroker::BrokerThread> m_broker;
    std::unique_ptr<support::ServiceBusClient> m_client;
    QUrl m_url;
};

void TestServiceBusTopics::init()
{
    start(shop());
}

void TestServiceBusTopics::cleanup()
{
    m_client.reset();
    m_broker.reset();
    m_folder.reset();
}

void TestServiceBusTopics::start(const QList<localbroker::QueueSettings> &entities, const localbroker::Keys &keys)
{
    cleanup();
    m_folder = std::make_unique<QTemporaryDir>();
    m_broker = std::make_unique<localbroker::BrokerThread>();
    localbroker::BrokerSettings settings;
    settings.dataFile = m_folder->filePath(QStringLiteral("broker.db"));
    settings.queues = entities;
    settings.keys = keys;
    const core::Result<quint16> port = m_broker->start(settings);
    QVERIFY2(port.has_value(), port ? "" : qPrintable(port.error().message));
    m_url = QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(*port));
    m_client = clientOf(QStringLiteral("root"));
    QVERIFY(m_client != nullptr);
}

void TestServiceBusTopics::theListingHasThemAll()
{
    QVERIFY(send(topic, "a") == Verdict::Accepted);
    QVERIFY(send(topic, "b") == Verdict::Accepted);
    kill(bills);
    const auto listing = QCoro::waitFor(m_client->bus.queues());
    QVERIFY(listing && listing->complete);
    QCOMPARE(listing->queues.size(), 3 * 2 + 1 + 3 * 2); // queues, topic, subscriptions
    QVERIFY(!info(topic).refusal.isEmpty());
    QCOMPARE(info(topic).depth, std::optional(qint64{2}));
    QCOMPARE(info(bills).depth, std::optional(qint64{0}));
    QCOMPARE(info(bills + dead).depth, std::optional(qint64{2}));
    QCOMPARE(info(bills + dead).origin, topic);
    QVERIFY(info(bills + dead).role == QueueRole::DeadLetter);
    QCOMPARE(info(parcels).depth, std::optional(qint64{2}));
    QCOMPARE(info(QStringLiteral("end")).depth, std::optional(qint64{2}));
    QVERIFY(info(topic + QStringLiteral("/Subscriptions/on")).refusal.contains(QLatin1String("end")));
    QVERIFY(info(QStringLiteral("work") + dead).refusal.contains(QLatin1String("grave")));
    QVERIFY(info(QStringLiteral("grave")).role == QueueRole::Candidate);
    QCOMPARE(info(QStringLiteral("grave")).origin, QStringLiteral("work"));
}

void TestServiceBusTopics::manySubscriptionsComeInPages()
{
    QList<localbroker::QueueSettings> entities{entity(topic, EntityKind::Topic),
                                               entity(QStringLiteral("empty"), EntityKind::Topic)};
    for (int i = 0; i < 250; ++i)
        entities.append(entity(topic + QStringLiteral("/Subscriptions/s%1").arg(i), EntityKind::Subscription));
    start(entities);
    QCOMPARE(QCoro::waitFor(m_client->bus.queues())->queues.size(), 2 + 2 * 250);
}

void TestServiceBusTopics::deadLettersOfASubscriptionAreTakenAndSentAgain()
{
    QVERIFY(send(topic, "a") == Verdict::Accepted);
    kill(bills);
    const auto browsed = QCoro::waitFor(m_client->bus.browse(bills + dead, 10));
    QVERIFY(browsed.has_value());
    QCOMPARE(browsed->messages.size(), 1);
    const ReceivedPage page = take(bills + dead);
    QCOMPARE(page.messages.size(), 1);
    QCOMPARE(page.messages.constFirst().envelope.body, QByteArray("a"));
    QCOMPARE(records::text(page.messages.constFirst().envelope.headers, u"DeadLetterReason"),
             QStringLiteral("MaxDeliveryCountExceeded"));
    QVERIFY(QCoro::waitFor(m_client->bus.release(request(bills + dead), page)).has_value());
    QCOMPARE(info(bills + dead).depth, std::optional(qint64{0}));
    QVERIFY(send(info(bills + dead).origin, "again") == Verdict::Accepted);
    QCOMPARE(info(bills).depth, std::optional(qint64{1}));
    QCOMPARE(info(parcels).depth, std::optional(qint64{2})); // the others get it, too
}

void TestServiceBusTopics::forwardedDeadLettersKnowTheirOrigin()
{
    QVERIFY(send(QStringLiteral("work"), "a") == Verdict::Accepted);
    kill(QStringLiteral("work"));
    const auto refused = QCoro::waitFor(m_client->bus.take(request(QStringLiteral("work") + dead)));
    QVERIFY(!refused && refused.error().kind == ErrorKind::Rejected);
    const ReceivedPage page = take(QStringLiteral("grave"));
    QCOMPARE(page.messages.size(), 1);
    QCOMPARE(page.messages.constFirst().origin, QStringLiteral("work"));
    QCOMPARE(records::text(page.messages.constFirst().envelope.headers, u"DeadLetterReason"),
             QStringLiteral("MaxDeliveryCountExceeded"));
}

void TestServiceBusTopics::aSubscriptionIsNoDestination()
{
    QVERIFY(send(bills, "a") == Verdict::NoSuchDestination);
    const auto taken = QCoro::waitFor(m_client->bus.take(request(topic)));
    QVERIFY(!taken && taken.error().kind == ErrorKind::Rejected);
}

void TestServiceBusTopics::aBatchIntoATopicIsTaken()
{
    QList<broker::Outgoing> messages;
    for (int i = 0; i < 150; ++i)
        messages.append(outgoing(topic, QByteArray::number(i)));
    for (const broker::SendOutcome &outcome : QCoro::waitFor(m_client->bus.send(messages)))
        QVERIFY2(outcome.verdict == Verdict::Accepted, qPrintable(outcome.error.message));
    for (const QString &one : {bills, parcels, QStringLiteral("end")})
        QCOMPARE(info(one).depth, std::optional(qint64{150}));
}

void TestServiceBusTopics::theDedupIdIsUsedInATopicThatDetectsDuplicates()
{
    localbroker::QueueSettings once = entity(topic, EntityKind::Topic);
    once.duplicateDetection = true;
    start({once, entity(bills, EntityKind::Subscription)});
    const records::Headers id{{QStringLiteral("MessageId"), QStringLiteral("original")}};
    broker::Outgoing message = outgoing(topic, "a", {}, id);
    message.dedupId = QStringLiteral("retry-1");
    for (int i = 0; i < 2; ++i) // the second is swallowed
        QVERIFY(QCoro::waitFor(m_client->bus.send({message})).constFirst().verdict == Verdict::Accepted);
    const ReceivedPage page = take(bills);
    QCOMPARE(page.messages.size(), 1);
    QCOMPARE(records::text(page.messages.constFirst().envelope.properties, u"MessageId"), QStringLiteral("retry-1"));
}

void TestServiceBusTopics::rightsDecideWhatCanBeDone()
{
    const QString secret = QStringLiteral("c2VjcmV0");
    localbroker::Keys keys;
    keys.insert(QStringLiteral("root"), secret);
    keys.insert(QStringLiteral("listen"), AccessKey(secret, {Claim::Listen}));
    keys.insert(QStringLiteral("send"), AccessKey(secret, {Claim::Send}));
    start({entity(QStringLiteral("error"))}, keys);
    QVERIFY(send(QStringLiteral("error"), "a") == Verdict::Accepted);

    const auto listener = clientOf(QStringLiteral("listen"));
    QVERIFY(listener != nullptr);
    QVERIFY(!QCoro::waitFor(listener->bus.probe())->missing.isEmpty());
    const auto listing = QCoro::waitFor(listener->bus.queues());
    QVERIFY(listing && !listing->complete);
    QCOMPARE(listing->queues.size(), 1); // which the connection names
    const auto sent = QCoro::waitFor(listener->bus.send({outgoing(QStringLiteral("error"), "b")})).constFirst();
    QVERIFY(sent.verdict == Verdict::NotSent && sent.error.kind == ErrorKind::Unauthorized);
    QVERIFY2(sent.error.message.contains(QLatin1String("Send")) || sent.error.detail.contains(QLatin1String("Send")),
             qPrintable(sent.error.message + sent.error.detail));
    const auto page = QCoro::waitFor(listener->bus.take(request(QStringLiteral("error"))));
    QVERIFY(page.has_value());
    QCOMPARE(page->messages.size(), 1);
    QVERIFY(QCoro::waitFor(listener->bus.release(request(QStringLiteral("error")), *page)).has_value());

    const auto sender = clientOf(QStringLiteral("send"));
    QVERIFY(sender != nullptr);
    broker::Outgoing message = outgoing(QStringLiteral("error"), "c");
    message.dedupId = QStringLiteral("d"); // asks about the destination, which it may not
    QVERIFY(QCoro::waitFor(sender->bus.send({message})).constFirst().verdict == Verdict::Accepted);
    const auto refused = QCoro::waitFor(sender->bus.take(request(QStringLiteral("error"))));
    QVERIFY(!refused && refused.error().kind == ErrorKind::Unauthorized);
}

void TestServiceBusTopics::aNamespaceWithoutTopicsIsListed_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 401, 404, 405, 501})
        QTest::addRow("%d", status) << status;
}

// The Basic tier has none; a key may be good for queues alone.
void TestServiceBusTopics::aNamespaceWithoutTopicsIsListed()
{
    QFETCH(int, status);
    BrokenServer server;
    server.setAnswer([status](const BrokenServer::Seen &seen) {
        const QByteArray claims = "<Error><Code>401</Code><Detail>Manage,EntityRead claims required.</Detail></Error>";
        const QByteArray feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>https://ns/q</id><content>"
                                "<QueueDescription/></content></entry></feed>";
        const bool isTopics = seen.head.startsWith("GET /$Resources/Topics");
        return BrokenServer::Reaction{
            BrokenServer::When::Complete,
            BrokenServer::answer(isTopics ? status : 200, isTopics ? claims : feed, "Connection: close\r\n"),
            BrokenServer::Then::Close, false};
    });
    support::ServiceBusClient client(server.url());
    const auto listing = QCoro::waitFor(client.bus.queues());
    QVERIFY2(listing, listing ? "" : qPrintable(listing.error().message));
    QVERIFY(listing->complete);
    QCOMPARE(listing->queues.size(), 2);
}

void TestServiceBusTopics::troubleWithTopicsIsNoListingWithoutThem()
{
    BrokenServer server;
    int subscriptions = 200;
    int topics = 200;
    server.setAnswer([&](const BrokenServer::Seen &seen) {
        const bool isTopics = seen.head.startsWith("GET /$Resources/Topics");
        const bool isBelow = seen.head.contains("/Subscriptions");
        const QByteArray feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\">"
                                + QByteArray(isTopics ? "<entry><id>https://ns/t</id><content><TopicDescription>"
                                                        "<SubscriptionCount>1</SubscriptionCount></TopicDescription>"
                                                        "</content></entry>"
                                                      : "")
                                + "</feed>";
        const int status = isTopics ? topics : isBelow ? subscriptions : 200;
        return BrokenServer::Reaction{BrokenServer::When::Complete,
                                      BrokenServer::answer(status, feed, "Connection: close\r\n"),
                                      BrokenServer::Then::Close, false};
    });
    support::ServiceBusClient client(server.url());
    const auto listing = QCoro::waitFor(client.bus.queues());
    QVERIFY(listing && listing->queues.size() == 1);
    subscriptions = 500;
    const auto below = QCoro::waitFor(client.bus.queues());
    QVERIFY(!below && below.error().kind == ErrorKind::Transient);
    topics = 503;
    const auto above = QCoro::waitFor(client.bus.queues());
    QVERIFY(!above && above.error().kind == ErrorKind::Throttled);
}

REDRIVE_TEST(TestServiceBusTopics)
#include "tst_servicebustopics.moc"
