// The ways into a staging queue, on the real RabbitMQ and on the one in memory: what comes by a closed one goes nowhere, and the
// list of what is there is exact.
#include "backend/broker/rabbitmq/publisher.h"
#include "backend/broker/rabbitmq/staging/placenames.h"
#include "backend/broker/rabbitmq/staging/stagingplaces.h"
#include "backend/records/messages/stamp.h"
#include "tests/brokers/bench.h"
#include "tests/support/fakerabbit/rabbitsites.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::Outgoing;
using broker::SendOutcome;
using broker::StagingPlace;
using broker::Verdict;
using broker::rabbitmq::PlaceNames;
using core::ErrorKind;
using core::Result;
using support::RabbitSite;
using test::Bench;
using test::must;

namespace {

const QString orders = QStringLiteral("orders");

Outgoing copyOf(int ordinal)
{
    Outgoing copy{ordinal,
                  QStringLiteral("%1").arg(ordinal, 32, 16, QLatin1Char('0')),
                  orders,
                  test::message(QByteArray::number(ordinal)),
                  {}};
    const records::Stamp stamp{QStringLiteral("store"),   copy.uniqueId,
                               core::OperationId{1},      1,
                               QStringLiteral("staging"), records::bodyDigest(copy.envelope.body)};
    records::set(copy.envelope.headers, records::stampHeader.toString(), records::toText(stamp));
    return copy;
}

QList<Outgoing> copies(int from, int to)
{
    QList<Outgoing> some;
    for (int i = from; i < to; ++i)
        some.append(copyOf(i));
    return some;
}

QStringList idsOf(const QList<Outgoing> &some)
{
    QStringList ids;
    for (const Outgoing &one : some)
        ids.append(one.uniqueId);
    ids.sort();
    return ids;
}

} // namespace

class TestRabbitMqEntrances final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { support::RabbitSites::addRows(); }
    void initTestCase() { m_sites.start(); }
    void init();
    void cleanup();
    void whatComesByAClosedEntranceGoesNowhere();
    void theListIsExactForAWholeBatch();
    void aReconciledPlaceIsForwardedWhole();
    void whatIsLeftOfAReconciledPlaceIsAccountedFor();
    void whatIsNotOursIsRefused();
    void aVanishedPlaceIsNotFound();
    void aPlaceIsTakenDownWithAllItsEntrances();
    void theReturnExchangeOutlivesThePlace();

private:
    [[nodiscard]] RabbitSite &site() { return m_bench->site; }
    [[nodiscard]] bool stage(const QList<Outgoing> &some);
    [[nodiscard]] QStringList reconcile();
    [[nodiscard]] Result<broker::ForwardReport> forward();

    support::RabbitSites m_sites;
    std::unique_ptr<Bench> m_bench;
    std::unique_ptr<broker::rabbitmq::StagingPlaces> m_places;
    StagingPlace m_place;
    QString m_mark;
};

void TestRabbitMqEntrances::init()
{
    RabbitSite *where = &m_sites.site();
    m_bench = std::make_unique<Bench>(*where);
    m_places = std::make_unique<broker::rabbitmq::StagingPlaces>(m_bench->admin.api(), m_bench->shovels, where->clock(),
                                                                 m_bench->timers);
    m_bench->admin.makeQueue(orders);
    m_place = {QStringLiteral("redrive.store.1.") + QString::fromLatin1(QTest::currentTestFunction()), {orders}};
    m_mark.clear();
    must(site().wait(m_places->open(m_place)));
}

void TestRabbitMqEntrances::cleanup()
{
    must(site().wait(m_places->discard(m_place)));
    m_bench->admin.removeQueue(orders);
    QCOMPARE(m_bench->admin.ours(), QStringList());
}

bool TestRabbitMqEntrances::stage(const QList<Outgoing> &some)
{
    const QList<SendOutcome> outcomes = site().wait(m_places->stage(m_place, some));
    return outcomes.size() == some.size()
           && std::all_of(outcomes.cbegin(), outcomes.cend(),
                          [](const SendOutcome &one) { return one.verdict == Verdict::Accepted; });
}

QStringList TestRabbitMqEntrances::reconcile()
{
    QStringList held = must(site().wait(m_places->reconcile(m_place)));
    held.sort();
    ++m_place.entrance;
    return held;
}

Result<broker::ForwardReport> TestRabbitMqEntrances::forward()
{
    broker::ForwardHooks hooks;
    hooks.keepMark = [this](const QString &mark) {
        m_mark = mark;
        return Result<>();
    };
    return site().wait(m_places->forward({m_place, m_mark}, hooks));
}

void TestRabbitMqEntrances::whatComesByAClosedEntranceGoesNowhere()
{
    const StagingPlace before = m_place;
    QVERIFY(stage(copies(0, 5)));
    QCOMPARE(reconcile(), idsOf(copies(0, 5)));
    // As a proxy that hands it on late does.
    const QList<SendOutcome> late = site().wait(m_places->stage(before, copies(5, 8)));
    QCOMPARE(late.size(), 3);
    for (const SendOutcome &one : late)
        QVERIFY(one.verdict == Verdict::NotSent);
    QCOMPARE(must(site().wait(m_places->depth(m_place))), 5);
    QVERIFY(stage(copies(5, 8)));
    QCOMPARE(must(site().wait(m_places->depth(m_place))), 8);
    QCOMPARE(reconcile(), idsOf(copies(0, 8)));
}

void TestRabbitMqEntrances::theListIsExactForAWholeBatch()
{
    QCOMPARE(reconcile(), QStringList());
    const QList<Outgoing> batch = copies(0, 1000);
    QVERIFY(stage(batch));
    const StagingPlace before = m_place;
    const QStringList ids = idsOf(batch);
    QCOMPARE(reconcile(), ids);
    m_place = before; // its answer was lost: it is asked again
    QCOMPARE(reconcile(), ids);
    QVERIFY(stage({batch.first()})); // nobody does that; if somebody did, it would show
    QCOMPARE(reconcile().size(), 1001);
}

void TestRabbitMqEntrances::aReconciledPlaceIsForwardedWhole()
{
    QVERIFY(stage(copies(0, 20)));
    QCOMPARE(reconcile().size(), 20);
    QVERIFY(stage(copies(20, 30)));
    const Result<broker::ForwardReport> report = forward();
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    QVERIFY(report->ejected.isEmpty() && report->inDoubt.isEmpty() && !report->interrupted);
    QCOMPARE(m_bench->admin.drain(orders).size(), 30);
}

// A destination that is full: the rest, which came by more than one entrance, is read from the staging queue.
void TestRabbitMqEntrances::whatIsLeftOfAReconciledPlaceIsAccountedFor()
{
    m_bench->admin.removeQueue(orders);
    m_bench->admin.makeQueue(orders, test::fullAfter(0));
    must(site().wait(m_places->open(m_place)));
    QVERIFY(stage(copies(0, 4)));
    QCOMPARE(reconcile().size(), 4);
    QVERIFY(stage(copies(4, 8)));
    const Result<broker::ForwardReport> report = forward();
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    const qsizetype arrived = m_bench->admin.drain(orders).size();
    QCOMPARE(report->ejected.size() + report->inDoubt.size(), 8 - arrived);
    const Result<broker::ForwardReport> again = forward(); // as after a crash before the outcomes were recorded
    QVERIFY2(again, again ? "" : qPrintable(again.error().message));
    QCOMPARE(again->ejected.size(), report->ejected.size());
}

void TestRabbitMqEntrances::whatIsNotOursIsRefused()
{
    QVERIFY(stage(copies(0, 2)));
    m_bench->admin.publish(m_place.name, {test::message("of somebody else")});
    const Result<QStringList> held = site().wait(m_places->reconcile(m_place));
    QVERIFY(!held);
}

void TestRabbitMqEntrances::aVanishedPlaceIsNotFound()
{
    QVERIFY(stage(copies(0, 2)));
    m_bench->admin.removeQueue(m_place.name);
    const Result<QStringList> held = site().wait(m_places->reconcile(m_place));
    QVERIFY(!held);
    QVERIFY(held.error().kind == ErrorKind::NotFound);
}

void TestRabbitMqEntrances::aPlaceIsTakenDownWithAllItsEntrances()
{
    for (int rounds = 0; rounds < 3; ++rounds) {
        QVERIFY(stage(copies(rounds, rounds + 1)));
        QCOMPARE(reconcile().size(), rounds + 1);
    }
    const QString last = PlaceNames(m_place.name).entrance(3);
    QVERIFY(m_bench->admin.ours().contains(QStringLiteral("exchanges ") + last));
    StagingPlace found; // by another process, which knows its name alone
    found.name = m_place.name;
    must(site().wait(m_places->discard(found)));
    QCOMPARE(m_bench->admin.ours(), QStringList());
}

// A consumer sends its own retry to the exchange by which a message came (Celery), when the place is gone for long.
void TestRabbitMqEntrances::theReturnExchangeOutlivesThePlace()
{
    QVERIFY(stage(copies(0, 3)));
    const Result<broker::ForwardReport> report = forward();
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    must(site().wait(m_places->discard(m_place)));

    broker::rabbitmq::ManagementApi &api = m_bench->admin.api();
    const QCborArray arrived = must(site().wait(api.peek(orders, broker::rabbitmq::PeekOptions{3, false, 1})));
    QCOMPARE(arrived.size(), 3);
    const QString cameBy = arrived.first().toMap().value(QLatin1String("exchange")).toString();
    QCOMPARE(cameBy, QStringLiteral("redrive.store.return"));
    broker::rabbitmq::Publisher consumer(api);
    const QList<SendOutcome> again = site().wait(consumer.publish(cameBy, copies(3, 4)));
    QVERIFY(again.first().verdict == Verdict::Accepted);
    QCOMPARE(m_bench->admin.drain(orders).size(), 4);
}

REDRIVE_TEST(TestRabbitMqEntrances)
#include "tst_rabbitmq_entrances.moc"
