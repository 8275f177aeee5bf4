// Queues that count deliveries: all is taken from a quorum queue with a delivery limit, the broker is killed in mid-take, and no
// message reaches the limit unseen. On the RabbitMQ in memory (as 3.10, 4.0 and 4.3 count) and on real ones.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/intake/deliverybudget.h"
#include "backend/intake/intake.h"
#include "backend/intake/queuebrowser.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakerabbit/versionedsites.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using records::BrowseCounts;
using records::DeliveriesUsed;
using records::IntakeCounts;
using test::must;

namespace {

const QString vhost = QStringLiteral("counts/deliveries");
const QString dead = QStringLiteral("failed.dead");
constexpr int limit = 20;

QCborMap limited(int most)
{
    return {{QStringLiteral("x-queue-type"), QStringLiteral("quorum")},
            {QStringLiteral("x-delivery-limit"), most},
            {QStringLiteral("x-dead-letter-exchange"), QString()},
            {QStringLiteral("x-dead-letter-routing-key"), dead}};
}

records::Envelope failed(int number)
{
    records::Envelope envelope;
    envelope.body = "order " + QByteArray::number(number);
    envelope.properties = {{QStringLiteral("delivery_mode"), 2}};
    envelope.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("m-%1").arg(number)},
                        {QStringLiteral("NServiceBus.ProcessingEndpoint"), QStringLiteral("Billing")},
                        {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("billing")}};
    return envelope;
}

core::Task<> keep(core::Task<Result<IntakeCounts>> task, std::optional<Result<IntakeCounts>> &ended)
{
    Result<IntakeCounts> counts = co_await task;
    ended.emplace(std::move(counts));
}

// A queue with a limit, its dead-letter queue, and a store.
class Fixture final
{
public:
    Fixture(support::RabbitSite &where, const QString &name, int messages, int most = limit)
        : site(where)
        , admin(where, vhost)
        , queue(name)
        , store(std::move(*store::openSqliteStore(QStringLiteral(":memory:"))))
        , m_random(1)
    {
        admin.makeVhost();
        admin.makeQueue(dead);
        admin.makeQueue(queue, limited(most));
        QList<records::Envelope> all;
        for (int i = 0; i < messages; ++i)
            all.append(failed(i));
        admin.publish(queue, all);
        connection.name = QStringLiteral("shop");
        connection.errorQueues = {queue};
        must(store->transact([&](store::Session &session) -> Result<> {
            connection.id = must(session.connections().add(connection));
            return {};
        }));
        connect();
    }
    // As the next start of the program.
    void connect()
    {
        state.reset();
        broker::rabbitmq::Settings settings = site.settings(vhost);
        settings.errorQueues = connection.errorQueues;
        rabbit = std::make_unique<broker::RabbitMq>(site.client(), site.clock(), m_random, settings);
        state = std::make_unique<broker::BrokerState>(*rabbit, site.clock());
    }
    ~Fixture()
    {
        admin.removeQueue(queue);
        admin.removeQueue(dead);
    }

    // As the next start of the program.
    std::unique_ptr<intake::Intake> newIntake(int page)
    {
        return std::make_unique<intake::Intake>(
            connection, *state, *store, site.clock(), m_random, [] { return 1.0; }, page);
    }
    intake::Order all() const
    {
        intake::Order order;
        order.queue = queue;
        return order;
    }
    Result<BrowseCounts> browse(bool accepts)
    {
        intake::QueueBrowser browser(connection, *state, *store, site.clock(), [] { return 1.0; });
        return site.wait(browser.browse({queue, 1000, {}, accepts}));
    }
    DeliveriesUsed used()
    {
        return must(store->read<DeliveriesUsed>(
            [&](store::Session &session) { return session.intakes().deliveriesUsed(connection.id, queue); }));
    }
    void setUsed(const DeliveriesUsed &used)
    {
        must(store->transact(
            [&](store::Session &session) { return session.intakes().setDeliveriesUsed(connection.id, queue, used); }));
    }
    QSet<QString> stored()
    {
        QSet<QString> ids;
        must(store->read([&](store::Session &session) -> Result<> {
            for (const core::MessageId id : must(session.messages().slice({}, {}, 20000)).ids)
                ids.insert(must(session.messages().load(id)).messageId);
            return {};
        }));
        return ids;
    }
    bool isShovelAtWork() { return admin.ours().join(u' ').contains(QLatin1String("shovel")); }

    support::RabbitSite &site;
    support::RabbitAdmin admin;
    const QString queue;
    std::unique_ptr<store::Store> store;
    records::Connection connection;
    std::unique_ptr<broker::RabbitMq> rabbit;
    std::unique_ptr<broker::BrokerState> state;

private:
    core::SeededRandom m_random;
};

} // namespace

class TestRabbitMqDeliveryLimits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { support::VersionedSites::addRows({"3.10.8", "4.0.5", "4.3.6"}); }
    void initTestCase() { support::VersionedSites::skipWithoutServer(); }
    void init() { m_site = m_sites.site(); }
    void allIsTakenAndNothingDeadLettered_data();
    void allIsTakenAndNothingDeadLettered();
    void killsInMidTakeReachNoLimit();
    void interruptionsStopTheIntake();
    void aLookLetsTakingGoOn();
    void whatOthersHoldCostsNothingAndIsNotCalledEmpty();
    void whatAShovelDoesNotGetIsNotCalledEmpty();
    void aQueueThatWasRemovedHasUsedNothing();
    void aLookThatCountsIsDoneOnlyForItsPrice();
    void eachReadOfALookIsCounted();
    void aLookIsCountedWhenItIsDoneAndNotBefore();
    void aLookThatIsFreeIsDoneAtOnce();
    void aLookThatFailsIsTriedOnceAndCounted();
    void aMessageThatBreaksShovelsIsToldEachTime();
    void aMessageThatBreaksShovelsIsNotDeliveredToItsEnd();

private:
    [[nodiscard]] support::FakeSite *fake() const { return dynamic_cast<support::FakeSite *>(m_site); }
    // The message with this number becomes one that RabbitMQ can neither show nor move; only in one in memory.
    support::fakerabbit::Queue &hide(const Fixture &fixture, size_t number);

    support::VersionedSites m_sites;
    support::RabbitSite *m_site = nullptr;
};

void TestRabbitMqDeliveryLimits::allIsTakenAndNothingDeadLettered_data()
{
    QTest::addColumn<int>("most");
    QTest::addRow("limit %d", limit) << limit;
    QTest::newRow("limit 3") << 3; // a third page in a row would come too near to it
    QTest::newRow("limit 2") << 2;
}

void TestRabbitMqDeliveryLimits::allIsTakenAndNothingDeadLettered()
{
    QFETCH(const int, most);
    constexpr int count = 1000;
    Fixture fixture(*m_site, QStringLiteral("failed.all.%1").arg(most), count, most);
    const auto intake = fixture.newIntake(200);
    const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, count);
    QCOMPARE(fixture.stored().size(), count);
    QCOMPARE(fixture.used(), DeliveriesUsed{});
    QCOMPARE(fixture.admin.depth(dead), 0);
    QCOMPARE(fixture.admin.drain(fixture.queue).size(), 0);
    QCOMPARE(fixture.admin.ours(), QStringList());
}

// Again and again while a shovel works; each next take is that of a program that was started again.
void TestRabbitMqDeliveryLimits::killsInMidTakeReachNoLimit()
{
    constexpr int count = 3000;
    const int kills = fake() != nullptr ? 6 : 2; // a real one takes a minute for each
    Fixture fixture(*m_site, QStringLiteral("failed.killed"), count);
    for (int round = 0; round <= kills; ++round) {
        const auto intake = fixture.newIntake(500);
        Result<IntakeCounts> recovered = m_site->wait(intake->recover());
        for (int tries = 0; tries < 60 && !recovered; ++tries) {
            m_site->pause(1000ms);
            recovered = m_site->wait(intake->recover());
        }
        QVERIFY2(recovered, test::why(recovered).constData());
        std::optional<Result<IntakeCounts>> ended;
        const core::Task<> running = keep(intake->take(fixture.all()), ended);
        while (round < kills && !ended && !fixture.isShovelAtWork())
            m_site->pause(1ms);
        if (round < kills) {
            m_site->pause(20ms);
            m_site->kill();
            QVERIFY(m_site->restart());
        }
        QVERIFY(m_site->until([&] { return ended.has_value(); }, 240s));
        if (round == kills)
            QVERIFY2(*ended, test::why(*ended).constData());
        QVERIFY(fixture.used().most() <= limit);
        QCOMPARE(fixture.admin.depth(dead), 0);
    }
    QCOMPARE(fixture.stored().size(), count);
    QCOMPARE(fixture.admin.drain(fixture.queue).size(), 0);
    QCOMPARE(fixture.admin.drain(dead).size(), 0);
}

void TestRabbitMqDeliveryLimits::interruptionsStopTheIntake()
{
    support::FakeSite *const site = fake();
    if (site == nullptr)
        QSKIP("Only the one in memory is interrupted at the chosen moment.");
    constexpr int count = 900;
    Fixture fixture(*m_site, QStringLiteral("failed.broken"), count);
    const auto intake = fixture.newIntake(500);
    std::optional<Result<IntakeCounts>> ended;
    int broken = 0;
    const core::Task<> running = keep(intake->take(fixture.all()), ended);
    support::fakerabbit::Vhost *const host = site->rabbit().broker().vhost(vhost);
    QVERIFY(m_site->until(
        [&] {
            const auto source = host->queues.find(fixture.queue);
            if (source != host->queues.end() && !source->second.taken.empty()
                && site->rabbit().shovels().interrupt(QStringLiteral("redrive")))
                ++broken;
            return ended.has_value();
        },
        600s));
    QVERIFY(!*ended);
    QCOMPARE(core::toString(ended->error().kind), core::toString(ErrorKind::Refused));
    QVERIFY2(ended->error().message.contains(QStringLiteral("of 20")), qPrintable(ended->error().message));
    QVERIFY2(ended->error().message.contains(dead), qPrintable(ended->error().message));
    QVERIFY(broken > 5);
    QVERIFY(!records::mayTake({limit, true, {}}, fixture.used()));
    QCOMPARE(fixture.admin.depth(dead), 0);
}

// It shows that the interruptions that were counted hit other messages.
void TestRabbitMqDeliveryLimits::aLookLetsTakingGoOn()
{
    constexpr int count = 100;
    Fixture fixture(*m_site, QStringLiteral("failed.looked"), count);
    m_site->pause(6s); // the broker counts the messages
    fixture.setUsed({0, 16, 10, 0});
    const auto intake = fixture.newIntake(500);
    const Result<IntakeCounts> refused = m_site->wait(intake->take(fixture.all()));
    QVERIFY(!refused);
    QCOMPARE(core::toString(refused.error().kind), core::toString(ErrorKind::Refused));
    const Result<BrowseCounts> seen = fixture.browse(true);
    QVERIFY2(seen, test::why(seen).constData());
    const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(fixture.stored().size(), count);
    QCOMPARE(fixture.admin.depth(dead), 0);
}

// A consumer of somebody else has the only message in hand.
void TestRabbitMqDeliveryLimits::whatOthersHoldCostsNothingAndIsNotCalledEmpty()
{
    support::FakeSite *const site = fake();
    if (site == nullptr)
        QSKIP("Only in the one in memory a message is held without a consumer.");
    Fixture fixture(*m_site, QStringLiteral("failed.held"), 1);
    support::fakerabbit::Queue &source = site->rabbit().broker().vhost(vhost)->queues.at(fixture.queue);
    source.taken.push_back(std::move(source.ready.front()));
    source.ready.pop_front();
    const DeliveriesUsed before{0, 3, 10, 0};
    fixture.setUsed(before);
    const auto intake = fixture.newIntake(200);
    for (int round = 0; round < 17; ++round) {
        const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
        QVERIFY2(taken, test::why(taken).constData());
        QCOMPARE(taken->taken, 0);
    }
    QCOMPARE(fixture.used(), before);
    QCOMPARE(fixture.admin.ours(), QStringList());
    // It was purged: what comes then was never delivered. Refused before, the next intake sees that the queue is empty.
    fixture.setUsed({0, 17, 10, 0});
    source.taken.clear();
    m_site->pause(6s);
    const Result<IntakeCounts> none = m_site->wait(intake->take(fixture.all()));
    QVERIFY2(none, test::why(none).constData());
    QCOMPARE(fixture.used(), DeliveriesUsed{});
}

// As a shovel that waits behind another consumer, because only one is active.
void TestRabbitMqDeliveryLimits::whatAShovelDoesNotGetIsNotCalledEmpty()
{
    support::FakeSite *const site = fake();
    if (site == nullptr)
        QSKIP("Only in the one in memory a shovel gets nothing.");
    Fixture fixture(*m_site, QStringLiteral("failed.waits"), 2);
    fixture.setUsed({0, 3, 10, 0});
    const auto intake = fixture.newIntake(200);
    site->rabbit().shovels().setStuck(true);
    const Result<IntakeCounts> none = m_site->wait(intake->take(fixture.all()));
    site->rabbit().shovels().setStuck(false);
    QVERIFY2(none, test::why(none).constData());
    QCOMPARE(none->taken, 0);
    QVERIFY(fixture.used().most() >= 3);
    const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, 2);
    QCOMPARE(fixture.used(), DeliveriesUsed{});
}

void TestRabbitMqDeliveryLimits::aQueueThatWasRemovedHasUsedNothing()
{
    Fixture fixture(*m_site, QStringLiteral("failed.again"), 1);
    fixture.setUsed({17, 0, 0, 0});
    const auto intake = fixture.newIntake(200);
    QVERIFY(!m_site->wait(intake->take(fixture.all())));
    QCOMPARE(fixture.used().most(), 17);
    fixture.admin.removeQueue(fixture.queue);
    const Result<IntakeCounts> missing = m_site->wait(intake->take(fixture.all()));
    QVERIFY(!missing && missing.error().kind == ErrorKind::NotFound);
    QCOMPARE(fixture.used(), DeliveriesUsed{});
    fixture.admin.makeQueue(fixture.queue, limited(limit));
    fixture.admin.publish(fixture.queue, {failed(1)});
    m_site->pause(6s); // until it is counted
    const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, 1);
}

void TestRabbitMqDeliveryLimits::aLookThatCountsIsDoneOnlyForItsPrice()
{
    Fixture fixture(*m_site, QStringLiteral("failed.seen"), 3);
    QVERIFY(m_site->wait(fixture.state->probe()));
    const broker::Listing listing = must(m_site->wait(fixture.state->list()));
    const auto info = std::find_if(listing.queues.cbegin(), listing.queues.cend(),
                                   [&](const broker::QueueInfo &one) { return one.name == fixture.queue; });
    QVERIFY(info != listing.queues.cend() && info->deliveryLimit);
    QCOMPARE(info->deliveryLimit->most, limit);
    QCOMPARE(info->deliveryLimit->deadLetters, QStringList{dead});
    if (!info->deliveryLimit->looksCount)
        QSKIP("Looks are free on this version.");
    int looks = 0;
    for (; looks < 30; ++looks) {
        const Result<BrowseCounts> refused = fixture.browse(false);
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        const Result<BrowseCounts> seen = fixture.browse(true);
        if (!seen) {
            QCOMPARE(core::toString(seen.error().kind), core::toString(ErrorKind::Refused));
            break;
        }
        QVERIFY2(refused.error().message.contains(QStringLiteral("%1 of 20").arg(looks)),
                 qPrintable(refused.error().message));
        QCOMPARE(seen->seen, 3);
        m_site->pause(300ms); // the messages return after the answer
        QCOMPARE(fixture.used().most(), looks + 1);
    }
    QCOMPARE(looks, 14);
    const auto intake = fixture.newIntake(200);
    const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, 3);
    QCOMPARE(fixture.admin.depth(dead), 0);
}

// Bodies that the first read cuts are read again.
void TestRabbitMqDeliveryLimits::eachReadOfALookIsCounted()
{
    if (fake() == nullptr)
        QSKIP("On the others the second read may come before the messages have returned.");
    Fixture fixture(*m_site, QStringLiteral("failed.large"), 2);
    records::Envelope large = failed(3);
    large.body = QByteArray(200'000, 'x');
    fixture.admin.publish(fixture.queue, {large});
    const Result<BrowseCounts> seen = fixture.browse(true);
    QVERIFY2(seen, test::why(seen).constData());
    QCOMPARE(seen->seen, 3);
    const auto info = fixture.state->listing().queues;
    const bool looksCount = std::any_of(info.cbegin(), info.cend(), [&](const broker::QueueInfo &one) {
        return one.name == fixture.queue && one.deliveryLimit && one.deliveryLimit->looksCount;
    });
    QCOMPARE(fixture.used().most(), looksCount ? 2 : 0);
}

void TestRabbitMqDeliveryLimits::aLookIsCountedWhenItIsDoneAndNotBefore()
{
    support::FakeSite *const site = fake();
    if (site == nullptr)
        QSKIP("Only the one in memory refuses and loses what the test chooses.");
    Fixture fixture(*m_site, QStringLiteral("failed.once"), 2);
    static_cast<void>(fixture.browse(false)); // the broker is known from now on
    const auto info = fixture.state->listing().queues;
    if (std::any_of(info.cbegin(), info.cend(),
                    [](const broker::QueueInfo &one) { return one.deliveryLimit && !one.deliveryLimit->looksCount; }))
        QSKIP("Looks are free on this version.");
    site->rabbit().setOthers([](const http::Request &sent) -> std::optional<http::Response> {
        if (!sent.url.path().contains(QLatin1String("operator-policies")))
            return std::nullopt;
        return support::fakerabbit::refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Access refused."));
    });
    QVERIFY(!fixture.browse(true));
    site->rabbit().setOthers({});
    QCOMPARE(fixture.used(), DeliveriesUsed{});

    int reads = 0;
    site->rabbit().setFaults([&reads](const http::Request &sent) {
        const bool isRead = sent.verb == "POST" && sent.url.path().endsWith(QLatin1String("/get"));
        reads += isRead ? 1 : 0;
        return isRead ? support::FakeRabbit::Fault::LostAfter : support::FakeRabbit::Fault::None;
    });
    const Result<BrowseCounts> lost = fixture.browse(true);
    site->rabbit().setFaults({});
    QVERIFY(!lost);
    QCOMPARE(core::toString(lost.error().kind), core::toString(ErrorKind::UnknownOutcome)); // it is not sent again
    QCOMPARE(fixture.used().most(), reads);
}

void TestRabbitMqDeliveryLimits::aLookThatIsFreeIsDoneAtOnce()
{
    Fixture fixture(*m_site, QStringLiteral("failed.free"), 3);
    QVERIFY(m_site->wait(fixture.state->probe()));
    const broker::Listing listing = must(m_site->wait(fixture.state->list()));
    const auto info = std::find_if(listing.queues.cbegin(), listing.queues.cend(),
                                   [&](const broker::QueueInfo &one) { return one.name == fixture.queue; });
    QVERIFY(info != listing.queues.cend() && info->deliveryLimit);
    if (info->deliveryLimit->looksCount)
        QSKIP("Looks count on this version.");
    for (int looks = 0; looks < 26; ++looks) {
        const Result<BrowseCounts> seen = fixture.browse(false);
        QVERIFY2(seen, test::why(seen).constData());
        QCOMPARE(seen->seen, 3);
        m_site->pause(300ms);
    }
    QCOMPARE(fixture.used(), DeliveriesUsed{});
    QCOMPARE(fixture.admin.depth(dead), 0);
}

support::fakerabbit::Queue &TestRabbitMqDeliveryLimits::hide(const Fixture &fixture, size_t number)
{
    support::fakerabbit::Queue &source = fake()->rabbit().broker().vhost(vhost)->queues.at(fixture.queue);
    source.ready.at(number).isUnshowable = true;
    m_site->pause(6s); // statistics
    return source;
}

// Also where looks are free: the channel that ends over it counts all that it has in hand.
void TestRabbitMqDeliveryLimits::aLookThatFailsIsTriedOnceAndCounted()
{
    if (fake() == nullptr)
        QSKIP("tst_rabbitmq_amqp10 has a real one with such a message.");
    Fixture fixture(*m_site, QStringLiteral("failed.hidden"), 64);
    const support::fakerabbit::Queue &source = hide(fixture, 40);
    const Result<BrowseCounts> seen = fixture.browse(true);
    QVERIFY(!seen);
    QCOMPARE(core::toString(seen.error().kind), core::toString(ErrorKind::Corrupt));
    QCOMPARE(fixture.used().most(), 1);
    QCOMPARE(source.length(), 64);
    for (const support::fakerabbit::Message &one : source.ready)
        QVERIFY(one.returns <= 1);
}

void TestRabbitMqDeliveryLimits::aMessageThatBreaksShovelsIsToldEachTime()
{
    if (fake() == nullptr)
        QSKIP("tst_rabbitmq_amqp10 has a real one with such a message.");
    Fixture fixture(*m_site, QStringLiteral("failed.breaks"), 32);
    const support::fakerabbit::Queue &source = hide(fixture, 30);
    const auto intake = fixture.newIntake(200);
    const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
    QVERIFY(!taken);
    QCOMPARE(core::toString(taken.error().kind), core::toString(ErrorKind::Refused));
    const QString stay = QStringLiteral("stay in the queue: %1.").arg(source.length());
    QVERIFY2(taken.error().message.contains(stay), qPrintable(taken.error().message));
    QVERIFY2(taken.error().message.contains(QLatin1String("of 20 used")), qPrintable(taken.error().message));
    QCOMPARE(fixture.stored().size() + source.length(), 32);

    const auto broken = std::find_if(source.ready.cbegin(), source.ready.cend(),
                                     [](const support::fakerabbit::Message &one) { return one.isUnshowable; });
    QVERIFY(broken != source.ready.cend());
    const qint64 returns = broken->returns;
    QVERIFY(returns <= fixture.used().most());
    for (int round = 0; round < 5; ++round) { // nothing is touched for nothing
        const Result<IntakeCounts> again = m_site->wait(intake->take(fixture.all()));
        QVERIFY(!again);
        QVERIFY2(again.error().message.contains(stay), qPrintable(again.error().message));
        QCOMPARE(broken->returns, returns);
    }
}

// Each start of the program meets it anew, until what the store has counted ends that.
void TestRabbitMqDeliveryLimits::aMessageThatBreaksShovelsIsNotDeliveredToItsEnd()
{
    if (fake() == nullptr)
        QSKIP("tst_rabbitmq_amqp10 has a real one with such a message.");
    Fixture fixture(*m_site, QStringLiteral("failed.restarts"), 3);
    const support::fakerabbit::Queue &source = hide(fixture, 1);
    for (int start = 0; start < 2 * limit; ++start) {
        fixture.connect();
        const auto intake = fixture.newIntake(200);
        QVERIFY(m_site->wait(intake->recover()));
        const Result<IntakeCounts> taken = m_site->wait(intake->take(fixture.all()));
        QVERIFY(!taken);
        QCOMPARE(core::toString(taken.error().kind), core::toString(ErrorKind::Refused));
        for (const support::fakerabbit::Message &one : source.ready)
            QVERIFY(one.returns <= fixture.used().most());
    }
    QCOMPARE(fixture.stored().size() + source.length(), 3);
    QCOMPARE(fixture.admin.depth(dead), 0);
}

REDRIVE_TEST(TestRabbitMqDeliveryLimits)
#include "tst_rabbitmq_deliverylimits.moc"
