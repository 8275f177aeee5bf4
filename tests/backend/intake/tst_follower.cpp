#include "backend/intake/follower.h"
#include "tests/backend/intake/intakeworld.h"
#include "tests/support/clocksthatareset.h"

using namespace std::chrono_literals;
using test::IntakeWorld;

class TestFollower final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyFollowedQueuesAreTakenFrom();
    void whatARetryNeedsIsTakenFromAsLongAsItDoes();
    void whatIsSwitchedOffMeanwhileWasNotSeen();
    void anEmptyQueueIsLeftAlone();
    void oneFailedQueueDoesNotStopTheOthers();
    void aFailedQueueWaitsAndSaysWhy_data() { support::clocksThatAreSet(); }
    void aFailedQueueWaitsAndSaysWhy();
    void aStopEndsTheRound();
    void isRememberedByTheStore();
};

namespace {

const QString errorQueue = QStringLiteral("error");

broker::QueueInfo listed(const QString &name, qint64 depth = 1)
{
    broker::QueueInfo info;
    info.name = name;
    info.depth = depth;
    return info;
}

struct Following
{
    IntakeWorld world{false};
    QStringList asked;
    QHash<QString, core::Error> failing;
    std::function<void()> meanwhile; // while it is taken from
    intake::Follower follower{world.connection.id, world.store, world.clock, *world.random,
                              [this](QString queue) { return take(queue); }};

    core::Task<core::Result<records::IntakeCounts>> take(QString queue)
    {
        asked.append(queue);
        if (failing.contains(queue))
            co_return core::fail(failing.value(queue));
        if (meanwhile)
            meanwhile();
        records::IntakeCounts counts;
        counts.taken = 1;
        co_return counts;
    }
    core::Result<records::IntakeCounts> round(const QStringList &names)
    {
        QList<broker::QueueInfo> queues;
        for (const QString &name : names)
            queues.append(listed(name));
        return round(queues);
    }
    core::Result<records::IntakeCounts> round(const QList<broker::QueueInfo> &queues, bool complete = true,
                                              bool neededOnly = false)
    {
        const broker::Listing listing{queues, complete};
        std::optional<core::Result<records::IntakeCounts>> answer;
        const auto run = [](intake::Follower &it, broker::Listing all, bool needed,
                            std::optional<core::Result<records::IntakeCounts>> &to) -> core::Task<> {
            core::Result<records::IntakeCounts> taken = co_await it.round(std::move(all), needed);
            to = std::move(taken);
        };
        run(follower, listing, neededOnly, answer);
        return *answer;
    }
};

core::Error error(core::ErrorKind kind)
{
    return {kind, QStringLiteral("The broker did not answer."), {}, {}};
}

} // namespace

void TestFollower::onlyFollowedQueuesAreTakenFrom()
{
    Following f;
    QCOMPARE(f.round({errorQueue})->taken, 0); // nobody asked for it
    QVERIFY(f.follower.setFollowed(errorQueue, true));
    QCOMPARE(f.round({errorQueue, QStringLiteral("other")})->taken, 1);
    QVERIFY(f.follower.setFollowed(errorQueue, false));
    QCOMPARE(f.round({errorQueue})->taken, 0);
    QCOMPARE(f.asked, QStringList{errorQueue});
}

// Silence is a proof only where everything was read.
void TestFollower::whatIsSwitchedOffMeanwhileWasNotSeen()
{
    Following f;
    QVERIFY(f.follower.setFollowed(errorQueue, true));
    QVERIFY(f.round({errorQueue}));
    QCOMPARE(f.follower.seen(), QStringList{errorQueue});
    f.meanwhile = [&f] { QVERIFY(f.follower.setFollowed(errorQueue, false)); };
    QVERIFY(f.round({errorQueue}));
    QCOMPARE(f.follower.seen(), QStringList());
}

void TestFollower::whatARetryNeedsIsTakenFromAsLongAsItDoes()
{
    Following f;
    const QString other = QStringLiteral("other");
    QVERIFY(f.follower.setFollowed(other, true));
    f.follower.need({errorQueue});
    QCOMPARE(f.round({errorQueue, other})->taken, 2);
    QCOMPARE(f.round(QList{listed(errorQueue), listed(other)}, true, true)->taken, 1);
    QCOMPARE(f.asked, (QStringList{errorQueue, other, errorQueue}));
    QCOMPARE(f.follower.followed(), QStringList{other});
    f.failing.insert(errorQueue, error(core::ErrorKind::Transient));
    QVERIFY(f.round({errorQueue})->taken == 0);
    QVERIFY(!f.follower.waitingReason(errorQueue).isEmpty()); // who needs it, waits
    f.follower.need({});
    QVERIFY(f.follower.waitingReason(errorQueue).isEmpty());
    f.asked.clear();
    QCOMPARE(f.round({errorQueue})->taken, 0);
    QVERIFY(f.asked.isEmpty());
}

void TestFollower::anEmptyQueueIsLeftAlone()
{
    Following f;
    QVERIFY(f.follower.setFollowed(errorQueue, true));
    QCOMPARE(f.round(QList{listed(errorQueue, 0)})->taken, 0);
    broker::QueueInfo unknown = listed(errorQueue);
    unknown.depth.reset(); // which is not 0
    QCOMPARE(f.round(QList{unknown})->taken, 1);
}

void TestFollower::oneFailedQueueDoesNotStopTheOthers()
{
    Following f;
    const QStringList queues{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    for (const QString &queue : queues)
        QVERIFY(f.follower.setFollowed(queue, true));
    f.failing.insert(QStringLiteral("b"), error(core::ErrorKind::Transient));
    const core::Result<records::IntakeCounts> taken = f.round(queues);
    QVERIFY(taken);
    QCOMPARE(taken->taken, 2);
    QCOMPARE(f.asked, queues);
}

void TestFollower::aFailedQueueWaitsAndSaysWhy()
{
    QFETCH(const core::Milliseconds, by);
    Following f;
    QVERIFY(f.follower.setFollowed(errorQueue, true));
    f.failing.insert(errorQueue, error(core::ErrorKind::Transient));
    QVERIFY(f.round({errorQueue}));
    QVERIFY(f.follower.waitingReason(errorQueue).contains(QStringLiteral("did not answer")));
    f.failing.clear();
    f.world.clock.jump(by);
    QCOMPARE(f.round({errorQueue})->taken, 0); // too early
    f.world.clock.advance(65s); // the longest back-off
    QCOMPARE(f.round({errorQueue})->taken, 1);
    QVERIFY(f.follower.waitingReason(errorQueue).isEmpty());
    QVERIFY(f.round(QStringList{}));
    QVERIFY(f.follower.waitingReason(errorQueue).contains(QStringLiteral("does not exist")));
    QVERIFY(f.round(QList<broker::QueueInfo>{}, false)); // of what may not be listed that is not known
    QVERIFY(f.follower.waitingReason(errorQueue).contains(QStringLiteral("may not list queues")));
}

void TestFollower::aStopEndsTheRound()
{
    Following f;
    const QStringList queues{QStringLiteral("a"), QStringLiteral("b")};
    for (const QString &queue : queues)
        QVERIFY(f.follower.setFollowed(queue, true));
    f.failing.insert(QStringLiteral("a"), error(core::ErrorKind::Cancelled));
    QVERIFY(!f.round(queues));
    QCOMPARE(f.asked, QStringList{QStringLiteral("a")});
}

void TestFollower::isRememberedByTheStore()
{
    Following first;
    QVERIFY(first.follower.setFollowed(errorQueue, true));
    intake::Follower second(first.world.connection.id, first.world.store, first.world.clock, *first.world.random,
                            [&first](QString queue) { return first.take(queue); });
    QVERIFY(second.followed().isEmpty());
    QVERIFY(second.load());
    QCOMPARE(second.followed(), QStringList{errorQueue});
}

QTEST_GUILESS_MAIN(TestFollower)
#include "tst_follower.moc"
