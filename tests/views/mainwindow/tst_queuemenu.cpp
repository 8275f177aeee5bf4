// What the menu of a queue offers, by what its broker can do.
#include "tests/views/mainwindow/consolewindow.h"

#include <QDialog>
#include <QTest>

namespace {

const QString moveAll = QStringLiteral("Let the broker move all of it…");

} // namespace

class TestQueueMenu final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(50); }
    void cleanup() { shut(); }
    void aMoveIsOfferedWhereTheBrokerMovesAndTheMessagesFailed_data();
    void aMoveIsOfferedWhereTheBrokerMovesAndTheMessagesFailed();
    void theMoveIsAskedForInItsDialog();

private:
    void setScene(bool movesQueues, bool holdsFailed);
};

void TestQueueMenu::setScene(bool movesQueues, bool holdsFailed)
{
    for (api::ConnectionView &view : m_client->snapshot.connections) {
        view.connection.rights = records::defaultRights;
        view.movesQueues = movesQueues;
    }
    for (api::QueueView &queue : m_client->snapshot.queues)
        queue.holdsFailed = holdsFailed;
}

void TestQueueMenu::aMoveIsOfferedWhereTheBrokerMovesAndTheMessagesFailed_data()
{
    QTest::addColumn<bool>("movesQueues");
    QTest::addColumn<bool>("holdsFailed");
    QTest::addColumn<bool>("offered");
    QTest::newRow("moves, failed messages") << true << true << true;
    QTest::newRow("moves, a working queue") << true << false << false;
    QTest::newRow("does not move, failed messages") << false << true << false;
    QTest::newRow("does not move, a working queue") << false << false << false;
}

void TestQueueMenu::aMoveIsOfferedWhereTheBrokerMovesAndTheMessagesFailed()
{
    QFETCH(const bool, movesQueues);
    QFETCH(const bool, holdsFailed);
    QFETCH(const bool, offered);
    setScene(movesQueues, holdsFailed);
    show();
    QMenu *menu = openQueueMenu();
    QVERIFY(menu != nullptr);
    const QAction *move = entryOf(*menu, moveAll);
    QCOMPARE(move != nullptr, offered);
    QVERIFY(move == nullptr || move->isEnabled());
    menu->close();
}

void TestQueueMenu::theMoveIsAskedForInItsDialog()
{
    setScene(true, true);
    show();
    QMenu *menu = openQueueMenu();
    QVERIFY(menu != nullptr);
    QAction *move = entryOf(*menu, moveAll);
    QVERIFY(move != nullptr);
    move->trigger();
    menu->close();
    QTRY_VERIFY(m_window->findChild<QDialog *>(QStringLiteral("moveDialog")) != nullptr);
    child<QDialog>("moveDialog")->reject();
}

QTEST_MAIN(TestQueueMenu)
#include "tst_queuemenu.moc"
