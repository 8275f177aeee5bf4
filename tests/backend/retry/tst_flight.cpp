// When the next durable step of the ledger is worth its commit, and how much is open at a time.
#include "backend/retry/flight.h"
#include "tests/support/clocksthatareset.h"

using retry::Flight;

namespace {

broker::Capabilities able(int batch, int inFlight, qint64 batchBytes = 0)
{
    broker::Capabilities can;
    can.sendBatch = batch;
    can.sendsInFlight = inFlight;
    can.sendBatchBytes = batchBytes;
    return can;
}

QList<broker::Outgoing> messages(int count, qsizetype bytes = 10)
{
    QList<broker::Outgoing> made;
    for (int i = 1; i <= count; ++i) {
        broker::Outgoing one;
        one.ordinal = i;
        one.envelope.body = QByteArray(bytes, 'x');
        made.append(one);
    }
    return made;
}

// The answer to a call, as the broker gives it.
void land(Flight &flight, const Flight::Call &call)
{
    for (const broker::Outgoing &message : call.messages)
        flight.add({message.ordinal, store::LedgerOutcome::End::Sent, {}});
    flight.landed(call);
    flight.look();
}

struct Waiting
{
    explicit Waiting(Flight &flight) { wait(flight); }
    core::Task<> wait(Flight &flight)
    {
        const core::Pending<bool> due = flight.stepDue();
        co_await due;
        over = true;
    }
    bool over = false;
};

} // namespace

class TestFlight final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noMoreIsOpenThanTheBrokerTakesAtATime()
    {
        support::FakeClock clock;
        Flight flight(clock, able(10, 4));
        QCOMPARE(flight.room(), 40);
        flight.load(messages(40));
        QCOMPARE(flight.room(), 0);
        const Flight::Call first = flight.launch();
        QCOMPARE(first.messages.size(), 10);
        QCOMPARE(flight.room(), 0);
        land(flight, first);
        QCOMPARE(flight.room(), 10);
        for (int i = 0; i < 3; ++i)
            static_cast<void>(flight.launch());
        QVERIFY(!flight.canLaunch()); // all is launched
        QCOMPARE(flight.unload(), QList<qint64>{});
    }

    void callsKeepTheBrokersBoundInBytes()
    {
        support::FakeClock clock;
        Flight flight(clock, able(100, 2, 2500));
        flight.load(messages(5, 1000));
        QCOMPARE(flight.launch().messages.size(), 2);
        QCOMPARE(flight.launch().messages.size(), 2);
        QVERIFY(!flight.canLaunch()); // two calls at a time
        QCOMPARE(flight.unload(), QList<qint64>{5});
    }

    void aMessageLargerThanTheBoundGoesAlone()
    {
        support::FakeClock clock;
        Flight flight(clock, able(100, 2, 500));
        flight.load(messages(2, 1000));
        QCOMPARE(flight.launch().messages.size(), 1);
    }

    void aQuarterOfTheAnswersIsWorthAStepAtOnce()
    {
        support::FakeClock clock;
        Flight flight(clock, able(1, 8));
        flight.load(messages(8));
        QList<Flight::Call> calls;
        while (flight.canLaunch())
            calls.append(flight.launch());
        Waiting step(flight);
        land(flight, calls.at(0));
        QVERIFY(!step.over);
        land(flight, calls.at(1));
        QVERIFY(step.over);
    }

    void fewAnswersWaitForTheRhythmAndNoLonger_data() { support::clocksThatAreSet(); }

    void fewAnswersWaitForTheRhythmAndNoLonger()
    {
        QFETCH(const core::Milliseconds, by);
        support::FakeClock clock;
        Flight flight(clock, able(1, 8));
        flight.load(messages(8));
        const Flight::Call first = flight.launch();
        static_cast<void>(flight.launch());
        Waiting step(flight);
        clock.advance(Flight::rhythm / 2);
        clock.jump(by);
        land(flight, first);
        clock.advance(Flight::rhythm / 2 - core::Milliseconds{1});
        QVERIFY(!step.over);
        clock.advance(core::Milliseconds{1});
        QVERIFY(step.over);
    }

    void noAnswerIsNoReasonForAStep()
    {
        support::FakeClock clock;
        Flight flight(clock, able(1, 8));
        flight.load(messages(2));
        const Flight::Call call = flight.launch();
        Waiting step(flight);
        clock.advance(Flight::rhythm * 10);
        QVERIFY(!step.over);
        QCOMPARE(clock.waiting(), size_t(0)); // no timer either
        land(flight, call);
    }

    void theLastAnswerIsAlwaysWorthAStep()
    {
        support::FakeClock clock;
        Flight flight(clock, able(1, 8));
        flight.load(messages(1));
        const Flight::Call only = flight.launch();
        Waiting step(flight);
        land(flight, only);
        QVERIFY(step.over);
    }

    void afterAFailedStepTheNextOneComesWhenNothingIsUnderWay()
    {
        support::FakeClock clock;
        Flight flight(clock, able(1, 8));
        flight.load(messages(4));
        QList<Flight::Call> calls;
        while (flight.canLaunch())
            calls.append(flight.launch());
        flight.holdSteps();
        Waiting step(flight);
        for (int i = 0; i < 3; ++i)
            land(flight, calls.at(i));
        clock.advance(Flight::rhythm * 3);
        QVERIFY(!step.over);
        land(flight, calls.at(3));
        QVERIFY(step.over);
        QCOMPARE(flight.due().size(), 4); // nothing of it is lost
    }

    void twoFailuresInARowAreTold()
    {
        support::FakeClock clock;
        Flight flight(clock, able(1, 1));
        const QList<bool> calls{true, false, true, true, true, false, false, true};
        QList<bool> told;
        for (const bool failed : calls)
            told.append(flight.failsAgain(failed));
        QCOMPARE(told, (QList<bool>{false, false, false, true, true, false, false, false}));
    }
};

QTEST_GUILESS_MAIN(TestFlight)
#include "tst_flight.moc"
