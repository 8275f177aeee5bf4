// Whole rounds over the RabbitMQ in memory while answers get lost and the broker is killed, decided by a seed: every call
// is simply made again until it succeeds, and nothing may be lost, doubled unflagged, or left behind.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/records/stamp.h"
#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/rabbit/rabbitadmin.h"

#include <QTest>

using namespace std::chrono_literals;
using broker::ForwardReport;
using broker::Held;
using broker::HeldPage;
using broker::Outgoing;
using broker::RabbitMq;
using broker::StagingPlace;
using broker::TakeRequest;
using broker::Verdict;
using core::ErrorKind;
using core::Result;
using support::FakeRabbit;

namespace {

const QString vhost = QStringLiteral("a/b");
const QString errorQueue = QStringLiteral("err/or");

records::Envelope message(const QByteArray &body)
{
    records::Envelope envelope;
    envelope.body = body;
    return envelope;
}

struct Round
{
    explicit Round(quint64 seed)
        : site(seed)
        , chance(seed * 7919 + 1)
        , ids(seed * 104729 + 3)
        , admin(site, vhost)
        , rabbit(site.client(), site.clock(), ids, site.settings(vhost))
    {
        admin.makeVhost();
        for (const QString &queue : {errorQueue, QStringLiteral("orders"), QStringLiteral("billing")})
            admin.makeQueue(queue);
        if (!site.wait(rabbit.probe()))
            qFatal("the fake cannot be probed");
    }

    void startFaults(unsigned perThousand)
    {
        site.rabbit().setFaults([this, perThousand](const http::Request &) {
            const quint64 draw = chance.below(1000);
            if (draw >= perThousand)
                return FakeRabbit::Fault::None;
            return draw % 2 == 0 ? FakeRabbit::Fault::LostBefore : FakeRabbit::Fault::LostAfter;
        });
    }
    void stopFaults() { site.rabbit().setFaults({}); }

    // Again until it succeeds; what can never succeed ends the test.
    template<typename T, typename Call>
    T insist(const char *what, Call call)
    {
        for (int tries = 0; tries < 500; ++tries) {
            Result<T> result = site.wait(call());
            if (result)
                return std::move(*result);
            const ErrorKind kind = result.error().kind;
            if (kind != ErrorKind::Transient && kind != ErrorKind::UnknownOutcome)
                qFatal("%s: %s", what, qPrintable(result.error().message));
            site.pause(200ms);
        }
        qFatal("%s does not succeed", what);
    }
    template<typename Call>
    void insistDone(const char *what, Call call)
    {
        for (int tries = 0; tries < 500; ++tries) {
            const Result<> result = site.wait(call());
            if (result)
                return;
            const ErrorKind kind = result.error().kind;
            if (kind != ErrorKind::Transient && kind != ErrorKind::UnknownOutcome)
                qFatal("%s: %s", what, qPrintable(result.error().message));
            site.pause(200ms);
        }
        qFatal("%s does not succeed", what);
    }

    support::FakeSite site;
    core::SeededRandom chance;
    core::SeededRandom ids;
    support::RabbitAdmin admin;
    RabbitMq rabbit;
};

Outgoing copy(const QString &destination, int ordinal)
{
    Outgoing outgoing{ordinal,
                      QStringLiteral("%1").arg(ordinal, 32, 16, QLatin1Char('0')),
                      destination,
                      message(QByteArray::number(ordinal)),
                      {}};
    const records::Stamp stamp{QStringLiteral("store"),   outgoing.uniqueId,
                               core::OperationId{1},      1,
                               QStringLiteral("staging"), records::bodyDigest(outgoing.envelope.body)};
    records::set(outgoing.envelope.headers, records::stampHeader.toString(), records::toText(stamp));
    return outgoing;
}

} // namespace

class TestRabbitMqFaults final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void intakeLosesNothingAndTakesNothingTwice();
    void forwardingDeliversOnceAndNamesWhatItCannot();
    void aPlaceHalfTakenDownIsFoundAgain();
    void aKilledBrokerDoublesOnlyWhatIsFlagged();
    void theSameSeedGivesTheSameRun();
    void anAlarmHoldsSendingBack();
    void aProbeWithoutAnAnswerTakesNothingAway();
};

void TestRabbitMqFaults::intakeLosesNothingAndTakesNothingTwice()
{
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        QMap<QByteArray, int> sent;
        QList<records::Envelope> messages;
        for (int i = 0; i < 30; ++i) {
            messages.append(message(QByteArray::number(i / 2))); // each twice: equal, and yet two messages
            ++sent[messages.last().body];
        }
        round.admin.publish(errorQueue, messages);
        round.startFaults(60);
        QSet<QString> known;
        QMap<QByteArray, int> stored;
        for (int pages = 0; pages < 60 && stored != sent; ++pages) {
            const TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run%1").arg(pages), 12, 1 << 20};
            const HeldPage page = round.insist<HeldPage>("take", [&] { return round.rabbit.take(request); });
            QVERIFY2(page.messages.size() <= 12, qPrintable(QStringLiteral("seed %1").arg(seed)));
            for (const Held &held : page.messages) {
                QVERIFY(!known.contains(held.nativeId));
                known.insert(held.nativeId);
                ++stored[held.envelope.body];
            }
            round.insistDone("release", [&] { return round.rabbit.release(request, page); });
        }
        round.stopFaults();
        QVERIFY2(stored == sent, qPrintable(QStringLiteral("seed %1").arg(seed)));
        QCOMPARE(round.admin.ours(), QStringList());
        QCOMPARE(round.admin.depth(errorQueue), 0);
    }
}

namespace {

struct Arrived
{
    QMap<QByteArray, int> copies; // at destinations
    ForwardReport report;
};

// Stages 40 copies and forwards them; `killAfter`: the broker dies that long after forwarding began.
Arrived retry(Round &round, std::optional<core::Milliseconds> killAfter)
{
    const QStringList destinations{QStringLiteral("orders"), QStringLiteral("billing"), QStringLiteral("missing")};
    QList<Outgoing> copies;
    for (int i = 0; i < 40; ++i)
        copies.append(copy(destinations.at(i % 3), i));
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    StagingPlace place;
    bool staged = false;
    for (int attempt = 0; !staged; ++attempt) {
        if (attempt > 0)
            round.insistDone("discard", [&] { return staging.discard(place); });
        place = {QStringLiteral("redrive.store.1.staging%1").arg(attempt), destinations};
        round.insistDone("open", [&] { return staging.open(place); });
        const QList<broker::SendOutcome> outcomes = round.site.wait(staging.stage(place, copies));
        staged = std::all_of(outcomes.cbegin(), outcomes.cend(),
                             [](const broker::SendOutcome &one) { return one.verdict == Verdict::Accepted; });
        if (staged)
            staged = round.insist<qint64>("depth", [&] { return staging.depth(place); }) == copies.size();
    }
    QString mark;
    broker::ForwardHooks hooks;
    hooks.keepMark = [&](const QString &text) {
        mark = text;
        return Result<>();
    };
    core::Clock::Ticket killing = 0;
    if (killAfter) {
        killing = round.site.clock().after(*killAfter, [&] {
            round.site.kill();
            killing = round.site.clock().after(3000ms, [&] { static_cast<void>(round.site.restart()); });
        });
    }
    Arrived arrived;
    arrived.report = round.insist<ForwardReport>("forward", [&] {
        return staging.forward({place, broker::ForwardMode::Draining, copies.size(), mark}, hooks);
    });
    round.site.clock().cancel(killing);
    round.stopFaults();
    if (!round.site.rabbit().isUp())
        static_cast<void>(round.site.restart());
    round.insistDone("discard", [&] { return staging.discard(place); });
    for (const QString &queue : {destinations.at(0), destinations.at(1)}) {
        const QList<records::Envelope> found = round.admin.drain(queue);
        for (const records::Envelope &one : found)
            ++arrived.copies[one.body];
    }
    return arrived;
}

} // namespace

void TestRabbitMqFaults::forwardingDeliversOnceAndNamesWhatItCannot()
{
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        round.startFaults(seed % 2 == 0 ? 20 : 0);
        const Arrived arrived = retry(round, std::nullopt);
        const QByteArray where = QByteArray("seed ") + QByteArray::number(seed);
        QVERIFY2(!arrived.report.interrupted, where.constData());
        QVERIFY2(arrived.report.inDoubt.isEmpty(), where.constData());
        QCOMPARE(arrived.report.ejected.size(), 13);
        QCOMPARE(arrived.copies.size(), 27);
        for (const int count : arrived.copies)
            QCOMPARE(count, 1);
        QCOMPARE(round.admin.ours(), QStringList());
    }
}

// The program dies at any request of the clean-up: while anything is left, the next start finds the place by its name.
void TestRabbitMqFaults::aPlaceHalfTakenDownIsFoundAgain()
{
    bool isWhole = false;
    for (int at = 0; !isWhole; ++at) {
        Round round(7);
        const StagingPlace place{QStringLiteral("redrive.store.1.half"), {QStringLiteral("orders")}};
        QVERIFY(round.site.wait(round.rabbit.stagingQueue()->open(place)));
        int requests = 0;
        round.site.rabbit().setFaults([&](const http::Request &) {
            return requests++ < at ? FakeRabbit::Fault::None : FakeRabbit::Fault::LostBefore;
        });
        isWhole = round.site.wait(round.rabbit.stagingQueue()->discard(place)).has_value();
        round.stopFaults();
        if (round.admin.ours().isEmpty())
            continue;
        QVERIFY(!isWhole);
        const Result<QList<broker::Leftover>> left = round.site.wait(round.rabbit.leftovers());
        QVERIFY(left);
        QVERIFY2(std::any_of(left->cbegin(), left->cend(),
                             [&](const broker::Leftover &one) {
                                 return one.name == place.name && one.kind != broker::Leftover::Kind::Holding;
                             }),
                 qPrintable(round.admin.ours().join(u' ')));
        QVERIFY(round.site.wait(round.rabbit.stagingQueue()->discard(place)));
        QCOMPARE(round.admin.ours(), QStringList());
    }
}

void TestRabbitMqFaults::aKilledBrokerDoublesOnlyWhatIsFlagged()
{
    int doubled = 0;
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        const Arrived arrived = retry(round, core::Milliseconds{qint64(20 + seed * 3)});
        const QByteArray where = QByteArray("seed ") + QByteArray::number(seed);
        QSet<QByteArray> accounted(arrived.copies.keyBegin(), arrived.copies.keyEnd());
        QVERIFY2(accounted.size() + arrived.report.inDoubt.size() >= 27, where.constData());
        for (const int count : arrived.copies) {
            QVERIFY2(count == 1 || arrived.report.interrupted, where.constData());
            doubled += count - 1;
        }
        QCOMPARE(round.admin.ours(), QStringList());
    }
    QVERIFY(doubled > 0); // otherwise the kills came at no bad moment, and this proves nothing
}

void TestRabbitMqFaults::theSameSeedGivesTheSameRun()
{
    const auto run = [](quint64 seed) {
        Round round(seed);
        round.startFaults(20);
        static_cast<void>(retry(round, std::nullopt));
        return core::toMs(round.site.clock().now());
    };
    QCOMPARE(run(5), run(5));
    QVERIFY(run(5) != run(6));
}

void TestRabbitMqFaults::anAlarmHoldsSendingBack()
{
    Round round(1);
    round.site.rabbit().api().setAlarm(true);
    const QList<broker::SendOutcome> outcomes = round.site.wait(round.rabbit.send({copy(QStringLiteral("orders"), 1)}));
    QCOMPARE(outcomes.first().verdict, Verdict::NotSent);
    QVERIFY(outcomes.first().error.message.contains(QLatin1String("alarm")));
    QCOMPARE(round.admin.depth(QStringLiteral("orders")), 0);
}

void TestRabbitMqFaults::aProbeWithoutAnAnswerTakesNothingAway()
{
    Round round(1);
    QVERIFY(round.rabbit.stagingQueue() != nullptr);
    round.site.kill();
    QVERIFY(!round.site.wait(round.rabbit.probe()));
    QVERIFY(round.rabbit.stagingQueue() != nullptr);
}

QTEST_GUILESS_MAIN(TestRabbitMqFaults)
#include "tst_rabbitmq_faults.moc"
