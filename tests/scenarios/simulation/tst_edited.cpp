// Edits change only the copy that is sent, whatever happens on the way. The simulation checks every copy that arrives.
#include "backend/store/messages/messagestore.h"
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::HandOver;
using scenario::bothHandOvers;
using scenario::crashOften;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;

namespace {

const QString mend = QStringLiteral(" mended");

QByteArray storedBody(RetrySimulation &simulation, core::MessageId id)
{
    return simulation
        .ask<records::Envelope>([id](store::Session &session) { return session.messages().loadEnvelope(id); })
        .body;
}

} // namespace

class TestEdited : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatFailsAgainIsKeptAsItWasSent_data();
    void whatFailsAgainIsKeptAsItWasSent();
    void aCrashChangesNothingAboutIt_data();
    void aCrashChangesNothingAboutIt();
};

void TestEdited::whatFailsAgainIsKeptAsItWasSent_data()
{
    bothHandOvers();
}

// The original stays until the edited copy comes back; then the next retry starts with the edited copy.
void TestEdited::whatFailsAgainIsKeptAsItWasSent()
{
    QFETCH(const HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 8;
    settings.failsAgain = 3;
    RetrySimulation simulation(51, settings);
    QMap<core::MessageId, QByteArray> before;
    for (const records::FailedMessage &one : simulation.messages())
        before.insert(one.id, storedBody(simulation, one.id));
    RetrySimulation::UserAction action;
    action.mend = mend;
    simulation.start();
    simulation.request(action);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.mended(), 8);
    int again = 0;
    for (const records::FailedMessage &one : simulation.messages()) {
        const bool cameBack = one.cameBack > 0;
        again += cameBack ? 1 : 0;
        const QByteArray expected = before.value(one.id) + (cameBack ? mend.toUtf8() : QByteArray());
        QCOMPARE(storedBody(simulation, one.id), expected);
        QCOMPARE(one.bodySize, expected.size());
    }
    QCOMPARE(again, 3);

    simulation.request(action); // those three again, on the result of the first edit
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.mended(), 8 + 3);
    for (const records::FailedMessage &one : simulation.messages())
        QVERIFY(storedBody(simulation, one.id).count(mend.toUtf8())
                <= 1); // no third failure: the second edit is stored nowhere
}

void TestEdited::aCrashChangesNothingAboutIt_data()
{
    bothHandOvers();
}

// The edit is part of the frozen set, so another process that takes over needs nothing else.
void TestEdited::aCrashChangesNothingAboutIt()
{
    QFETCH(const HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.onUnknown = records::OnUnknown::SendAgain;
    settings.messages = 9;
    settings.batchMembers = 3;
    RetrySimulation simulation(52, settings);
    RetrySimulation::UserAction action;
    action.mend = mend;
    simulation.start();
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }));
    crashOften(simulation);
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(simulation.crashes > 3);
    QVERIFY(simulation.mended() >= 9);
}

REDRIVE_TEST(TestEdited)
#include "tst_edited.moc"
