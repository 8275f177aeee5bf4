// What the window lets a person decide about messages of each status. And of a retry: its rate, what of it is in doubt.
#include "backend/records/rules/rate.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/retries/plan/ratechoice.h"
#include "views/retries/stageboard.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableView>
#include <QTest>

class TestInRetry final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(50); }
    void cleanup() { shut(); }
    void eachStatusHasItsDecisions_data();
    void eachStatusHasItsDecisions();
    void itIsSaidWhenASentMessageIsResolved();
    void deletingNeedsItsRight();
    void whatIsSettledIsNotRetried();
    void ofAMixedChoiceThoseInRetryAreMeant();
    void theRateOfALiveRetryIsChanged();
    void doubtsAndReturnsAreOpenedFromWhereARetryIsShown();
    void aSentenceHasTheStatusLineToItself();

private:
    QMenu *menuOfFirstMessage(records::MessageStatus status = records::MessageStatus::RetryIssued);
    void agree();
    QDialog *question() { return m_window->findChild<QDialog *>(QStringLiteral("decisionQuestion")); }
    QString textOf(const char *label) { return child<QLabel>(label)->text(); }
};

// All messages, of this status and selected, with the menu of the first.
QMenu *TestInRetry::menuOfFirstMessage(records::MessageStatus status)
{
    for (records::FailedMessage &message : m_client->store)
        message.status = status;
    show();
    records::MessageFilter filter;
    filter.status = status;
    Q_EMIT m_window->navigator().messagesRequested(filter, {});
    auto *table = child<QTableView>("messagesTable");
    const auto count = m_client->store.size();
    if (!QTest::qWaitFor([&] { return table->model()->rowCount() == count; }))
        return nullptr;
    table->selectAll();
    Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(0, 0)).center());
    return child<QMenu>("messageMenu");
}

void TestInRetry::eachStatusHasItsDecisions_data()
{
    using api::Decision;
    using records::MessageStatus;
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("entry");
    QTest::addColumn<int>("decision");
    const auto row = [](const char *name, MessageStatus status, int entry, Decision decision) {
        QTest::newRow(name) << int(status) << entry << int(decision);
    };
    row("take back", MessageStatus::RetryIssued, 0, Decision::TakeBack);
    row("resolve", MessageStatus::RetryIssued, 1, Decision::Resolve);
    row("restore", MessageStatus::Archived, 0, Decision::Restore);
    row("delete archived", MessageStatus::Archived, 1, Decision::Delete);
    row("delete resolved", MessageStatus::Resolved, 0, Decision::Delete);
    row("make unresolved", MessageStatus::Unknown, 0, Decision::TakeBack);
    row("unknown is resolved", MessageStatus::Unknown, 1, Decision::Resolve);
    row("unknown is archived", MessageStatus::Unknown, 2, Decision::Archive);
}

void TestInRetry::eachStatusHasItsDecisions()
{
    QFETCH(const int, status);
    QFETCH(const int, entry);
    QFETCH(const int, decision);
    const auto of = records::MessageStatus(status);
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights |= records::Right::Delete;
    const auto count = m_client->store.size();
    QMenu *menu = menuOfFirstMessage(of);
    QVERIFY(menu != nullptr);
    QAction *action = menu->actions().at(entry);
    QCOMPARE(action->objectName(), QStringLiteral("decide%1").arg(decision));
    QVERIFY2(action->isEnabled(), qPrintable(action->toolTip()));
    action->trigger();
    menu->close();
    QTRY_VERIFY(question() != nullptr);
    QVERIFY(m_client->decisions.isEmpty()); // asked first
    QVERIFY2(textOf("decisionText").contains(QString::number(count)), qPrintable(textOf("decisionText")));
    QVERIFY(!textOf("decisionConsequences").isEmpty());
    agree();
    QTRY_COMPARE(m_client->decisions.size(), 1);
    const api::DecideMessages &command = m_client->decisions.first();
    QVERIFY(command.decision == api::Decision(decision));
    QVERIFY(command.filter.status == of);
    QCOMPARE(command.filter.messages.size(), count);
    const bool isChanged = m_client->store.isEmpty() || m_client->store.first().status != of;
    QVERIFY(isChanged);
}

// A connection does not have that right unless it is given.
void TestInRetry::itIsSaidWhenASentMessageIsResolved()
{
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.resolvedAfter = std::chrono::hours(36);
    show();
    for (const char *name : {"messageStatus", "groupStatus"}) {
        const auto *status = child<QComboBox>(name);
        const int inRetry = status->findData(int(records::MessageStatus::RetryIssued));
        const auto tip = [&] { return status->itemData(inRetry, Qt::ToolTipRole).toString(); };
        QTRY_VERIFY2(tip().contains(QStringLiteral("1 d 12 h")), qPrintable(tip()));
    }
}

void TestInRetry::deletingNeedsItsRight()
{
    QMenu *menu = menuOfFirstMessage(records::MessageStatus::Archived);
    QVERIFY(menu != nullptr);
    QVERIFY(menu->actions().at(0)->isEnabled());
    QVERIFY(!menu->actions().at(1)->isEnabled());
    QVERIFY2(menu->actions().at(1)->toolTip().contains(QStringLiteral("delete")),
             qPrintable(menu->actions().at(1)->toolTip()));
    menu->close();
}

// The large buttons act on what is unresolved; of all else the menu says what can be done.
void TestInRetry::whatIsSettledIsNotRetried()
{
    QMenu *menu = menuOfFirstMessage(records::MessageStatus::Archived);
    QVERIFY(menu != nullptr);
    menu->close();
    QTRY_VERIFY(!child<QPushButton>("retrySelected")->isEnabled());
    QVERIFY(!child<QPushButton>("archiveSelected")->isEnabled());
}

// Where the number of messages has to be typed, it is.
void TestInRetry::agree()
{
    auto *go = child<QPushButton>("decisionGo");
    if (auto *typed = question()->findChild<QLineEdit *>(QStringLiteral("decisionTyped")))
        typed->setText(QString::number(m_client->store.size()));
    QTest::mouseClick(go, Qt::LeftButton);
}

// The row that was clicked says nothing of the others, and what changes after the question is not part of the answer.
void TestInRetry::ofAMixedChoiceThoseInRetryAreMeant()
{
    QMenu *menu = menuOfFirstMessage();
    QVERIFY(menu != nullptr);
    for (qsizetype i = 10; i < m_client->store.size(); ++i)
        m_client->store[i].status = records::MessageStatus::Archived;
    menu->actions().first()->trigger();
    menu->close();
    QTRY_VERIFY(question() != nullptr);
    QVERIFY2(textOf("decisionText").contains(QStringLiteral("10 ")), qPrintable(textOf("decisionText")));
    m_client->store[20].status = records::MessageStatus::RetryIssued; // sent meanwhile
    agree();
    QTRY_COMPARE(m_client->decisions.size(), 1);
    QCOMPARE(m_client->decisions.first().filter.messages.size(), 10);
    QVERIFY(m_client->store.at(20).status == records::MessageStatus::RetryIssued);
}

void TestInRetry::theRateOfALiveRetryIsChanged()
{
    show();
    Q_EMIT m_session->operationsChanged();
    auto *table = child<QTableView>("retriesTable");
    QTRY_VERIFY(table->model()->rowCount() > 0);
    const auto live =
        std::find_if(m_client->snapshot.operations.cbegin(), m_client->snapshot.operations.cend(),
                     [](const api::OperationView &view) { return records::isLive(view.operation.state); });
    QVERIFY(live != m_client->snapshot.operations.cend());
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        if (table->model()->index(row, 0).data().toString().startsWith(QString::number(live->operation.id.value)))
            table->selectRow(row);
    }
    auto *button = child<QPushButton>("retriesRate");
    QTRY_VERIFY(button->isEnabled());
    button->click();
    auto *dialog = child<QDialog>("rateDialog");
    auto *choice = dialog->findChild<views::RateChoice *>();
    for (const qint64 rate : {qint64{1'000'001}, records::mostPerMinute - 1, records::mostPerMinute}) {
        choice->setPerMinute(rate); // whatever is in force is shown as it is
        QCOMPARE(choice->perMinute(), std::optional(rate));
    }
    choice->setPerMinute(600);
    dialog->findChild<QSpinBox *>(QStringLiteral("rateCount"))->setValue(7);
    QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("rateSet")), Qt::LeftButton);
    QTRY_COMPARE(m_client->rates.size(), 1);
    QCOMPARE(m_client->rates.first().operation, live->operation.id);
    QCOMPARE(m_client->rates.first().perMinute, std::optional<qint64>(420));
}

void TestInRetry::doubtsAndReturnsAreOpenedFromWhereARetryIsShown()
{
    api::OperationView view;
    view.operation.id = core::OperationId{40};
    view.operation.connection = m_client->snapshot.connections.first().connection.id;
    view.operation.state = records::OperationState::Running;
    view.operation.total = 3;
    view.operation.counts.sent = 1;
    m_client->snapshot.operations = {view};
    m_client->operationList = {view.operation};
    show();
    QTRY_COMPARE(child<views::StageBoard>("stageBoard")->shown(), core::OperationId{40});
    child<QTableView>("retriesTable")->selectRow(0);
    Q_EMIT m_window->navigator().operationRequested({40});
    for (const char *name : {"boardDoubt", "retriesDoubt"})
        QVERIFY(child<QPushButton>(name)->isHidden()); // nothing is in doubt
    m_client->snapshot.operations[0].operation.counts.inDoubt = 2;
    m_client->operationList[0].counts.inDoubt = 2;
    m_client->publish();
    for (const char *name : {"boardDoubt", "retriesDoubt"}) {
        auto *button = child<QPushButton>(name);
        QTRY_VERIFY(!button->isHidden());
        button->click();
        QTRY_COMPARE(m_window->findChildren<QDialog *>(QStringLiteral("doubtDialog")).size(),
                     1); // the one before is gone
        QVERIFY(child<QDialog>("doubtDialog")->isVisible());
    }
    QCOMPARE(child<QPushButton>("boardDoubt")->text(), QStringLiteral("2 in doubt…"));

    m_client->snapshot.operations[0].operation.counts.cameBack = 1;
    m_client->publish();
    auto *cameBack = child<QPushButton>("retriesCameBack");
    QTRY_VERIFY(cameBack->isEnabled());
    cameBack->click();
    QVERIFY(child<QDialog>("returnsDialog")->isVisible());
}

// Its parts are not drawn over it, whatever the next snapshot says of them.
void TestInRetry::aSentenceHasTheStatusLineToItself()
{
    show();
    QLabel *rights = child<QLabel>("rights");
    QTRY_VERIFY(rights->isVisible());
    m_window->statusBar()->showMessage(QStringLiteral("Saved the note."));
    QVERIFY(!rights->isVisible());
    m_client->publish();
    m_window->resize(m_window->size() - QSize(10, 0));
    QCoreApplication::processEvents();
    QVERIFY(!rights->isVisible());
    QVERIFY(!child<QWidget>("connectionCount")->isVisible());
    m_window->statusBar()->clearMessage();
    QVERIFY(rights->isVisible());
}

REDRIVE_WIDGET_TEST(TestInRetry)
#include "tst_inretry.moc"
