#include "models/metrics/throughputseries.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <cmath>

using core::Milliseconds;
using models::ThroughputSeries;

class TestThroughputSeries final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSecondReadTwiceIsReplaced();
    void secondsWithoutASampleAreZero();
    void whatIsOnItsWayIsNotZeroYet();
    void unknownDepthIsNotZero();
    void aDepthHoldsUntilTheNextAnswerIsLate();
    void longWindowsAreAveragedToFewPoints();
    void theLastPointCountsWholeSeconds();
    void minuteSamplesAreSharedOut();
    void pointsStayWhereTheyAreWhileTheWindowMoves();
    void csvLeavesTheUnknownEmpty();
};

namespace {

const core::TimePoint start = core::fromMs(1767323045000);

records::RunSample sample(int at, int sent, std::optional<qint64> depth = std::nullopt)
{
    return {start + std::chrono::seconds(at), sent + 1, sent, 0, depth};
}

} // namespace

void TestThroughputSeries::aSecondReadTwiceIsReplaced()
{
    ThroughputSeries series;
    series.merge({sample(0, 10)});
    series.merge({sample(0, 25), sample(1, 30)});
    const auto lines = series.lines(start, start + std::chrono::seconds(2), 100);
    QCOMPARE(lines.sent, (QList<double>{25, 30}));
    QCOMPARE(series.newest(), std::optional(start + std::chrono::seconds(1)));
}

// The engine writes a sample only for a second with activity: a slow retry must not look like an outage.
void TestThroughputSeries::secondsWithoutASampleAreZero()
{
    ThroughputSeries series;
    series.merge({sample(0, 10), sample(1, 10), sample(30, 20)});
    const auto lines = series.lines(start, start + std::chrono::seconds(60), 600);
    QCOMPARE(lines.sent.size(), 61);
    for (int i = 0; i < 61; ++i)
        QCOMPARE(lines.sent.at(i), i < 2 ? 10.0 : i == 30 ? 20.0 : 0.0);
}

void TestThroughputSeries::whatIsOnItsWayIsNotZeroYet()
{
    ThroughputSeries series;
    series.merge({sample(0, 10), sample(1, 10)});
    QCOMPARE(series.lines(start, start + std::chrono::seconds(4), 600).sent, (QList<double>{10, 10}));
    QCOMPARE(series.lines(start, start + std::chrono::seconds(5), 600).sent, (QList<double>{10, 10, 0, 0, 0, 0}));
}

void TestThroughputSeries::unknownDepthIsNotZero()
{
    ThroughputSeries series;
    series.merge({sample(0, 1), sample(1, 1, 7)});
    const auto lines = series.lines(start, start + std::chrono::seconds(10), 100);
    QVERIFY(std::isnan(lines.depth.at(0)));
    QCOMPARE(lines.depth.at(1), 7.0);
}

void TestThroughputSeries::aDepthHoldsUntilTheNextAnswerIsLate()
{
    ThroughputSeries series;
    series.merge({sample(0, 1, 7), sample(30, 1, 9), sample(200, 1, 2)});
    const auto lines = series.lines(start, start + std::chrono::seconds(200), 600);
    QCOMPARE(lines.depth.at(29), 7.0);
    QCOMPARE(lines.depth.at(60), 9.0);
    QVERIFY(std::isnan(lines.depth.at(120)));
    QCOMPARE(lines.depth.at(200), 2.0);
}

void TestThroughputSeries::longWindowsAreAveragedToFewPoints()
{
    ThroughputSeries series;
    QList<records::RunSample> samples;
    for (int i = 0; i < 3600; ++i)
        samples.append(sample(i, i % 2 == 0 ? 100 : 200));
    series.merge(samples);
    const auto lines = series.lines(start, start + std::chrono::hours(1), 300);
    QVERIFY(lines.seconds.size() <= 301);
    QCOMPARE(lines.sent.at(10), 150.0);
}

// Its second begins where the window ends, or is still on its way: the last point must be no spike and no dip.
void TestThroughputSeries::theLastPointCountsWholeSeconds()
{
    constexpr int width = 5;
    ThroughputSeries series;
    for (int i = 0; i < 600; ++i) {
        series.merge({sample(i, 20)});
        for (const int after : {0, 400, 999, 1000, 1900}) { // of the window's end, from the newest sample on
            const core::TimePoint until = start + std::chrono::seconds(i) + Milliseconds(after);
            const auto lines = series.lines(until - std::chrono::seconds(50 * width), until, 50);
            for (qsizetype point = 0; point < lines.sent.size(); ++point)
                QVERIFY2(lines.sent.at(point) == 20.0, qPrintable(QStringLiteral("%1 at %2, %3 of %4")
                                                                      .arg(lines.sent.at(point))
                                                                      .arg(i)
                                                                      .arg(point)
                                                                      .arg(lines.sent.size())));
        }
    }
}

// An old sample is the sum of a minute.
void TestThroughputSeries::minuteSamplesAreSharedOut()
{
    ThroughputSeries series;
    for (int minute = 0; minute < 60; ++minute) {
        records::RunSample one = sample(minute * 60, 300);
        one.span = std::chrono::minutes(1);
        series.merge({one});
    }
    const auto lines = series.lines(start, start + std::chrono::hours(1), 600);
    for (qsizetype i = 0; i + 1 < lines.sent.size(); ++i)
        QCOMPARE(lines.sent.at(i), 5.0);
}

// Otherwise the line trembles while it is on the screen.
void TestThroughputSeries::pointsStayWhereTheyAreWhileTheWindowMoves()
{
    ThroughputSeries series;
    for (int second = 0; second < 3600; second += 5)
        series.merge({sample(second, second % 60)});
    const auto lines = series.lines(start, start + std::chrono::hours(1), 300);
    const auto later = series.lines(start + std::chrono::seconds(5), start + std::chrono::seconds(3605), 300);
    for (qsizetype i = 2; i < 200; ++i) {
        const qsizetype same = later.seconds.indexOf(lines.seconds.at(i));
        QVERIFY(same >= 0);
        QCOMPARE(later.sent.at(same), lines.sent.at(i));
    }
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

REDRIVE_TEST(TestThroughputSeries)
#include "tst_throughputseries.moc"
