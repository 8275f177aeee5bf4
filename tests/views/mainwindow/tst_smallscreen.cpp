// What the window does where the screen is smaller than its first size.
#include "models/groups/groupsmodel.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/checkheader.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QScreen>
#include <QStatusBar>
#include <QTableView>
#include <QTest>

#include <algorithm>

class TestSmallScreen final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstWindowIsSeenWhole();
    void theStatusLineFitsANarrowWindow();
    void theWindowShrinksToTheSmallestScreen();
    void causesHaveRoomInEverySize();
    void theSmallestScreenShowsRows();
    void noPageIsWiderThanItsPlace_data();
    void noPageIsWiderThanItsPlace();
    void theButtonsOfAMessageAreInView();
};

void TestSmallScreen::theFirstWindowIsSeenWhole()
{
    prepare(100);
    m_window = std::make_unique<views::MainWindow>(*m_session, *m_preferences, *m_theme);
    const QSize screen = m_window->screen()->availableSize();
    QCOMPARE(screen, QSize(1280, 720));
    QVERIFY(m_window->width() > screen.width()); // or this proves nothing
    m_window->fitScreen();
    m_client->publish();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    constexpr int frame = 32; // what a window manager puts above it
    QVERIFY(m_window->width() <= screen.width());
    QVERIFY(m_window->height() + frame <= screen.height());
    const QWidget *status = m_window->statusBar();
    QVERIFY(m_window->rect().contains(QRect(status->mapTo(m_window.get(), QPoint()), status->size())));
    shut();
}

void TestSmallScreen::theStatusLineFitsANarrowWindow()
{
    prepare(100);
    m_client->snapshot.inDoubtTotal = 925'000;
    m_client->snapshot.storePath = QStringLiteral("/var/lib/redrive/a store with a rather long name.db");
    show();
    m_client->publish();
    for (const int width : {1280, 1199, 1024}) {
        m_window->resize(width, 700);
        QTRY_COMPARE(m_window->width(), width); // nothing keeps it wide
        QTRY_COMPARE(m_window->statusBar()->width(), m_window->width());
        QLabel *refreshed = child<QLabel>("refreshed");
        QTRY_VERIFY(refreshed->geometry().right() < m_window->statusBar()->width());
        QCOMPARE(child<QLabel>("connectionCount")->isVisible(), m_window->width() >= 1200);
    }
    m_client->snapshot.storePath = QStringLiteral("postgresql://ana@db.example:5433/ops?schema=night"); // a shared one
    m_client->publish();
    QTRY_VERIFY(child<QLabel>("store")->text().startsWith(QStringLiteral("Store: db.example:5433/ops ")));
    shut();
}

// 1440 x 900 at a scale of 200 %. The panes fold into tabs, and unfold where there is room again.
void TestSmallScreen::theWindowShrinksToTheSmallestScreen()
{
    constexpr QSize smallest{720, 450};
    prepare(100);
    show();
    m_client->publish();
    QDockWidget *board = child<QDockWidget>("boardDock");
    QDockWidget *chart = child<QDockWidget>("chartDock");
    QVERIFY(!m_window->tabifiedDockWidgets(board).contains(chart));
    m_window->resize(smallest);
    QTRY_COMPARE(m_window->size(), smallest);
    QVERIFY(m_window->tabifiedDockWidgets(board).contains(chart));
    QCoreApplication::processEvents();
    const QSize needed = m_window->layout()->minimumSize();
    QVERIFY2(needed.width() <= smallest.width() && needed.height() <= smallest.height(),
             qPrintable(QStringLiteral("%1 x %2").arg(needed.width()).arg(needed.height())));
    for (const char *name : {"pageTabs", "queueTree", "groupsTable", "refreshed"}) {
        const QWidget *part = child<QWidget>(name);
        const QRect place(part->mapTo(m_window.get(), QPoint()), part->size());
        QVERIFY2(part->isVisible() && m_window->rect().contains(place), name);
    }
    m_window->resize(1280, 700);
    QTRY_VERIFY(!m_window->tabifiedDockWidgets(board).contains(chart));
    QVERIFY(board->isVisible() && chart->isVisible());
    shut();
}

// A small window shows the causes instead of less important columns. In a large one no column has room to spare while a
// cause is cut.
void TestSmallScreen::causesHaveRoomInEverySize()
{
    using models::GroupsModel;
    prepare(100);
    for (records::FailedMessage &message : m_client->store)
        message.failure.exceptionType += QStringLiteral("ThatTheWarehouseOfTheWholeShopRaises");
    show();
    m_client->publish();
    auto *groups = child<QTableView>("groupsTable");
    QTRY_VERIFY(groups->model()->rowCount() > 1);
    const int sixteen = 16 * groups->fontMetrics().averageCharWidth();
    m_window->resize(720, 450);
    QTRY_COMPARE(m_window->width(), 720);
    QTRY_VERIFY(groups->isColumnHidden(GroupsModel::FirstFailed));
    QVERIFY2(groups->columnWidth(GroupsModel::Cause) > sixteen,
             qPrintable(QString::number(groups->columnWidth(GroupsModel::Cause))));
    const int end = groups->columnViewportPosition(GroupsModel::Cause) + groups->columnWidth(GroupsModel::Cause);
    QVERIFY(end <= groups->viewport()->width());
    m_window->resize(1440, 900);
    QTRY_COMPARE(m_window->width(), 1440);
    QTRY_VERIFY(!groups->isColumnHidden(GroupsModel::FirstFailed));
    const QAbstractItemView *view = groups;
    const auto *header = qobject_cast<const views::CheckHeader *>(groups->horizontalHeader());
    QVERIFY(view->sizeHintForColumn(GroupsModel::Cause) > groups->columnWidth(GroupsModel::Cause)); // one is cut
    for (int column = GroupsModel::Messages; column < GroupsModel::ColumnCount; ++column) {
        const int needed = std::max(view->sizeHintForColumn(column), header->neededWidth(column));
        QTRY_VERIFY2(groups->columnWidth(column) <= needed,
                     qPrintable(groups->model()->headerData(column, Qt::Horizontal).toString()));
    }
    shut();
}

// 1440 x 900 at a scale of 200 %, without what the window manager takes.
void TestSmallScreen::theSmallestScreenShowsRows()
{
    constexpr int leastRows = 2;
    prepare(100);
    show();
    m_client->publish();
    auto *groups = child<QTableView>("groupsTable");
    QTRY_VERIFY(groups->model()->rowCount() > leastRows);
    m_window->resize(720, 418);
    QTRY_COMPARE(m_window->height(), 418);
    QTRY_VERIFY(groups->visibleRegion().boundingRect().height()
                >= groups->horizontalHeader()->height() + leastRows * groups->rowHeight(0));
    for (const char *name : {"stageCount0", "stageCount3"})
        QVERIFY2(!child<QWidget>(name)->visibleRegion().isEmpty(), name);
    shut();
}

void TestSmallScreen::noPageIsWiderThanItsPlace_data()
{
    using views::ActionId;
    QTest::addColumn<int>("action");
    QTest::newRow("groups") << int(ActionId::ShowGroups);
    QTest::newRow("messages") << int(ActionId::ShowMessages);
    QTest::newRow("retries") << int(ActionId::ShowRetries);
    QTest::newRow("policies") << int(ActionId::ShowPolicies);
}

// What has no room in it is cut off, or hidden behind a scroll bar that nobody expects below a list.
void TestSmallScreen::noPageIsWiderThanItsPlace()
{
    QFETCH(const int, action);
    prepare(100);
    show();
    m_client->publish();
    m_window->resize(720, 450);
    QTRY_COMPARE(m_window->width(), 720);
    child<QAction>(qPrintable(QStringLiteral("action%1").arg(action)))->trigger();
    const QWidget *page = m_window->currentPage();
    QTRY_COMPARE(page->visibleRegion().boundingRect().width(), page->width());
    shut();
}

void TestSmallScreen::theButtonsOfAMessageAreInView()
{
    prepare(100);
    show();
    m_client->publish();
    m_window->resize(1024, 620);
    QTRY_COMPARE(m_window->width(), 1024);
    QTRY_VERIFY(child<QTableView>("groupsTable")->model()->rowCount() > 0);
    child<QAction>(qPrintable(QStringLiteral("action%1").arg(int(views::ActionId::ShowMessage))))->trigger();
    const QWidget *retry = child<QWidget>("retryThis");
    QTRY_COMPARE(retry->visibleRegion().boundingRect(), retry->rect());
    shut();
}

static int onASmallScreen(int argc, char **argv)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("screens.json")));
    if (!file.open(QIODevice::WriteOnly))
        return 1;
    file.write(R"({"screens": [{"name": "small", "x": 0, "y": 0, "width": 1280, "height": 720}]})");
    file.close();
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toLocal8Bit());
    const QApplication application(argc, argv);
    TestSmallScreen test;
    return QTest::qExec(&test, argc, argv);
}

REDRIVE_TEST_RUN(onASmallScreen)
#include "tst_smallscreen.moc"
