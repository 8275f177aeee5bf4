// The command palette, the sheet of keys, and the page of the message in a narrow window, all by keys.
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/mainwindow/commandpalette.h"
#include "views/mainwindow/shortcutsdialog.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTabBar>
#include <QTest>

using views::ActionId;

static constexpr int messagePage = 5; // the last tab

class TestKeys final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void paletteFindsACommand();
    void paletteGoesToAQueue();
    void paletteShowsAndHidesAPane();
    void paletteSkipsWhatIsRefused();
    void paletteArrowsSkipHiddenLines();
    void paletteWithoutAMatchDoesNothing();
    void sheetNamesEveryKey();
    void narrowWindowShowsTheMessageOnAPage();
    void wideWindowShowsTheMessageBesideTheList();
    void homeAndEndGoToFirstAndLastRow();

private:
    QAction *action(ActionId id) { return child<QAction>(qPrintable(QStringLiteral("action%1").arg(int(id)))); }
    views::CommandPalette *palette();
    QLineEdit *box() { return child<QLineEdit>("paletteBox"); }
    QListWidget *list() { return child<QListWidget>("paletteList"); }
};

void TestKeys::init()
{
    prepare(40);
    show();
    QTRY_VERIFY(child<views::DataTable>("groupsTable")->model()->rowCount() > 3);
}

void TestKeys::cleanup()
{
    shut();
}

views::CommandPalette *TestKeys::palette()
{
    action(ActionId::CommandPalette)->trigger();
    return child<views::CommandPalette>("commandPalette");
}

void TestKeys::paletteFindsACommand()
{
    palette();
    QTest::keyClicks(box(), QStringLiteral("dark TH"));
    QTest::keyClick(box(), Qt::Key_Return);
    QVERIFY(m_theme->mode() == views::ThemeMode::Dark);
    QTRY_VERIFY(m_window->findChild<views::CommandPalette *>() == nullptr);
}

void TestKeys::paletteGoesToAQueue()
{
    palette();
    QTest::keyClicks(box(), QStringLiteral("queue orders.dlq"));
    QTest::keyClick(box(), Qt::Key_Return);
    QTRY_COMPARE(child<views::DataTable>("groupsTable")->model()->rowCount(), 1);
}

void TestKeys::paletteShowsAndHidesAPane()
{
    auto *dock = child<QDockWidget>("activityDock");
    for (const bool shown : {true, false}) {
        palette();
        QTest::keyClicks(box(), shown ? QStringLiteral("show activity") : QStringLiteral("hide activity"));
        QTest::keyClick(box(), Qt::Key_Return);
        QTRY_VERIFY(m_window->findChild<views::CommandPalette *>() == nullptr);
        QCOMPARE(!dock->isHidden(), shown);
    }
}

void TestKeys::paletteSkipsWhatIsRefused()
{
    QVERIFY(!action(ActionId::UndoArchive)->isEnabled());
    palette();
    QTest::keyClicks(box(), QStringLiteral("undo archive"));
    QVERIFY(list()->currentItem() == nullptr);
    QTest::keyClick(box(), Qt::Key_Return);
    QVERIFY(m_client->decisions.isEmpty());
    QVERIFY(m_window->findChild<views::CommandPalette *>() != nullptr); // still open: nothing was run
}

void TestKeys::paletteArrowsSkipHiddenLines()
{
    palette();
    QTest::keyClicks(box(), QStringLiteral("theme"));
    const int first = list()->currentRow();
    QTest::keyClick(box(), Qt::Key_Down);
    QVERIFY(list()->currentRow() > first);
    QVERIFY(list()->currentItem()->text().contains(QStringLiteral("theme")));
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(box(), Qt::Key_Down);
    QVERIFY(!list()->currentItem()->isHidden());
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(box(), Qt::Key_Up);
    QCOMPARE(list()->currentRow(), first);
}

void TestKeys::paletteWithoutAMatchDoesNothing()
{
    palette();
    QTest::keyClicks(box(), QStringLiteral("no such command"));
    QVERIFY(child<QLabel>("paletteNone")->isVisible() && !list()->isVisible());
    const qsizetype calls = m_client->calls.size();
    QTest::keyClick(box(), Qt::Key_Return);
    QCOMPARE(m_client->calls.size(), calls);
    QTest::keyClick(box(), Qt::Key_Escape);
    QTRY_VERIFY(m_window->findChild<views::CommandPalette *>() == nullptr);
}

void TestKeys::sheetNamesEveryKey()
{
    action(ActionId::ShortcutSheet)->trigger();
    auto *sheet = child<views::ShortcutsDialog>("keySheet");
    QStringList said;
    for (const QLabel *label : sheet->findChildren<QLabel *>())
        said.append(label->text());
    for (const QAction *one : m_window->actions()) {
        if (one->shortcut().isEmpty())
            continue;
        QVERIFY2(said.contains(one->text()), qPrintable(one->text()));
        QVERIFY2(said.contains(one->shortcut().toString(QKeySequence::NativeText)), qPrintable(one->text()));
    }
    QTest::keyClick(sheet, Qt::Key_Escape);
    QTRY_VERIFY(m_window->findChild<views::ShortcutsDialog *>() == nullptr);
}

void TestKeys::narrowWindowShowsTheMessageOnAPage()
{
    auto *tabs = child<QTabBar>("pageTabs");
    auto *dock = child<QDockWidget>("detailDock");
    auto *pane = child<QWidget>("detailPane");
    QVERIFY(!tabs->isTabVisible(messagePage));
    m_window->resize(1100, 720);
    QTRY_VERIFY(tabs->isTabVisible(messagePage));
    QVERIFY(dock->isHidden());
    action(ActionId::ShowMessages)->trigger();
    auto *messages = child<views::DataTable>("messagesTable");
    QTRY_VERIFY(messages->model()->rowCount() > 10);
    QTest::keyClick(messages, Qt::Key_End);
    QTest::keyClick(messages, Qt::Key_Return);
    QCOMPARE(tabs->currentIndex(), messagePage);
    QVERIFY(pane->isVisible());
    QTRY_VERIFY(child<QLabel>("detailTitle")->isVisible());
    QTest::keyClick(child<QWidget>("detailPage"), Qt::Key_Escape);
    QCOMPARE(tabs->currentIndex(), 1);
    action(ActionId::ShowMessage)->trigger();
    QCOMPARE(tabs->currentIndex(), messagePage);
    m_window->resize(1440, 900); // and back beside the list
    QTRY_VERIFY(!tabs->isTabVisible(messagePage));
    QCOMPARE(tabs->currentIndex(), 1);
    QVERIFY(!dock->isHidden());
    QVERIFY(dock->isAncestorOf(pane));
    QVERIFY(pane->isVisible());
}

void TestKeys::wideWindowShowsTheMessageBesideTheList()
{
    child<QDockWidget>("detailDock")->hide();
    action(ActionId::ShowMessage)->trigger();
    QVERIFY(child<QDockWidget>("detailDock")->isVisible());
    QCOMPARE(child<QTabBar>("pageTabs")->currentIndex(), 0);
    QTRY_COMPARE(m_window->focusWidget(), child<QTabBar>("detailTabs"));
}

void TestKeys::homeAndEndGoToFirstAndLastRow()
{
    auto *groups = child<views::DataTable>("groupsTable");
    const int last = groups->model()->rowCount() - 1;
    QTest::keyClick(groups, Qt::Key_End);
    QCOMPARE(groups->selectedRowNumbers(), QList<int>{last});
    QTest::keyClick(groups, Qt::Key_Home, Qt::ShiftModifier);
    QCOMPARE(groups->selectedCount(), last + 1);
    QTest::keyClick(groups, Qt::Key_Home);
    QTest::keyClick(groups, Qt::Key_Down);
    QCOMPARE(groups->selectedRowNumbers(), QList<int>{1});
}

REDRIVE_WIDGET_TEST(TestKeys)
#include "tst_keys.moc"
