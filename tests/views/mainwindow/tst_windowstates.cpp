// What the window says when something takes long or is broken, and the one thing that can be done about it.
#include "tests/support/child.h"
#include "tests/support/fakeclient/consolescene.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/filterrow.h"
#include "views/common/widgets/banner.h"
#include "views/mainwindow/bannerstack.h"
#include "views/mainwindow/mainwindow.h"
#include "views/messages/searchrow.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

class TestWindowStates final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_window.reset(); }
    void whatIsChosenIsReadWhole_data();
    void whatIsChosenIsReadWhole();
    void aLongSearchSaysHowFarItIsAndCanBeStopped();
    void rowsOfASearchAreShownBeforeTheyAreCounted();
    void aSearchLeadsToItsMatchesUnderOtherStatuses();
    void aBannerMovesNothingUnderThePointer();
    void aStoreThatRefusesWritesCanBeReopened();
    void theDemoIsMarked();
    void theFirstThingToDoStandsOut();
    void aTraceBreaksBetweenWords();
    void theActivityLogCanBeChecked();

private:
    template<typename T>
    T *child(const char *name)
    {
        return test::child<T>(*m_window, name);
    }
    void key(const QString &sequence) { QTest::keySequence(m_window.get(), QKeySequence(sequence)); }

    QTemporaryDir m_profile;
    views::Theme m_theme{views::ThemeMode::Light};
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<views::Preferences> m_preferences;
    std::unique_ptr<views::MainWindow> m_window;
};

void TestWindowStates::init()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    m_settings = std::make_unique<QSettings>(m_profile.filePath(QStringLiteral("redrive.conf")), QSettings::IniFormat);
    m_client = std::make_unique<support::FakeClient>();
    support::fillScene(*m_client);
    m_client->store.resize(200);
    m_preferences = std::make_unique<views::Preferences>(*m_settings);
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_window = std::make_unique<views::MainWindow>(*m_session, *m_preferences, m_theme);
    m_client->publish();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void TestWindowStates::whatIsChosenIsReadWhole_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1440, 900);
    QTest::newRow("small") << QSize(1280, 720);
}

// Labels and counts give way before a choice is cut.
void TestWindowStates::whatIsChosenIsReadWhole()
{
    QFETCH(const QSize, size);
    m_window->resize(size);
    auto *tabs = child<QTabBar>("pageTabs");
    for (int page = 0; page < tabs->count(); ++page) {
        tabs->setCurrentIndex(page);
        QCoreApplication::processEvents();
        const QList<views::FilterRow *> rows = m_window->findChildren<views::FilterRow *>();
        QVERIFY(!rows.isEmpty());
        for (const views::FilterRow *row : rows) {
            const QList<QComboBox *> choices = row->findChildren<QComboBox *>();
            for (const QComboBox *choice : choices) {
                if (choice->isVisible())
                    QVERIFY2(choice->width() >= choice->sizeHint().width(), qPrintable(choice->objectName()));
            }
        }
    }
}

void TestWindowStates::aLongSearchSaysHowFarItIsAndCanBeStopped()
{
    m_client->snapshot.textRead = 83'000;
    m_client->snapshot.textTotal = 100'000;
    m_client->publish();
    auto *box = child<QLineEdit>("search");
    key(QStringLiteral("Ctrl+Shift+F"));
    m_client->holdAnswers(true);
    QTest::keyClicks(box, QStringLiteral("zwieback"));
    QTest::keyClick(box, Qt::Key_Return);
    auto *page = child<QWidget>("messagesPage");
    QVERIFY(page->isVisible());
    auto *counts = page->findChild<views::FilterRow *>();
    QTRY_COMPARE(page->findChild<QLabel *>(QStringLiteral("stateTitle"))->text(), QStringLiteral("Searching…"));
    QCOMPARE(counts->counts(), QStringLiteral("searched 83,000 of 100,000"));
    m_client->snapshot.textRead = 90'000;
    m_client->publish();
    QCOMPARE(counts->counts(), QStringLiteral("searched 90,000 of 100,000"));
    auto *stop = page->findChild<QPushButton *>(QStringLiteral("stateAction"));
    QCOMPARE(stop->text(), QStringLiteral("Stop"));
    QTest::mouseClick(stop, Qt::LeftButton);
    QVERIFY(box->text().isEmpty());
    m_client->holdAnswers(false);
    QTRY_VERIFY(child<views::DataTable>("messagesTable")->model()->rowCount() > 0);
    QVERIFY(m_client->messageQueries.constLast().filter.search.isEmpty());
    QVERIFY(!counts->counts().contains(QStringLiteral("searched"))); // it is about searches alone
}

void TestWindowStates::rowsOfASearchAreShownBeforeTheyAreCounted()
{
    key(QStringLiteral("Ctrl+2"));
    const auto *table = child<views::DataTable>("messagesTable");
    QTRY_VERIFY(table->model()->rowCount() > 0);
    m_client->heldNames = {m_client->nameOf<api::MessageIdQuery>()};
    auto *box = child<QLineEdit>("messageSearch");
    QTest::keyClicks(box, m_client->store.constFirst().queue);
    QTest::keyClick(box, Qt::Key_Return);
    const auto *counts = child<QWidget>("messagesPage")->findChild<views::FilterRow *>();
    QTRY_COMPARE(counts->counts(), QStringLiteral("counting…"));
    QVERIFY(table->model()->rowCount() > 0);
    m_client->heldNames.clear();
    m_client->holdAnswers(false); // releases all
    QTRY_VERIFY(counts->counts().contains(QStringLiteral("message")));
}

void TestWindowStates::aSearchLeadsToItsMatchesUnderOtherStatuses()
{
    m_client->store[0].status = records::MessageStatus::RetryIssued;
    m_client->store[0].messageId = QStringLiteral("zwieback-1");
    m_client->touchMessages();
    auto *box = child<QLineEdit>("messageSearch"); // the one of the page stays inside its filters
    key(QStringLiteral("Ctrl+2"));
    QTest::keyClicks(box, QStringLiteral("zwieback-1"));
    QTest::keyClick(box, Qt::Key_Return);
    const auto *row = m_window->findChild<views::SearchRow *>();
    QTRY_VERIFY(row->isVisible()); // it says how bodies are searched
    QTRY_COMPARE(row->findChildren<QToolButton *>().size(), 1);
    const auto *table = child<views::DataTable>("messagesTable");
    QCOMPARE(table->model()->rowCount(), 0);
    auto *show = row->findChild<QToolButton *>();
    QVERIFY2(show->text().contains(QStringLiteral("1 match")), qPrintable(show->text()));
    QVERIFY2(show->text().endsWith(QStringLiteral(": In retry")), qPrintable(show->text()));
    QTest::mouseClick(show, Qt::LeftButton);
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QTRY_COMPARE(row->findChildren<QToolButton *>().size(), 0); // the other statuses have none
    QVERIFY(row->isVisible());
    box->clear();
    QTRY_VERIFY(!row->isVisible());
}

void TestWindowStates::aBannerMovesNothingUnderThePointer()
{
    auto *tabs = child<QTabBar>("pageTabs");
    auto *table = child<views::DataTable>("groupsTable");
    const auto place = [this](const QWidget *part) {
        return QRect(part->mapTo(m_window.get(), QPoint()), part->size());
    };
    QTest::mouseMove(m_window.get(), table->mapTo(m_window.get(), table->rect().center()));
    QTRY_VERIFY(table->underMouse());
    const QRect before = place(tabs);
    const QRect list = place(table);
    m_client->snapshot.engine = api::EngineState::Paused;
    m_client->publish();
    auto *stack = m_window->findChild<views::BannerStack *>();
    QTRY_VERIFY(stack->isVisible());
    QCOMPARE(place(tabs), before);
    QCOMPARE(place(table), list);
    QVERIFY(place(stack).intersects(list)); // it lies over the last rows until the pointer leaves the pages
    QTest::mouseMove(m_window.get(), QPoint(5, 5));
    QTRY_VERIFY(!place(stack).intersects(place(table)));
    QCOMPARE(place(table).topLeft(), list.topLeft());
}

void TestWindowStates::aStoreThatRefusesWritesCanBeReopened()
{
    QSignalSpy reopen(m_window.get(), &views::MainWindow::reopenRequested);
    m_client->snapshot.engine = api::EngineState::StoreRefusesWrites;
    m_client->snapshot.engineText = QStringLiteral("The disk is full.");
    m_client->publish();
    auto *banner = m_window->findChild<views::BannerStack *>()->findChild<views::Banner *>();
    QVERIFY(banner->text().contains(QStringLiteral("The disk is full.")));
    auto *action = banner->findChild<QPushButton *>(QStringLiteral("bannerAction"));
    QTRY_VERIFY(action->isVisible());
    QCOMPARE(action->text(), QStringLiteral("Reopen store"));
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(reopen.size(), 1);
}

void TestWindowStates::theFirstThingToDoStandsOut()
{
    const auto *action = child<QWidget>("groupsPage")->findChild<QPushButton *>(QStringLiteral("stateAction"));
    QVERIFY(!action->property("primary").toBool());
    m_client->snapshot.connections.clear();
    m_client->store.clear();
    m_client->touchMessages();
    QTRY_VERIFY(action->isVisible());
    QVERIFY(action->property("primary").toBool());
}

void TestWindowStates::aTraceBreaksBetweenWords()
{
    const QString frame = QStringLiteral("   at Shop.Orders.Save(Order order)");
    for (records::FailedMessage &one : m_client->store)
        one.failure.stackTrace = QStringLiteral("It failed at once") + QLatin1Char('\n') + frame;
    m_client->details.clear(); // the scene's own
    m_client->touchMessages();
    key(QStringLiteral("Ctrl+2")); // another page, another message
    auto *list = child<views::DataTable>("messagesTable");
    QTRY_VERIFY(list->model()->rowCount() > 5);
    list->selectRow(5);
    const QPlainTextEdit *trace = nullptr;
    for (const auto *one : m_window->findChildren<QPlainTextEdit *>()) {
        if (one->accessibleName() == QLatin1String("Stack trace"))
            trace = one;
    }
    QVERIFY(trace != nullptr);
    QCOMPARE(trace->wordWrapMode(), QTextOption::WrapAtWordBoundaryOrAnywhere);
    QTRY_VERIFY(trace->toPlainText().contains(frame)); // as it is copied
    const QString kept = trace->document()->lastBlock().text();
    QCOMPARE(kept.count(QChar::Nbsp), 4); // nothing is left alone at the end of a line
    QVERIFY(kept.endsWith(QStringLiteral("Save(Order order)")));
}

void TestWindowStates::theActivityLogCanBeChecked()
{
    auto *check = child<QPushButton>("checkActivity");
    m_client->trail = {records::TrailCheck::Fault::None, 12, QByteArray("seal")};
    check->click();
    QTRY_VERIFY(m_window->statusBar()->currentMessage().contains(QStringLiteral("intact up to entry 12")));
    m_client->trail.fault = records::TrailCheck::Fault::Missing;
    check->click();
    const auto banners = m_window->findChildren<views::Banner *>();
    QTRY_VERIFY(std::any_of(banners.cbegin(), banners.cend(), [](const views::Banner *one) {
        return one->text().contains(QStringLiteral("Entry 13 of the activity log is missing"));
    }));
}

void TestWindowStates::theDemoIsMarked()
{
    QVERIFY(m_window->findChild<QLabel *>(QStringLiteral("demoBadge")) == nullptr);
    m_window->markDemo();
    const auto *badge = child<QLabel>("demoBadge");
    QTRY_VERIFY(badge->isVisible());
    QCOMPARE(badge->text(), QStringLiteral("DEMO"));
}

REDRIVE_WIDGET_TEST(TestWindowStates)
#include "tst_windowstates.moc"
