#include "tests/backend/localbroker/queueenginefixture.h"
#include "tests/support/testmain/testmain.h"

using namespace std::chrono_literals;
using localbroker::Change;
using localbroker::EntityKind;
using localbroker::Message;
using localbroker::QueueEngine;
using localbroker::QueueSettings;
using localbroker::Refusal;
using support::named;
using support::subscription;

namespace {

// What a file would hold after the changes: kept as the journal keeps it.
class Paper
{
public:
    void write(const QList<Change> &changes)
    {
        for (const Change &change : changes)
            std::visit([this](const auto &one) { write(one); }, change);
    }
    // False: the changes could not have been written one after the other.
    bool isSound() const { return m_sound; }
    void readTo(QueueEngine &engine) const
    {
        for (const auto &[name, settings] : m_queues)
            engine.restoreQueue(settings);
        for (const auto &[sequence, kept] : m_messages)
            engine.restoreMessage(kept.first, kept.second);
    }

private:
    void write(const localbroker::QueueSaved &one) { m_queues[one.settings.name] = one.settings; }
    void write(const localbroker::QueueDropped &one)
    {
        m_sound = m_sound && m_queues.erase(one.name) == 1;
        std::erase_if(m_messages, [&](const auto &kept) { return kept.second.first == one.name; });
    }
    void write(const localbroker::MessageAdded &one)
    {
        localbroker::Travel travel;
        Message message = one.message;
        const auto draft = localbroker::draftFromCbor(localbroker::draftToCbor(message.draft, message.travel), &travel);
        m_sound = m_sound && m_queues.count(one.queue) == 1 && draft && travel == message.travel;
        m_sound = m_messages.insert({message.sequence, {one.queue, message}}).second && m_sound;
    }
    void write(const localbroker::MessageMoved &one)
    {
        const auto found = m_messages.find(one.message.sequence);
        m_sound = m_sound && found != m_messages.end();
        if (found == m_messages.end())
            return;
        Message &kept = found->second.second;
        const Message before = kept;
        kept = one.message;
        kept.draft = before.draft;
        kept.travel = before.travel;
    }
    void write(const localbroker::MessageGone &one) { m_sound = m_messages.erase(one.sequence) == 1 && m_sound; }
    void write(const localbroker::IdSeen &) {}
    void write(const localbroker::IdForgotten &) {}

    std::map<QString, QueueSettings> m_queues;
    std::map<qint64, std::pair<QString, Message>> m_messages;
    bool m_sound = true;
};

} // namespace

// Auto-forwarding, and what goes wrong with it.
class TestForwarding final : public support::QueueEngineFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void forwardedMessagesComeOutAtTheEnd();
    void nothingIsReceivedFromWhatForwards();
    void aSubscriptionForwardsToATopic();
    void deadLettersAreForwardedWithTheirReason();
    void aDeadLetterThatExpiredOnceDoesNotExpireAgain();
    void aMissingTargetIsRefusedAndALostOneDeadLetters();
    void aFullTargetDeadLetters();
    void deadLettersWaitForAFullTarget();
    void circlesEndAfterFourHops();
    void circlesOfDeadLettersEndToo();
    void topicsThatFollowOneAnotherHaveABound();
    void whatLiesThereGoesOnWhenForwardingBegins();
    void theTargetSwallowsItsDuplicates();
    void theFileHoldsWhatMemoryHolds_data();
    void theFileHoldsWhatMemoryHolds();

private:
    void checkAgainstThePaper(Paper &paper);
};

void TestForwarding::checkAgainstThePaper(Paper &paper)
{
    paper.write(m_engine->takeChanges());
    QVERIFY(paper.isSound());
    core::SeededRandom random(1);
    QueueEngine again(*m_clock, random);
    paper.readTo(again);
    for (const char *name : {"a", "b", "c", "t", "t/Subscriptions/x", "t/Subscriptions/y"}) {
        const auto known = m_engine->queue(QString::fromLatin1(name));
        const auto found = again.queue(QString::fromLatin1(name));
        QVERIFY(known && found);
        QCOMPARE(found->settings.forwardTo, known->settings.forwardTo);
        QCOMPARE(found->counts.active, known->counts.active);
        QCOMPARE(found->counts.deadLetter, known->counts.deadLetter);
        QCOMPARE(found->counts.scheduled, known->counts.scheduled);
        QCOMPARE(found->counts.bytes, known->counts.bytes);
    }
}

void TestForwarding::forwardedMessagesComeOutAtTheEnd()
{
    make(named(QStringLiteral("end")));
    makeForwarding(QStringLiteral("second"), QStringLiteral("END")); // as its target writes itself
    makeForwarding(QStringLiteral("first"), QStringLiteral("second"));
    QCOMPARE(m_engine->queue(QStringLiteral("second"))->settings.forwardTo, QStringLiteral("end"));
    (void)m_engine->takeChanges();
    send(QStringLiteral("first"), "a", [](Draft &draft) { draft.timeToLive = 10s; });
    QCOMPARE(m_engine->takeChanges().size(), 1); // it never lies on the way
    QCOMPARE(counts(QStringLiteral("first")).active, 0);
    const auto taken = take(QStringLiteral("end"));
    QCOMPARE(taken->message.draft.body, QByteArray("a"));
    QCOMPARE(taken->message.deliveryCount, 1);
    QCOMPARE(taken->message.travel.hops, 2);
    QVERIFY(taken->message.travel.firstSequence > 0);
    QVERIFY(taken->message.travel.firstSequence < taken->message.sequence);
    QCOMPARE(taken->message.expiresAt(), std::optional(m_clock->now() + 10s));
    const auto arrivals = m_engine->takeArrivals();
    QCOMPARE(arrivals.size(), 1);
    QCOMPARE(arrivals.constFirst().queue, QStringLiteral("end"));

    const core::TimePoint due = m_clock->now() + 60s;
    send(QStringLiteral("first"), "later", [&](Draft &draft) { draft.scheduledFor = due; });
    QCOMPARE(counts(QStringLiteral("first")).scheduled, 1); // it waits where it was sent
    later(60s);
    QCOMPARE(counts(QStringLiteral("first")).scheduled, 0);
    QVERIFY(bodies(QStringLiteral("end")).contains("later"));
}

void TestForwarding::nothingIsReceivedFromWhatForwards()
{
    make(named(QStringLiteral("end")));
    makeForwarding(QStringLiteral("first"), QStringLiteral("end"), QStringLiteral("end"));
    for (const bool deadLetter : {false, true}) {
        const auto taken = m_engine->peekLock({QStringLiteral("first"), deadLetter});
        QVERIFY(!taken && taken.error().kind == Refusal::Kind::NotAllowed);
    }
}

void TestForwarding::aSubscriptionForwardsToATopic()
{
    makeTopic({QStringLiteral("plain")});
    make(named(QStringLiteral("central"), EntityKind::Topic));
    make(named(QStringLiteral("central/Subscriptions/log"), EntityKind::Subscription));
    QueueSettings forwarding = named(subscription(QStringLiteral("forwarding")), EntityKind::Subscription);
    forwarding.forwardTo = QStringLiteral("central");
    make(forwarding);
    send(m_topic, "a");
    QCOMPARE(bodies(subscription(QStringLiteral("plain"))), QByteArrayList{"a"});
    QCOMPARE(bodies(subscription(QStringLiteral("forwarding"))), QByteArrayList());
    QCOMPARE(bodies(QStringLiteral("central/Subscriptions/log")), QByteArrayList{"a"});
}

void TestForwarding::deadLettersAreForwardedWithTheirReason()
{
    make(named(QStringLiteral("graveyard")));
    makeForwarding(QStringLiteral("work"), {}, QStringLiteral("graveyard"));
    send(QStringLiteral("work"), "a");
    QCOMPARE(bodies(QStringLiteral("work")), QByteArrayList{"a"});
    (void)m_engine->takeChanges();
    die(QStringLiteral("work"));
    QCOMPARE(counts(QStringLiteral("work")).deadLetter, 0);
    const auto dead = take(QStringLiteral("graveyard"));
    QCOMPARE(dead->message.draft.body, QByteArray("a"));
    QCOMPARE(dead->message.deadLetterReason, QStringLiteral("Bad"));
    QCOMPARE(dead->message.deadLetterDescription, QStringLiteral("it is bad"));
    QCOMPARE(dead->message.travel.deadLetterSource, QStringLiteral("work"));
    QVERIFY(!dead->message.deadLetter);
}

void TestForwarding::aDeadLetterThatExpiredOnceDoesNotExpireAgain()
{
    make(named(QStringLiteral("graveyard")));
    QueueSettings work = named(QStringLiteral("work"));
    work.deadLetteringOnExpiration = true;
    work.forwardDeadLettersTo = QStringLiteral("graveyard");
    make(work);
    send(QStringLiteral("work"), "a", [](Draft &draft) { draft.timeToLive = 1s; });
    later(1s);
    QCOMPARE(bodies(QStringLiteral("graveyard")), QByteArrayList{"a"});
    later(1h);
    QCOMPARE(bodies(QStringLiteral("graveyard")), QByteArrayList{"a"});
}

void TestForwarding::aMissingTargetIsRefusedAndALostOneDeadLetters()
{
    QueueSettings forwarding = named(QStringLiteral("first"));
    forwarding.forwardTo = QStringLiteral("end");
    const auto refused = m_engine->createQueue(forwarding);
    QVERIFY(!refused && refused.error().kind == Refusal::Kind::Invalid);
    QVERIFY(refused.error().text.contains(QLatin1String("SubCode=40400")));
    makeTopic({QStringLiteral("bills")});
    forwarding.forwardTo = subscription(QStringLiteral("bills")); // only its topic fills it
    QVERIFY(!m_engine->createQueue(forwarding));
    forwarding.forwardTo = QStringLiteral("FIRST"); // itself
    QVERIFY(!m_engine->createQueue(forwarding));

    make(named(QStringLiteral("end")));
    makeForwarding(QStringLiteral("first"), QStringLiteral("end"));
    QVERIFY(m_engine->deleteQueue(QStringLiteral("end")));
    send(QStringLiteral("first"), "a"); // taken all the same
    const auto dead = take(QStringLiteral("first"), true);
    QCOMPARE(dead->message.draft.body, QByteArray("a"));
    QCOMPARE(dead->message.deadLetterDescription, QStringLiteral("The transfer destination entity does not exist."));
}

void TestForwarding::aFullTargetDeadLetters()
{
    QueueSettings small = named(QStringLiteral("end"));
    small.maxSizeBytes = 1000;
    make(small);
    makeForwarding(QStringLiteral("first"), QStringLiteral("end"));
    send(QStringLiteral("first"), QByteArray(600, 'a'));
    send(QStringLiteral("first"), QByteArray(600, 'b'));
    QCOMPARE(counts(QStringLiteral("end")).active, 1);
    QCOMPARE(take(QStringLiteral("first"), true)->message.deadLetterReason, QStringLiteral("TransferDestinationFull"));
}

void TestForwarding::deadLettersWaitForAFullTarget()
{
    QueueSettings small = named(QStringLiteral("graveyard"));
    small.maxSizeBytes = 1000;
    make(small);
    makeForwarding(QStringLiteral("work"), {}, QStringLiteral("graveyard"));
    for (const char body : {'a', 'b'}) {
        send(QStringLiteral("work"), QByteArray(600, body));
        die(QStringLiteral("work"));
    }
    QCOMPARE(counts(QStringLiteral("work")).deadLetter, 1);
    later(30s);
    QCOMPARE(counts(QStringLiteral("work")).deadLetter, 1); // still full
    QVERIFY(m_engine->receiveAndDelete({QStringLiteral("graveyard"), false}));
    later(30s);
    QCOMPARE(counts(QStringLiteral("work")).deadLetter, 0);
    QCOMPARE(bodies(QStringLiteral("graveyard")), QByteArrayList{QByteArray(600, 'b')});
}

void TestForwarding::circlesEndAfterFourHops()
{
    make(named(QStringLiteral("a")));
    makeForwarding(QStringLiteral("b"), QStringLiteral("a"));
    QueueSettings a = named(QStringLiteral("a"));
    a.forwardTo = QStringLiteral("b");
    QVERIFY(m_engine->updateQueue(a));
    send(QStringLiteral("a"), "round");
    const auto dead = take(QStringLiteral("a"), true); // a, b, a, b, a
    QCOMPARE(dead->message.deadLetterReason, QStringLiteral("MaxTransferHopCountExceeded"));
    QCOMPARE(dead->message.travel.hops, 4);
    QCOMPARE(counts(QStringLiteral("a")).deadLetter + counts(QStringLiteral("b")).deadLetter, 1);
}

void TestForwarding::circlesOfDeadLettersEndToo()
{
    make(named(QStringLiteral("end")));
    makeForwarding(QStringLiteral("a"), QStringLiteral("end"), QStringLiteral("end"));
    QueueSettings end = named(QStringLiteral("end"));
    end.forwardTo = QStringLiteral("a");
    end.forwardDeadLettersTo = QStringLiteral("a");
    QVERIFY(m_engine->updateQueue(end));
    send(QStringLiteral("a"), "round");
    QCOMPARE(counts(QStringLiteral("a")).deadLetter + counts(QStringLiteral("end")).deadLetter, 1);
    QVERIFY(!m_engine->nextEvent()); // and it is not tried for ever
}

void TestForwarding::topicsThatFollowOneAnotherHaveABound()
{
    constexpr int wide = 150;
    make(named(QStringLiteral("second"), EntityKind::Topic));
    for (int i = 0; i < wide; ++i)
        make(named(QStringLiteral("second/Subscriptions/s%1").arg(i), EntityKind::Subscription));
    make(named(m_topic, EntityKind::Topic));
    for (int i = 0; i < wide; ++i) {
        QueueSettings one = named(subscription(QStringLiteral("s%1").arg(i)), EntityKind::Subscription);
        one.forwardTo = QStringLiteral("second");
        make(one);
    }
    send(m_topic, "a"); // 22,500 copies
    QCOMPARE(counts(QStringLiteral("second/Subscriptions/s0")).active, 0);
    QCOMPARE(take(subscription(QStringLiteral("s0")), true)->message.deadLetterReason,
             QStringLiteral("TransferTooWide"));
    QVERIFY(m_engine->deleteQueue(subscription(QStringLiteral("s149"))));
    for (int i = 50; i < 149; ++i)
        QVERIFY(m_engine->deleteQueue(subscription(QStringLiteral("s%1").arg(i))));
    send(m_topic, "b"); // 7,500
    QCOMPARE(counts(QStringLiteral("second/Subscriptions/s0")).active, 50);
}

void TestForwarding::whatLiesThereGoesOnWhenForwardingBegins()
{
    make(named(QStringLiteral("end")));
    make(named(QStringLiteral("work")));
    for (const char *body : {"a", "b", "c"})
        send(QStringLiteral("work"), body);
    die(QStringLiteral("work")); // a
    const auto locked = take(QStringLiteral("work")); // b
    QueueSettings work = named(QStringLiteral("work"));
    work.forwardTo = QStringLiteral("end");
    QVERIFY(m_engine->updateQueue(work));
    QCOMPARE(bodies(QStringLiteral("end")), QByteArrayList{"c"});
    QVERIFY(m_engine->abandon({QStringLiteral("work"), false}, locked->message.sequence, locked->lockToken));
    QCOMPARE(bodies(QStringLiteral("end")), (QByteArrayList{"c", "b"}));
    work.forwardDeadLettersTo = QStringLiteral("end");
    QVERIFY(m_engine->updateQueue(work));
    QCOMPARE(bodies(QStringLiteral("end")), (QByteArrayList{"c", "b", "a"}));
    QCOMPARE(counts(QStringLiteral("work")).deadLetter, 0);
}

void TestForwarding::theTargetSwallowsItsDuplicates()
{
    QueueSettings once = named(QStringLiteral("once"));
    once.duplicateDetection = true;
    make(once);
    makeForwarding(QStringLiteral("first"), QStringLiteral("once"));
    for (const char *body : {"a", "b"})
        send(QStringLiteral("first"), body, [](Draft &draft) { draft.messageId = QStringLiteral("same"); });
    QCOMPARE(bodies(QStringLiteral("once")), QByteArrayList{"a"});
}

void TestForwarding::theFileHoldsWhatMemoryHolds_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 40; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

// Whatever happens among entities that forward in circles and through topics: the changes can be written one after the other,
// and who reads them has as many messages at each place.
void TestForwarding::theFileHoldsWhatMemoryHolds()
{
    QFETCH(int, seed);
    core::SeededRandom dice{quint64(seed)};
    Paper paper;
    const QStringList queues{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    const QStringList places =
        queues
        + QStringList{QStringLiteral("t"), QStringLiteral("t/Subscriptions/x"), QStringLiteral("t/Subscriptions/y")};
    const auto pick = [&](const QStringList &list) { return list.at(qsizetype(dice.below(quint64(list.size())))); };
    for (const QString &name : places) {
        make(named(name, name == QLatin1String("t") ? EntityKind::Topic
                         : name.contains(u'/')      ? EntityKind::Subscription
                                                    : EntityKind::Queue));
    }
    for (int step = 0; step < 300; ++step) {
        const QString name = pick(places);
        switch (dice.below(8)) {
        case 0: {
            QueueSettings settings = m_engine->queue(name)->settings;
            const QStringList targets{QString(),           QString(),           QStringLiteral("a"),
                                      QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("t")};
            settings.forwardTo = pick(targets);
            settings.forwardDeadLettersTo = pick(targets);
            settings.maxSizeBytes = 2000;
            (void)m_engine->updateQueue(settings);
            break;
        }
        case 1:
            later(core::Milliseconds{qint64(dice.below(40000))});
            break;
        case 2:
        case 3: {
            const bool deadLetter = dice.below(4) == 0;
            const auto taken = m_engine->peekLock({name, deadLetter});
            if (!taken || !*taken)
                break;
            const qint64 sequence = (*taken)->message.sequence;
            const QString lock = (*taken)->lockToken;
            switch (dice.below(4)) {
            case 0:
                QVERIFY(m_engine->complete({name, deadLetter}, sequence, lock));
                break;
            case 1:
                QVERIFY(m_engine->abandon({name, deadLetter}, sequence, lock));
                break;
            case 2:
                (void)m_engine->deadLetter({name, deadLetter}, sequence, lock, QStringLiteral("Bad"), {});
                break;
            default:
                break; // it ends by itself
            }
            break;
        }
        default: {
            Draft draft;
            draft.body = QByteArray(int(dice.below(100)), 'x');
            if (dice.below(4) == 0)
                draft.scheduledFor = m_clock->now() + core::Milliseconds{qint64(dice.below(60000))};
            if (dice.below(4) == 0)
                draft.timeToLive = core::Milliseconds{1 + qint64(dice.below(60000))};
            (void)m_engine->send({name, false}, {draft});
        }
        }
        if (step % 50 == 49)
            checkAgainstThePaper(paper);
        else
            paper.write(m_engine->takeChanges());
    }
}

REDRIVE_TEST(TestForwarding)
#include "tst_forwarding.moc"
