#include "backend/engine/snapshot/snapshotpublisher.h"

#include "backend/core/limits.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/testmain/testmain.h"

using namespace std::chrono_literals;

namespace {

struct Fixture
{
    support::FakeClock clock;
    int made = 0;
    engine::SnapshotPublisher publisher{clock, [this](quint64 sequence) {
                                            ++made;
                                            auto snapshot = std::make_shared<api::Snapshot>();
                                            snapshot->sequence = sequence;
                                            return snapshot;
                                        }};
};

} // namespace

class TestSnapshotPublisher final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void firstSnapshotComesByItself()
    {
        Fixture f;
        QList<quint64> got;
        f.publisher.subscribe([&](api::SnapshotPtr snapshot) { got << snapshot->sequence; });
        QVERIFY(got.isEmpty()); // from the event loop, not from inside
        f.clock.advance(0ms);
        QCOMPARE(got, QList<quint64>{1});
    }

    void atMostOnePerInterval_data() { support::clocksThatAreSet(); }

    void atMostOnePerInterval()
    {
        QFETCH(const core::Milliseconds, by);
        Fixture f;
        QList<core::SteadyTime> at;
        engine::SnapshotPublisher::Subscriber id = 0;
        id = f.publisher.subscribe([&](const api::SnapshotPtr &) { at << f.clock.steady(); });
        for (int i = 0; i < 200; ++i) {
            f.publisher.touch();
            f.clock.jump(i == 50 ? by : 0ms);
            f.clock.advance(10ms);
            f.publisher.acknowledge(id);
        }
        QVERIFY(at.size() >= 8);
        for (qsizetype i = 1; i < at.size(); ++i)
            QVERIFY(at.at(i) - at.at(i - 1) >= core::limits::snapshotInterval);
        QVERIFY(at.last() - at.first() >= 1s); // and it goes on
    }

    void aNewcomerDoesNotWaitForThePaceOfTheOthers()
    {
        Fixture f;
        int early = 0;
        int late = 0;
        const auto first = f.publisher.subscribe([&](const api::SnapshotPtr &) { ++early; });
        f.clock.advance(0ms);
        f.publisher.acknowledge(first);
        f.publisher.touch(); // due a whole interval later
        f.clock.advance(10ms);
        f.publisher.subscribe([&](const api::SnapshotPtr &) { ++late; });
        f.clock.advance(0ms);
        QCOMPARE(late, 1);
        QCOMPARE(early, 2); // what is made for one goes to all that are free
    }

    void nothingNewNothingPublished()
    {
        Fixture f;
        const auto id = f.publisher.subscribe([](const api::SnapshotPtr &) {});
        f.clock.advance(1s);
        f.publisher.acknowledge(id);
        f.clock.advance(10s);
        QCOMPARE(f.made, 1);
        QCOMPARE(f.clock.waiting(), size_t(0));
    }

    void oneInFlightUntilAcknowledgedThenTheNewest()
    {
        Fixture f;
        QList<quint64> got;
        const auto id = f.publisher.subscribe([&](api::SnapshotPtr snapshot) { got << snapshot->sequence; });
        f.clock.advance(0ms);
        f.publisher.touch();
        f.clock.advance(10s);
        QCOMPARE(got.size(), 1);
        f.publisher.acknowledge(id);
        f.clock.advance(1s);
        QCOMPARE(got.size(), 2);
    }

    void aSlowSubscriberDoesNotHoldUpTheOthers()
    {
        Fixture f;
        int slow = 0;
        int quick = 0;
        engine::SnapshotPublisher::Subscriber quickId = 0;
        f.publisher.subscribe([&](const api::SnapshotPtr &) { ++slow; });
        quickId = f.publisher.subscribe([&](const api::SnapshotPtr &) { ++quick; });
        for (int i = 0; i < 4; ++i) {
            f.clock.advance(1s);
            f.publisher.acknowledge(quickId);
            f.publisher.touch();
        }
        QCOMPARE(slow, 1);
        QCOMPARE(quick, 4);
    }

    void flushDoesNotWait()
    {
        Fixture f;
        const auto id = f.publisher.subscribe([](const api::SnapshotPtr &) {});
        f.clock.advance(0ms);
        f.publisher.acknowledge(id);
        f.publisher.touch();
        f.publisher.flush();
        QCOMPARE(f.made, 2);
    }

    void whatWasFlushedWhileOneWasInFlightComesWithItsAcknowledgement()
    {
        Fixture f;
        const auto id = f.publisher.subscribe([](const api::SnapshotPtr &) {});
        f.clock.advance(0ms);
        f.publisher.touch();
        f.publisher.flush();
        QCOMPARE(f.made, 1); // one in flight
        f.publisher.acknowledge(id);
        QCOMPARE(f.made, 2); // without the pace of what is only touched
    }
};

REDRIVE_TEST(TestSnapshotPublisher)
#include "tst_snapshotpublisher.moc"
