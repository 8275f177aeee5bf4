#include "backend/broker/servicebus/describe.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::FeedQueue;
using broker::QueueInfo;
using broker::QueueRole;

namespace {

QByteArray entry(const QByteArray &path, const char *kind, const QByteArray &fields)
{
    return "<entry><id>https://ns.servicebus.windows.net/" + path + "?api-version=2021-05</id><content><" + kind
           + "Description>" + fields + "</" + kind + "Description></content></entry>";
}

FeedQueue entity(const QString &name, FeedQueue::Kind kind = FeedQueue::Kind::Queue)
{
    FeedQueue one;
    one.name = name;
    one.kind = kind;
    return one;
}

QueueInfo find(const QList<QueueInfo> &infos, const QString &name)
{
    for (const QueueInfo &info : infos) {
        if (info.name == name)
            return info;
    }
    QueueInfo none;
    none.name = QStringLiteral("none");
    return none;
}

const QString bills = QStringLiteral("orders/Subscriptions/bills");
const QString dead = QStringLiteral("/$DeadLetterQueue");

} // namespace

// What is told of a namespace, and what that is to us.
class TestServiceBusEntities final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kindsAndForwardingAreRead();
    void aTopicIsOneOfThePaths_data();
    void aTopicIsOneOfThePaths();
    void aSubscriptionIsAQueueWithDeadLetters();
    void aTopicIsOnlySentTo();
    void whatForwardsIsNotTakenFrom();
    void whereDeadLettersEndFailedMessagesLie();
    void deadLettersOfSeveralHaveNoOrigin();
    void aNamedQueueStaysWhatItIs();
};

void TestServiceBusEntities::kindsAndForwardingAreRead()
{
    const auto read = broker::queuesFromAtom(
        "<feed><id>https://ns/$Resources/Topics</id>"
        + entry("team/orders", "Topic",
                "<RequiresDuplicateDetection>true</RequiresDuplicateDetection><SubscriptionCount>2</SubscriptionCount>")
        + entry("team/orders/Subscriptions/bills", "Subscription",
                "<ForwardTo>https://ns.servicebus.windows.net/team/central</ForwardTo>"
                "<ForwardDeadLetteredMessagesTo>grave</ForwardDeadLetteredMessagesTo>")
        + entry("orders/Subscriptions/bills/Rules/a", "Rule", {}) + "</feed>");
    QVERIFY(read.has_value());
    QCOMPARE(read->size(), 2);
    QVERIFY(read->at(0).kind == FeedQueue::Kind::Topic);
    QCOMPARE(read->at(0).subscriptions, 2);
    QVERIFY(read->at(0).duplicateDetection);
    QVERIFY(read->at(1).kind == FeedQueue::Kind::Subscription);
    QCOMPARE(read->at(1).name, QStringLiteral("team/orders/Subscriptions/bills"));
    QCOMPARE(read->at(1).forwardTo, QStringLiteral("team/central"));
    QCOMPARE(read->at(1).forwardDeadLettersTo, QStringLiteral("grave"));
}

void TestServiceBusEntities::aTopicIsOneOfThePaths_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("topic");
    QTest::newRow("subscription") << bills << QStringLiteral("orders");
    QTest::newRow("other case") << QStringLiteral("team/orders/subscriptions/a") << QStringLiteral("team/orders");
    QTest::newRow("its dead letters") << QString(bills + dead) << QStringLiteral("orders");
    QTest::newRow("queue") << QStringLiteral("orders") << QString();
    QTest::newRow("dead letters of a queue") << QString(QStringLiteral("orders") + dead) << QString();
    QTest::newRow("below") << QString(bills + QStringLiteral("/more")) << QString();
    QTest::newRow("no topic") << QStringLiteral("/Subscriptions/a") << QString();
}

void TestServiceBusEntities::aTopicIsOneOfThePaths()
{
    QFETCH(QString, path);
    QFETCH(QString, topic);
    QCOMPARE(broker::topicOf(path), topic);
}

void TestServiceBusEntities::aSubscriptionIsAQueueWithDeadLetters()
{
    FeedQueue subscription = entity(bills, FeedQueue::Kind::Subscription);
    subscription.active = 3;
    subscription.deadLetter = 2;
    const auto infos =
        broker::describe({entity(QStringLiteral("orders"), FeedQueue::Kind::Topic), subscription}, {}, true);
    QCOMPARE(infos.size(), 3);
    const QueueInfo work = find(infos, bills);
    QVERIFY(work.role == QueueRole::Work && work.refusal.isEmpty() && work.depthIsExact);
    QCOMPARE(work.depth, std::optional(qint64{3}));
    const QueueInfo letters = find(infos, bills + dead);
    QVERIFY(letters.role == QueueRole::DeadLetter && letters.refusal.isEmpty());
    QCOMPARE(letters.depth, std::optional(qint64{2}));
    QCOMPARE(letters.origin, QStringLiteral("orders")); // where they are sent again
    QVERIFY(letters.retention.known == records::BrokerRetention::Known::Forever);
}

void TestServiceBusEntities::aTopicIsOnlySentTo()
{
    FeedQueue one = entity(bills, FeedQueue::Kind::Subscription);
    one.active = 3;
    FeedQueue other = entity(QStringLiteral("orders/Subscriptions/parcels"), FeedQueue::Kind::Subscription);
    other.active = 7;
    const auto infos =
        broker::describe({entity(QStringLiteral("Orders"), FeedQueue::Kind::Topic), one, other}, {}, false);
    const QueueInfo topic = find(infos, QStringLiteral("Orders"));
    QVERIFY(topic.role == QueueRole::Work && !topic.refusal.isEmpty() && !topic.depthIsExact);
    QCOMPARE(topic.depth, std::optional(qint64{7})); // who waits for it waits for all
    QCOMPARE(find(infos, QStringLiteral("Orders") + dead).name, QStringLiteral("none"));
}

void TestServiceBusEntities::whatForwardsIsNotTakenFrom()
{
    FeedQueue first = entity(QStringLiteral("first"));
    first.forwardTo = QStringLiteral("end");
    FeedQueue work = entity(QStringLiteral("work"));
    work.forwardDeadLettersTo = QStringLiteral("grave");
    const auto infos = broker::describe({first, work}, {}, true);
    QVERIFY(find(infos, QStringLiteral("first")).refusal.contains(QLatin1String("end")));
    QVERIFY(find(infos, QStringLiteral("first") + dead).refusal.isEmpty()); // what could not go on lies there
    QVERIFY(find(infos, QStringLiteral("work")).refusal.isEmpty());
    const QueueInfo passed = find(infos, QStringLiteral("work") + dead);
    QVERIFY(passed.refusal.contains(QLatin1String("grave")));
    QVERIFY(passed.role == QueueRole::Work && passed.origin.isEmpty()); // nobody waits for failed messages there
}

void TestServiceBusEntities::whereDeadLettersEndFailedMessagesLie()
{
    FeedQueue work = entity(QStringLiteral("work"));
    work.forwardDeadLettersTo = QStringLiteral("Grave");
    FeedQueue subscription = entity(bills, FeedQueue::Kind::Subscription);
    subscription.forwardDeadLettersTo = QStringLiteral("morgue");
    const auto infos = broker::describe(
        {work, subscription, entity(QStringLiteral("grave")), entity(QStringLiteral("morgue"), FeedQueue::Kind::Topic),
         entity(QStringLiteral("morgue/Subscriptions/all"), FeedQueue::Kind::Subscription)},
        {}, true);
    QVERIFY(find(infos, QStringLiteral("grave")).role == QueueRole::Candidate);
    QCOMPARE(find(infos, QStringLiteral("grave")).origin, QStringLiteral("work"));
    QVERIFY(find(infos, QStringLiteral("grave")).refusal.isEmpty());
    QVERIFY(find(infos, QStringLiteral("morgue")).role == QueueRole::Work);
    QVERIFY(find(infos, QStringLiteral("morgue/Subscriptions/all")).role == QueueRole::Candidate);
    QCOMPARE(find(infos, QStringLiteral("morgue/Subscriptions/all")).origin, QStringLiteral("orders"));
}

void TestServiceBusEntities::deadLettersOfSeveralHaveNoOrigin()
{
    QList<FeedQueue> entities{entity(QStringLiteral("grave"))};
    for (const char *name : {"a", "b", "b/Subscriptions/x", "b/Subscriptions/y"}) {
        entities.append(entity(QString::fromLatin1(name)));
        entities.last().forwardDeadLettersTo = QStringLiteral("grave");
    }
    QCOMPARE(find(broker::describe(entities, {}, true), QStringLiteral("grave")).origin, QString());
    const QList<FeedQueue> ofOneTopic{entities.at(0), entities.at(3), entities.at(4)};
    QCOMPARE(find(broker::describe(ofOneTopic, {}, true), QStringLiteral("grave")).origin, QStringLiteral("b"));
}

void TestServiceBusEntities::aNamedQueueStaysWhatItIs()
{
    FeedQueue work = entity(QStringLiteral("work"));
    work.forwardDeadLettersTo = QStringLiteral("error");
    const auto infos = broker::describe({work, entity(QStringLiteral("Error")), entity(bills)},
                                        {QStringLiteral("error"), bills}, true);
    QVERIFY(find(infos, QStringLiteral("Error")).role == QueueRole::ErrorQueue);
    QVERIFY(find(infos, bills).role == QueueRole::ErrorQueue);
    const QueueInfo named = broker::describeNamed(bills + dead);
    QVERIFY(named.role == QueueRole::DeadLetter && !named.depth);
    QCOMPARE(named.origin, QStringLiteral("orders"));
    QVERIFY(broker::describeNamed(bills).role == QueueRole::ErrorQueue);
}

REDRIVE_TEST(TestServiceBusEntities)
#include "tst_servicebusentities.moc"
