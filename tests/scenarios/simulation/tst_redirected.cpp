// Redirected messages: each kind of redirect, on both hand-overs. After every transaction the simulation checks that
// copies reach the queue they are frozen for, with unchanged bodies.
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::HandOver;
using records::Outcome;
using records::Redirect;
using scenario::bothHandOvers;
using scenario::crashOften;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;

namespace {

// How many copies of this operation reached each queue.
QMap<QString, int> arrivals(RetrySimulation &simulation, core::OperationId operation)
{
    QMap<QString, int> counts;
    for (const store::RetryMember &member : simulation.members(operation))
        counts[member.destination] += simulation.deliveries(member.uniqueId, operation);
    return counts;
}

} // namespace

class TestRedirected : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatFailsAgainThereIsTheSameRecord_data();
    void whatFailsAgainThereIsTheSameRecord();
    void whatHadNowhereToGoArrives_data();
    void whatHadNowhereToGoArrives();
    void aCrashSendsNothingElsewhere_data();
    void aCrashSendsNothingElsewhere();
};

void TestRedirected::whatFailsAgainThereIsTheSameRecord_data()
{
    QTest::addColumn<HandOver>("handOver");
    QTest::addColumn<bool>("standing");
    QTest::newRow("staging queue, plan") << HandOver::StagingQueue << false;
    QTest::newRow("staging queue, standing") << HandOver::StagingQueue << true;
    QTest::newRow("intent log, plan") << HandOver::IntentLog << false;
    QTest::newRow("intent log, standing") << HandOver::IntentLog << true;
}

// I8 holds for every redirect.
void TestRedirected::whatFailsAgainThereIsTheSameRecord()
{
    QFETCH(const HandOver, handOver);
    QFETCH(const bool, standing);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 8;
    settings.failsAgain = 4;
    if (standing) {
        settings.standing.insert(QStringLiteral("billing"), QStringLiteral("spare"));
        settings.standing.insert(QStringLiteral("sales"), QStringLiteral("spare"));
    }
    RetrySimulation simulation(41, settings);
    RetrySimulation::UserAction action;
    if (!standing)
        action.redirects = {{Redirect::Of::Everything, {}, QStringLiteral("spare")}};
    simulation.start();
    simulation.request(action);
    QVERIFY(isQuietEnd(simulation));
    const core::OperationId first = simulation.operations().first().id;
    QCOMPARE(arrivals(simulation, first), (QMap<QString, int>{{QStringLiteral("spare"), 8}}));
    QCOMPARE(simulation.operations().first().counts.cameBack, 4);
    QCOMPARE(simulation.messages().size(), 8); // no new records
    int again = 0;
    for (const records::FailedMessage &one : simulation.messages()) {
        if (one.cameBack == 0)
            continue;
        ++again;
        QCOMPARE(one.attempts, 2);
        QVERIFY(one.status == records::MessageStatus::Unresolved);
        QCOMPARE(one.destination.queue, QStringLiteral("spare")); // it failed there now
    }
    QCOMPARE(again, 4);

    simulation.request(); // again, without a redirect: to where they failed last
    QVERIFY(isQuietEnd(simulation));
    const core::OperationId second = simulation.operations().first().id;
    QCOMPARE(arrivals(simulation, second), (QMap<QString, int>{{QStringLiteral("spare"), 4}}));
    QCOMPARE(simulation.messages().size(), 8);
}

void TestRedirected::whatHadNowhereToGoArrives_data()
{
    bothHandOvers();
}

void TestRedirected::whatHadNowhereToGoArrives()
{
    QFETCH(const HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 12;
    settings.nowhereToGo = 4; // 0, 4, 8
    settings.missingDestination = true; // 3, of those that name one
    settings.standing.insert(QStringLiteral("nowhere"), QStringLiteral("sales"));
    RetrySimulation simulation(42, settings);
    RetrySimulation::UserAction action;
    action.redirects = {{Redirect::Of::Unknown, {}, QStringLiteral("spare")}};
    simulation.start();
    simulation.request(action);
    QVERIFY(isQuietEnd(simulation));
    const records::RetryOperation operation = simulation.operations().first();
    QCOMPARE(operation.counts.sent, 12);
    QCOMPARE(operation.plan.redirects, action.redirects);
    const QMap<QString, int> reached = arrivals(simulation, operation.id);
    QCOMPARE(reached.value(QStringLiteral("spare")), 3);
    QVERIFY(!reached.contains(QStringLiteral("nowhere")));
    QCOMPARE(reached.value(QStringLiteral("billing")) + reached.value(QStringLiteral("sales")), 9);
}

void TestRedirected::aCrashSendsNothingElsewhere_data()
{
    bothHandOvers();
}

// The redirects are part of the frozen set, so another process that takes over needs none of them.
void TestRedirected::aCrashSendsNothingElsewhere()
{
    QFETCH(const HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.onUnknown = records::OnUnknown::SendAgain;
    settings.messages = 9;
    settings.batchMembers = 3;
    RetrySimulation simulation(43, settings);
    RetrySimulation::UserAction action;
    action.redirects = {{Redirect::Of::Queue, QStringLiteral("billing"), QStringLiteral("spare")}};
    simulation.start();
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }));
    crashOften(simulation);
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(simulation.crashes > 3);
    const QMap<QString, int> reached = arrivals(simulation, simulation.operations().first().id);
    QVERIFY(!reached.contains(QStringLiteral("billing")));
    QVERIFY(reached.value(QStringLiteral("spare")) >= 5);
    QVERIFY(reached.value(QStringLiteral("sales")) >= 4);
}

REDRIVE_TEST(TestRedirected)
#include "tst_redirected.moc"
