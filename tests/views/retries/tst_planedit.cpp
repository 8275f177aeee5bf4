// One edit over a whole set, in the plan dialog.
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/planneddestination.h"
#include "views/common/theme/theme.h"
#include "views/edits/differenceview.h"
#include "views/edits/editfiles.h"
#include "views/retries/plan/plandialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using views::PlanDialog;
using Do = records::EditStep::Do;

class TestPlanEdit final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_dialog.reset(); }
    void nothingIsMadeUntilItIsOpened();
    void stepsAreTypedAndThePlanAsksOnce();
    void theButtonWaitsForTheAnswerToWhatWasTyped();
    void whatIsNoEditBlocksAndSaysWhy();
    void whatDoesNotFitIsToldWithAnExample();
    void stepsAreReorderedAndRemoved();
    void filesAreTheOnesOfTheCommandLine();
    void withoutTheRightItIsClosedAndSaysWhy();
    void aReleaseChangesNothing();
    void anEditFromOneMessageIsSaidAndSent();
    void theWheelChangesNothing();
    void itFitsTheScreen();

private:
    void open(const records::Edit &edit = {}, records::OperationKind kind = records::OperationKind::Retry);
    void unfold();
    [[nodiscard]] records::Plan plan() { return m_dialog->plan().draft().plan; }
    [[nodiscard]] QToolButton *fold(const char *name);
    template<typename T>
    T *part(const char *name, int number = 0)
    {
        const QList<T *> found = m_dialog->findChildren<T *>(QLatin1String(name));
        if (found.size() <= number)
            qFatal("no %s %d", name, number);
        return found.at(number);
    }
    void picture(const QString &name);

    views::Theme *m_theme = nullptr;
    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<PlanDialog> m_dialog;
};

void TestPlanEdit::initTestCase()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    m_theme = new views::Theme(views::ThemeMode::Light, this);
}

void TestPlanEdit::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    api::PlanPreview &preview = m_client->previewAnswer;
    preview.sentence = QStringLiteral("1 group · 1,000 messages");
    preview.environment = records::Environment::Test;
    preview.frozenCount = 1000;
    preview.asOf = core::fromMs(1767323045000);
    preview.guarantee = QStringLiteral("Copies are staged first.");
    for (int i = 0; i < 6; ++i) {
        preview.destinations.append(support::planned(QStringLiteral("orders-%1").arg(i), 200, true, 0, 2));
    }
    api::EditSample &sample = m_client->sampleAnswer;
    sample.message = core::MessageId{7};
    sample.before.headers = {{QStringLiteral("tenant"), QCborValue(QStringLiteral("south"))}};
    sample.after.headers = {{QStringLiteral("tenant"), QCborValue(QStringLiteral("north"))}};
    sample.counters = {{QStringLiteral("retries"), QStringLiteral("3"), QStringLiteral("0")}};
}

void TestPlanEdit::open(const records::Edit &edit, records::OperationKind kind)
{
    api::RetryDraft request;
    request.kind = kind;
    request.plan.edit = edit;
    m_dialog = std::make_unique<PlanDialog>(*m_session, request, *m_theme, models::TimeZone::Utc);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    QTRY_VERIFY(m_dialog->plan().state() != models::RetryPlan::State::Asking);
}

QToolButton *TestPlanEdit::fold(const char *name)
{
    for (QToolButton *button : m_dialog->findChildren<QToolButton *>()) {
        if (button->property("name").toString() == QLatin1String(name))
            return button;
    }
    return nullptr;
}

void TestPlanEdit::unfold()
{
    QTest::mouseClick(fold("editFold"), Qt::LeftButton);
    QVERIFY(part<QWidget>("editContent")->isVisible());
}

void TestPlanEdit::picture(const QString &name)
{
    const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    if (shots.isEmpty())
        return;
    for (const auto mode : {views::ThemeMode::Dark, views::ThemeMode::Light}) {
        m_theme->setMode(mode);
        QCoreApplication::processEvents();
        QVERIFY(m_dialog->grab().save(QStringLiteral("%1/%2-%3.png").arg(shots, name, views::toString(mode))));
    }
}

void TestPlanEdit::nothingIsMadeUntilItIsOpened()
{
    open();
    QVERIFY(m_dialog->findChild<QWidget *>(QStringLiteral("editContent")) == nullptr);
    QVERIFY(m_dialog->findChild<views::DifferenceView *>() == nullptr);
    QVERIFY(part<QLabel>("editSummary")->text().contains(QStringLiteral("Nothing")));
    const qsizetype asked = m_client->previews.size();
    unfold();
    QCOMPARE(m_client->previews.size(), asked); // an empty step is no edit
    QCOMPARE(m_client->editQuestions.size(), 0);
    QVERIFY(part<QPushButton>("planGo")->isEnabled());
    QVERIFY(part<QLineEdit>("stepName")->hasFocus());
}

void TestPlanEdit::stepsAreTypedAndThePlanAsksOnce()
{
    open();
    unfold();
    m_client->previewAnswer.editUnchanged = 12;
    QTest::keyClicks(part<QLineEdit>("stepName"), QStringLiteral("tenant"));
    QTest::keyClicks(part<QLineEdit>("stepText"), QStringLiteral("north"));
    QTRY_VERIFY(part<QPushButton>("planGo")->isEnabled());
    QCOMPARE(plan().edit.steps.size(), 1);
    QVERIFY(plan().edit.steps.constFirst().what == Do::SetHeader);
    QVERIFY(plan().edit.steps.constFirst().value == QCborValue(QStringLiteral("north")));
    QVERIFY(m_client->previews.constLast().plan.edit == plan().edit);
    QVERIFY2(m_client->previews.size() < 8, "not once for every letter");
    QCOMPARE(part<QPushButton>("planGo")->text(), QStringLiteral("Edit and retry 1,000 messages"));
    QVERIFY(part<QLabel>("editFits")->text().startsWith(QStringLiteral("Fits 1,000 of 1,000 messages")));
    QVERIFY(part<QLabel>("editFits")->text().contains(QStringLiteral("12")));
    QTRY_COMPARE(part<views::DifferenceView>("difference")->model()->rowCount(), 3);
    QVERIFY(part<QLabel>("editCounters")->isVisible());
    QVERIFY(part<QLabel>("editCounters")->text().endsWith(u": retries: 3, set to 0"));
    QVERIFY(m_client->editQuestions.constLast().edit == plan().edit);
    picture(QStringLiteral("planedit"));
    QTest::mouseClick(part<QPushButton>("planGo"), Qt::LeftButton);
    QTRY_COMPARE(m_client->retries.size(), 1);
    QCOMPARE(m_client->retries.constFirst().draft.plan.edit.steps.size(), 1);
}

void TestPlanEdit::theButtonWaitsForTheAnswerToWhatWasTyped()
{
    open();
    unfold();
    auto *go = part<QPushButton>("planGo");
    QVERIFY(go->isEnabled());
    m_client->holdAnswers(true);
    QTest::keyClicks(part<QLineEdit>("stepName"), QStringLiteral("t"));
    QVERIFY(!go->isEnabled()); // at once: what was counted is of another plan
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE(m_client->held(), 1);
    QVERIFY(!go->isEnabled());
    m_client->holdAnswers(false);
    QTRY_VERIFY(go->isEnabled());
    QCOMPARE(m_client->retries.size(), 0);
}

void TestPlanEdit::whatIsNoEditBlocksAndSaysWhy()
{
    open();
    unfold();
    const qsizetype asked = m_client->previews.size();
    part<QComboBox>("stepWhat")->setCurrentText(QStringLiteral("Replace text"));
    QTest::keyClicks(part<QLineEdit>("stepName"), QStringLiteral("("));
    QVERIFY(!part<QPushButton>("planGo")->isEnabled());
    QVERIFY2(part<QLabel>("planProblem")->text().startsWith(QStringLiteral("Step 1: ")),
             qPrintable(part<QLabel>("planProblem")->text()));
    QCOMPARE(m_client->previews.size(), asked);
    QTest::mouseClick(part<QPushButton>("planAgain"), Qt::LeftButton); // asking again does not help
    QVERIFY(!part<QPushButton>("planGo")->isEnabled());
    QTest::keyClicks(part<QLineEdit>("stepName"), QStringLiteral("a)"));
    QTRY_VERIFY(part<QPushButton>("planGo")->isEnabled());
    QVERIFY(part<QCheckBox>("stepWhereThere")->isVisible());
    QTest::mouseClick(part<QCheckBox>("stepWhereThere"), Qt::LeftButton, {}, QPoint(8, 9));
    QTRY_VERIFY(part<QPushButton>("planGo")->isEnabled());
    QVERIFY(m_client->previews.constLast().plan.edit.steps.constFirst().whereThere);
}

void TestPlanEdit::whatDoesNotFitIsToldWithAnExample()
{
    open();
    unfold();
    m_client->previewAnswer.frozenCount = 998;
    m_client->previewAnswer.leftOut[records::LeftOut::EditMisfit] = 2;
    m_client->previewAnswer.misfits = {{QStringLiteral("the body is not valid <b>JSON</b>"), 2, core::MessageId{9}}};
    QTest::keyClicks(part<QLineEdit>("stepName"), QStringLiteral("tenant"));
    QTRY_COMPARE(part<QLabel>("editFits")->text(), QStringLiteral("Fits 998 of 1,000 messages · 2 would be left out"));
    QVERIFY(
        part<QLabel>("planLeftOut")->text().contains(QStringLiteral("2 left out: the body is not valid <b>JSON</b>")));
    QCOMPARE(part<QPushButton>("planGo")->text(), QStringLiteral("Edit and retry 998 messages"));
    m_client->sampleAnswer.message = {};
    m_client->sampleAnswer.misfit = QStringLiteral("the body is not valid JSON");
    QTest::mouseClick(part<QPushButton>("editShowMisfit"), Qt::LeftButton);
    QTRY_VERIFY(m_client->editQuestions.constLast().message == core::MessageId{9});
    QTRY_VERIFY(!part<views::DifferenceView>("difference")->isVisible());
    picture(QStringLiteral("planedit-misfits"));
}

void TestPlanEdit::stepsAreReorderedAndRemoved()
{
    open();
    unfold();
    QTest::keyClicks(part<QLineEdit>("stepName", 0), QStringLiteral("one"));
    QTest::mouseClick(part<QPushButton>("editAddStep"), Qt::LeftButton);
    QTest::keyClicks(part<QLineEdit>("stepName", 1), QStringLiteral("two"));
    QTRY_COMPARE(plan().edit.steps.size(), 2);
    QToolButton *up = nullptr;
    for (QToolButton *button : m_dialog->findChildren<QToolButton *>()) {
        if (button->property("name").toString() == QLatin1String("stepUp"))
            up = button;
    }
    QVERIFY(up != nullptr && up->isEnabled());
    QTest::mouseClick(up, Qt::LeftButton);
    QCOMPARE(plan().edit.steps.constFirst().name, QStringLiteral("two"));
    QTest::mouseClick(fold("stepRemove"), Qt::LeftButton); // of the row that was made first
    QCOMPARE(plan().edit.steps.size(), 1);
    QCOMPARE(plan().edit.steps.constFirst().name, QStringLiteral("two"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QTest::mouseClick(fold("stepRemove"), Qt::LeftButton);
    QVERIFY(plan().edit.isEmpty());
    QTRY_COMPARE(part<QPushButton>("planGo")->text(), QStringLiteral("Retry 1,000 messages"));
}

void TestPlanEdit::filesAreTheOnesOfTheCommandLine()
{
    const QTemporaryDir folder;
    const auto choose = [this](const char *button, const QString &path) {
        QTest::mouseClick(part<QPushButton>(button), Qt::LeftButton);
        QTRY_VERIFY(m_dialog->findChild<QFileDialog *>() != nullptr);
        auto *dialog = m_dialog->findChild<QFileDialog *>();
        Q_EMIT dialog->fileSelected(path);
        dialog->close();
        QTRY_VERIFY(m_dialog->findChild<QFileDialog *>() == nullptr);
    };
    open();
    unfold();
    QTest::keyClicks(part<QLineEdit>("stepName"), QStringLiteral("tenant"));
    QTRY_VERIFY(part<QPushButton>("editSave")->isEnabled());
    const records::Edit edit = plan().edit;
    const QString path = folder.filePath(QStringLiteral("edit.json"));
    choose("editSave", path);
    QTRY_VERIFY(part<QLabel>("editSaid")->text().startsWith(QStringLiteral("Saved")));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains(R"("header": "tenant")"));
    file.close();
    init();
    open();
    unfold();
    choose("editLoad", path);
    QTRY_VERIFY(plan().edit == edit);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"steps\": [{\"header\": 1}]}");
    file.close();
    choose("editLoad", path);
    QTRY_VERIFY(!part<QLabel>("editSaid")->text().startsWith(QStringLiteral("Loaded")));
    QVERIFY(plan().edit == edit); // a wrong file changes nothing
}

void TestPlanEdit::withoutTheRightItIsClosedAndSaysWhy()
{
    m_client->previewAnswer.cannotEdit = QStringLiteral("The connection shop does not grant the right \"edit\".");
    open();
    QVERIFY(!fold("editFold")->isEnabled());
    QVERIFY(fold("editFold")->toolTip().contains(QStringLiteral("edit")));
    QCOMPARE(part<QLabel>("editSummary")->text(), m_client->previewAnswer.cannotEdit);
    QVERIFY(part<QPushButton>("planGo")->isEnabled());
}

void TestPlanEdit::aReleaseChangesNothing()
{
    open({}, records::OperationKind::Release);
    QVERIFY(fold("editFold") == nullptr);
    m_dialog->openEdit(); // of no effect
}

void TestPlanEdit::anEditFromOneMessageIsSaidAndSent()
{
    records::Edit edit;
    edit.steps.append({Do::RemoveHeader, QStringLiteral("x-debug"), {}, {}, {}, false});
    edit.steps.append({Do::SetBody, {}, {}, {}, "all of it", false});
    m_client->previewAnswer.frozenCount = 1;
    open(edit);
    QVERIFY(part<QLabel>("editSummary")->text().contains(QStringLiteral("x-debug")));
    QCOMPARE(part<QPushButton>("planGo")->text(), QStringLiteral("Edit and retry 1 message"));
    unfold();
    QCOMPARE(m_dialog->findChildren<QWidget *>(QStringLiteral("stepRow")).size(), 2);
    QVERIFY(plan().edit == edit); // opening it changes nothing
    QTest::mouseClick(part<QPushButton>("planGo"), Qt::LeftButton);
    QTRY_COMPARE(m_client->retries.size(), 1);
    QVERIFY(m_client->retries.constFirst().draft.plan.edit == edit);
}

void TestPlanEdit::theWheelChangesNothing()
{
    open();
    unfold();
    for (int i = 0; i < 6; ++i)
        QTest::mouseClick(part<QPushButton>("editAddStep"), Qt::LeftButton);
    auto *bar = part<QScrollArea>("dialogArea")->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    bar->setValue(0);
    part<QPushButton>("planCancel")->setFocus();
    auto *limit = part<QSpinBox>("planLimit");
    const QPointF place = QPointF(limit->rect().center());
    QWheelEvent turn(place, limit->mapToGlobal(place), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(limit, &turn);
    QCOMPARE(limit->value(), 100);
}

void TestPlanEdit::itFitsTheScreen()
{
    open();
    unfold();
    for (int i = 0; i < 20; ++i)
        QTest::mouseClick(part<QPushButton>("editAddStep"), Qt::LeftButton);
    QCoreApplication::processEvents();
    QVERIFY(m_dialog->height() <= m_dialog->screen()->availableGeometry().height());
    auto *go = part<QPushButton>("planGo");
    QVERIFY(m_dialog->rect().contains(QRect(go->mapTo(m_dialog.get(), QPoint()), go->size())));
    QCOMPARE(part<QScrollArea>("dialogArea")->horizontalScrollBar()->maximum(), 0);
}

REDRIVE_WIDGET_TEST(TestPlanEdit)
#include "tst_planedit.moc"
