// Messages that a plan leaves out unless a person wants them: those that came back again and again, and possible duplicates.
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/theme/theme.h"
#include "views/retries/plan/plandialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QScreen>
#include <QTest>

using views::PlanDialog;

namespace {

api::PlanPreview previewLeavingOut(records::LeftOut why)
{
    api::PlanPreview preview;
    preview.environment = records::Environment::Test;
    preview.frozenCount = 30;
    preview.asOf = core::fromMs(1767323045000);
    preview.leftOut[why] = 12;
    return preview;
}

} // namespace

class TestLeftOutChoice final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_theme = new views::Theme(views::ThemeMode::Light, this); }
    void whatIsLeftOutCanBeSentAllTheSame_data();
    void whatIsLeftOutCanBeSentAllTheSame();
    void aDialogThatGrowsStaysOnTheScreen();

private:
    views::Theme *m_theme = nullptr;
};

void TestLeftOutChoice::whatIsLeftOutCanBeSentAllTheSame()
{
    QFETCH(const QByteArray, name);
    QFETCH(const records::LeftOut, why);
    QFETCH(const QString, words);
    support::FakeClient client;
    client.previewAnswer = previewLeavingOut(why);
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    auto *box = dialog.findChild<QCheckBox *>(QLatin1String(name));
    QVERIFY(box != nullptr);
    QVERIFY(box->isVisible());
    QCOMPARE(box->text(), words);
    client.previewAnswer.leftOut = {}; // as the engine answers once they are included
    box->click();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QVERIFY(why == records::LeftOut::Looped ? dialog.plan().draft().plan.includeLooped
                                            : dialog.plan().draft().plan.includeDuplicates);
    QVERIFY(box->isVisible()); // a person may change their mind
    QCOMPARE(box->text(), words);
    box->click();
    QVERIFY(!dialog.plan().draft().plan.includeLooped);
    QVERIFY(!dialog.plan().draft().plan.includeDuplicates);
}

void TestLeftOutChoice::whatIsLeftOutCanBeSentAllTheSame_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<records::LeftOut>("why");
    QTest::addColumn<QString>("words");
    QTest::newRow("came back") << QByteArrayLiteral("planLooped") << records::LeftOut::Looped
                               << QStringLiteral("12 messages came back twice or more: retry them anyway");
    QTest::newRow("duplicates") << QByteArrayLiteral("planDuplicates") << records::LeftOut::PossibleDuplicate
                                << QStringLiteral("12 messages may be copies of others: retry them anyway");
}

void TestLeftOutChoice::aDialogThatGrowsStaysOnTheScreen()
{
    support::FakeClient client;
    client.previewAnswer = previewLeavingOut(records::LeftOut::PossibleDuplicate);
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    const int bottom = dialog.screen()->availableGeometry().bottom();
    dialog.move(dialog.x(), dialog.y() + bottom - dialog.frameGeometry().bottom());
    const int before = dialog.height();
    api::PlanWarning warning;
    warning.sentence = QStringLiteral("Possible duplicates, sent because you chose so: 12 messages.");
    client.previewAnswer.warnings = {warning, warning, warning, warning};
    dialog.findChild<QCheckBox *>(QStringLiteral("planDuplicates"))->click();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QTRY_VERIFY(dialog.height() > before);
    QVERIFY(dialog.frameGeometry().bottom() <= bottom);
}

REDRIVE_WIDGET_TEST(TestLeftOutChoice)
#include "tst_leftoutchoice.moc"
