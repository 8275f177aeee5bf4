// One sample per second of each operation, with what was asked of its destinations.
#include "backend/engine/runrecorder.h"
#include "tests/support/clocksthatareset.h"

namespace {

constexpr core::OperationId first{1};
constexpr core::OperationId second{2};

struct Desk
{
    support::FakeClock clock;
    QHash<core::OperationId, QList<api::RunSample>> written;
    int changes = 0;
    engine::RunRecorder recorder{
        clock, [this](core::OperationId operation, const api::RunSample &sample) { written[operation].append(sample); },
        [this] { ++changes; }};
};

} // namespace

class TestRunRecorder final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatHappensInOneSecondIsOneSample()
    {
        Desk desk;
        desk.recorder.staged(first, 7);
        desk.recorder.sent(first, 3);
        desk.recorder.sent(first, 2);
        desk.recorder.cameBack(first, 1);
        desk.recorder.sent(second, 4);
        desk.clock.advance(core::Milliseconds{1000});
        QCOMPARE(desk.written.value(first).size(), 1);
        const api::RunSample sample = desk.written.value(first).first();
        QCOMPARE(sample.staged, 7);
        QCOMPARE(sample.sent, 5);
        QCOMPARE(sample.cameBack, 1);
        QVERIFY(!sample.depth);
        QCOMPARE(desk.written.value(second).size(), 1);
        QCOMPARE(desk.written.value(second).first().sent, 4);
    }

    void secondsWithoutAnythingLeaveNoSample()
    {
        Desk desk;
        desk.recorder.sent(first, 1);
        desk.clock.advance(core::Milliseconds{10000});
        QCOMPARE(desk.written.value(first).size(), 1);
        QCOMPARE(desk.clock.waiting(), size_t(0)); // and cost nothing
    }

    void theNewestDepthOfASecondIsInItsSample()
    {
        Desk desk;
        desk.recorder.depth(first, 9);
        desk.recorder.depth(first, 6);
        desk.clock.advance(core::Milliseconds{1000});
        QCOMPARE(desk.written.value(first).size(), 1);
        QCOMPARE(desk.written.value(first).first().depth, std::optional<qint64>(6));
        QCOMPARE(desk.written.value(first).first().sent, 0);
    }

    void destinationsAreRememberedOverBatches()
    {
        Desk desk;
        desk.recorder.aimed(first, {QStringLiteral("billing")});
        desk.recorder.aimed(first, {QStringLiteral("billing"), QStringLiteral("sales")});
        QCOMPARE(desk.recorder.destinations(first),
                 (QSet<QString>{QStringLiteral("billing"), QStringLiteral("sales")}));
        desk.recorder.forgetDestinations(first);
        QVERIFY(desk.recorder.aiming().isEmpty());
    }

    void theSpeedIsThatOfTheLastSeconds_data() { support::clocksThatAreSet(); }

    void theSpeedIsThatOfTheLastSeconds()
    {
        QFETCH(const core::Milliseconds, by);
        Desk desk;
        desk.recorder.sent(first, 100);
        desk.clock.jump(by);
        desk.clock.advance(core::Milliseconds{2000});
        QCOMPARE(desk.recorder.perSecond(first), 50.0);
        desk.clock.advance(core::Milliseconds{20000});
        QCOMPARE(desk.recorder.perSecond(first), 0.0);
        QCOMPARE(desk.written.value(first).size(), 1);
        QCOMPARE(desk.clock.waiting(), size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestRunRecorder)
#include "tst_runrecorder.moc"
