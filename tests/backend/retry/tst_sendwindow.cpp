// When the next durable step of the intent log is worth its commit, and how much is open at a time.
#include "backend/retry/forwarding/sendwindow.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/testmain/testmain.h"

using retry::SendWindow;

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
void land(SendWindow &window, const SendWindow::Call &call)
{
    for (const broker::Outgoing &message : call.messages)
        window.add({message.ordinal, records::SendEnd::Accepted, {}});
    window.landed(call);
    window.wakeWhenDue();
}

struct Waiting
{
    explicit Waiting(SendWindow &window) { wait(window); }
    core::Task<> wait(SendWindow &window)
    {
        const core::Pending<bool> due = window.stepDue();
        co_await due;
        over = true;
    }
    bool over = false;
};

} // namespace

class TestSendWindow final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noMoreIsOpenThanTheBrokerTakesAtATime()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(10, 4));
        QCOMPARE(window.room(), 40);
        window.load(messages(40));
        QCOMPARE(window.room(), 0);
        const SendWindow::Call first = window.launch();
        QCOMPARE(first.messages.size(), 10);
        QCOMPARE(window.room(), 0);
        land(window, first);
        QCOMPARE(window.room(), 10);
        for (int i = 0; i < 3; ++i)
            static_cast<void>(window.launch());
        QVERIFY(!window.canLaunch()); // all is launched
        QCOMPARE(window.unload(), QList<qint64>{});
    }

    void callsKeepTheBrokersBoundInBytes()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(100, 2, 2500));
        window.load(messages(5, 1000));
        QCOMPARE(window.launch().messages.size(), 2);
        QCOMPARE(window.launch().messages.size(), 2);
        QVERIFY(!window.canLaunch()); // two calls at a time
        QCOMPARE(window.unload(), QList<qint64>{5});
    }

    void aMessageLargerThanTheBoundGoesAlone()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(100, 2, 500));
        window.load(messages(2, 1000));
        QCOMPARE(window.launch().messages.size(), 1);
    }

    void aQuarterOfTheAnswersIsWorthAStepAtOnce()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(1, 8));
        window.load(messages(8));
        QList<SendWindow::Call> calls;
        while (window.canLaunch())
            calls.append(window.launch());
        Waiting step(window);
        land(window, calls.at(0));
        QVERIFY(!step.over);
        land(window, calls.at(1));
        QVERIFY(step.over);
    }

    void fewAnswersWaitForTheRhythmAndNoLonger_data() { support::clocksThatAreSet(); }

    void fewAnswersWaitForTheRhythmAndNoLonger()
    {
        QFETCH(const core::Milliseconds, by);
        support::FakeClock clock;
        SendWindow window(clock, able(1, 8));
        window.load(messages(8));
        const SendWindow::Call first = window.launch();
        static_cast<void>(window.launch());
        Waiting step(window);
        clock.advance(SendWindow::rhythm / 2);
        clock.jump(by);
        land(window, first);
        clock.advance(SendWindow::rhythm / 2 - core::Milliseconds{1});
        QVERIFY(!step.over);
        clock.advance(core::Milliseconds{1});
        QVERIFY(step.over);
    }

    void noAnswerIsNoReasonForAStep()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(1, 8));
        window.load(messages(2));
        const SendWindow::Call call = window.launch();
        Waiting step(window);
        clock.advance(SendWindow::rhythm * 10);
        QVERIFY(!step.over);
        QCOMPARE(clock.waiting(), size_t(0)); // no timer either
        land(window, call);
    }

    void theLastAnswerIsAlwaysWorthAStep()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(1, 8));
        window.load(messages(1));
        const SendWindow::Call only = window.launch();
        Waiting step(window);
        land(window, only);
        QVERIFY(step.over);
    }

    void afterAFailedStepTheNextOneComesWhenNothingIsUnderWay()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(1, 8));
        window.load(messages(4));
        QList<SendWindow::Call> calls;
        while (window.canLaunch())
            calls.append(window.launch());
        window.holdSteps();
        Waiting step(window);
        for (int i = 0; i < 3; ++i)
            land(window, calls.at(i));
        clock.advance(SendWindow::rhythm * 3);
        QVERIFY(!step.over);
        land(window, calls.at(3));
        QVERIFY(step.over);
        QCOMPARE(window.due().size(), 4); // nothing of it is lost
    }

    void twoFailuresInARowAreTold()
    {
        support::FakeClock clock;
        SendWindow window(clock, able(1, 1));
        const QList<bool> calls{true, false, true, true, true, false, false, true};
        QList<bool> told;
        for (const bool failed : calls)
            told.append(window.failsAgain(failed));
        QCOMPARE(told, (QList<bool>{false, false, false, true, true, false, false, false}));
    }
};

REDRIVE_TEST(TestSendWindow)
#include "tst_sendwindow.moc"
