#include "models/metrics/throughputseries.h"

#include <QTest>

#include <cmath>

using core::Milliseconds;
using models::ThroughputSeries;

class TestThroughputSeries final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSecondReadTwiceIsReplaced();
    void aSilenceBreaksTheLine();
    void unknownDepthIsNotZero();
    void longWindowsAreAveragedToFewPoints();
    void minuteSamplesAreNoGaps();
    void csvLeavesTheUnknownEmpty();
};

namespace {

const core::TimePoint start = core::fromMs(1767323045000);

api::RunSample sample(int second, int sent, std::optional<qint64> depth = std::nullopt)
{
    return {start + std::chrono::seconds(second), sent + 1, sent, 0, depth};
}

} // namespace

void TestThroughputSeries::aSecondReadTwiceIsReplaced()
{
    ThroughputSeries series;
    series.merge({sample(0, 10)});
    series.merge({sample(0, 25), sample(1, 30)});
    const auto lines = series.lines(start, start + std::chrono::seconds(10), 100);
    QCOMPARE(lines.sent, (QList<double>{25, 30}));
    QCOMPARE(series.newest(), std::optional(start + std::chrono::seconds(1)));
}

void TestThroughputSeries::aSilenceBreaksTheLine()
{
    ThroughputSeries series;
    series.merge({sample(0, 10), sample(1, 10), sample(30, 20)});
    const auto lines = series.lines(start, start + std::chrono::seconds(60), 600);
    QCOMPARE(lines.sent.size(), 4);
    QVERIFY(std::isnan(lines.sent.at(2)));
    QCOMPARE(lines.sent.at(3), 20.0);
}

void TestThroughputSeries::unknownDepthIsNotZero()
{
    ThroughputSeries series;
    series.merge({sample(0, 1), sample(1, 1, 7)});
    const auto lines = series.lines(start, start + std::chrono::seconds(10), 100);
    QVERIFY(std::isnan(lines.depth.at(0)));
    QCOMPARE(lines.depth.at(1), 7.0);
}

void TestThroughputSeries::longWindowsAreAveragedToFewPoints()
{
    ThroughputSeries series;
    QList<api::RunSample> samples;
    for (int i = 0; i < 3600; ++i)
        samples.append(sample(i, i % 2 == 0 ? 100 : 200));
    series.merge(samples);
    const auto lines = series.lines(start, start + std::chrono::hours(1), 300);
    QVERIFY(lines.seconds.size() <= 301);
    QCOMPARE(lines.sent.at(10), 150.0);
}

void TestThroughputSeries::minuteSamplesAreNoGaps()
{
    ThroughputSeries series;
    for (int minute = 0; minute < 60; ++minute)
        series.merge({sample(minute * 60, 5)});
    for (const double value : series.lines(start, start + std::chrono::hours(24), 600).sent)
        QCOMPARE(value, 5.0);
}

void TestThroughputSeries::csvLeavesTheUnknownEmpty()
{
    ThroughputSeries series;
    series.merge({sample(0, 1), sample(1, 2, 7)});
    QCOMPARE(series.csv(start, start + std::chrono::seconds(5)),
             QByteArray("time,staged_per_second,sent_per_second,came_back_per_second,destination_depth\n"
                        "2026-01-02T03:04:05.000Z,2,1,0,\n"
                        "2026-01-02T03:04:06.000Z,3,2,0,7\n"));
}

QTEST_APPLESS_MAIN(TestThroughputSeries)
#include "tst_throughputseries.moc"
