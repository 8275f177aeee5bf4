// Whole queues that a shovel moves, on the real RabbitMQ and on the one in memory.
#include "backend/broker/rabbitmq/staging/queuemoves.h"
#include "tests/brokers/bench.h"
#include "tests/brokers/lateremovals.h"
#include "tests/brokers/rabbitmq/liveconsumer.h"
#include "tests/support/fakerabbit/rabbitsites.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using broker::MoveOffer;
using core::ErrorKind;
using records::QueueMove;
using support::RabbitSite;
using test::Bench;
using test::must;

namespace {

const QString dead = QStringLiteral("orders.dead/letters");
const QString orders = QStringLiteral("orders");
const QString others = QStringLiteral("others");

} // namespace

class TestRabbitMqMoves final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { support::RabbitSites::addRows(); }
    void initTestCase() { m_sites.start(); }
    void init();
    void cleanup();
    void allOfAQueueGoesAsItIs();
    void aDestinationThatTakesNoMoreKeepsTheRest();
    void aDestinationThatIsDeletedLosesNothing();
    void aMoveIsFoundByAnotherProgramAndCancelled();
    void aLateRemovalTouchesNoLaterMove();
    void whatAnEarlierVersionMovesIsFound();
    void whatCannotBeMovedIsRefused();
    void aQueueThatCountsDeliveriesIsNotMoved();
    void aQueueOfAnotherConnectionIsNeitherSourceNorTarget();

private:
    [[nodiscard]] RabbitSite &site() { return m_bench->site; }
    [[nodiscard]] MoveOffer offer(const QString &queue = dead)
    {
        return must(site().wait(m_moves->offer(queue, true)));
    }
    [[nodiscard]] core::Result<> begin(const QString &to) { return site().wait(m_moves->begin({dead, to, {}})); }
    [[nodiscard]] QueueMove ended();
    void fill(int messages);

    core::SeededRandom m_random{1};
    support::RabbitSites m_sites;
    std::unique_ptr<Bench> m_bench;
    std::unique_ptr<broker::rabbitmq::QueueMoves> m_moves;
};

void TestRabbitMqMoves::init()
{
    RabbitSite *where = &m_sites.site();
    m_bench = std::make_unique<Bench>(*where);
    m_moves = std::make_unique<broker::rabbitmq::QueueMoves>(m_bench->admin.api(), m_bench->shovels, where->clock(),
                                                             m_random);
    for (const QString &queue : {dead, orders, others})
        m_bench->admin.makeQueue(queue);
}

void TestRabbitMqMoves::cleanup()
{
    for (const QString &queue : {dead, orders, others})
        m_bench->admin.removeQueue(queue);
    QCOMPARE(m_bench->admin.ours(), QStringList());
}

void TestRabbitMqMoves::fill(int messages)
{
    QList<records::Envelope> envelopes = test::numbered(messages);
    for (records::Envelope &envelope : envelopes)
        records::set(envelope.headers, QStringLiteral("x-tenant"), QStringLiteral("north"));
    m_bench->admin.publish(dead, envelopes);
}

QueueMove TestRabbitMqMoves::ended()
{
    MoveOffer now = offer();
    for (int i = 0; i < 240 && !now.moves.isEmpty() && now.moves.constFirst().goesOn(); ++i) {
        site().pause(250ms);
        now = offer();
    }
    if (now.moves.isEmpty())
        qFatal("nothing is known of the move");
    return now.moves.constFirst();
}

void TestRabbitMqMoves::allOfAQueueGoesAsItIs()
{
    constexpr int messages = 300;
    fill(messages);
    // One to others, too: the default exchange heeds the header, and would again.
    broker::rabbitmq::ManagementApi &api = m_bench->admin.api();
    const QCborMap headers{{QStringLiteral("CC"), QCborArray{others}}};
    must(site().wait(api.post(api.exchangePath(u"amq.default") + "/publish",
                              {{QStringLiteral("properties"), QCborMap{{QStringLiteral("headers"), headers}}},
                               {QStringLiteral("routing_key"), dead},
                               {QStringLiteral("payload"), QStringLiteral("Yw==")},
                               {QStringLiteral("payload_encoding"), QStringLiteral("base64")}},
                              dead)));
    QCOMPARE(m_bench->admin.depth(others), 1);
    const MoveOffer first = offer();
    QVERIFY(first.needsTarget && first.refusal.isEmpty() && !first.guarantee.isEmpty() && first.moves.isEmpty());
    QCOMPARE(first.waiting, std::optional<qint64>(messages + 1));
    QCOMPARE(first.mostPerSecond, 0);
    must(begin(orders));
    const QueueMove move = ended();
    QVERIFY2(move.state == QueueMove::State::Completed, qPrintable(move.reason));
    QCOMPARE(move.to, orders);
    QCOMPARE(move.total, std::optional<qint64>(messages + 1));
    QCOMPARE(move.moved, messages + 1);
    QVERIFY(move.began && move.handle.isEmpty());
    QCOMPARE(m_bench->admin.ours(), QStringList()); // it was cleared away with the look that saw its end
    QCOMPARE(offer().moves, QList<QueueMove>{move}); // and is remembered
    QCOMPARE(m_bench->admin.depth(others), 1);
    const QList<records::Envelope> arrived = m_bench->admin.drain(orders);
    QCOMPARE(arrived.size(), messages + 1);
    QSet<QByteArray> bodies; // they were published side by side
    for (const records::Envelope &one : arrived) {
        bodies.insert(one.body);
        QVERIFY(records::text(one.headers, u"x-tenant") == QLatin1String("north")
                || records::find(one.headers, u"CC") != nullptr);
    }
    QCOMPARE(bodies.size(), messages + 1);
    QCOMPARE(m_bench->admin.depth(dead), 0);
}

void TestRabbitMqMoves::aDestinationThatTakesNoMoreKeepsTheRest()
{
    m_bench->admin.removeQueue(orders);
    m_bench->admin.makeQueue(orders, test::fullAfter(10));
    fill(40);
    must(begin(orders));
    const QueueMove move = ended();
    const qint64 taken = m_bench->admin.depth(orders);
    QVERIFY(taken >= 10 && taken < 40);
    QCOMPARE(m_bench->admin.depth(dead) + taken, 40);
    QCOMPARE(move.moved, taken);
}

// The way is closed before the shovel has anything to move.
void TestRabbitMqMoves::aDestinationThatIsDeletedLosesNothing()
{
    must(begin(orders)); // of nothing: it ends at once, and its way stays until somebody looks
    const QString exchange = m_bench->admin.ours().filter(QStringLiteral("exchanges ")).first().section(u' ', 1);
    QVERIFY(m_bench->ends(exchange));
    m_bench->admin.removeQueue(orders);
    fill(40);
    m_bench->start({exchange, dead, exchange, std::nullopt});
    QVERIFY(m_bench->ends(exchange));
    QCOMPARE(m_bench->admin.depth(dead), 40);
    static_cast<void>(offer()); // clears away
    m_bench->admin.makeQueue(orders);
}

void TestRabbitMqMoves::aMoveIsFoundByAnotherProgramAndCancelled()
{
    QFETCH_GLOBAL(bool, real);
    if (real)
        QSKIP("A real shovel does not wait for us.");
    fill(40);
    m_sites.fake().rabbit().shovels().setStuck(true);
    must(begin(orders));
    QVERIFY(begin(others).error().kind == ErrorKind::Conflict);
    broker::rabbitmq::Shovels shovels(m_bench->admin.api(), m_bench->timers);
    broker::rabbitmq::QueueMoves another(m_bench->admin.api(), shovels, site().clock(), m_random);
    const MoveOffer seen = must(site().wait(another.offer(dead, true)));
    QCOMPARE(seen.moves.size(), 1);
    QVERIFY(seen.moves.constFirst().goesOn() && seen.moves.constFirst().to == orders);
    QCOMPARE(seen.moves.constFirst().total, std::optional<qint64>(40));
    QCOMPARE(must(site().wait(another.cancel(seen.moves.constFirst().handle))), 0);
    QVERIFY(must(site().wait(another.offer(dead, true))).moves.constFirst().state == QueueMove::State::Cancelled);
    QVERIFY(offer().moves.isEmpty());
    QVERIFY(site().wait(another.cancel(seen.moves.constFirst().handle)).error().kind == ErrorKind::Conflict);
    m_sites.fake().rabbit().shovels().setStuck(false);
    QCOMPARE(m_bench->admin.depth(dead), 40);
}

// Two moves of one queue; each request to remove something of the first is lost, and arrives during the second.
void TestRabbitMqMoves::aLateRemovalTouchesNoLaterMove()
{
    QFETCH_GLOBAL(bool, real);
    if (real)
        QSKIP("A real network cannot be told when to deliver.");
    int lost = 0;
    for (int after = 1; after <= 40; ++after) {
        test::LateRemovals removals(m_sites.fake().rabbit(), after);
        for (int round = 0; round < 2; ++round) {
            fill(20);
            while (!begin(orders)) // a removal had no answer
                site().pause(100ms);
            QVERIFY(ended().state == QueueMove::State::Completed);
        }
        while (!m_bench->admin.ours().isEmpty()) // removed by the look after the one that saw the end
            static_cast<void>(offer());
        lost += removals.lost();
        removals.end();
        QCOMPARE(m_bench->admin.depth(dead), 0);
        QCOMPARE(m_bench->admin.drain(orders).size(), 40);
        QCOMPARE(m_bench->admin.ours(), QStringList());
    }
    QVERIFY(lost >= 4 * 40);
}

// Redrive 0.1.0 gave its move no name of its own.
void TestRabbitMqMoves::whatAnEarlierVersionMovesIsFound()
{
    must(begin(orders));
    const QString name = m_bench->admin.ours().filter(QStringLiteral("exchanges ")).first().section(u' ', 1);
    QVERIFY(m_bench->ends(name));
    static_cast<void>(offer());
    const QString old = name.section(u'.', 0, 2);
    const QCborMap note{{QStringLiteral("x-redrive"), QStringLiteral("40|1000|orders")},
                        {QStringLiteral("alternate-exchange"), QString(old + QStringLiteral(".back"))}};
    must(site().wait(m_bench->queues.declareExchange(old + QStringLiteral(".back"), QStringLiteral("fanout"), {})));
    must(site().wait(m_bench->queues.bind(old + QStringLiteral(".back"), dead, {})));
    must(site().wait(m_bench->queues.declareExchange(old, QStringLiteral("fanout"), note)));
    must(site().wait(m_bench->queues.bind(old, orders, {})));
    fill(40);
    m_bench->start({old, dead, old, std::nullopt});
    broker::rabbitmq::Shovels shovels(m_bench->admin.api(), m_bench->timers);
    broker::rabbitmq::QueueMoves next(m_bench->admin.api(), shovels, site().clock(), m_random);
    MoveOffer seen = must(site().wait(next.offer(dead, true)));
    for (int i = 0; i < 240 && seen.goesOn(); ++i) {
        site().pause(250ms);
        seen = must(site().wait(next.offer(dead, true)));
    }
    QCOMPARE(seen.moves.size(), 1);
    QCOMPARE(seen.moves.constFirst().to, orders);
    QVERIFY(seen.moves.constFirst().state == QueueMove::State::Completed);
    QCOMPARE(m_bench->admin.ours(), QStringList());
    QCOMPARE(m_bench->admin.depth(orders), 40);
}

void TestRabbitMqMoves::whatCannotBeMovedIsRefused()
{
    fill(3);
    QVERIFY(must(site().wait(m_moves->offer(dead, false))).refusal.contains(QLatin1String("shovel plugin")));
    QVERIFY(begin(dead).error().kind == ErrorKind::Rejected);
    QVERIFY(begin(QStringLiteral("redrive.x")).error().kind == ErrorKind::Rejected);
    QVERIFY(begin(QStringLiteral("nowhere")).error().kind == ErrorKind::NotFound);
    QVERIFY(site().wait(m_moves->offer(QStringLiteral("nowhere"), true)).error().kind == ErrorKind::NotFound);
    QVERIFY(site().wait(m_moves->cancel(QStringLiteral("somebody's"))).error().kind == ErrorKind::Conflict);
    QCOMPARE(m_bench->admin.ours(), QStringList());
    QCOMPARE(m_bench->admin.depth(dead), 3);
}

// Each interruption would count as a delivery of all that its shovel has in hand, and nobody is there to count these.
void TestRabbitMqMoves::aQueueThatCountsDeliveriesIsNotMoved()
{
    const QString limited = QStringLiteral("limited");
    m_bench->admin.makeQueue(limited, {{QStringLiteral("x-queue-type"), QStringLiteral("quorum")},
                                       {QStringLiteral("x-delivery-limit"), 20}});
    const QString refusal = offer(limited).refusal;
    QVERIFY2(refusal.contains(QLatin1String("delivery limit (20)")), qPrintable(refusal));
    QVERIFY2(refusal.contains(QLatin1String("Take the messages")), qPrintable(refusal));
    const core::Result<> begun = site().wait(m_moves->begin({limited, orders, {}}));
    QVERIFY(begun.error().kind == ErrorKind::Refused);
    QCOMPARE(begun.error().message, refusal);
    QCOMPARE(m_bench->admin.ours(), QStringList());
    m_bench->admin.removeQueue(limited);
}

void TestRabbitMqMoves::aQueueOfAnotherConnectionIsNeitherSourceNorTarget()
{
    const QString mine = QStringLiteral("mine");
    fill(3);
    QProcess owner;
    QFETCH_GLOBAL(const bool, real);
    if (real) {
        support::startOwner(owner, m_sites.server(), m_bench->admin.api().settings().vhost, mine);
        QVERIFY(owner.waitForReadyRead(30000));
    } else {
        m_bench->admin.makeQueue(mine);
        m_sites.fake().rabbit().broker().vhosts().at(m_bench->admin.api().settings().vhost).queues.at(mine).exclusive =
            true;
    }
    const core::Result<> to = begin(mine);
    QVERIFY(to.error().kind == ErrorKind::Refused);
    QVERIFY(to.error().message.contains(QLatin1String("declared queue mine can use it")));
    QVERIFY(offer(mine).refusal.contains(QLatin1String("exclusive")));
    const core::Result<> from = site().wait(m_moves->begin({mine, orders, {}}));
    QVERIFY(from.error().kind == ErrorKind::Refused);
    QVERIFY(from.error().message.contains(QLatin1String("exclusive")));
    // What a retry meets that planned with an older list.
    const QString exchange = QStringLiteral("orders.x");
    m_bench->exchange(exchange, QStringLiteral("direct"));
    const core::Result<> bound = site().wait(m_bench->queues.bind(exchange, mine, QStringLiteral("key")));
    QVERIFY(bound.error().kind == ErrorKind::Rejected);
    QVERIFY(bound.error().message.contains(QLatin1String("declared queue mine can use it")));
    QCOMPARE(m_bench->admin.ours(), QStringList());
    QCOMPARE(m_bench->admin.depth(dead), 3);
    must(site().wait(m_bench->queues.removeExchanges({exchange})));
    owner.kill(); // and the broker removes its queue
    owner.waitForFinished();
    if (!real)
        m_bench->admin.removeQueue(mine);
    for (int i = 0; i < 100 && m_bench->admin.depth(mine) != -1; ++i)
        site().pause(100ms);
    QCOMPARE(m_bench->admin.depth(mine), -1);
}

REDRIVE_TEST(TestRabbitMqMoves)
#include "tst_rabbitmq_moves.moc"
