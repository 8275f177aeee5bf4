#include "backend/intake/queuesubscription.h"
#include "tests/backend/intake/intakefixture.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/testmain/testmain.h"

using namespace std::chrono_literals;
using test::IntakeFixture;

class TestQueueSubscription final : public QObject
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
    void aBusyQueueIsLeftForTheNextRound();
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

struct Subscription
{
    IntakeFixture fixture{false};
    QStringList asked;
    QHash<QString, core::Error> failing;
    std::function<void()> meanwhile; // while it is taken from
    QString busy; // does not become empty
    intake::QueueSubscription subscription{fixture.connection.id, fixture.store, fixture.clock, *fixture.random,
                                           [this](QString queue) { return take(queue); }};

    core::Task<core::Result<intake::QueueSubscription::Share>> take(QString queue)
    {
        asked.append(queue);
        if (failing.contains(queue))
            co_return core::fail(failing.value(queue));
        if (meanwhile)
            meanwhile();
        intake::QueueSubscription::Share share;
        share.counts.taken = 1;
        share.isAll = queue != busy;
        co_return share;
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
        const auto run = [](intake::QueueSubscription &it, broker::Listing all, bool needed,
                            std::optional<core::Result<records::IntakeCounts>> &to) -> core::Task<> {
            core::Result<records::IntakeCounts> taken = co_await it.round(std::move(all), needed);
            to = std::move(taken);
        };
        run(subscription, listing, neededOnly, answer);
        return *answer;
    }
};

core::Error error(core::ErrorKind kind)
{
    return {kind, QStringLiteral("The broker did not answer."), {}, {}};
}

} // namespace

void TestQueueSubscription::onlyFollowedQueuesAreTakenFrom()
{
    Subscription f;
    QCOMPARE(f.round({errorQueue})->taken, 0); // nobody asked for it
    QVERIFY(f.subscription.setSubscribed(errorQueue, true));
    QCOMPARE(f.round({errorQueue, QStringLiteral("other")})->taken, 1);
    QVERIFY(f.subscription.setSubscribed(errorQueue, false));
    QCOMPARE(f.round({errorQueue})->taken, 0);
    QCOMPARE(f.asked, QStringList{errorQueue});
}

// Silence is a proof only where everything was read.
void TestQueueSubscription::whatIsSwitchedOffMeanwhileWasNotSeen()
{
    Subscription f;
    QVERIFY(f.subscription.setSubscribed(errorQueue, true));
    QVERIFY(f.round({errorQueue}));
    QCOMPARE(f.subscription.seen(), QStringList{errorQueue});
    f.meanwhile = [&f] { QVERIFY(f.subscription.setSubscribed(errorQueue, false)); };
    QVERIFY(f.round({errorQueue}));
    QCOMPARE(f.subscription.seen(), QStringList());
}

void TestQueueSubscription::whatARetryNeedsIsTakenFromAsLongAsItDoes()
{
    Subscription f;
    const QString other = QStringLiteral("other");
    QVERIFY(f.subscription.setSubscribed(other, true));
    f.subscription.need({errorQueue});
    QCOMPARE(f.round({errorQueue, other})->taken, 2);
    QCOMPARE(f.round(QList{listed(errorQueue), listed(other)}, true, true)->taken, 1);
    QCOMPARE(f.asked, (QStringList{errorQueue, other, errorQueue}));
    QCOMPARE(f.subscription.subscribed(), QStringList{other});
    f.failing.insert(errorQueue, error(core::ErrorKind::Transient));
    QVERIFY(f.round({errorQueue})->taken == 0);
    QVERIFY(!f.subscription.waitingReason(errorQueue).isEmpty()); // who needs it, waits
    f.subscription.need({});
    QVERIFY(f.subscription.waitingReason(errorQueue).isEmpty());
    f.asked.clear();
    QCOMPARE(f.round({errorQueue})->taken, 0);
    QVERIFY(f.asked.isEmpty());
}

void TestQueueSubscription::anEmptyQueueIsLeftAlone()
{
    Subscription f;
    QVERIFY(f.subscription.setSubscribed(errorQueue, true));
    QCOMPARE(f.round(QList{listed(errorQueue, 0)})->taken, 0);
    broker::QueueInfo unknown = listed(errorQueue);
    unknown.depth.reset(); // which is not 0
    QCOMPARE(f.round(QList{unknown})->taken, 1);
}

void TestQueueSubscription::oneFailedQueueDoesNotStopTheOthers()
{
    Subscription f;
    const QStringList queues{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    for (const QString &queue : queues)
        QVERIFY(f.subscription.setSubscribed(queue, true));
    f.failing.insert(QStringLiteral("b"), error(core::ErrorKind::Transient));
    const core::Result<records::IntakeCounts> taken = f.round(queues);
    QVERIFY(taken);
    QCOMPARE(taken->taken, 2);
    QCOMPARE(f.asked, queues);
}

void TestQueueSubscription::aFailedQueueWaitsAndSaysWhy()
{
    QFETCH(const core::Milliseconds, by);
    Subscription f;
    QVERIFY(f.subscription.setSubscribed(errorQueue, true));
    f.failing.insert(errorQueue, error(core::ErrorKind::Transient));
    QVERIFY(f.round({errorQueue}));
    QVERIFY(f.subscription.waitingReason(errorQueue).contains(QStringLiteral("did not answer")));
    f.failing.clear();
    f.fixture.clock.jump(by);
    QCOMPARE(f.round({errorQueue})->taken, 0); // too early
    f.fixture.clock.advance(65s); // the longest back-off
    QCOMPARE(f.round({errorQueue})->taken, 1);
    QVERIFY(f.subscription.waitingReason(errorQueue).isEmpty());
    QVERIFY(f.round(QStringList{}));
    QVERIFY(f.subscription.waitingReason(errorQueue).contains(QStringLiteral("does not exist")));
    QVERIFY(f.round(QList<broker::QueueInfo>{}, false)); // of what may not be listed that is not known
    QVERIFY(f.subscription.waitingReason(errorQueue).contains(QStringLiteral("may not list queues")));
}

void TestQueueSubscription::aBusyQueueIsLeftForTheNextRound()
{
    Subscription f;
    const QStringList queues{QStringLiteral("a"), QStringLiteral("b")};
    for (const QString &queue : queues)
        QVERIFY(f.subscription.setSubscribed(queue, true));
    f.busy = queues.first();
    QCOMPARE(f.round(queues)->taken, 2);
    QVERIFY(f.subscription.isUnfinished());
    QCOMPARE(f.subscription.seen(), queues.mid(1)); // silence is a proof only where everything was read
    f.busy.clear();
    QVERIFY(f.round(QList{listed(queues.first(), 0), listed(queues.last(), 0)})); // the listing may be older
    QCOMPARE(f.asked, (QStringList{queues.first(), queues.last(), queues.first()}));
    QVERIFY(!f.subscription.isUnfinished());
}

void TestQueueSubscription::aStopEndsTheRound()
{
    Subscription f;
    const QStringList queues{QStringLiteral("a"), QStringLiteral("b")};
    for (const QString &queue : queues)
        QVERIFY(f.subscription.setSubscribed(queue, true));
    f.failing.insert(QStringLiteral("a"), error(core::ErrorKind::Cancelled));
    QVERIFY(!f.round(queues));
    QCOMPARE(f.asked, QStringList{QStringLiteral("a")});
}

void TestQueueSubscription::isRememberedByTheStore()
{
    Subscription first;
    QVERIFY(first.subscription.setSubscribed(errorQueue, true));
    intake::QueueSubscription second(first.fixture.connection.id, first.fixture.store, first.fixture.clock,
                                     *first.fixture.random, [&first](QString queue) { return first.take(queue); });
    QVERIFY(second.subscribed().isEmpty());
    QVERIFY(second.load());
    QCOMPARE(second.subscribed(), QStringList{errorQueue});
}

REDRIVE_TEST(TestQueueSubscription)
#include "tst_queuesubscription.moc"
