#include "backend/core/time/durationtext.h"
#include "backend/records/rules/failurelatency.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <limits>

using core::Milliseconds;
using records::FailureLatency;
using records::QuietPeriod;
using namespace std::chrono_literals;

class TestFailureLatency final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotKnownTakesNinetySeconds()
    {
        FailureLatency times;
        QCOMPARE(times.quietPeriod().quiet, Milliseconds(90s));
        times.add(1, std::nullopt, 1000);
        QCOMPARE(times.quietPeriod().quiet, Milliseconds(90s));
        QVERIFY(!times.quietPeriod().takesToFail);
    }

    void halfAsMuchAgainAsTheyTook()
    {
        FailureLatency times;
        times.add(1, 3min, 100);
        QVERIFY(times.quietPeriod() == (QuietPeriod{3min, 4min + 30s}));
    }

    void aFloorAndACeiling()
    {
        FailureLatency quick;
        quick.add(1, 200ms, 10);
        QVERIFY(quick.quietPeriod() == (QuietPeriod{1s, 30s}));
        FailureLatency slow;
        slow.add(1, 5h, 10);
        QVERIFY(slow.quietPeriod() == (QuietPeriod{5h, 30min}));
    }

    void whereMostIsUnknownItIsNotLessThanWithoutKnowledge()
    {
        FailureLatency times;
        times.add(1, 2s, 10);
        times.add(1, std::nullopt, 10);
        QCOMPARE(times.quietPeriod().quiet, Milliseconds(30s));
        times.add(2, std::nullopt, 1);
        QCOMPARE(times.quietPeriod().quiet, Milliseconds(90s));
    }

    void oneInTwentyMayBeOdd()
    {
        FailureLatency times;
        times.add(1, 60s, 95);
        times.add(1, 10h, 5);
        QCOMPARE(times.quietPeriod().takesToFail, Milliseconds(60s));
        times.add(1, 10h, 1);
        QCOMPARE(times.quietPeriod().takesToFail, Milliseconds(10h));
    }

    void theSlowestGroupCountsHoweverSmall()
    {
        FailureLatency times;
        times.add(1, 5s, 100000);
        times.add(2, 100s, 3);
        QVERIFY(times.quietPeriod() == (QuietPeriod{100s, 150s}));
    }

    void absurdTimesAreNotKnown()
    {
        FailureLatency times;
        times.add(1, -1s, 5);
        times.add(1, 25h, 5);
        times.add(1, Milliseconds::max(), 5);
        QVERIFY(times.quietPeriod() == (QuietPeriod{std::nullopt, 90s}));
        const auto at = [](qint64 ms) { return std::optional(core::fromMs(ms)); };
        QCOMPARE(records::timeToFail(at(1000), at(4000)), std::optional<Milliseconds>(3s));
        QVERIFY(!records::timeToFail(at(4000), at(1000)));
        QVERIFY(!records::timeToFail(at(0), at(100LL * 24 * 3600 * 1000)));
        QVERIFY(!records::timeToFail(at(std::numeric_limits<qint64>::min()), at(std::numeric_limits<qint64>::max())));
        QVERIFY(!records::timeToFail(std::nullopt, at(1)));
        QVERIFY(!records::timeToFail(at(1), std::nullopt));
    }

    void manyGroupsCostLittle()
    {
        FailureLatency times;
        for (qint64 group = 1; group <= 5000; ++group)
            times.add(group, group == 4999 ? 2min : 1s, 1);
        // Those beyond a thousand count as one group: one slow one among 4,000 is one in twenty at most.
        QCOMPARE(times.quietPeriod().takesToFail, Milliseconds(1s));
    }

    void slicesAddUpToTheWhole()
    {
        FailureLatency whole;
        FailureLatency sum;
        for (int i = 0; i < 40; ++i) {
            FailureLatency slice;
            slice.add(i % 3, std::chrono::seconds(i * 7), 2);
            slice.add(i % 2, std::nullopt, 1);
            whole.add(i % 3, std::chrono::seconds(i * 7), 2);
            whole.add(i % 2, std::nullopt, 1);
            sum += slice;
        }
        QVERIFY(sum == whole);
    }

    void aSpanIsReadAsItIsWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("seconds"); // -1: none
        QTest::addColumn<QString>("words");
        QTest::newRow("seconds") << "45s" << qint64(45) << "45 s";
        QTest::newRow("minutes") << "15m" << qint64(900) << "15 min";
        QTest::newRow("two parts") << "270s" << qint64(270) << "4 min 30 s";
        QTest::newRow("hours") << " 24h " << qint64(86400) << "1 d";
        QTest::newRow("days") << "90d" << qint64(90 * 86400) << "90 d";
        QTest::newRow("nothing") << "0s" << qint64(0) << "0 s";
        QTest::newRow("negative") << "-5m" << qint64(-1) << "";
        QTest::newRow("no unit") << "15" << qint64(-1) << "";
        QTest::newRow("unit alone") << "h" << qint64(-1) << "";
        QTest::newRow("too long") << "9223372036854775807d" << qint64(-1) << "";
        QTest::newRow("text") << "soon" << qint64(-1) << "";
    }

    void aSpanIsReadAsItIsWritten()
    {
        QFETCH(const QString, text);
        QFETCH(const qint64, seconds);
        QFETCH(const QString, words);
        const std::optional<Milliseconds> span = core::durationFrom(text);
        QCOMPARE(span ? span->count() / 1000 : -1, seconds);
        if (span)
            QCOMPARE(core::durationText(*span), words);
    }
};

REDRIVE_TEST(TestFailureLatency)
#include "tst_failurelatency.moc"
