// The rehearsal dialog: what it asks for, what it shows while a rehearsal runs and afterwards.
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/rehearsals/rehearsaldialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

namespace {

api::RehearsalReport afterAnOutage()
{
    api::RehearsalReport report;
    report.policy = QStringLiteral("standard");
    report.selected = 1834;
    report.copied = 500;
    report.beyondLimit = 1334;
    report.sent = 1220;
    report.processed = 488;
    report.cameBack = 732;
    report.cameBackBy = {{QStringLiteral("System.TimeoutException: The database does not answer"), 720},
                         {QStringLiteral("Newtonsoft.Json.JsonReaderException: Unexpected end"), 12}};
    report.immediateRetries = 500;
    report.delayedRetries = 720;
    report.leftForAPerson = 12;
    report.leftBy = {{QStringLiteral("Newtonsoft.Json.JsonReaderException is permanent."), 12}};
    report.rounds = {{1, false, core::Milliseconds{0}, core::Milliseconds{3100}, 500, 500},
                     {2, true, core::Milliseconds{11000}, core::Milliseconds{14000}, 488, 232},
                     {3, true, core::Milliseconds{70000}, core::Milliseconds{72000}, 232, 0}};
    report.probing = {{core::Milliseconds{2000}, core::Milliseconds{65000}, 10, 11}};
    report.took = core::Milliseconds{72000};
    return report;
}

} // namespace

class TestRehearsalDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_one.reset(); }
    void asksForWhatIsChosen();
    void aCauseIsNeeded();
    void withoutFailuresNothingFails();
    void showsTheOutcome();
    void showsProgressAndCancels();
    void closingCancels();
    void anErrorIsShown();
    void picture();

private:
    template<typename T>
    T *child(const char *name)
    {
        return m_one->child<T>(name);
    }
    void choose(const QString &text)
    {
        auto *box = child<QComboBox>("rehearsalFails");
        box->setCurrentIndex(box->findText(text));
    }
    void start() { child<QPushButton>("rehearsalStart")->click(); }
    [[nodiscard]] QString answer() { return child<QLabel>("rehearsalAnswer")->text(); }
    [[nodiscard]] const QList<api::Rehearse> &asked() const { return m_one->client.rehearsals; }

    std::unique_ptr<test::OnePart<views::RehearsalDialog>> m_one;
};

void TestRehearsalDialog::init()
{
    m_one = std::make_unique<test::OnePart<views::RehearsalDialog>>();
    m_one->client.rehearsalAnswer = afterAnOutage();
    api::Rehearse request;
    request.policy = QStringLiteral("standard");
    request.retry.filter.queue = QStringLiteral("error");
    m_one->show(request, QStringLiteral("Rehearsal of the policy standard"));
}

void TestRehearsalDialog::asksForWhatIsChosen()
{
    child<QSpinBox>("rehearsalShare")->setValue(45);
    child<QSpinBox>("rehearsalAtMost")->setValue(70);
    child<QCheckBox>("rehearsalMask")->setChecked(true);
    start();
    QCOMPARE(asked().size(), 1);
    QCOMPARE(asked().first().policy, QStringLiteral("standard"));
    QCOMPARE(asked().first().retry.filter.queue, QStringLiteral("error"));
    QCOMPARE(asked().first().faults, (api::RehearsalFaults{4500, {}, {}}));
    QCOMPARE(asked().first().atMost, 70);
    QVERIFY(asked().first().mask);
    QVERIFY(!asked().first().ticket.isEmpty());
}

void TestRehearsalDialog::aCauseIsNeeded()
{
    choose(QStringLiteral("Messages of a cause"));
    QVERIFY(!child<QPushButton>("rehearsalStart")->isEnabled());
    QVERIFY(!answer().isEmpty());
    child<QLineEdit>("rehearsalCause")->setText(QStringLiteral(" *Timeout* "));
    start();
    QCOMPARE(asked().first().faults, (api::RehearsalFaults{{}, QStringLiteral("*Timeout*"), {}}));
}

void TestRehearsalDialog::withoutFailuresNothingFails()
{
    choose(QStringLiteral("No message"));
    start();
    QVERIFY(asked().first().faults.isNone());
    choose(QStringLiteral("Every message"));
    QTRY_VERIFY(child<QPushButton>("rehearsalStart")->isEnabled());
    start();
    QCOMPARE(asked().last().faults.share.value_or(0), api::RehearsalFaults::wholeShare);
}

void TestRehearsalDialog::showsTheOutcome()
{
    QVERIFY(!child<QLabel>("rehearsalSentence")->isVisible());
    start();
    QTRY_VERIFY(child<QLabel>("rehearsalSentence")->isVisible());
    QVERIFY(child<QLabel>("rehearsalSentence")->text().contains(QStringLiteral("488")));
    const QAbstractItemModel *counts = child<QTableView>("rehearsalCounts")->model();
    QStringList what;
    for (int row = 0; row < counts->rowCount(); ++row)
        what << counts->index(row, 0).data().toString();
    QVERIFY(what.filter(QStringLiteral("System.TimeoutException")).size() == 1);
    const QAbstractItemModel *rounds = child<QTableView>("rehearsalRounds")->model();
    QCOMPARE(rounds->rowCount(), 3);
    QCOMPARE(rounds->index(2, 4).data().toString(), QStringLiteral("0"));
    for (const char *name : {"rehearsalCounts", "rehearsalRounds"}) {
        const auto *table = child<QTableView>(name); // no row is cut
        QTRY_COMPARE(table->viewport()->height() % table->rowHeight(0), 0);
        QVERIFY(table->viewport()->height() >= table->rowHeight(0) * std::min(table->model()->rowCount(), 5));
    }
}

void TestRehearsalDialog::showsProgressAndCancels()
{
    m_one->client.holdAnswers(true);
    start();
    QVERIFY(!child<QPushButton>("rehearsalStart")->isEnabled());
    QVERIFY(!answer().isEmpty());
    child<QPushButton>("rehearsalCancel")->click();
    QVERIFY(m_one->part->isVisible());
    QCOMPARE(m_one->client.count<api::CancelWork>(), 1);
    child<QPushButton>("rehearsalCancel")->click(); // once is enough
    QCOMPARE(m_one->client.count<api::CancelWork>(), 1);
    m_one->client.holdAnswers(false);
    QTRY_VERIFY(child<QPushButton>("rehearsalStart")->isEnabled());
}

void TestRehearsalDialog::closingCancels()
{
    m_one->client.holdAnswers(true);
    start();
    m_one->part.reset();
    QCOMPARE(m_one->client.count<api::CancelWork>(), 1);
    m_one->client.holdAnswers(false);
}

void TestRehearsalDialog::anErrorIsShown()
{
    m_one->client.failNext<api::Rehearse>({core::ErrorKind::Refused, QStringLiteral("Browsed only."), {}, {}});
    start();
    QTRY_COMPARE(answer(), QStringLiteral("Browsed only."));
    QVERIFY(child<QPushButton>("rehearsalStart")->isEnabled());
    QVERIFY(!child<QLabel>("rehearsalSentence")->isVisible());
}

void TestRehearsalDialog::picture()
{
    start();
    QTRY_VERIFY(child<QLabel>("rehearsalSentence")->isVisible());
    QVERIFY(m_one->takePicture(QStringLiteral("rehearsal")));
    m_one->theme.setMode(views::ThemeMode::Dark);
    QVERIFY(m_one->takePicture(QStringLiteral("rehearsal")));
}

REDRIVE_WIDGET_TEST(TestRehearsalDialog)
#include "tst_rehearsaldialog.moc"
