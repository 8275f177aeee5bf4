#include "tests/backend/localbroker/queueenginefixture.h"
#include "tests/support/testmain/testmain.h"

using namespace std::chrono_literals;
using localbroker::Draft;
using localbroker::EntityKind;
using localbroker::QueueSettings;
using localbroker::Refusal;
using support::named;
using support::subscription;

// Topics and their subscriptions.
class TestTopics final : public support::QueueEngineFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void whatIsSentReachesEverySubscription();
    void withoutSubscriptionsItIsTakenAndGone();
    void subscriptionsAreIndependent();
    void deadLettersLieWithTheirSubscription();
    void aBatchIsAllOrNothingForAll();
    void scheduledMessagesWaitInTheTopic();
    void duplicatesAreSwallowedByTheTopic();
    void theSizeOfATopicCountsAllItsCopies();
    void aTopicTakesItsSubscriptionsAlong();
    void aTopicIsInUseWhileASubscriptionIs();
    void aSubscriptionNobodyReadsIsIdle();
    void whatIsWrongWithAnEntityIsSaid_data();
    void whatIsWrongWithAnEntityIsSaid();
    void nothingIsReceivedFromATopic();
    void pathsBelowAreNoSubscriptions();
};

void TestTopics::whatIsSentReachesEverySubscription()
{
    makeTopic({QStringLiteral("bills"), QStringLiteral("parcels")});
    send(m_topic, "a", [](Draft &draft) { draft.messageId = QStringLiteral("m1"); });
    send(m_topic, "b");
    for (const char *name : {"bills", "parcels"}) {
        const QString one = subscription(QString::fromLatin1(name));
        QCOMPARE(bodies(one), (QByteArrayList{"a", "b"}));
        QCOMPARE(counts(one).active, 2);
        const auto taken = take(one);
        QCOMPARE(taken->message.draft.messageId, QStringLiteral("m1"));
        QVERIFY(taken->message.travel.firstSequence > 0);
        QCOMPARE(taken->message.travel.hops, 0); // that is no hop
    }
    QCOMPARE(counts(m_topic).active, 0);
    QCOMPARE(counts(m_topic).subscriptions, 2);
    QCOMPARE(m_engine->takeArrivals().size(), 4); // for those that wait there
}

void TestTopics::withoutSubscriptionsItIsTakenAndGone()
{
    makeTopic({});
    send(m_topic, "a");
    make(named(subscription(QStringLiteral("late")), EntityKind::Subscription));
    QCOMPARE(bodies(subscription(QStringLiteral("late"))), QByteArrayList());
    send(m_topic, "b");
    QCOMPARE(bodies(subscription(QStringLiteral("late"))), QByteArrayList{"b"});
}

void TestTopics::subscriptionsAreIndependent()
{
    makeTopic({QStringLiteral("bills"), QStringLiteral("parcels")});
    send(m_topic, "a");
    const QString bills = subscription(QStringLiteral("bills"));
    const auto taken = take(bills);
    QVERIFY(!take(bills));
    QVERIFY(take(subscription(QStringLiteral("parcels"))));
    QVERIFY(m_engine->complete({bills, false}, taken->message.sequence, taken->lockToken));
    QCOMPARE(counts(bills).active, 0);
    QCOMPARE(counts(subscription(QStringLiteral("parcels"))).active, 1);
}

void TestTopics::deadLettersLieWithTheirSubscription()
{
    makeTopic({QStringLiteral("bills"), QStringLiteral("parcels")});
    send(m_topic, "a");
    die(subscription(QStringLiteral("bills")));
    QCOMPARE(counts(subscription(QStringLiteral("bills"))).deadLetter, 1);
    QCOMPARE(counts(subscription(QStringLiteral("parcels"))).deadLetter, 0);
    QCOMPARE(take(subscription(QStringLiteral("bills")), true)->message.deadLetterReason, QStringLiteral("Bad"));
}

void TestTopics::aBatchIsAllOrNothingForAll()
{
    makeTopic({QStringLiteral("bills"), QStringLiteral("parcels")});
    Draft good;
    good.body = "good";
    Draft large;
    large.body = QByteArray(1024 * 1024 + 1, 'x');
    QVERIFY(!m_engine->send({m_topic, false}, {good, large}));
    QCOMPARE(bodies(subscription(QStringLiteral("bills"))), QByteArrayList());
    (void)m_engine->takeChanges();
    QVERIFY(m_engine->send({m_topic, false}, {good, good}));
    QCOMPARE(m_engine->takeChanges().size(), 4); // one list: the file holds all of it or nothing
}

void TestTopics::scheduledMessagesWaitInTheTopic()
{
    makeTopic({QStringLiteral("bills")});
    const core::TimePoint due = m_clock->now() + 60s;
    send(m_topic, "later", [&](Draft &draft) { draft.scheduledFor = due; });
    QCOMPARE(counts(m_topic).scheduled, 1);
    QCOMPARE(bodies(subscription(QStringLiteral("bills"))), QByteArrayList());
    make(named(subscription(QStringLiteral("late")), EntityKind::Subscription));
    QCOMPARE(m_engine->nextEvent(), std::optional(due));
    m_clock->advance(60s);
    QVERIFY(m_engine->tick());
    QCOMPARE(counts(m_topic).scheduled, 0);
    QCOMPARE(bodies(subscription(QStringLiteral("bills"))), QByteArrayList{"later"});
    QCOMPARE(bodies(subscription(QStringLiteral("late"))), QByteArrayList{"later"});
    QVERIFY(!m_engine->nextEvent());
}

void TestTopics::duplicatesAreSwallowedByTheTopic()
{
    QueueSettings topic = named(m_topic, EntityKind::Topic);
    topic.duplicateDetection = true;
    make(topic);
    make(named(subscription(QStringLiteral("bills")), EntityKind::Subscription));
    const auto withId = [](Draft &draft) { draft.messageId = QStringLiteral("m1"); };
    send(m_topic, "a", withId);
    send(m_topic, "swallowed", withId);
    QCOMPARE(bodies(subscription(QStringLiteral("bills"))), QByteArrayList{"a"});
}

void TestTopics::theSizeOfATopicCountsAllItsCopies()
{
    QueueSettings topic = named(m_topic, EntityKind::Topic);
    topic.maxSizeBytes = 10000;
    make(topic);
    for (const char *name : {"bills", "parcels"})
        make(named(subscription(QString::fromLatin1(name)), EntityKind::Subscription));
    send(m_topic, QByteArray(3000, 'x'));
    QVERIFY(counts(m_topic).bytes > 6000);
    Draft more;
    more.body = QByteArray(3000, 'x');
    const auto sent = m_engine->send({m_topic, false}, {more});
    QVERIFY(!sent && sent.error().kind == Refusal::Kind::QuotaExceeded);
    QCOMPARE(counts(subscription(QStringLiteral("bills"))).active, 1);
}

void TestTopics::aTopicTakesItsSubscriptionsAlong()
{
    makeTopic({QStringLiteral("bills"), QStringLiteral("parcels")});
    make(named(QStringLiteral("orders2"), EntityKind::Topic));
    make(named(QStringLiteral("orders2/Subscriptions/other"), EntityKind::Subscription));
    QVERIFY(m_engine->deleteQueue(QStringLiteral("ORDERS")));
    QVERIFY(!m_engine->queue(subscription(QStringLiteral("bills"))));
    QVERIFY(!m_engine->queue(subscription(QStringLiteral("parcels"))));
    QVERIFY(m_engine->queue(QStringLiteral("orders2/subscriptions/other")));
    makeTopic({QStringLiteral("bills")}); // a new one has nothing of the old one
    QCOMPARE(counts(subscription(QStringLiteral("bills"))).active, 0);
}

void TestTopics::aTopicIsInUseWhileASubscriptionIs()
{
    QueueSettings topic = named(m_topic, EntityKind::Topic);
    topic.autoDeleteOnIdle = 5min;
    make(topic);
    make(named(subscription(QStringLiteral("bills")), EntityKind::Subscription));
    for (int i = 0; i < 3; ++i) {
        later(4min);
        QVERIFY(m_engine->queue(m_topic));
        (void)take(subscription(QStringLiteral("bills")));
    }
    later(4min);
    QVERIFY(m_engine->nextEvent() > std::optional(m_clock->now())); // and nobody is woken for nothing
    later(1min);
    QVERIFY(!m_engine->queue(m_topic));
    QVERIFY(!m_engine->queue(subscription(QStringLiteral("bills"))));
}

void TestTopics::aSubscriptionNobodyReadsIsIdle()
{
    makeTopic({QStringLiteral("read")});
    QueueSettings idle = named(subscription(QStringLiteral("unread")), EntityKind::Subscription);
    idle.autoDeleteOnIdle = 5min;
    make(idle);
    later(4min);
    send(m_topic, "a"); // no use of the subscription
    later(1min);
    QVERIFY(!m_engine->queue(subscription(QStringLiteral("unread"))));
    QVERIFY(m_engine->queue(subscription(QStringLiteral("read"))));
}

void TestTopics::whatIsWrongWithAnEntityIsSaid_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("refusal"); // -1: none
    const auto row = [](const char *what, const QString &name, EntityKind kind, int refusal) {
        QTest::newRow(what) << name << int(kind) << refusal;
    };
    const int invalid = int(Refusal::Kind::Invalid);
    row("fine", QStringLiteral("orders/subscriptions/more"), EntityKind::Subscription, -1);
    row("there already", QStringLiteral("Orders/subscriptions/Bills"), EntityKind::Subscription,
        int(Refusal::Kind::QueueExists));
    row("a topic called as a queue", QStringLiteral("plain"), EntityKind::Topic, int(Refusal::Kind::QueueExists));
    row("no such topic", QStringLiteral("other/Subscriptions/a"), EntityKind::Subscription,
        int(Refusal::Kind::NoQueue));
    row("of a queue", QStringLiteral("plain/Subscriptions/a"), EntityKind::Subscription, int(Refusal::Kind::NoQueue));
    row("not its path", QStringLiteral("orders/bills2"), EntityKind::Subscription, invalid);
    row("too long", subscription(QString(51, QLatin1Char('a'))), EntityKind::Subscription, invalid);
    row("reserved", subscription(QStringLiteral("$x")), EntityKind::Subscription, invalid);
    row("a queue called so", QStringLiteral("orders/subscriptions/q"), EntityKind::Queue, invalid);
    row("a queue called as their list", QStringLiteral("orders/subscriptions"), EntityKind::Queue, invalid);
    row("a topic called so", QStringLiteral("orders/subscriptions/t"), EntityKind::Topic, invalid);
}

void TestTopics::whatIsWrongWithAnEntityIsSaid()
{
    QFETCH(QString, name);
    QFETCH(int, kind);
    QFETCH(int, refusal);
    makeTopic({QStringLiteral("bills")});
    make(named(QStringLiteral("plain")));
    const auto made = m_engine->createQueue(named(name, EntityKind(kind)));
    QCOMPARE(made ? -1 : int(made.error().kind), refusal);
    if (made)
        QCOMPARE(m_engine->queue(name)->settings.name, subscription(QStringLiteral("more"))); // as the topic is written
    QueueSettings other = named(QStringLiteral("plain"), EntityKind::Topic);
    const auto changed = m_engine->updateQueue(other);
    QVERIFY(!changed && changed.error().kind == Refusal::Kind::Invalid);
}

void TestTopics::nothingIsReceivedFromATopic()
{
    makeTopic({QStringLiteral("bills")});
    for (const bool deadLetter : {false, true}) {
        const auto taken = m_engine->peekLock({m_topic, deadLetter});
        QVERIFY(!taken && taken.error().kind == Refusal::Kind::NotAllowed);
        QVERIFY(!m_engine->receiveAndDelete({m_topic, deadLetter}));
        QVERIFY(!m_engine->receiveDeferred({m_topic, deadLetter}, 1));
    }
    const auto sent = m_engine->send({subscription(QStringLiteral("bills")), false}, {Draft{}});
    QVERIFY(!sent && sent.error().kind == Refusal::Kind::NoQueue);
}

void TestTopics::pathsBelowAreNoSubscriptions()
{
    makeTopic({QStringLiteral("bills")});
    make(named(subscription(QStringLiteral("bills/queue")))); // a queue with slashes, side by side with them
    send(m_topic, "a");
    QCOMPARE(counts(m_topic).subscriptions, 1);
    QCOMPARE(bodies(subscription(QStringLiteral("bills/queue"))), QByteArrayList());
    QCOMPARE(m_engine->entities(EntityKind::Subscription, m_topic, 0, 10).size(), 1);
    QCOMPARE(m_engine->entities(EntityKind::Queue, {}, 0, 10).size(), 1);
    QCOMPARE(m_engine->entities(EntityKind::Topic, {}, 0, 10).size(), 1);
}

REDRIVE_TEST(TestTopics)
#include "tst_topics.moc"
