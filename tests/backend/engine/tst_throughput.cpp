// What the throughput chart draws, from a whole engine at work.
#include "backend/store/samplestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

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
};

REDRIVE_TEST(TestThroughput)
#include "tst_throughput.moc"
