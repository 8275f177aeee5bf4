// What is drawn of the samples of a retry, as pixels.
#include "views/charts/throughputchart.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QTest>

#include <cmath>
#include <limits>

using core::fromMs;
using models::ThroughputSeries;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr qint64 start = 1'700'000'000'000;

views::ChartColors colors()
{
    return {Qt::white, Qt::lightGray, Qt::black, Qt::gray, Qt::blue, Qt::green, Qt::red, Qt::darkGray};
}

// Seconds 10, 11 ... of the minute that begins at `start`; nothing but what was sent.
ThroughputSeries::Lines sentLines(const QList<double> &sent)
{
    ThroughputSeries::Lines lines;
    for (qsizetype i = 0; i < sent.size(); ++i) {
        lines.seconds.append(double(start) / 1000.0 + 10.0 + double(i));
        lines.sent.append(sent.at(i));
        for (QList<double> *other : {&lines.staged, &lines.cameBack, &lines.depth})
            other->append(unknown);
    }
    return lines;
}

int pixels(const QImage &image, const QColor &color)
{
    int found = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            found += image.pixelColor(x, y) == color ? 1 : 0;
    }
    return found;
}

} // namespace

class TestThroughputChart final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsKnownIsSeen_data();
    void whatIsKnownIsSeen();
    void stagingDoesNotFlattenWhatIsSent();
    void aFewThatComeBackAreSeenBesideMany();
    void wordsOfMarksDoNotStandOnEachOther();
    void aLabelSaysWhereItsLineIs();

private:
    void open(views::ThroughputChart &chart);
};

void TestThroughputChart::open(views::ThroughputChart &chart)
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    chart.resize(500, 240);
    chart.setColors(colors());
    chart.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
}

void TestThroughputChart::whatIsKnownIsSeen_data()
{
    QTest::addColumn<QList<double>>("sent");
    QTest::addColumn<bool>("seen");
    QTest::newRow("nothing") << QList<double>{unknown, unknown, unknown} << false;
    QTest::newRow("a retry of one second") << QList<double>{unknown, 44, unknown} << true;
    QTest::newRow("its only sample") << QList<double>{44} << true;
    QTest::newRow("seconds that are not neighbours") << QList<double>{44, unknown, 40} << true;
    QTest::newRow("a line") << QList<double>{44, 45, 46} << true;
}

void TestThroughputChart::whatIsKnownIsSeen()
{
    QFETCH(QList<double>, sent);
    QFETCH(bool, seen);
    views::ThroughputChart chart;
    open(chart);
    chart.show(sentLines(sent), {}, fromMs(start), fromMs(start + 60'000));
    const int drawn = pixels(chart.picture(), Qt::green);
    QVERIFY2((drawn > 0) == seen, qPrintable(QString::number(drawn)));
}

// Labels have no decimals: a line at 2.5 would be called 3.
void TestThroughputChart::aLabelSaysWhereItsLineIs()
{
    views::ThroughputChart chart;
    open(chart);
    chart.resize(500, 500);
    for (const double most : {0.0, 1.0, 3.0, 9.0, 22.0, 120.0}) {
        chart.show(sentLines({0, most, 0}), {}, fromMs(start), fromMs(start + 60'000));
        const QList<double> ticks = chart.rateTicks();
        QVERIFY(ticks.size() > 1);
        for (const double tick : ticks)
            QVERIFY2(tick == std::round(tick), qPrintable(QString::number(tick)));
    }
}

void TestThroughputChart::stagingDoesNotFlattenWhatIsSent()
{
    views::ThroughputChart chart;
    open(chart);
    ThroughputSeries::Lines lines = sentLines({0, 20, 18, 21, 20});
    lines.staged = {1000, 0, 0, 0, 0};
    chart.show(lines, {}, fromMs(start), fromMs(start + 60'000));
    QVERIFY(chart.tops().first < 30);
    QVERIFY(chart.beyondText().contains(QStringLiteral("1,000")));
    lines.staged = {30, 25, 20, 20, 20};
    chart.show(lines, {}, fromMs(start), fromMs(start + 60'000));
    QVERIFY(chart.tops().first > 30);
    QVERIFY(chart.beyondText().isEmpty());
    lines.staged = {1000, 0, 0, 0, 0};
    lines.sent = {0, 0, 0, 0, 0}; // staging is all there is yet
    chart.show(lines, {}, fromMs(start), fromMs(start + 60'000));
    QVERIFY(chart.tops().first > 1000);
}

void TestThroughputChart::aFewThatComeBackAreSeenBesideMany()
{
    views::ThroughputChart chart;
    open(chart);
    ThroughputSeries::Lines lines = sentLines({700, 700, 700, 700, 700});
    lines.cameBack = {0, 0, 2, 0, 0};
    chart.show(lines, {}, fromMs(start), fromMs(start + 60'000));
    QVERIFY(chart.tops().second < 3);
    QVERIFY(pixels(chart.picture(), Qt::red) > 20);
}

void TestThroughputChart::wordsOfMarksDoNotStandOnEachOther()
{
    views::ThroughputChart chart;
    open(chart);
    QList<records::RunMark> marks;
    for (int step = 1; step <= 6; ++step)
        marks.append({fromMs(start + 30'000 + step * 100), records::RunMark::Kind::Step, step});
    chart.show(sentLines({1, 2, 3}), marks, fromMs(start), fromMs(start + 60'000));
    static_cast<void>(chart.picture()); // as it is drawn
    QCOMPARE(chart.markText(),
             (QStringList{QStringLiteral("step 1"), QStringLiteral("step 2"), QStringLiteral("step 3")}));
}

REDRIVE_WIDGET_TEST(TestThroughputChart)
#include "tst_throughputchart.moc"
