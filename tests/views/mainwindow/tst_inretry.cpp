// Messages that were sent and did not come back: what the window lets a person do with them. And the rate of a retry.
#include "backend/records/rate.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/retries/ratechoice.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

class TestInRetry final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(50); }
    void cleanup() { shut(); }
    void theyCanBeTakenBackOrResolved_data();
    void theyCanBeTakenBackOrResolved();
    void ofAMixedChoiceThoseInRetryAreMeant();
    void theRateOfALiveRetryIsChanged();

private:
    QMenu *menuOfFirstMessage();
    void agree(QMessageBox *box);
};

// The messages in retry, all selected, with the menu of the first.
QMenu *TestInRetry::menuOfFirstMessage()
{
    for (records::FailedMessage &message : m_client->store)
        message.status = records::MessageStatus::RetryIssued;
    show();
    records::MessageFilter filter;
    filter.status = records::MessageStatus::RetryIssued;
    Q_EMIT m_window->navigator().messagesRequested(filter, {});
    auto *table = child<QTableView>("messagesTable");
    const auto count = m_client->store.size();
    if (!QTest::qWaitFor([&] { return table->model()->rowCount() == count; }))
        return nullptr;
    table->selectAll();
    Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(0, 0)).center());
    return child<QMenu>("messageMenu");
}

void TestInRetry::theyCanBeTakenBackOrResolved_data()
{
    QTest::addColumn<int>("entry");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("decision");
    QTest::newRow("take back") << 0 << "back" << int(api::Decision::TakeBack);
    QTest::newRow("resolve") << 1 << "as resolved" << int(api::Decision::Resolve);
}

void TestInRetry::theyCanBeTakenBackOrResolved()
{
    QFETCH(const int, entry);
    QFETCH(const QString, text);
    QFETCH(const int, decision);
    QMenu *menu = menuOfFirstMessage();
    QVERIFY(menu != nullptr);
    QAction *action = menu->actions().at(entry);
    QVERIFY2(action->text().contains(text) && action->isEnabled(), qPrintable(action->text()));
    action->trigger();
    menu->close();
    QTRY_VERIFY(m_window->findChild<QMessageBox *>(QStringLiteral("closeSent")) != nullptr);
    auto *box = child<QMessageBox>("closeSent");
    QVERIFY(m_client->decisions.isEmpty()); // asked first
    QVERIFY(box->text().contains(QString::number(m_client->store.size())));
    agree(box);
    QTRY_COMPARE(m_client->decisions.size(), 1);
    QVERIFY(m_client->decisions.first().decision == api::Decision(decision));
    QVERIFY(!m_client->decisions.first().who.isEmpty());
}

void TestInRetry::agree(QMessageBox *box)
{
    for (QAbstractButton *button : box->buttons()) {
        if (box->buttonRole(button) == QMessageBox::AcceptRole)
            QTest::mouseClick(button, Qt::LeftButton);
    }
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
    QTRY_VERIFY(m_window->findChild<QMessageBox *>(QStringLiteral("closeSent")) != nullptr);
    auto *box = child<QMessageBox>("closeSent");
    QVERIFY2(box->text().contains(QStringLiteral("10 ")), qPrintable(box->text()));
    m_client->store[20].status = records::MessageStatus::RetryIssued; // sent meanwhile
    agree(box);
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

QTEST_MAIN(TestInRetry)
#include "tst_inretry.moc"
