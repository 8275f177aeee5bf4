#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/planneddestination.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/theme/theme.h"
#include "views/retries/plan/plandialog.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>

using views::PlanDialog;

class TestPlanDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theDialogSaysWhatWouldGoAndWhatStays();
    void rowsWithoutMeaningAreAbsent();
    void inProductionTheCountIsTypedAndEnterNeverRetries();
    void aPlainClickIsEnoughOutsideProduction();
    void cancelEndsTheFreezingFirst();
    void theFirstNAsksForANewPlan();
    void aRefusalIsShownAndCanBeLookedAtAgain();
    void hostileNamesStayText();
    void howFastAndWhenAreAsked();
    void stepsBringTheirLimit();
    void theFootSaysHowLongAndADryRunSendsNothing();
    void theQueuesThatGetSuchMessagesComeFirst();
    void aChoiceCanBeRemembered();
    void manyRedirectsAreRememberedTogether();
    void everyRowHasABoxForTheQueueItGoesTo();
    void aQueueIsTypedWhereTheBrokerListsNone();
    void withoutTheRightTheBoxesSayWhy();
    void aReleaseHasNoBoxes();
    void aReleaseThatCannotGoBackHasAChoice();
    void itFitsTheSmallestScreen();

private:
    views::Theme *m_theme = nullptr;
};

namespace {

api::PlanPreview bigPreview()
{
    api::PlanPreview preview;
    preview.sentence = QStringLiteral("2 groups · 14,207 messages");
    preview.environment = records::Environment::Production;
    preview.frozenCount = 14207;
    preview.leftOut[records::LeftOut::Arrived] = 1588;
    preview.leftOut[records::LeftOut::Looped] = 212;
    preview.leftOut[records::LeftOut::NoDestination] = 1;
    preview.confirmCount = true;
    preview.onUnknownApplies = false;
    preview.guarantee = QStringLiteral("Copies are staged first, then the broker itself moves them.");
    preview.asOf = core::fromMs(1767323045000);
    preview.firstFailed = preview.asOf - std::chrono::hours(26);
    preview.lastFailed = preview.asOf;
    preview.warnings = {{api::PlanWarning::Kind::Derived, 12, QStringLiteral("12 do not say where they failed.")}};
    const QString failedQueue = QStringLiteral("NServiceBus.FailedQ");
    preview.destinations = {support::planned(QStringLiteral("orders"), 12903, true, 36, 4, failedQueue),
                            support::planned(QStringLiteral("billing"), 1303, true, 0, 2, failedQueue),
                            support::planned(QStringLiteral("billing-old"), 1, false, {}, {}, failedQueue)};
    preview.destinations[1].straightBack = 3;
    return preview;
}

template<typename Widget>
Widget *part(const QWidget &dialog, const char *name)
{
    auto *found = dialog.findChild<Widget *>(QLatin1String(name));
    Q_ASSERT(found != nullptr);
    return found;
}

} // namespace

void TestPlanDialog::initTestCase()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    m_theme = new views::Theme(views::ThemeMode::Light, this);
}

void TestPlanDialog::theDialogSaysWhatWouldGoAndWhatStays()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(part<QLabel>(dialog, "planTitle")->text(), QStringLiteral("Retry 14,207 messages"));
    QCOMPARE(part<QLabel>(dialog, "planFrozen")->text(), QStringLiteral("03:04:05 UTC · 2 groups · 14,207 messages"));
    const QString leftOut = part<QLabel>(dialog, "planLeftOut")->text();
    QVERIFY(leftOut.contains(QStringLiteral("1,588 failed since the list was read: not included")));
    QVERIFY(leftOut.contains(QStringLiteral("212 came back twice or more: left out")));
    QCOMPARE(part<QLabel>(dialog, "planWarnings")->text(), QStringLiteral("12 do not say where they failed."));
    QVERIFY(!part<QLabel>(dialog, "planWarnings")->isHidden());
    const QAbstractItemModel *rows = part<QTableView>(dialog, "planDestinations")->model();
    QCOMPARE(rows->rowCount(), 3);
    QCOMPARE(rows->index(2, models::PlanDestinations::Waiting).data().toString(), QStringLiteral("does not exist"));
    QCOMPARE(rows->index(1, models::PlanDestinations::Queue).data().toString(),
             QStringLiteral("billing (the queue they came from)"));
    QCOMPARE(rows->index(0, models::PlanDestinations::Consumers).data().toString(), QStringLiteral("4"));
    const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    QCoreApplication::processEvents(); // the layout of what has just been filled in
    if (!shots.isEmpty())
        QVERIFY(dialog.grab().save(shots + QStringLiteral("/plandialog.png")));
}

void TestPlanDialog::rowsWithoutMeaningAreAbsent()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.leftOut[records::LeftOut::Looped] = 0;
    client.previewAnswer.confirmCount = false;
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QVERIFY(!part<QRadioButton>(dialog, "planLeave")->isVisible());
    QVERIFY(!part<QCheckBox>(dialog, "planLooped")->isVisible());
    QVERIFY(!part<QLineEdit>(dialog, "planTyped")->isVisible());
}

void TestPlanDialog::inProductionTheCountIsTypedAndEnterNeverRetries()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    QSignalSpy started(&dialog, &PlanDialog::started);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    auto *go = part<QPushButton>(dialog, "planGo");
    QVERIFY(!go->isEnabled());
    auto *typed = part<QLineEdit>(dialog, "planTyped");
    QTest::keyClicks(typed, QStringLiteral("14207"));
    QVERIFY(go->isEnabled());
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(dialog.isVisible());
    QCOMPARE(client.retries.size(), 0);
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE(started.size(), 1);
    QCOMPARE(client.retries.first().confirmedCount, std::optional<qint64>(14207));
}

void TestPlanDialog::aPlainClickIsEnoughOutsideProduction()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.environment = records::Environment::Development;
    client.previewAnswer.confirmCount = false;
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QTest::keyClicks(part<QLineEdit>(dialog, "planReason"), QStringLiteral("INC-1882"));
    QTest::mouseClick(part<QPushButton>(dialog, "planGo"), Qt::LeftButton);
    QTRY_COMPARE(client.retries.size(), 1);
    QCOMPARE(client.retries.first().draft.plan.reason, QStringLiteral("INC-1882"));
    QTRY_VERIFY(!dialog.isVisible());
}

void TestPlanDialog::cancelEndsTheFreezingFirst()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.confirmCount = false;
    client.workProgress = {1200, 14207};
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    client.heldNames = {client.nameOf<api::ConfirmRetry>()};
    client.failNext<api::ConfirmRetry>({core::ErrorKind::Cancelled, QStringLiteral("Nothing was sent."), {}, {}});
    part<QPushButton>(dialog, "planGo")->click();
    const auto *foot = part<QLabel>(dialog, "planProblem");
    QTRY_VERIFY(foot->text().contains(QStringLiteral("1,200 of 14,207")));
    part<QPushButton>(dialog, "planCancel")->click();
    QCOMPARE(client.cancelledWork.size(), 1);
    QVERIFY(dialog.isVisible());
    client.releaseOne();
    QTRY_COMPARE(foot->text(), QStringLiteral("Nothing was sent."));
    QVERIFY(dialog.isVisible());
    part<QPushButton>(dialog, "planCancel")->click();
    QVERIFY(!dialog.isVisible());
}

void TestPlanDialog::theFirstNAsksForANewPlan()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QTest::mouseClick(part<QRadioButton>(dialog, "planFirst"), Qt::LeftButton);
    QTRY_COMPARE(client.previews.last().plan.limit, std::optional<qint64>(100));
    part<QSpinBox>(dialog, "planLimit")->setValue(1000);
    QTRY_COMPARE(client.previews.last().plan.limit, std::optional<qint64>(1000));
    QTest::mouseClick(part<QRadioButton>(dialog, "planAll"), Qt::LeftButton);
    QTRY_COMPARE(client.previews.last().plan.limit, std::optional<qint64>());
}

void TestPlanDialog::aRefusalIsShownAndCanBeLookedAtAgain()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.failNext<api::PreviewRetry>(
        {core::ErrorKind::Transient, QStringLiteral("shop-rabbit does not answer. Try again."), {}, {}});
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Refused);
    QCOMPARE(part<QLabel>(dialog, "planProblem")->text(), QStringLiteral("shop-rabbit does not answer. Try again."));
    QVERIFY(!part<QPushButton>(dialog, "planGo")->isEnabled());
    QTest::mouseClick(part<QPushButton>(dialog, "planAgain"), Qt::LeftButton);
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
}

void TestPlanDialog::howFastAndWhenAreAsked()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.environment = records::Environment::Test;
    client.previewAnswer.confirmCount = false;
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    auto *go = part<QPushButton>(dialog, "planGo");
    QTRY_VERIFY(go->isEnabled());
    auto *count = part<QSpinBox>(dialog, "rateCount");
    QVERIFY(part<QRadioButton>(dialog, "rateFree")->isChecked());
    count->selectAll();
    QTest::keyClicks(count, QStringLiteral("50"));
    QVERIFY(part<QRadioButton>(dialog, "rateLimited")->isChecked());
    QCOMPARE(dialog.plan().draft().plan.perMinute, std::optional<qint64>(3000));
    QCOMPARE(part<QLabel>(dialog, "planProblem")->text(), QStringLiteral("About 4 min at 50/s, the rate you chose"));
    auto *unit = part<QComboBox>(dialog, "rateUnit");
    unit->setFocus();
    QTest::keyClick(unit, Qt::Key_Down);
    QCOMPARE(dialog.plan().draft().plan.perMinute, std::optional<qint64>(50));
    QTest::mouseClick(part<QRadioButton>(dialog, "rateFree"), Qt::LeftButton, {}, QPoint(6, 8));
    QVERIFY(!dialog.plan().draft().plan.perMinute);

    auto *waiting = part<QSpinBox>(dialog, "waitingMost");
    QVERIFY(!dialog.plan().draft().plan.mostWaiting);
    waiting->selectAll();
    QTest::keyClicks(waiting, QStringLiteral("800"));
    QVERIFY(part<QCheckBox>(dialog, "waitingOn")->isChecked());
    QCOMPARE(dialog.plan().draft().plan.mostWaiting, std::optional<qint64>(800));
    QTRY_VERIFY(go->isEnabled());

    auto *share = part<QSpinBox>(dialog, "sharePercent");
    QVERIFY(!dialog.plan().draft().plan.brokerShare);
    share->selectAll();
    QTest::keyClicks(share, QStringLiteral("30"));
    QVERIFY(part<QCheckBox>(dialog, "shareOn")->isChecked());
    QCOMPARE(dialog.plan().draft().plan.brokerShare, std::optional<qint64>(30));
    QTRY_VERIFY(go->isEnabled());
    // A broker that does not tell its load: the choice can only be taken back, and says why.
    client.previewAnswer.cannotShareBroker = QStringLiteral("It does not tell.");
    dialog.plan().ask();
    QTRY_VERIFY(!share->isEnabled());
    QVERIFY(part<QCheckBox>(dialog, "shareOn")->toolTip().contains(QLatin1String("It does not tell.")));
    QTest::mouseClick(part<QCheckBox>(dialog, "shareOn"), Qt::LeftButton, {}, QPoint(6, 8));
    QVERIFY(!dialog.plan().draft().plan.brokerShare);
    QTRY_VERIFY(!part<QCheckBox>(dialog, "shareOn")->isEnabled());
    QTRY_VERIFY(go->isEnabled());

    auto *time = part<QDateTimeEdit>(dialog, "beginTime");
    QVERIFY(time->dateTime() > QDateTime::currentDateTimeUtc());
    QVERIFY(!dialog.plan().draft().plan.notBefore);
    const QDateTime night(QDate(2030, 1, 2), QTime(2, 0), Qt::UTC);
    time->setDateTime(night);
    QVERIFY(part<QRadioButton>(dialog, "beginLater")->isChecked());
    time->setDateTime(QDateTime::currentDateTimeUtc().addSecs(-60));
    QVERIFY(!go->isEnabled());
    QVERIFY(part<QLabel>(dialog, "planProblem")->text().startsWith(QStringLiteral("The start time is in the past")));
    time->setDateTime(night);
    QVERIFY(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE(client.retries.size(), 1);
    const records::Plan &plan = client.retries.first().draft.plan;
    QVERIFY(!plan.perMinute);
    QCOMPARE(plan.mostWaiting, std::optional<qint64>(800));
    QCOMPARE(plan.notBefore, std::optional(core::fromMs(night.toMSecsSinceEpoch())));
}

void TestPlanDialog::stepsBringTheirLimit()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.environment = records::Environment::Test;
    client.previewAnswer.confirmCount = false;
    client.previewAnswer.quiet = std::chrono::seconds(270);
    client.previewAnswer.takesToFail = std::chrono::seconds(180);
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    auto *go = part<QPushButton>(dialog, "planGo");
    QTRY_VERIFY(go->isEnabled());
    const auto plan = [&dialog] { return dialog.plan().draft().plan; };
    auto *steps = part<QCheckBox>(dialog, "cautionSteps");
    auto *pause = part<QCheckBox>(dialog, "cautionPause");
    QVERIFY(!plan().isGuarded());
    const qsizetype asked = client.previews.size();
    QTest::mouseClick(steps, Qt::LeftButton, {}, QPoint(6, 8));
    QVERIFY(plan().ramp == records::defaultRamp());
    QVERIFY(plan().stopWhen == records::defaultStop());
    QVERIFY(pause->isChecked() && !pause->isEnabled());
    QTRY_VERIFY(client.previews.size() > asked); // whether this broker allows it is asked
    QTRY_VERIFY(go->isEnabled());
    const QString told = part<QLabel>(dialog, "planProblem")->text();
    for (const char *words : {"first 5 steps", "waits 4 min 30 s, because these messages take up to 3 min to fail"})
        QVERIFY2(told.contains(QLatin1String(words)), qPrintable(told));

    auto *unit = part<QComboBox>(dialog, "cautionUnit");
    unit->setFocus();
    QTest::keyClick(unit, Qt::Key_Down);
    auto *amount = part<QSpinBox>(dialog, "cautionAmount");
    amount->selectAll();
    QTest::keyClicks(amount, QStringLiteral("250"));
    QVERIFY(plan().stopWhen == (records::StopWhen{250, false}));

    QTest::mouseClick(steps, Qt::LeftButton, {}, QPoint(6, 8));
    QVERIFY(!plan().ramp && plan().stopWhen);
    QTest::mouseClick(pause, Qt::LeftButton, {}, QPoint(6, 8));
    QVERIFY(!plan().isGuarded());
    QTest::mouseClick(steps, Qt::LeftButton, {}, QPoint(6, 8));
    QTRY_VERIFY(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE(client.retries.size(), 1);
    QVERIFY(client.retries.first().draft.plan.ramp == records::defaultRamp());
    QVERIFY(client.retries.first().draft.plan.stopWhen == (records::StopWhen{250, false}));

    api::RetryDraft release;
    release.kind = records::OperationKind::Release;
    PlanDialog back(session, release, *m_theme, models::TimeZone::Utc);
    QVERIFY(back.findChild<QCheckBox *>(QStringLiteral("cautionSteps")) == nullptr);
}

void TestPlanDialog::hostileNamesStayText()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.sentence = QStringLiteral("queue <b>bold</b><img src=x>");
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(part<QLabel>(dialog, "planFrozen")->textFormat(), Qt::PlainText);
    QVERIFY(part<QLabel>(dialog, "planFrozen")->text().contains(QStringLiteral("<b>bold</b>")));
}

void TestPlanDialog::theFootSaysHowLongAndADryRunSendsNothing()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.connection = core::ConnectionId{4};
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.plan().setPaces({{core::ConnectionId{4}, 812.0}});
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(part<QLabel>(dialog, "planProblem")->text(),
             QStringLiteral("About 17 s at 812/s, the rate of an earlier retry"));
    auto *dryRun = part<QPushButton>(dialog, "planAgain");
    QCOMPARE(dryRun->text(), QStringLiteral("Dry run"));
    QTest::mouseClick(dryRun, Qt::LeftButton);
    QTRY_COMPARE(part<QLabel>(dialog, "planProblem")->text(),
                 QStringLiteral("Dry run at 03:04:05 UTC, nothing was sent: the retry would send 14,207 messages.\n"
                                "About 17 s at 812/s, the rate of an earlier retry"));
    QVERIFY(client.retries.isEmpty());
    QVERIFY(dialog.isVisible());
}

namespace {

// "orders" goes to where it failed, "billing" elsewhere, "gone" and what names nothing stay.
api::PlanPreview fourWays()
{
    api::PlanPreview preview = bigPreview();
    preview.environment = records::Environment::Test;
    preview.confirmCount = false;
    preview.destinations.resize(2);
    preview.destinations[1].insteadOf = records::Destination{QStringLiteral("billing"), {}, {}};
    preview.destinations[1].destination = {QStringLiteral("spare"), records::Certainty::Exact, {}};
    preview.destinations[1].standing = true;
    preview.destinations[1].straightBack = 0;
    preview.missingDestinations.resize(1);
    preview.missingDestinations[0].destination.queue = QStringLiteral("gone");
    preview.missingDestinations[0].exists = false;
    preview.missingDestinations[0].count = 7;
    preview.leftOut[records::LeftOut::NoSuchQueue] = 7;
    preview.unknown.count = 1;
    preview.redirected = 1303;
    preview.standing = {{records::Redirect::Of::Queue, QStringLiteral("billing"), QStringLiteral("spare")}};
    preview.targets = {QStringLiteral("billing"), QStringLiteral("orders"), QStringLiteral("orders-2"),
                       QStringLiteral("spare")};
    return preview;
}

QList<QComboBox *> boxes(const QWidget &dialog)
{
    auto *table = part<QTableView>(dialog, "planDestinations");
    QList<QComboBox *> found;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QModelIndex index = table->model()->index(row, models::PlanDestinations::GoesTo);
        if (auto *box = qobject_cast<QComboBox *>(table->indexWidget(index)))
            found.append(box);
    }
    return found;
}

QString shown(const QComboBox *box)
{
    return box->currentIndex() < 0 ? box->placeholderText() : box->currentText();
}

} // namespace

void TestPlanDialog::theQueuesThatGetSuchMessagesComeFirst()
{
    support::FakeClient client;
    client.previewAnswer = fourWays();
    client.previewAnswer.destinations[0].choices = {QStringLiteral("spare")};
    client.previewAnswer.destinations[0].why = QStringLiteral("Known from x-death: rejected from orders.");
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QVERIFY(
        part<QLabel>(dialog, "planEvidence")->text().startsWith(u"orders: Known from x-death: rejected from orders."));
    const QList<QComboBox *> all = boxes(dialog);
    QStringList entries;
    for (int i = 0; i < all.at(0)->count(); ++i)
        entries.append(all.at(0)->itemText(i));
    QCOMPARE(entries, (QStringList{QStringLiteral("where the message failed"), QStringLiteral("spare"), QString(),
                                   QStringLiteral("billing"), QStringLiteral("orders"), QStringLiteral("orders-2"),
                                   QStringLiteral("spare")}));
    QCOMPARE(shown(all.at(0)), QStringLiteral("orders"));
    QCOMPARE(all.at(1)->count(), 5); // nothing is known for this one
    all.at(0)->setCurrentIndex(1);
    Q_EMIT all.at(0)->activated(1);
    QTRY_COMPARE(client.previews.size(), 2);
    QCOMPARE(client.previews.last().plan.redirects.first().to, QStringLiteral("spare"));

    client.previewAnswer.destinations[0].choices.clear(); // the bindings are gone
    dialog.plan().ask();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QTRY_COMPARE(boxes(dialog).at(0)->count(), 5);
}

void TestPlanDialog::aChoiceCanBeRemembered()
{
    support::FakeClient client;
    client.previewAnswer = fourWays();
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    const auto remembering = [&dialog] {
        QList<QCheckBox *> shownBoxes;
        for (QCheckBox *box : dialog.findChildren<QCheckBox *>(QStringLiteral("rememberBox"))) {
            if (box->isVisible())
                shownBoxes.append(box);
        }
        return shownBoxes;
    };
    QVERIFY(remembering().isEmpty()); // nothing was chosen
    dialog.plan().sendTo(QStringLiteral("orders"), QStringLiteral("orders-2"));
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(remembering().size(), 1);
    QCheckBox *box = remembering().first();
    QCOMPARE(box->accessibleName(), QStringLiteral("From now on, retries to orders go to orders-2"));
    QVERIFY(!box->isChecked());
    box->setFocus(); // by the keyboard
    QTest::keyClick(box, Qt::Key_Space);
    QVERIFY(dialog.plan().isRemembered(QStringLiteral("orders")));
    dialog.plan().sendTo({}, QStringLiteral("spare")); // another plan keeps the mark
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(remembering().size(), 1);
    QVERIFY(remembering().first()->isChecked());
    QTest::mouseClick(part<QPushButton>(dialog, "planGo"), Qt::LeftButton);
    QTRY_COMPARE(client.retries.size(), 1);
    QCOMPARE(client.retries.first().remember, QStringList{QStringLiteral("orders")});
}

void TestPlanDialog::manyRedirectsAreRememberedTogether()
{
    support::FakeClient client;
    client.previewAnswer = fourWays();
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    for (int i = 0; i < 6; ++i)
        dialog.plan().sendTo(QStringLiteral("q%1").arg(i), QString(200, QLatin1Char('w')));
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    const int width = dialog.width();
    QCheckBox *box = nullptr;
    for (QCheckBox *one : dialog.findChildren<QCheckBox *>(QStringLiteral("rememberBox")))
        box = one->isVisible() ? one : box;
    QVERIFY(box != nullptr);
    QVERIFY(box->text().contains(u"all 6 redirects"));
    box->setChecked(true);
    for (int i = 0; i < 6; ++i)
        QVERIFY(dialog.plan().isRemembered(QStringLiteral("q%1").arg(i)));
    for (int i = 0; i < 3; ++i)
        dialog.plan().sendTo(QStringLiteral("q%1").arg(i), std::nullopt);
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(dialog.width(), width); // a long name does not widen the dialog
}

void TestPlanDialog::everyRowHasABoxForTheQueueItGoesTo()
{
    using records::Redirect;
    support::FakeClient client;
    client.previewAnswer = fourWays();
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QList<QComboBox *> all = boxes(dialog);
    QCOMPARE(all.size(), 4);
    QCOMPARE(shown(all.at(0)), QStringLiteral("orders")); // where it failed is chosen already
    QCOMPARE(shown(all.at(1)), QStringLiteral("spare"));
    QCOMPARE(shown(all.at(2)), QStringLiteral("gone"));
    QCOMPARE(shown(all.at(3)), QStringLiteral("choose a queue"));
    QCOMPARE(all.at(0)->accessibleName(), QStringLiteral("Queue for messages that failed at orders"));
    QVERIFY(part<QLabel>(dialog, "planRedirected")->text().startsWith(u"1,303 go to another queue"));

    // By the keyboard: down to the next queue; Enter never starts the retry from here.
    all.at(0)->setFocus();
    QTest::keyClick(all.at(0), Qt::Key_Down);
    QTRY_COMPARE(client.previews.size(), 2);
    const QList<Redirect> first{{Redirect::Of::Queue, QStringLiteral("orders"), QStringLiteral("orders-2")}};
    QCOMPARE(client.previews.last().plan.redirects, first);
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QTest::keyClick(all.at(0), Qt::Key_Return);
    QTRY_VERIFY(all.at(0)->view()->isVisible());
    all.at(0)->hidePopup();
    QVERIFY(client.retries.isEmpty());

    // What had no queue gets one.
    all = boxes(dialog);
    all.at(3)->setFocus();
    QTest::keyClicks(all.at(3), QStringLiteral("spare"));
    QTRY_COMPARE(client.previews.last().plan.redirects.size(), 2);
    QCOMPARE(client.previews.last().plan.redirects.last(),
             (Redirect{Redirect::Of::Unknown, {}, QStringLiteral("spare")}));
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(shown(boxes(dialog).at(3)), QStringLiteral("spare"));

    // And back: the first entry takes the choice away.
    QTest::keyClick(boxes(dialog).at(0), Qt::Key_Home);
    QTRY_COMPARE(client.previews.last().plan.redirects.size(), 1);
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(shown(boxes(dialog).at(0)), QStringLiteral("orders"));
    QWheelEvent wheel({5, 5}, boxes(dialog).at(0)->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(boxes(dialog).at(0), &wheel); // that is for the table
    QCOMPARE(shown(boxes(dialog).at(0)), QStringLiteral("orders"));

    QTest::mouseClick(part<QPushButton>(dialog, "planGo"), Qt::LeftButton);
    QTRY_COMPARE(client.retries.size(), 1);
    QCOMPARE(client.retries.first().draft.plan.redirects.size(), 1);
    QCOMPARE(client.retries.first().standingShown, std::optional(client.previewAnswer.standing));
    const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    if (!shots.isEmpty())
        QVERIFY(dialog.grab().save(shots + QStringLiteral("/planredirects.png")));
}

void TestPlanDialog::aQueueIsTypedWhereTheBrokerListsNone()
{
    support::FakeClient client;
    client.previewAnswer = fourWays();
    client.previewAnswer.targets = {};
    client.previewAnswer.targetsNotKnown = QStringLiteral("shop does not list its queues");
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QComboBox *box = boxes(dialog).at(0);
    QVERIFY(box->isEditable());
    QCOMPARE(box->currentText(), QStringLiteral("orders"));
    QVERIFY(box->toolTip().contains(QStringLiteral("does not list")));
    box->setFocus();
    box->lineEdit()->selectAll();
    QTest::keyClicks(box->lineEdit(), QStringLiteral("elsewhere"));
    QTest::keyClick(box->lineEdit(), Qt::Key_Return);
    QTRY_COMPARE(client.previews.size(), 2);
    QCOMPARE(client.previews.last().plan.redirects.first().to, QStringLiteral("elsewhere"));
    QVERIFY(client.retries.isEmpty()); // Enter was for the box
    QVERIFY(dialog.isVisible());
}

void TestPlanDialog::withoutTheRightTheBoxesSayWhy()
{
    support::FakeClient client;
    client.previewAnswer = fourWays();
    client.previewAnswer.cannotRedirect = QStringLiteral("The connection shop does not allow \"redirect\".");
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QCOMPARE(boxes(dialog).size(), 4);
    for (const QComboBox *box : boxes(dialog)) {
        QVERIFY(!box->isEnabled());
        QVERIFY(box->toolTip().contains(QStringLiteral("does not allow")));
    }
}

void TestPlanDialog::aReleaseHasNoBoxes()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    api::RetryDraft request;
    request.kind = records::OperationKind::Release;
    models::ConsoleSession session(client);
    PlanDialog dialog(session, request, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QVERIFY(boxes(dialog).isEmpty());
    QVERIFY(part<QTableView>(dialog, "planDestinations")->isColumnHidden(models::PlanDestinations::GoesTo));
}

void TestPlanDialog::aReleaseThatCannotGoBackHasAChoice()
{
    support::FakeClient client;
    api::PlannedDestination closed;
    closed.destination.queue = QStringLiteral("live/$DeadLetterQueue");
    closed.count = 12;
    closed.exists = true;
    closed.cannotSend = QStringLiteral("Only the broker can put messages into live/$DeadLetterQueue.");
    client.previewAnswer = {};
    client.previewAnswer.missingDestinations = {closed};
    client.previewAnswer.targets = {QStringLiteral("parking"), QStringLiteral("spare")};
    client.previewAnswer.refusal = closed.cannotSend;
    api::RetryDraft request;
    request.kind = records::OperationKind::Release;
    models::ConsoleSession session(client);
    PlanDialog dialog(session, request, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Refused);
    QVERIFY(!part<QTableView>(dialog, "planDestinations")->isColumnHidden(models::PlanDestinations::GoesTo));
    QCOMPARE(boxes(dialog).size(), 1);
    dialog.plan().sendTo(closed.destination.queue, QStringLiteral("parking"));
    QTRY_COMPARE(client.previews.last().plan.redirects.size(), 1);
    QCOMPARE(client.previews.last().plan.redirects.first().to, QStringLiteral("parking"));
    QVERIFY(dialog.plan().rememberable().isEmpty()); // a standing redirect is for retries
}

// 1440 x 900 at a scale of 200 % has 720 x 450. Nothing is cut off on the right, and the queues can be read.
void TestPlanDialog::itFitsTheSmallestScreen()
{
    support::FakeClient client;
    client.previewAnswer = bigPreview();
    client.previewAnswer.leftOut[records::LeftOut::PossibleDuplicate] = 212345;
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.resize(720, 400);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    dialog.resize(720, 400);
    const auto *area = part<QScrollArea>(dialog, "dialogArea");
    QTRY_COMPARE(area->viewport()->width(), area->widget()->width());
    for (const QComboBox *box : boxes(dialog)) {
        constexpr int arrow = 20;
        QTRY_VERIFY(box->width() >= box->fontMetrics().horizontalAdvance(box->currentText()) + arrow);
    }
}

REDRIVE_WIDGET_TEST(TestPlanDialog)
#include "tst_plandialog.moc"
