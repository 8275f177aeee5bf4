// One sample per second of each operation, with the message count of its destinations.
#include "backend/engine/snapshot/throughputrecorder.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/testmain/testmain.h"

#include <QMap>

namespace {

constexpr core::OperationId first{1};
constexpr core::OperationId second{2};

struct Fixture
{
    support::FakeClock clock;
    QHash<core::OperationId, QList<records::RunSample>> written;
    int changes = 0;
    engine::ThroughputRecorder recorder{
        clock,
        [this](core::OperationId operation, const records::RunSample &sample) { written[operation].append(sample); },
        [this] { ++changes; }};
};

} // namespace

class TestThroughputRecorder final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatHappensInOneSecondIsOneSample()
    {
        Fixture fixture;
        fixture.recorder.staged(first, 7);
        fixture.recorder.sent(first, 3);
        fixture.recorder.sent(first, 2);
        fixture.recorder.cameBack(first, 1);
        fixture.recorder.sent(second, 4);
        fixture.clock.advance(core::Milliseconds{1000});
        QCOMPARE(fixture.written.value(first).size(), 1);
        const records::RunSample sample = fixture.written.value(first).first();
        QCOMPARE(sample.staged, 7);
        QCOMPARE(sample.sent, 5);
        QCOMPARE(sample.cameBack, 1);
        QVERIFY(!sample.depth);
        QCOMPARE(fixture.written.value(second).size(), 1);
        QCOMPARE(fixture.written.value(second).first().sent, 4);
    }

    void secondsWithoutAnythingLeaveNoSample()
    {
        Fixture fixture;
        fixture.recorder.sent(first, 1);
        fixture.clock.advance(core::Milliseconds{10000});
        QCOMPARE(fixture.written.value(first).size(), 1);
        QCOMPARE(fixture.clock.waiting(), size_t(0)); // and cost nothing
    }

    void theNewestDepthOfASecondIsInItsSample()
    {
        Fixture fixture;
        fixture.recorder.depth(first, 9);
        fixture.recorder.depth(first, 6);
        fixture.clock.advance(core::Milliseconds{1000});
        QCOMPARE(fixture.written.value(first).size(), 1);
        QCOMPARE(fixture.written.value(first).first().depth, std::optional<qint64>(6));
        QCOMPARE(fixture.written.value(first).first().sent, 0);
    }

    void destinationsAreRememberedOverBatches()
    {
        Fixture fixture;
        fixture.recorder.aimed(first, {QStringLiteral("billing")});
        fixture.recorder.aimed(first, {QStringLiteral("billing"), QStringLiteral("sales")});
        QCOMPARE(fixture.recorder.destinations(first),
                 (QSet<QString>{QStringLiteral("billing"), QStringLiteral("sales")}));
        fixture.recorder.forgetDestinations(first);
        QVERIFY(fixture.recorder.aiming().isEmpty());
    }

    // As with a rate: a batch each second.
    void burstsAreNoFasterThanTheyAre()
    {
        Fixture fixture;
        for (int seconds = 0; seconds < 12; ++seconds) {
            fixture.recorder.sent(first, 20);
            fixture.clock.advance(core::Milliseconds{1000});
            const double shown = fixture.recorder.perSecond(first);
            QVERIFY2(qFuzzyCompare(shown, 20.0), qPrintable(QString::number(shown)));
        }
    }

    // A share each second, now just before a full second and now just after it, is no gap and no spike.
    void aShareThatIsLateCountsForItsSecond()
    {
        Fixture fixture;
        constexpr core::Milliseconds whole{1000};
        const core::Milliseconds toSecond = whole - core::Milliseconds{core::toMs(fixture.clock.now()) % whole.count()};
        fixture.clock.advance(toSecond + core::Milliseconds{990}); // the first share
        for (const int wait : {1025, 985, 1020, 970, 1000}) { // .990, 2.015, 3.000, 4.020, 4.990, 5.990
            fixture.recorder.sent(first, 20);
            fixture.clock.advance(core::Milliseconds{wait});
        }
        fixture.recorder.sent(first, 20);
        fixture.clock.advance(core::Milliseconds{2000});
        QMap<core::TimePoint, int> sent;
        for (const records::RunSample &sample : fixture.written.value(first))
            sent[sample.at] += sample.sent;
        QCOMPARE(sent.values(), (QList<int>{20, 20, 20, 20, 20, 20}));
    }

    void aShareOfTwoSecondsKeepsItsSecond()
    {
        Fixture fixture;
        QList<core::TimePoint> seconds;
        for (int share = 0; share < 3; ++share) {
            seconds.append(core::fromMs(core::toMs(fixture.clock.now()) / 1000 * 1000));
            fixture.recorder.sent(first, 1);
            fixture.clock.advance(core::Milliseconds{2000});
        }
        QList<core::TimePoint> written;
        for (const records::RunSample &sample : fixture.written.value(first))
            written.append(sample.at);
        QCOMPARE(written, seconds);
    }

    void theSpeedIsThatOfTheLastSeconds_data() { support::clocksThatAreSet(); }

    void theSpeedIsThatOfTheLastSeconds()
    {
        QFETCH(const core::Milliseconds, by);
        Fixture fixture;
        fixture.recorder.sent(first, 100);
        fixture.clock.jump(by);
        fixture.clock.advance(core::Milliseconds{2000});
        QCOMPARE(fixture.recorder.perSecond(first), 50.0);
        fixture.clock.advance(core::Milliseconds{20000});
        QCOMPARE(fixture.recorder.perSecond(first), 0.0);
        QCOMPARE(fixture.written.value(first).size(), 1);
        QCOMPARE(fixture.clock.waiting(), size_t(0));
    }
};

REDRIVE_TEST(TestThroughputRecorder)
#include "tst_throughputrecorder.moc"
