#include "models/retries/plandestinations.h"
#include "models/retries/plantext.h"
#include "models/retries/retrypace.h"
#include "models/retries/retryplan.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using models::RetryPlan;

class TestRetryPlan final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void aPlanThatNeedsNoConfirmationCanGoAtOnce();
    void theCountMustBeTypedExactly_data();
    void theCountMustBeTypedExactly();
    void onlyTheNewestPreviewCounts();
    void countingThatNobodyWantsIsCancelled();
    void freezingShowsHowFarItIsAndCanBeCancelled();
    void theMomentIsFixedByTheFirstPreview();
    void aChoiceForDoubtfulSendsSurvivesANewPreview();
    void aRefusalSaysWhyAndBlocks();
    void aRefusedRetryCanBeAskedAgain();
    void anEmptySetCannotGo();
    void aDryRunAsksAgainAndSendsNothing();
    void theLastRetryTellsHowLongItTakes();
    void aSpanOverMidnightNamesBothDays();
    void aQueueThatDoesNotExistIsNamed();
    void aQueueThatTakesNothingIsNotCalledMissing();
    void whatWasOnlyLookedAtIsLeftOutWithTheReason();
    void aQueueIsChosenForEachDestination();
    void theRowsAreAllThatAQueueCanBeChosenFor();
    void aRedirectIsRememberedUntilItIsTakenBack();
    void howADestinationIsKnownIsSaidForTheFirstRows();
};

namespace {

void waitForState(RetryPlan &plan, RetryPlan::State state)
{
    QTRY_COMPARE(plan.state(), state);
}

api::PlanPreview previewOf(qint64 count, bool confirm)
{
    api::PlanPreview preview;
    preview.frozenCount = count;
    preview.confirmCount = confirm;
    preview.asOfChange = 77;
    preview.onUnknownApplies = true;
    preview.onUnknownDefault = records::OnUnknown::SendAgain;
    return preview;
}

} // namespace

void TestRetryPlan::aPlanThatNeedsNoConfirmationCanGoAtOnce()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(12, false);
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    QSignalSpy accepted(&plan, &RetryPlan::accepted);
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    QVERIFY(plan.canGo());
    plan.setReason(QStringLiteral("  fixed in 4.2  "));
    plan.go();
    waitForState(plan, RetryPlan::State::Accepted);
    QCOMPARE(accepted.size(), 1);
    QCOMPARE(client.retries.size(), 1);
    QCOMPARE(client.retries.first().expectedCount, 12);
    QCOMPARE(client.retries.first().draft.plan.reason, QStringLiteral("fixed in 4.2"));
}

void TestRetryPlan::theCountMustBeTypedExactly_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<bool>("mayGo");
    QTest::newRow("nothing") << QString() << false;
    QTest::newRow("bare") << QStringLiteral("14207") << true;
    QTest::newRow("as shown") << QStringLiteral("14,207") << true;
    QTest::newRow("with blanks") << QStringLiteral(" 14207 ") << true;
    QTest::newRow("another number") << QStringLiteral("14208") << false;
    QTest::newRow("a word") << QStringLiteral("yes") << false;
}

void TestRetryPlan::theCountMustBeTypedExactly()
{
    QFETCH(QString, typed);
    QFETCH(bool, mayGo);
    support::FakeClient client;
    client.previewAnswer = previewOf(14207, true);
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    plan.setConfirmation(typed);
    QCOMPARE(plan.canGo(), mayGo);
}

void TestRetryPlan::onlyTheNewestPreviewCounts()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(5, false);
    client.holdAnswers(true);
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    client.previewAnswer = previewOf(3, false);
    plan.setLimit(3);
    client.holdAnswers(false);
    waitForState(plan, RetryPlan::State::Ready);
    QCOMPARE(plan.preview().frozenCount, 3);
    QCOMPARE(client.previews.size(), 2);
}

void TestRetryPlan::countingThatNobodyWantsIsCancelled()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(5, false);
    client.workProgress = {1200, 3000};
    client.heldNames = {client.nameOf<api::PreviewRetry>()};
    models::ConsoleSession session(client);
    {
        RetryPlan plan(session, {});
        plan.ask();
        QCOMPARE(plan.progress(), QString());
        QTRY_COMPARE(plan.progress(), QStringLiteral("Counting messages: 1,200 of 3,000"));
        plan.setLimit(3);
        QCOMPARE(client.cancelledWork.size(), 1);
        QCOMPARE(plan.progress(), QString());
        client.releaseOne();
        client.releaseOne();
        waitForState(plan, RetryPlan::State::Ready);
        QCOMPARE(client.cancelledWork.size(), 1); // an answered one is not cancelled
        plan.dryRun();
    }
    QCOMPARE(client.cancelledWork.size(), 2); // the dialog was closed
    QVERIFY(client.cancelledWork.first() != client.cancelledWork.last());
}

void TestRetryPlan::freezingShowsHowFarItIsAndCanBeCancelled()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(3000, false);
    client.workProgress = {1200, 3000};
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    QVERIFY(!plan.cancel());
    client.heldNames = {client.nameOf<api::ConfirmRetry>()};
    client.failNext<api::ConfirmRetry>({core::ErrorKind::Cancelled, QStringLiteral("Nothing was sent."), {}, {}});
    plan.go();
    QTRY_COMPARE(plan.progress(), QStringLiteral("Freezing messages: 1,200 of 3,000"));
    QVERIFY(plan.cancel());
    QVERIFY(!plan.cancel());
    QCOMPARE(client.cancelledWork, QStringList{client.retries.last().ticket});
    QVERIFY(plan.state() == RetryPlan::State::Sending); // until the engine has answered
    client.releaseOne();
    waitForState(plan, RetryPlan::State::Refused);
    QCOMPARE(plan.problem(), QStringLiteral("Nothing was sent."));
    plan.ask(); // and it can be tried again
    waitForState(plan, RetryPlan::State::Ready);
}

void TestRetryPlan::theMomentIsFixedByTheFirstPreview()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(5, false);
    client.snapshot.change = 77;
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    plan.setLimit(2);
    waitForState(plan, RetryPlan::State::Ready);
    QCOMPARE(client.previews.last().asOfChange, std::optional<qint64>(77));
}

void TestRetryPlan::aChoiceForDoubtfulSendsSurvivesANewPreview()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(5, false);
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    QCOMPARE(plan.draft().plan.onUnknown, records::OnUnknown::SendAgain);
    plan.setOnUnknown(records::OnUnknown::LeaveInDoubt);
    plan.setLimit(2);
    waitForState(plan, RetryPlan::State::Ready);
    QCOMPARE(plan.draft().plan.onUnknown, records::OnUnknown::LeaveInDoubt);
}

void TestRetryPlan::aRefusalSaysWhyAndBlocks()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(5, false);
    client.previewAnswer.refusal = QStringLiteral("The right to retry is missing on shop.");
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Refused);
    QVERIFY(!plan.canGo());
    QCOMPARE(plan.problem(), client.previewAnswer.refusal);
}

void TestRetryPlan::aRefusedRetryCanBeAskedAgain()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(5, false);
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    client.failNext<api::ConfirmRetry>({core::ErrorKind::Conflict, QStringLiteral("Now it would be 4."), {}, {}});
    plan.go();
    waitForState(plan, RetryPlan::State::Refused);
    QCOMPARE(plan.problem(), QStringLiteral("Now it would be 4."));
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    QVERIFY(plan.canGo());
}

void TestRetryPlan::anEmptySetCannotGo()
{
    support::FakeClient client;
    client.previewAnswer.refusal.clear();
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Refused);
    QCOMPARE(plan.problem(), QStringLiteral("No message is left to send."));
    QVERIFY(!plan.canGo());
    plan.go();
    QCOMPARE(client.retries.size(), 0);
}

void TestRetryPlan::aDryRunAsksAgainAndSendsNothing()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(12, false);
    client.previewAnswer.asOf = core::fromMs(1767323045000);
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    QVERIFY(!plan.dryRunAt());
    client.previewAnswer.frozenCount = 11;
    plan.dryRun();
    waitForState(plan, RetryPlan::State::Ready);
    QCOMPARE(plan.dryRunAt(), std::optional(client.previewAnswer.asOf));
    QCOMPARE(plan.preview().frozenCount, 11);
    QCOMPARE(client.previews.size(), 2);
    QVERIFY(client.retries.isEmpty());
    QCOMPARE(models::PlanText::dryRun(plan.preview(), *plan.dryRunAt(), models::TimeZone::Utc),
             QStringLiteral("Dry run at 03:04:05 UTC, nothing was sent: the retry would send 11 messages."));
    plan.setLimit(5); // another plan: the dry run is no longer valid
    waitForState(plan, RetryPlan::State::Ready);
    QVERIFY(!plan.dryRunAt());
}

void TestRetryPlan::theLastRetryTellsHowLongItTakes()
{
    api::Snapshot snapshot;
    const auto operation = [&snapshot](qint64 id, qint64 connection, qint64 sent, int seconds, double now) {
        api::OperationView view;
        view.operation.id = core::OperationId{id};
        view.operation.connection = core::ConnectionId{connection};
        view.operation.counts.sent = sent;
        view.operation.started = core::fromMs(1767323045000);
        if (seconds > 0)
            view.operation.finished = *view.operation.started + std::chrono::seconds(seconds);
        view.messagesPerSecond = now;
        view.operation.state = seconds > 0 ? records::OperationState::Completed : records::OperationState::Running;
        snapshot.operations.append(view);
    };
    operation(9, 1, 5, 1, 0); // too few messages for a rate
    operation(10, 1, 500, 500, 0); // its rate was limited
    snapshot.operations.last().operation.plan.perMinute = 60;
    operation(11, 1, 500, 500, 0); // most of its time went into the waits of its ramp
    snapshot.operations.last().operation.plan.ramp = records::Ramp{{1, 10}, true};
    operation(7, 1, 8120, 3610, 0);
    snapshot.operations.last().operation.rested = std::chrono::hours(1); // a person had paused it
    operation(6, 1, 100, 10, 0); // older
    operation(8, 2, 500, 0, 50); // running
    const QHash<core::ConnectionId, double> paces = models::retryPaces(snapshot);
    QCOMPARE(paces.value(core::ConnectionId{1}), 812.0);
    QCOMPARE(paces.value(core::ConnectionId{2}), 50.0);
    QCOMPARE(models::PlanText::duration(16240, paces.value(core::ConnectionId{1})),
             QStringLiteral("About 20 s at 812/s, the rate of an earlier retry"));
    QVERIFY(models::PlanText::duration(16240, std::nullopt).isEmpty());
    support::FakeClient client;
    client.previewAnswer = previewOf(12, false);
    client.previewAnswer.connection = core::ConnectionId{2};
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.setPaces(paces);
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    QCOMPARE(plan.pace(), std::optional(50.0));
}

void TestRetryPlan::aSpanOverMidnightNamesBothDays()
{
    using namespace std::chrono_literals;
    api::PlanPreview preview;
    preview.asOf = core::fromMs(1'767'323'045'000); // 2 January, 03:04:05 UTC
    preview.lastFailed = preview.asOf - 1s;
    preview.firstFailed = preview.asOf - 2h;
    const auto words = [&preview] { return models::PlanText::failedBetween(preview, models::TimeZone::Utc); };
    QCOMPARE(words(), QStringLiteral("01:04:05 to 03:04:04"));
    preview.firstFailed = preview.asOf - 12h;
    QCOMPARE(words(), QStringLiteral("1 Jan 15:04 to 2 Jan 03:04"));
}

void TestRetryPlan::aQueueThatDoesNotExistIsNamed()
{
    api::PlanPreview preview;
    preview.leftOut[records::LeftOut::NoDestination] = 2;
    preview.leftOut[records::LeftOut::NoSuchQueue] = 1600;
    for (const char *queue : {"a", "b", "c", "d", "e"}) {
        api::PlannedDestination missing;
        missing.destination.queue = QLatin1String(queue);
        missing.count = 320;
        preview.missingDestinations.append(missing);
    }
    const QStringList lines = models::PlanText::leftOut(preview, {});
    QCOMPARE(lines,
             (QStringList{QStringLiteral("2 without a known destination: left out"),
                          QStringLiteral("320 left out: the destination queue a does not exist"),
                          QStringLiteral("320 left out: the destination queue b does not exist"),
                          QStringLiteral("320 left out: the destination queue c does not exist"),
                          QStringLiteral("640 left out: their destination queues do not exist or take nothing")}));
}

void TestRetryPlan::aQueueThatTakesNothingIsNotCalledMissing()
{
    api::PlanPreview preview;
    preview.leftOut[records::LeftOut::NoSuchQueue] = 320;
    api::PlannedDestination mine;
    mine.destination.queue = QStringLiteral("mine");
    mine.count = 320;
    mine.exists = true;
    mine.cannotSend = QStringLiteral("Queue mine is exclusive.");
    preview.missingDestinations.append(mine);
    QCOMPARE(models::PlanText::leftOut(preview, {}),
             QStringList{QStringLiteral("320 left out. Queue mine is exclusive.")});
    models::PlanDestinations rows;
    rows.setRows(models::PlanDestinations::rowsOf(preview));
    QCOMPARE(rows.index(0, models::PlanDestinations::Waiting).data().toString(), QStringLiteral("cannot be used"));
}

void TestRetryPlan::whatWasOnlyLookedAtIsLeftOutWithTheReason()
{
    api::PlanPreview preview;
    preview.leftOut[records::LeftOut::BrowsedOnly] = 1200;
    preview.browsedOnlyReason = QStringLiteral("this account cannot take them");
    const QStringList lines = models::PlanText::leftOut(preview, {});
    QCOMPARE(lines, QStringList{QStringLiteral("1,200 browsed only, left out: this account cannot take them")});
}

void TestRetryPlan::aQueueIsChosenForEachDestination()
{
    using records::Redirect;
    support::FakeClient client;
    client.previewAnswer = previewOf(12, false);
    client.previewAnswer.standing = {{Redirect::Of::Queue, QStringLiteral("billing"), QStringLiteral("spare")}};
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    plan.sendTo(QStringLiteral("orders"), QStringLiteral("orders")); // the original destination
    QCOMPARE(client.previews.size(), 1);
    plan.sendTo(QStringLiteral("orders"), QStringLiteral("orders-2"));
    plan.sendTo({}, QStringLiteral("spare"));
    plan.sendTo(QStringLiteral("billing"), QStringLiteral("billing")); // overrides the standing redirect
    const QList<Redirect> expected{{Redirect::Of::Queue, QStringLiteral("orders"), QStringLiteral("orders-2")},
                                   {Redirect::Of::Unknown, {}, QStringLiteral("spare")},
                                   {Redirect::Of::Queue, QStringLiteral("billing"), QStringLiteral("billing")}};
    QCOMPARE(client.previews.last().plan.redirects, expected); // each choice is a new plan
    QCOMPARE(client.previews.size(), 4);
    QCOMPARE(plan.chosenFor({}), std::optional(QStringLiteral("spare")));
    QVERIFY(!plan.chosenFor(QStringLiteral("sales")));
    plan.sendTo(QStringLiteral("orders"), QStringLiteral("orders-3"));
    QCOMPARE(client.previews.last().plan.redirects.last().to, QStringLiteral("orders-3")); // not both
    plan.sendTo(QStringLiteral("orders"), std::nullopt);
    plan.sendTo({}, std::nullopt);
    QCOMPARE(client.previews.last().plan.redirects.size(), 1);
    waitForState(plan, RetryPlan::State::Ready);
    plan.go();
    QCOMPARE(client.retries.first().standingShown, std::optional(client.previewAnswer.standing));
    QCOMPARE(client.retries.first().draft.plan.redirects.size(), 1);
}

void TestRetryPlan::aRedirectIsRememberedUntilItIsTakenBack()
{
    support::FakeClient client;
    client.previewAnswer = previewOf(5, false);
    models::ConsoleSession session(client);
    RetryPlan plan(session, {});
    plan.ask();
    waitForState(plan, RetryPlan::State::Ready);
    plan.sendTo(QStringLiteral("orders"), QStringLiteral("orders-2"));
    plan.sendTo(QStringLiteral("billing"), QStringLiteral("spare"));
    plan.sendTo({}, QStringLiteral("spare")); // no standing redirect can name these
    QCOMPARE(plan.rememberable().size(), 2);
    plan.setRemembered(QStringLiteral("orders"), true);
    plan.setRemembered(QStringLiteral("billing"), true);
    plan.sendTo(QStringLiteral("orders"), QStringLiteral("orders-3")); // another queue: still remembered
    plan.sendTo(QStringLiteral("billing"), std::nullopt);
    QVERIFY(plan.isRemembered(QStringLiteral("orders")));
    QVERIFY(!plan.isRemembered(QStringLiteral("billing")));
    waitForState(plan, RetryPlan::State::Ready);
    plan.go();
    QTRY_COMPARE(client.retries.size(), 1);
    QCOMPARE(client.retries.first().remember, QStringList{QStringLiteral("orders")});
}

void TestRetryPlan::howADestinationIsKnownIsSaidForTheFirstRows()
{
    api::PlanPreview preview;
    for (int i = 0; i < 5; ++i) {
        api::PlannedDestination planned;
        planned.destination.queue = QStringLiteral("orders-%1").arg(i);
        planned.why = QStringLiteral("Known from x-death.");
        planned.route = api::PlannedRoute();
        planned.route->sentence = QStringLiteral("Exchange e leads to:\na.");
        preview.destinations.append(planned);
    }
    const QStringList lines = models::PlanText::evidence(preview);
    QCOMPARE(lines.size(), 4);
    QVERIFY2(lines.first().startsWith(u"orders-0: Known from x-death. Exchange e leads to:"),
             qPrintable(lines.first()));
    QVERIFY(!lines.first().contains(QLatin1Char('\n'))); // a name cannot add lines
    QVERIFY(lines.last().startsWith(u"2 more"));
    preview.destinations.clear();
    preview.unknown.count = 3;
    preview.unknown.why = QStringLiteral("These messages do not say.");
    QCOMPARE(models::PlanText::evidence(preview), QStringList{QStringLiteral("unknown: These messages do not say.")});

    models::PlanDestinations rows;
    rows.setRows(models::PlanDestinations::rowsOf(preview));
    const QString tip = rows.index(0, models::PlanDestinations::KnownFrom).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.endsWith(u"These messages do not say."), qPrintable(tip));
}

void TestRetryPlan::theRowsAreAllThatAQueueCanBeChosenFor()
{
    using models::PlanDestinations;
    api::PlanPreview preview;
    preview.destinations.resize(2);
    preview.destinations[0].destination.queue = QStringLiteral("orders");
    preview.destinations[1].destination.queue = QStringLiteral("spare");
    preview.destinations[1].insteadOf = records::Destination{QStringLiteral("billing"), {}, {}};
    preview.missingDestinations.resize(1);
    preview.missingDestinations[0].destination.queue = QStringLiteral("gone");
    preview.missingDestinations[0].exists = false;
    preview.leftOut[records::LeftOut::NoDestination] = 5;
    preview.unknown.count = 4; // one needs another tool
    PlanDestinations rows;
    rows.setRows(PlanDestinations::rowsOf(preview));
    const auto cell = [&rows](int row, int column) { return rows.index(row, column).data().toString(); };
    QCOMPARE(rows.rowCount(), 4);
    QCOMPARE(cell(1, PlanDestinations::Queue), QStringLiteral("billing"));
    QCOMPARE(cell(1, PlanDestinations::GoesTo), QStringLiteral("spare"));
    QCOMPARE(cell(1, PlanDestinations::KnownFrom), QStringLiteral("your choice"));
    QCOMPARE(cell(2, PlanDestinations::Waiting), QStringLiteral("does not exist"));
    QCOMPARE(cell(3, PlanDestinations::Queue), QStringLiteral("unknown"));
    QCOMPARE(cell(3, PlanDestinations::Messages), QStringLiteral("4"));
    QCOMPARE(cell(3, PlanDestinations::Waiting), QStringLiteral("left out"));

    const QPersistentModelIndex billing = rows.index(1, 0);
    preview.destinations[1].destination.queue = QStringLiteral("sales"); // another choice: the same row
    preview.destinations[1].standing = true;
    rows.setRows(PlanDestinations::rowsOf(preview));
    QVERIFY(billing.isValid());
    QCOMPARE(cell(1, PlanDestinations::KnownFrom), QStringLiteral("standing redirect"));

    preview.redirected = 3;
    QCOMPARE(models::PlanText::redirected(preview),
             QStringLiteral("3 go to another queue than their original destination"));
    preview.redirected = 0;
    QCOMPARE(models::PlanText::redirected(preview), QString());
}

REDRIVE_TEST(TestRetryPlan)
#include "tst_retryplan.moc"
