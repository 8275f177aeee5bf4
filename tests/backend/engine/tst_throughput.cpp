// What the throughput chart draws, from a whole engine at work.
#include "backend/store/samplestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QMap>
#include <QTest>

#include <numeric>

using support::EngineFixture;

class TestThroughput final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLineOfTheChartIsFilled_data()
    {
        QTest::addColumn<records::HandOver>("handOver");
        QTest::newRow("staging queue") << records::HandOver::StagingQueue;
        QTest::newRow("intent log") << records::HandOver::IntentLog;
    }

    void everyLineOfTheChartIsFilled()
    {
        QFETCH(records::HandOver, handOver);
        EngineFixture fixture(handOver);
        fixture.fill(40);
        fixture.broker->slowest = core::Milliseconds{1500};
        fixture.start();
        const core::Result<core::OperationId> id = fixture.retryAll();
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.operation(*id).counts.sent, 40);
        fixture.advance(std::chrono::seconds(30));

        qint64 staged = 0;
        qint64 sent = 0;
        std::optional<qint64> deepest;
        for (const records::RunSample &sample : fixture.samples(*id)) {
            staged += sample.staged;
            sent += sample.sent;
            if (sample.depth)
                deepest = std::max(deepest.value_or(0), *sample.depth);
        }
        QCOMPARE(staged, 40);
        QCOMPARE(sent, 40);
        QCOMPARE(deepest, std::optional<qint64>(40)); // nobody takes from billing and sales here
    }

    // A rate sends a share each second. Where that is at a full second, a share comes now before it and now after it: the
    // line of the chart would fall to zero and rise to twice the rate.
    void sharesAtAFullSecondAreNoZigzag()
    {
        core::OperationId id;
        EngineFixture before; // says when in a second the shares are sent
        const QList<core::TimePoint> times = sendEachSecond(before, id);
        QCOMPARE(times.size(), shares);
        core::Milliseconds late{0}; // of all of them, after the second of the first one
        for (int n = 0; n < shares; ++n)
            late += times.at(n) - times.first() - std::chrono::seconds(n);
        const qint64 middle = core::toMs(times.first()) + late.count() / shares;

        EngineFixture fixture;
        fixture.advance(core::Milliseconds{1000 - middle % 1000});
        QMap<qint64, int> sent;
        for (const core::TimePoint one : sendEachSecond(fixture, id))
            ++sent[core::toMs(one) / 1000];
        QVERIFY(gaps(sent) > 0); // or this proves nothing
        fixture.advance(std::chrono::seconds(5));
        QMap<qint64, int> shown;
        for (const records::RunSample &sample : fixture.samples(id)) {
            if (sample.sent > 0)
                shown[core::toMs(sample.at) / 1000] += sample.sent;
        }
        QCOMPARE(gaps(shown), 0);
        QCOMPARE(std::accumulate(shown.cbegin(), shown.cend(), 0), shares);
    }

    void oldSecondsBecomeMinutesWhileTheEngineRuns()
    {
        EngineFixture fixture;
        fixture.fill(0);
        fixture.start();
        const core::OperationId id{1};
        const core::TimePoint begin = fixture.clock.now();
        const core::Result<> added = fixture.store->transact([&](store::Session &session) -> core::Result<> {
            for (int second = 0; second < 120; ++second) {
                const core::Result<> one =
                    session.samples().add(id, {begin + std::chrono::seconds(second), 2, 1, 0, std::nullopt});
                if (!one)
                    return one;
            }
            return {};
        });
        QVERIFY(added);
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(fixture.samples(id).size(), 120);
        fixture.advance(std::chrono::minutes(40));
        const QList<records::RunSample> samples = fixture.samples(id);
        QVERIFY2(samples.size() <= 3, qPrintable(QString::number(samples.size())));
        qint64 sent = 0;
        for (const records::RunSample &sample : samples)
            sent += sample.sent;
        QCOMPARE(sent, 120); // nothing of it is lost
    }

private:
    static constexpr int shares = 24; // of one message

    // When each message of a retry with a rate of one per second was sent, as the store counts it.
    static QList<core::TimePoint> sendEachSecond(EngineFixture &fixture, core::OperationId &id)
    {
        fixture.fill(shares);
        fixture.start();
        records::Plan plan;
        plan.perMinute = 60;
        id = test::must(fixture.retryAll(records::OperationKind::Retry, plan));
        QList<core::TimePoint> times;
        fixture.runUntil([&] {
            const qint64 sent = fixture.operation(id).counts.sent;
            while (times.size() < sent)
                times.append(fixture.clock.now());
            return sent == shares;
        });
        return times;
    }
    // Seconds between the first and the last one in which nothing was sent.
    static qint64 gaps(const QMap<qint64, int> &perSecond)
    {
        return perSecond.lastKey() - perSecond.firstKey() + 1 - perSecond.size();
    }
};

REDRIVE_TEST(TestThroughput)
#include "tst_throughput.moc"
