#include "backend/localbroker/queueengine.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using localbroker::Delivery;
using localbroker::Draft;
using localbroker::Outcome;
using localbroker::Place;
using localbroker::QueueSettings;
using localbroker::Refusal;

// The rules of the seed "ASB Retry": static knobs and runtime actions.
class TestQueueEngine final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void messagesComeInOrderAndLockedOnesAreInvisible();
    void completeRemovesForEver();
    void abandonMakesVisibleAtOnceAndCounts();
    void aLockEndsByItself();
    void aLateCompleteIsRefusedAndHarmsNobody();
    void renewKeepsTheLock();
    void maxDeliveryCountMovesToTheDeadLetterQueue();
    void deadLetterWithReasonSkipsTheCount();
    void theDeadLetterQueueDoesNotCount();
    void nothingIsSentToADeadLetterQueue();
    void expiredMessagesGoOrAreDeadLettered_data();
    void expiredMessagesGoOrAreDeadLettered();
    void theQueuesTimeToLiveIsTheLongest();
    void aLockedMessageDoesNotExpire();
    void deferredMessagesComeByNumberOnly();
    void scheduledMessagesAppearAtTheirTime();
    void duplicatesAreSwallowedWithinTheWindow();
    void anIdSentAgainAfterItsWindowHasAWindowOfItsOwn();
    void idleQueuesGoAway();
    void sizesAndNamesAreBounded_data();
    void sizesAndNamesAreBounded();
    void aBatchIsAllOrNothing();
    void browseDisturbsNothing();
    void aPageOfLargeMessagesEndsEarly();
    void namesCompareWithoutCase();

private:
    void make(const std::function<void(QueueSettings &)> &change = {});
    void send(const QByteArray &body, const std::function<void(Draft &)> &change = {});
    std::optional<Delivery> take(bool deadLetter = false);
    void settle(const Outcome<> &outcome) { QVERIFY2(outcome.has_value(), "refused"); }

    const Place m_place{QStringLiteral("orders"), false};
    const Place m_dead{QStringLiteral("orders"), true};
    std::unique_ptr<support::FakeClock> m_clock;
    std::unique_ptr<core::SeededRandom> m_random;
    std::unique_ptr<localbroker::QueueEngine> m_engine;
};

void TestQueueEngine::init()
{
    m_engine.reset();
    m_clock = std::make_unique<support::FakeClock>();
    m_random = std::make_unique<core::SeededRandom>(1);
    m_engine = std::make_unique<localbroker::QueueEngine>(*m_clock, *m_random);
}

void TestQueueEngine::make(const std::function<void(QueueSettings &)> &change)
{
    QueueSettings settings;
    settings.name = QStringLiteral("orders");
    if (change)
        change(settings);
    QVERIFY(m_engine->createQueue(settings).has_value());
}

void TestQueueEngine::send(const QByteArray &body, const std::function<void(Draft &)> &change)
{
    Draft draft;
    draft.body = body;
    if (change)
        change(draft);
    QVERIFY(m_engine->send(m_place, {draft}).has_value());
}

std::optional<Delivery> TestQueueEngine::take(bool deadLetter)
{
    const auto taken = m_engine->peekLock(deadLetter ? m_dead : m_place);
    return taken ? *taken : std::nullopt;
}

void TestQueueEngine::messagesComeInOrderAndLockedOnesAreInvisible()
{
    make();
    for (const char *body : {"a", "b", "c"})
        send(body);
    QCOMPARE(take()->message.draft.body, QByteArray("a"));
    QCOMPARE(take()->message.draft.body, QByteArray("b"));
    QCOMPARE(take()->message.draft.body, QByteArray("c"));
    QVERIFY(!take());
    QCOMPARE(m_engine->queue(m_place.queue)->counts.active, 3);
}

void TestQueueEngine::completeRemovesForEver()
{
    make();
    send("a");
    const auto taken = take();
    settle(m_engine->complete(m_place, taken->message.sequence, taken->lockToken));
    m_clock->advance(1h);
    m_engine->tick();
    QVERIFY(!take());
    QCOMPARE(m_engine->queue(m_place.queue)->counts.bytes, 0);
    const auto again = m_engine->complete(m_place, taken->message.sequence, taken->lockToken);
    QVERIFY(!again && again.error().kind == Refusal::Kind::LockLost);
}

void TestQueueEngine::abandonMakesVisibleAtOnceAndCounts()
{
    make();
    send("a");
    send("b");
    const auto first = take();
    QCOMPARE(first->message.deliveryCount, 1);
    settle(m_engine->abandon(m_place, first->message.sequence, first->lockToken));
    const auto again = take(); // back at its place, for whoever asks next
    QCOMPARE(again->message.draft.body, QByteArray("a"));
    QCOMPARE(again->message.deliveryCount, 2);
    QVERIFY(again->lockToken != first->lockToken);
}

void TestQueueEngine::aLockEndsByItself()
{
    make([](QueueSettings &s) { s.lockDuration = 30s; });
    send("a");
    const auto taken = take();
    QCOMPARE(taken->lockedUntil - m_clock->now(), core::Milliseconds{30000});
    QCOMPARE(m_engine->nextEvent(), std::optional(taken->lockedUntil));
    m_clock->advance(29999ms);
    QVERIFY(!m_engine->tick());
    QVERIFY(!take());
    m_clock->advance(1ms);
    QVERIFY(m_engine->tick());
    QCOMPARE(take()->message.deliveryCount, 2);
}

void TestQueueEngine::aLateCompleteIsRefusedAndHarmsNobody()
{
    make([](QueueSettings &s) { s.lockDuration = 30s; });
    send("a");
    const auto slow = take();
    m_clock->advance(30s);
    const auto late = m_engine->complete(m_place, slow->message.sequence, slow->lockToken);
    QVERIFY(!late && late.error().kind == Refusal::Kind::LockLost);
    const auto other = take();
    QVERIFY(other);
    QVERIFY(!m_engine->complete(m_place, slow->message.sequence, slow->lockToken)); // of the other's lock
    settle(m_engine->complete(m_place, other->message.sequence, other->lockToken));
}

void TestQueueEngine::renewKeepsTheLock()
{
    make([](QueueSettings &s) { s.lockDuration = 30s; });
    send("a");
    const auto taken = take();
    for (int i = 0; i < 5; ++i) {
        m_clock->advance(20s);
        QVERIFY(m_engine->renew(m_place, taken->message.sequence, taken->lockToken).has_value());
        m_engine->tick();
        QVERIFY(!take());
    }
    settle(m_engine->complete(m_place, taken->message.sequence, taken->lockToken));
}

void TestQueueEngine::maxDeliveryCountMovesToTheDeadLetterQueue()
{
    make([](QueueSettings &s) { s.maxDeliveryCount = 3; });
    send("poison");
    for (int i = 1; i <= 3; ++i) {
        const auto taken = take();
        QVERIFY(taken);
        QCOMPARE(taken->message.deliveryCount, i);
        settle(m_engine->abandon(m_place, taken->message.sequence, taken->lockToken));
    }
    QVERIFY(!take());
    QCOMPARE(m_engine->queue(m_place.queue)->counts.deadLetter, 1);
    const auto dead = take(true);
    QCOMPARE(dead->message.deadLetterReason, QStringLiteral("MaxDeliveryCountExceeded"));
    QCOMPARE(dead->message.deadLetterDescription,
             QStringLiteral("Message could not be consumed after 3 delivery attempts."));
}

void TestQueueEngine::deadLetterWithReasonSkipsTheCount()
{
    make();
    send("a");
    const auto taken = take();
    settle(m_engine->deadLetter(m_place, taken->message.sequence, taken->lockToken, QStringLiteral("InvalidJson"),
                                QStringLiteral("unexpected end")));
    const auto dead = take(true);
    QCOMPARE(dead->message.deadLetterReason, QStringLiteral("InvalidJson"));
    QCOMPARE(dead->message.sequence, taken->message.sequence);
}

void TestQueueEngine::theDeadLetterQueueDoesNotCount()
{
    make([](QueueSettings &s) { s.maxDeliveryCount = 1; });
    send("a");
    const auto taken = take();
    settle(m_engine->abandon(m_place, taken->message.sequence, taken->lockToken));
    for (int i = 0; i < 20; ++i) {
        const auto dead = take(true);
        QVERIFY(dead);
        QCOMPARE(dead->message.deliveryCount, 1);
        settle(m_engine->abandon(m_dead, dead->message.sequence, dead->lockToken));
    }
}

void TestQueueEngine::nothingIsSentToADeadLetterQueue()
{
    make();
    const auto sent = m_engine->send(m_dead, {Draft{}});
    QVERIFY(!sent && sent.error().kind == Refusal::Kind::NotAllowed);
}

void TestQueueEngine::expiredMessagesGoOrAreDeadLettered_data()
{
    QTest::addColumn<bool>("deadLettering");
    QTest::newRow("gone") << false;
    QTest::newRow("dead-lettered") << true;
}

void TestQueueEngine::expiredMessagesGoOrAreDeadLettered()
{
    QFETCH(bool, deadLettering);
    make([&](QueueSettings &s) { s.deadLetteringOnExpiration = deadLettering; });
    send("a", [](Draft &d) { d.timeToLive = 10s; });
    send("b");
    m_clock->advance(9999ms);
    m_engine->tick();
    QCOMPARE(m_engine->queue(m_place.queue)->counts.active, 2);
    m_clock->advance(1ms);
    m_engine->tick();
    QCOMPARE(m_engine->queue(m_place.queue)->counts.active, 1);
    QCOMPARE(take()->message.draft.body, QByteArray("b"));
    const auto dead = take(true);
    QCOMPARE(dead.has_value(), deadLettering);
    if (dead)
        QCOMPARE(dead->message.deadLetterReason, QStringLiteral("TTLExpiredException"));
    m_clock->advance(24h); // no time to live in the dead-letter queue
    m_engine->tick();
    QCOMPARE(m_engine->queue(m_place.queue)->counts.deadLetter, deadLettering ? 1 : 0);
}

void TestQueueEngine::theQueuesTimeToLiveIsTheLongest()
{
    make([](QueueSettings &s) { s.defaultTimeToLive = 60s; });
    send("none");
    send("longer", [](Draft &d) { d.timeToLive = 1h; });
    send("shorter", [](Draft &d) { d.timeToLive = 5s; });
    m_clock->advance(5s);
    m_engine->tick();
    QCOMPARE(m_engine->queue(m_place.queue)->counts.active, 2);
    m_clock->advance(55s);
    m_engine->tick();
    QCOMPARE(m_engine->queue(m_place.queue)->counts.active, 0);
}

void TestQueueEngine::aLockedMessageDoesNotExpire()
{
    make([](QueueSettings &s) { s.lockDuration = 60s; });
    send("a", [](Draft &d) { d.timeToLive = 10s; });
    const auto taken = take();
    m_clock->advance(30s);
    m_engine->tick();
    settle(m_engine->abandon(m_place, taken->message.sequence, taken->lockToken));
    QVERIFY(!take()); // now it does
}

void TestQueueEngine::deferredMessagesComeByNumberOnly()
{
    make();
    send("a");
    const auto taken = take();
    const qint64 number = taken->message.sequence;
    settle(m_engine->defer(m_place, number, taken->lockToken));
    QVERIFY(!take());
    QVERIFY(!m_engine->receiveDeferred(m_place, number + 1).has_value());
    const auto again = m_engine->receiveDeferred(m_place, number);
    QVERIFY(again.has_value());
    QVERIFY(!m_engine->receiveDeferred(m_place, number).has_value()); // locked now
    settle(m_engine->abandon(m_place, number, again->lockToken));
    QVERIFY(!take()); // still deferred
    const auto last = m_engine->receiveDeferred(m_place, number);
    settle(m_engine->complete(m_place, number, last->lockToken));
    QCOMPARE(m_engine->queue(m_place.queue)->counts.active, 0);
}

void TestQueueEngine::scheduledMessagesAppearAtTheirTime()
{
    make();
    const core::TimePoint due = m_clock->now() + 60s;
    send("later", [&](Draft &d) { d.scheduledFor = due; });
    send("now");
    QCOMPARE(m_engine->queue(m_place.queue)->counts.scheduled, 1);
    QCOMPARE(take()->message.draft.body, QByteArray("now"));
    QVERIFY(!take());
    m_clock->advance(60s);
    QVERIFY(m_engine->tick());
    QCOMPARE(take()->message.enqueuedAt, due);
}

void TestQueueEngine::duplicatesAreSwallowedWithinTheWindow()
{
    make([](QueueSettings &s) {
        s.duplicateDetection = true;
        s.duplicateWindow = 60s;
    });
    const auto withId = [](Draft &d) { d.messageId = QStringLiteral("m1"); };
    send("a", withId);
    const auto taken = take();
    settle(m_engine->complete(m_place, taken->message.sequence, taken->lockToken));
    send("swallowed", withId); // the id is remembered, not the message
    QVERIFY(!take());
    m_clock->advance(60s);
    m_engine->tick();
    send("b", withId);
    QCOMPARE(take()->message.draft.body, QByteArray("b"));
}

void TestQueueEngine::anIdSentAgainAfterItsWindowHasAWindowOfItsOwn()
{
    make([](QueueSettings &s) {
        s.duplicateDetection = true;
        s.duplicateWindow = 60s;
    });
    const auto withId = [](Draft &d) { d.messageId = QStringLiteral("m1"); };
    send("a", withId);
    m_clock->advance(60s);
    send("b", withId); // before any tick: the old time of the id is still noted
    m_engine->tick();
    send("swallowed", withId);
    QCOMPARE(take()->message.draft.body, QByteArray("a"));
    QCOMPARE(take()->message.draft.body, QByteArray("b"));
    QVERIFY(!take());
}

void TestQueueEngine::idleQueuesGoAway()
{
    make([](QueueSettings &s) { s.autoDeleteOnIdle = 5min; });
    m_clock->advance(4min);
    send("a");
    m_clock->advance(4min);
    m_engine->tick();
    QVERIFY(m_engine->queue(m_place.queue));
    m_clock->advance(1min);
    m_engine->tick();
    QVERIFY(!m_engine->queue(m_place.queue)); // with its contents
}

void TestQueueEngine::sizesAndNamesAreBounded_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("possible");
    QTest::newRow("plain") << QStringLiteral("a") << true;
    QTest::newRow("with slash") << QStringLiteral("team/orders") << true;
    QTest::newRow("unicode") << QStringLiteral("bestellung-\u00fc") << true;
    QTest::newRow("empty") << QString() << false;
    QTest::newRow("too long") << QString(261, QLatin1Char('a')) << false;
    QTest::newRow("reserved") << QStringLiteral("$Resources") << false;
    QTest::newRow("reserved part") << QStringLiteral("a/$DeadLetterQueue") << false;
    QTest::newRow("line break") << QStringLiteral("a\nb") << false;
}

void TestQueueEngine::sizesAndNamesAreBounded()
{
    QFETCH(QString, name);
    QFETCH(bool, possible);
    QueueSettings settings;
    settings.name = name;
    QCOMPARE(m_engine->createQueue(settings).has_value(), possible);
    settings.name = QStringLiteral("other");
    settings.lockDuration = 6min;
    QVERIFY(!m_engine->createQueue(settings));
    settings.lockDuration = 1min;
    settings.maxDeliveryCount = 0;
    QVERIFY(!m_engine->createQueue(settings));
}

void TestQueueEngine::aBatchIsAllOrNothing()
{
    make();
    Draft good;
    good.body = "good";
    Draft large;
    large.body = QByteArray(1024 * 1024 + 1, 'x');
    const auto sent = m_engine->send(m_place, {good, large});
    QVERIFY(!sent && sent.error().kind == Refusal::Kind::TooLarge);
    QVERIFY(!take());
    Draft half;
    half.body = QByteArray(200 * 1024, 'x');
    QVERIFY(m_engine->send(m_place, {half}).has_value());
    QVERIFY(!m_engine->send(m_place, {half, half}).has_value());
    QCOMPARE(m_engine->queue(m_place.queue)->counts.active, 1);
}

void TestQueueEngine::browseDisturbsNothing()
{
    make();
    for (int i = 0; i < 5; ++i)
        send(QByteArray::number(i));
    const auto locked = take();
    const auto page = m_engine->browse(m_place, 0, 3);
    QCOMPARE(page->size(), 3);
    const auto rest = m_engine->browse(m_place, page->constLast().sequence + 1, 100);
    QCOMPARE(rest->size(), 2);
    QCOMPARE(rest->constLast().deliveryCount, 0);
    QCOMPARE(take()->message.draft.body, QByteArray("1"));
}

void TestQueueEngine::aPageOfLargeMessagesEndsEarly()
{
    make();
    const QByteArray megabyte(1024 * 1024, 'x');
    for (int i = 0; i < 20; ++i)
        send(megabyte.chopped(1024 * 16)); // properties count as well
    const auto page = m_engine->browse(m_place, 0, 1000);
    QVERIFY(page->size() >= 16 && page->size() < 20);
    const auto rest = m_engine->browse(m_place, page->constLast().sequence + 1, 1000);
    QCOMPARE(page->size() + rest->size(), 20);
}

void TestQueueEngine::namesCompareWithoutCase()
{
    make();
    QueueSettings same;
    same.name = QStringLiteral("ORDERS");
    const auto created = m_engine->createQueue(same);
    QVERIFY(!created && created.error().kind == Refusal::Kind::QueueExists);
    QVERIFY(m_engine->send({QStringLiteral("Orders"), false}, {Draft{}}).has_value());
    QVERIFY(take());
}

REDRIVE_TEST(TestQueueEngine)
#include "tst_queueengine.moc"
