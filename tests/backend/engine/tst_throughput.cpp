// What the throughput chart draws, from a whole engine at work.
#include "backend/store/samplestore.h"
#include "tests/support/engineroom.h"

#include <QTest>

using support::EngineRoom;

class TestThroughput final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLineOfTheChartIsFilled_data()
    {
        QTest::addColumn<records::HandOver>("handOver");
        QTest::newRow("staging queue") << records::HandOver::StagingQueue;
        QTest::newRow("ledger") << records::HandOver::Ledger;
    }

    void everyLineOfTheChartIsFilled()
    {
        QFETCH(records::HandOver, handOver);
        EngineRoom room(handOver);
        room.fill(40);
        room.broker->slowest = core::Milliseconds{1500};
        room.start();
        const core::Result<core::OperationId> id = room.retryAll();
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(room.operation(*id).counts.sent, 40);
        room.advance(std::chrono::seconds(30));

        qint64 staged = 0;
        qint64 sent = 0;
        std::optional<qint64> deepest;
        for (const api::RunSample &sample : room.samples(*id)) {
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
        EngineRoom room;
        room.fill(0);
        room.start();
        const core::OperationId id{1};
        const core::TimePoint begin = room.clock.now();
        const core::Result<> added = room.store->transact([&](store::Session &session) -> core::Result<> {
            for (int second = 0; second < 120; ++second) {
                const core::Result<> one =
                    session.samples().add({id, begin + std::chrono::seconds(second), 2, 1, 0, std::nullopt});
                if (!one)
                    return one;
            }
            return {};
        });
        QVERIFY(added);
        room.advance(std::chrono::minutes(30));
        QCOMPARE(room.samples(id).size(), 120);
        room.advance(std::chrono::minutes(40));
        const QList<api::RunSample> samples = room.samples(id);
        QVERIFY2(samples.size() <= 3, qPrintable(QString::number(samples.size())));
        qint64 sent = 0;
        for (const api::RunSample &sample : samples)
            sent += sample.sent;
        QCOMPARE(sent, 120); // nothing of it is lost
    }
};

QTEST_GUILESS_MAIN(TestThroughput)
#include "tst_throughput.moc"
