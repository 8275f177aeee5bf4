// What the menu of a queue offers, by what its broker can do.
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"

#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>

namespace {

const QString moveAll = QStringLiteral("Let the broker move all messages…");

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
    void takingIsStoppedWhereItIsShown();
    void theHighlightIsThePlace();
    void aLegendSaysWhatTheTwoNumbersAre();

private:
    void setScene(bool movesQueues, bool holdsFailed);
    QStringList stopEntries(const QString &trigger = {});
    [[nodiscard]] QString place() const { return m_client->groupQueries.constLast().queue; }
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

// The entries that stop taking. The one with this text is triggered.
QStringList TestQueueMenu::stopEntries(const QString &trigger)
{
    const auto menus = [this] { return m_window->findChildren<QMenu *>(QStringLiteral("queueMenu")).size(); };
    QMenu *menu = openQueueMenu();
    if (menu == nullptr)
        return {QStringLiteral("no menu")};
    QStringList texts;
    const QList<QAction *> entries = menu->actions();
    for (QAction *entry : entries) {
        if (!entry->text().startsWith(QStringLiteral("Stop taking")))
            continue;
        texts.append(entry->text());
        if (entry->text() == trigger)
            entry->trigger();
    }
    menu->close();
    if (!QTest::qWaitFor([&menus] { return menus() == 0; }))
        return {QStringLiteral("the menu stays")};
    return texts;
}

// What was begun for one queue is stopped without what was begun for all of its connection, and the other way round.
void TestQueueMenu::takingIsStoppedWhereItIsShown()
{
    const QString one = QStringLiteral("Stop taking messages");
    const QString all = QStringLiteral("Stop taking from all error queues");
    setScene(false, true);
    m_client->heldNames = {m_client->nameOf<api::TakeMessages>()};
    show();
    QCOMPARE(stopEntries(), QStringList());
    const QString queue = child<QTreeView>("queueTree")->currentIndex().data().toString();
    QStringList ofAll;
    QStringList ofOne;
    for (const api::ConnectionView &view : std::as_const(m_client->snapshot.connections)) {
        m_session->takeNow(view.connection.id, {}, {}); // from all its error queues
        ofAll.append(m_client->intakes.last().ticket);
    }
    QCOMPARE(stopEntries(), QStringList{all});
    for (const api::ConnectionView &view : std::as_const(m_client->snapshot.connections)) {
        m_session->takeNow(view.connection.id, queue, {});
        ofOne.append(m_client->intakes.last().ticket);
    }
    QCOMPARE(stopEntries(one), (QStringList{one, all}));
    QCOMPARE(m_client->cancelledWork.size(), 1); // only that of the queue's connection
    QVERIFY(ofOne.contains(m_client->cancelledWork.last()));
    QCOMPARE(stopEntries(all), (QStringList{one, all}));
    QCOMPARE(m_client->cancelledWork.size(), 2);
    QVERIFY(ofAll.contains(m_client->cancelledWork.last()));
    while (m_client->held() > 0)
        m_client->releaseOne();
    for (const api::ConnectionView &view : std::as_const(m_client->snapshot.connections))
        QTRY_VERIFY(!m_session->isTaking(view.connection.id, {}));
}

// Whatever moves the highlight narrows the pages with it, and nothing else moves either.
void TestQueueMenu::theHighlightIsThePlace()
{
    show();
    auto *tree = child<QTreeView>("queueTree");
    const QAbstractItemModel *rows = tree->model();
    QTRY_VERIFY(rows->rowCount(rows->index(0, 0)) > 1);
    const auto queue = [rows](int row) { return rows->index(row, 0, rows->index(0, 0)); };
    const QString first = queue(0).data().toString();
    const QString second = queue(1).data().toString();
    const auto highlighted = [tree] {
        const QModelIndexList chosen = tree->selectionModel()->selectedIndexes();
        return chosen.isEmpty() ? QString() : chosen.constFirst().data().toString();
    };
    QTest::mouseClick(tree->viewport(), Qt::RightButton, {}, tree->visualRect(queue(0)).center());
    QTRY_COMPARE(place(), first);
    QCOMPARE(highlighted(), first);
    QTest::keyClick(tree, Qt::Key_Down);
    QTRY_COMPARE(place(), second);
    QCOMPARE(highlighted(), second);

    auto *box = child<QLineEdit>("queueFilter"); // the row of the place goes, another stays
    box->setText(first);
    QCOMPARE(highlighted(), QString());
    QCOMPARE(place(), second);
    box->clear();
    QCOMPARE(highlighted(), second);
    QCOMPARE(place(), second);

    QTest::keySequence(m_window.get(), QKeySequence(QStringLiteral("Ctrl+0"))); // everywhere
    QTRY_COMPARE(place(), QString());
    QCOMPARE(highlighted(), QString());
}

void TestQueueMenu::aLegendSaysWhatTheTwoNumbersAre()
{
    show();
    auto *legend = child<QLabel>("queueLegend");
    QTRY_VERIFY(legend->isVisible());
    QCOMPARE(legend->text(), QStringLiteral("in the queue | unresolved here"));
    m_client->snapshot.connections.clear();
    m_client->snapshot.queues.clear();
    m_client->publish();
    QTRY_VERIFY(!legend->isVisible());
}

REDRIVE_WIDGET_TEST(TestQueueMenu)
#include "tst_queuemenu.moc"
