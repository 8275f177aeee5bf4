// What a person says of messages whose send had no answer.
#include "tests/support/askedquestion.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/common/theme/theme.h"
#include "views/retries/doubtdialog.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

class TestDoubtDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whatIsInDoubtIsListedWithItsReason();
    void allOfThemArrived();
    void onlyTheSelectedAreSettled();
    void sendingAgainAsksFirst();
    void whatWasSeenIsMeantWhateverTheListShowsLater();
    void whatStaysInDoubtIsSaid();
    void aRowOpensItsMessage();
    void aRefusalIsToldAndNothingIsLost();
    void withoutTheRightNothingIsSettled();
    void aListThatCannotBeReadIsAskedForAgain();
    void moreThanAreListedAreCounted();
    void screenshots();

private:
    template<typename T>
    T *child(const char *name)
    {
        return m_one->child<T>(name);
    }
    void addDoubts(int count);
    void show();
    void press(const char *button) { QTest::mouseClick(child<QPushButton>(button), Qt::LeftButton); }
    void answer(const QString &button);
    [[nodiscard]] QTableView *table() { return child<QTableView>("doubtTable"); }
    [[nodiscard]] QString cell(int row, int column) { return table()->model()->index(row, column).data().toString(); }

    std::unique_ptr<test::OnePart<views::DoubtDialog>> m_one;
};

void TestDoubtDialog::init()
{
    m_one = std::make_unique<test::OnePart<views::DoubtDialog>>();
    records::RetryOperation operation = m_one->completed(7);
    operation.total = 1200;
    m_one->client.operationList = {operation};
    addDoubts(3);
}

void TestDoubtDialog::cleanup()
{
    m_one.reset();
}

void TestDoubtDialog::addDoubts(int count)
{
    m_one->client.operationList[0].counts.inDoubt += count;
    for (int i = 0; i < count; ++i) {
        records::FailedMessage message;
        message.id = core::MessageId{m_one->client.store.size() + 1};
        message.uniqueId = QStringLiteral("%1").arg(message.id.value, 32, 10, QLatin1Char('0'));
        message.messageType = QStringLiteral("Acme.Orders.PlaceOrder");
        message.status = records::MessageStatus::RetryIssued;
        m_one->client.store.append(message);
        records::RetryMember member;
        member.operation = core::OperationId{7};
        member.ordinal = 10 * message.id.value;
        member.message = message.id;
        member.uniqueId = message.uniqueId;
        member.destination = QStringLiteral("orders.<b>%1</b>").arg(message.id.value);
        member.outcome = records::Outcome::InDoubt;
        member.reason = QStringLiteral("No answer came.\nThe line broke off.");
        m_one->client.memberList.append(member);
    }
}

void TestDoubtDialog::show()
{
    m_one->show(core::OperationId{7});
}

// The question is open, not run: its answer is a click like any other.
void TestDoubtDialog::answer(const QString &button)
{
    const test::AskedQuestion question(*m_one->part, "doubtQuestion");
    QVERIFY(question.isOpen());
    for (QPushButton *one : {question.leave(), question.go()}) {
        if (one->text() == button)
            return one->click();
    }
    QFAIL(qPrintable(button));
}

void TestDoubtDialog::whatIsInDoubtIsListedWithItsReason()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QCOMPARE(cell(0, 0), QStringLiteral("Acme.Orders.PlaceOrder"));
    QCOMPARE(cell(1, 1), QStringLiteral("orders.<b>2</b>"));
    QVERIFY(!cell(2, 2).contains(QLatin1Char('\n'))); // one line, whatever the broker said
    QVERIFY(cell(2, 2).startsWith(QStringLiteral("No answer came.")));
    QCOMPARE(child<QLabel>("doubtSummary")->text(), QStringLiteral("3 in doubt"));
    QVERIFY(child<QPushButton>("doubtSent")->text().contains(QStringLiteral("all")));
}

void TestDoubtDialog::allOfThemArrived()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QSignalSpy told(&m_one->session, &models::ConsoleSession::succeeded);
    press("doubtSent");
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.first().first().toString(), QStringLiteral("3 messages now count as sent."));
    const api::SettleInDoubt command = m_one->client.settles.last();
    QCOMPARE(command.operation, core::OperationId{7});
    QCOMPARE(command.ordinals, (QList<qint64>{10, 20, 30})); // those that were seen
    QVERIFY(command.settlement == api::Settlement::AssumeSent);
    m_one->client.snapshot.inDoubtTotal = 1; // another number than before
    m_one->client.publish();
    QTRY_COMPARE(table()->model()->rowCount(), 0);
    QVERIFY(!child<QPushButton>("doubtSent")->isEnabled());
    QVERIFY(!child<QPushButton>("doubtAgain")->isEnabled());
}

void TestDoubtDialog::onlyTheSelectedAreSettled()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    table()->selectRow(1);
    QTRY_VERIFY(child<QPushButton>("doubtSent")->text().contains(QStringLiteral("1 ")));
    QCOMPARE(child<QLabel>("doubtSummary")->text(), QStringLiteral("1 of 3 selected"));
    press("doubtSent");
    QTRY_COMPARE(m_one->client.settles.size(), 1);
    QCOMPARE(m_one->client.settles.last().ordinals, QList<qint64>{20});
    m_one->client.snapshot.inDoubtTotal = 1; // another number than before
    m_one->client.publish();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
}

void TestDoubtDialog::sendingAgainAsksFirst()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    press("doubtAgain");
    answer(QStringLiteral("Leave in doubt"));
    QVERIFY(m_one->client.settles.isEmpty());
    QTRY_VERIFY(m_one->part->findChild<QDialog *>(QStringLiteral("doubtQuestion")) == nullptr);
    press("doubtAgain");
    answer(QStringLiteral("Send again"));
    QTRY_COMPARE(m_one->client.settles.size(), 1);
    QVERIFY(m_one->client.settles.last().settlement == api::Settlement::SendAgain);
    QCOMPARE(m_one->client.settles.last().ordinals, (QList<qint64>{10, 20, 30}));
}

// The question is about the selected one. It goes from the list while the question is open, and nothing is selected then.
void TestDoubtDialog::whatWasSeenIsMeantWhateverTheListShowsLater()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    table()->selectRow(1);
    press("doubtAgain");
    m_one->client.memberList[1].outcome = records::Outcome::Sent;
    m_one->client.snapshot.inDoubtTotal = 2;
    m_one->client.publish();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(table()->selectionModel()->selectedRows().isEmpty());
    answer(QStringLiteral("Send again"));
    QTRY_COMPARE(m_one->client.settles.size(), 1);
    QCOMPARE(m_one->client.settles.last().ordinals, QList<qint64>{20});
}

void TestDoubtDialog::whatStaysInDoubtIsSaid()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QSignalSpy told(&m_one->session, &models::ConsoleSession::succeeded);
    m_one->client.memberList[0].outcome = records::Outcome::Sent; // it came back meanwhile
    press("doubtAgain");
    answer(QStringLiteral("Send again"));
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.first().first().toString(),
             QStringLiteral("2 messages will be sent again. 1 will not: they are archived or no longer in doubt."));
}

void TestDoubtDialog::aRowOpensItsMessage()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QSignalSpy opened(&m_one->navigator, &views::Navigator::messageOpened);
    QTRY_VERIFY(table()->hasFocus()); // no click is needed before the keys
    table()->selectRow(2);
    QTest::keyClick(m_one->part->focusWidget(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.first().first().value<core::MessageId>(), core::MessageId{3});
    QVERIFY(m_one->client.settles.isEmpty()); // Enter presses no button
}

void TestDoubtDialog::aRefusalIsToldAndNothingIsLost()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QSignalSpy told(&m_one->session, &models::ConsoleSession::failed);
    m_one->client.failNext<api::SettleInDoubt>(
        {core::ErrorKind::StoreFailed, QStringLiteral("The disk is full."), {}, {}});
    press("doubtSent");
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.first().first().toString(),
             QStringLiteral("The messages in doubt were not settled: The disk is full."));
    QCOMPARE(table()->model()->rowCount(), 3);
}

void TestDoubtDialog::withoutTheRightNothingIsSettled()
{
    m_one->client.snapshot.connections[0].connection.rights = records::Right::See;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    for (const char *name : {"doubtSent", "doubtAgain"}) {
        QVERIFY(!child<QPushButton>(name)->isEnabled());
        QVERIFY(!child<QPushButton>(name)->toolTip().isEmpty());
    }
}

void TestDoubtDialog::aListThatCannotBeReadIsAskedForAgain()
{
    m_one->client.failNext<api::MemberQuery>({core::ErrorKind::StoreFailed, QStringLiteral("No page."), {}, {}});
    show();
    const auto again = [this]() -> QPushButton * {
        for (QPushButton *one : m_one->part->findChildren<QPushButton *>()) {
            if (one->text() == QStringLiteral("Try again"))
                return one;
        }
        return nullptr;
    };
    QTRY_VERIFY(again() != nullptr);
    QVERIFY(!table()->isVisible());
    again()->click();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QVERIFY(table()->isVisible());
}

void TestDoubtDialog::moreThanAreListedAreCounted()
{
    addDoubts(1197);
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 1000);
    QCOMPARE(child<QLabel>("doubtSummary")->text(), QStringLiteral("1,200 in doubt; only the first 1,000 are listed"));
    QSignalSpy told(&m_one->session, &models::ConsoleSession::succeeded);
    press("doubtSent"); // what is not listed is asked about
    QVERIFY(m_one->client.settles.isEmpty());
    answer(QStringLiteral("Mark as arrived"));
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(m_one->client.settles.last().ordinals.isEmpty());
    QCOMPARE(told.first().first().toString(), QStringLiteral("1,200 messages now count as sent."));
}

void TestDoubtDialog::screenshots()
{
    for (const views::ThemeMode mode : {views::ThemeMode::Light, views::ThemeMode::Dark}) {
        m_one->theme.setMode(mode);
        show();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        table()->selectRow(1);
        QVERIFY(m_one->takePicture(QStringLiteral("doubt")));
    }
}

REDRIVE_WIDGET_TEST(TestDoubtDialog)
#include "tst_doubtdialog.moc"
