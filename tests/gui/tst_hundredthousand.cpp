// The real console on the real engine over 100,000 failed messages, walked through by keys and mouse. Release build only:
// what it asserts are CPU times and memory, which sanitizers would falsify. CPU times are those of one thread or process
// (never the wall clock), so that other programs on the machine do not count.
#include "app/host/storeaccess.h"
#include "models/groups/groupsmodel.h"
#include "models/messages/messagesmodel.h"
#include "tests/gui/bigstore.h"
#include "tests/support/child.h"
#include "views/common/eventwatchdog.h"
#include "views/common/lists/datatable.h"
#include "views/mainwindow/mainwindow.h"
#include "views/retries/plan/plandialog.h"
#include "tests/support/testmain/testmain.h"

#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using views::ActionId;
using views::EventWatchdog;

namespace {

constexpr int messages = 100'000;
constexpr int timeoutMs = 60'000; // how long an answer may take before the test gives up; no measure of anything
constexpr int mostResidentMb = 200;

views::WatchedApplication *watched()
{
    return static_cast<views::WatchedApplication *>(QCoreApplication::instance());
}

// Of /proc/self/status, in MB: "VmHWM" is the most that was ever resident.
double residentMb(const QByteArray &field)
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith(field + ':'))
            return line.mid(field.size() + 1).trimmed().split(' ').first().toDouble() / 1024;
    }
    return -1;
}

QByteArray listed(const QList<EventWatchdog::Offence> &offences)
{
    QByteArray text;
    for (const EventWatchdog::Offence &one : offences)
        text += QByteArray::number(double(one.cpu.count()) / 1e6, 'f', 0) + " ms: " + one.event.toUtf8() + '\n';
    return text;
}

} // namespace

class TestHundredThousand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void cleanupTestCase();
    void firstWindowTakesLessThanASecond();
    void opensOnGroups();
    void groupsSortFilterAndRegroup();
    void groupsAreSelectedAllAtOnce();
    void messagesScrollFromEndToEnd();
    void messagesSort();
    void messagesAreSelectedAllAtOnce();
    void messagesAreSearched();
    void detailsOfHeavyMessages();
    void panesAndDialogsOpen();
    void aRetryRunsWhilePagesAreWalked();
    void archivingAGroupAndUndo();
    void themeChanges();
    void memoryStaysSmall();

private:
    void startBroker();
    void open();
    template<typename T>
    T *child(const char *name)
    {
        return test::child<T>(*m_window, name);
    }
    views::DataTable *table(const char *name) { return child<views::DataTable>(name); }
    QAction *action(ActionId id) { return child<QAction>(qPrintable(QStringLiteral("action%1").arg(int(id)))); }
    void key(QWidget *widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(widget, key, modifiers);
    }
    void clickHeader(views::DataTable *list, int column);
    bool isDrawn(views::DataTable *list); // every row on the screen has come
    bool isListed(views::DataTable *list) { return qobject_cast<models::MessagesModel *>(list->model())->isListed(); }

    QTemporaryDir m_folder;
    std::chrono::milliseconds m_firstWindow{0}; // of CPU
    QProcess m_broker;
    quint16 m_port = 0;
    std::unique_ptr<app::StoreAccess> m_access;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<views::Preferences> m_preferences;
    std::unique_ptr<views::Theme> m_theme;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<views::MainWindow> m_window;
};

void TestHundredThousand::initTestCase()
{
    // In a process of its own: what filling needs is not the console's memory.
    const QString store = m_folder.filePath(QStringLiteral("store/redrive.db"));
    const QString broker = m_folder.filePath(QStringLiteral("broker/broker.db"));
    QDir(m_folder.path()).mkdir(QStringLiteral("broker"));
    QProcess filling;
    filling.setProcessChannelMode(QProcess::ForwardedChannels);
    filling.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--fill"), store, broker});
    QVERIFY(filling.waitForFinished(4 * timeoutMs));
    QCOMPARE(filling.exitCode(), 0);
    startBroker();
}

void TestHundredThousand::startBroker()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("REDRIVE_BROKER_KEY"), bigstore::brokerKey());
    m_broker.setProcessEnvironment(environment);
    m_broker.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_broker.start(QStringLiteral(REDRIVE_PROGRAM),
                   {QStringLiteral("broker"), QStringLiteral("--json"), QStringLiteral("--data"),
                    m_folder.filePath(QStringLiteral("broker")), QStringLiteral("--listen"),
                    QStringLiteral("127.0.0.1:0")});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += m_broker.readAllStandardOutput()).contains('}'), timeoutMs);
    m_port = quint16(QJsonDocument::fromJson(said).object().value(QStringLiteral("port")).toInt());
    QVERIFY2(m_port != 0, said.constData());
}

void TestHundredThousand::cleanup()
{
    const QList<EventWatchdog::Offence> offences = watched()->watchdog().offences();
    const EventWatchdog::Offence worst = watched()->watchdog().worst();
    qInfo("%lld events, worst %.0f ms of CPU (%s)", watched()->watchdog().events(), double(worst.cpu.count()) / 1e6,
          qPrintable(worst.event));
    watched()->watchdog().reset();
    QVERIFY2(offences.isEmpty(), ("events over 100 ms of CPU:\n" + listed(offences)).constData());
}

void TestHundredThousand::cleanupTestCase()
{
    m_window.reset();
    m_session.reset();
    m_access.reset();
    m_broker.terminate();
    QVERIFY(m_broker.waitForFinished(timeoutMs));
}

void TestHundredThousand::firstWindowTakesLessThanASecond()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.filePath(QStringLiteral("config")));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder.path());
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    QProcess console;
    console.setProcessEnvironment(environment);
    console.start(QStringLiteral(REDRIVE_PROGRAM),
                  {QStringLiteral("--store"), m_folder.filePath(QStringLiteral("store/redrive.db")),
                   QStringLiteral("--log-rules"), QStringLiteral("redrive.app.start.info=true")});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += console.readAllStandardError()).contains("of CPU"), timeoutMs);
    console.terminate();
    QVERIFY(console.waitForFinished(timeoutMs));
    QCOMPARE(console.exitStatus(), QProcess::NormalExit);
    static const QRegularExpression words(QStringLiteral("first window after ([0-9]+) ms of CPU"));
    const QRegularExpressionMatch match = words.match(QString::fromUtf8(said));
    QVERIFY2(match.hasMatch(), said.constData());
    qInfo("first window after %s ms of CPU", qPrintable(match.captured(1)));
    m_firstWindow = std::chrono::milliseconds(match.captured(1).toInt());
    QVERIFY2(m_firstWindow < 1s, said.constData());
}

void TestHundredThousand::open()
{
    app::EngineHostSettings settings;
    settings.store = m_folder.filePath(QStringLiteral("store/redrive.db"));
    settings.keychain = false;
    settings.servesOthers = false;
    settings.secrets.insert(bigstore::connection(m_port).name, bigstore::brokerKey());
    m_access = std::make_unique<app::StoreAccess>(std::move(settings), app::StoreAccess::WaitLimit::OfACommand);
    const core::Result<> opened = m_access->open();
    QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message));
    m_settings = std::make_unique<QSettings>(m_folder.filePath(QStringLiteral("console.ini")), QSettings::IniFormat);
    m_preferences = std::make_unique<views::Preferences>(*m_settings);
    m_theme = std::make_unique<views::Theme>(views::ThemeMode::Light);
    m_session = std::make_unique<models::ConsoleSession>(m_access->client());
    m_window = std::make_unique<views::MainWindow>(*m_session, *m_preferences, *m_theme);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    api::ConnectionDraft draft; // the broker has another port in each run
    draft.connection = bigstore::connection(m_port);
    draft.connection.id = core::ConnectionId{1};
    const auto saved = m_access->client().ask(api::SaveConnection{draft});
    QTRY_VERIFY_WITH_TIMEOUT(saved.isFinished(), timeoutMs);
    QVERIFY2(saved.result(), saved.result() ? "" : qPrintable(saved.result().error().message));
}

bool TestHundredThousand::isDrawn(views::DataTable *list)
{
    const auto [first, last] = list->shownRows();
    if (last < first)
        return false;
    for (int row = first; row <= last; ++row) {
        if (list->model()->index(row, models::MessageCells::FailedAt).data().toString() == QStringLiteral("…"))
            return false;
    }
    return true;
}

void TestHundredThousand::clickHeader(views::DataTable *list, int column)
{
    QHeaderView *header = list->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(header->sectionViewportPosition(column) + 12, 10));
}

void TestHundredThousand::opensOnGroups()
{
    open();
    QTRY_VERIFY_WITH_TIMEOUT(table("groupsTable")->model()->rowCount() > 400, timeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("detailTitle")->text().contains(QStringLiteral("Exception")), timeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->snapshot().connections.value(0).health == api::Health::Connected, timeoutMs);
    qInfo("resident %.0f MB", residentMb("VmRSS"));
}

void TestHundredThousand::groupsSortFilterAndRegroup()
{
    views::DataTable *groups = table("groupsTable");
    for (int column = models::GroupsModel::Cause; column < models::GroupsModel::ColumnCount; ++column) {
        clickHeader(groups, column);
        clickHeader(groups, column);
    }
    groups->horizontalHeader()->setSortIndicator(models::GroupsModel::Messages, Qt::DescendingOrder);
    QTest::keyClicks(m_window->findChild<QLineEdit *>(QStringLiteral("groupFilter")), QStringLiteral("number63"));
    QTRY_VERIFY_WITH_TIMEOUT(groups->model()->rowCount() < 40, timeoutMs);
    child<QLineEdit>("groupFilter")->clear();
    QTRY_VERIFY_WITH_TIMEOUT(groups->model()->rowCount() > 400, timeoutMs);
    auto *classifier = child<QComboBox>("classifier");
    for (const int rows : {4, 1, 3, 4}) {
        key(classifier, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(groups->model()->rowCount(), rows, timeoutMs);
    }
    key(classifier, Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(groups->model()->rowCount() > 400, timeoutMs);
}

void TestHundredThousand::groupsAreSelectedAllAtOnce()
{
    views::DataTable *groups = table("groupsTable");
    groups->setFocus();
    key(groups, Qt::Key_A, Qt::ControlModifier);
    QVERIFY(groups->selectedCount() > 400);
    QTRY_VERIFY(child<QPushButton>("retrySelected")->text().contains(QStringLiteral("groups")));
    key(groups, Qt::Key_End);
    for (int i = 0; i < 10; ++i)
        key(groups, Qt::Key_PageUp);
    key(groups, Qt::Key_Home);
    QCOMPARE(groups->selectedCount(), 1);
}

void TestHundredThousand::messagesScrollFromEndToEnd()
{
    action(ActionId::ShowMessages)->trigger();
    views::DataTable *list = table("messagesTable");
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), messages, timeoutMs);
    for (const Qt::Key where : {Qt::Key_End, Qt::Key_Home}) {
        key(list, where);
        QTRY_VERIFY_WITH_TIMEOUT(isDrawn(list), timeoutMs);
    }
    for (int i = 0; i < 20; ++i)
        key(list, Qt::Key_PageDown);
    QTRY_VERIFY_WITH_TIMEOUT(isDrawn(list), timeoutMs);
    for (int step = 1; step <= 50; ++step) { // the scroll bar's handle, dragged
        list->verticalScrollBar()->setValue(list->verticalScrollBar()->maximum() / 50 * step);
        QTRY_VERIFY_WITH_TIMEOUT(isDrawn(list), timeoutMs);
    }
    qInfo("resident %.0f MB", residentMb("VmRSS"));
}

void TestHundredThousand::messagesSort()
{
    views::DataTable *list = table("messagesTable");
    for (int column = 0; column < models::MessageCells::ColumnCount; ++column) {
        if (!models::MessageCells::orderOf(column) || list->isColumnHidden(column))
            continue;
        for (int twice = 0; twice < 2; ++twice) {
            clickHeader(list, column);
            QTRY_VERIFY_WITH_TIMEOUT(isListed(list) && isDrawn(list), timeoutMs);
            QCOMPARE(list->model()->rowCount(), messages);
        }
    }
}

void TestHundredThousand::messagesAreSelectedAllAtOnce()
{
    views::DataTable *list = table("messagesTable");
    list->setFocus();
    key(list, Qt::Key_Home);
    key(list, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(list->selectedCount(), messages);
    QTRY_VERIFY(child<QPushButton>("retrySelected")->text().contains(QStringLiteral("100,000")));
    // Every second of the first 400: many ranges.
    key(list, Qt::Key_End);
    key(list, Qt::Key_Home);
    for (int row = 0; row < 400; row += 2)
        list->selectionModel()->select(list->model()->index(row, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(list->selectedCount(), 200);
    // Everything but three.
    key(list, Qt::Key_A, Qt::ControlModifier);
    for (const int row : {3, 5000, 99'000})
        list->selectionModel()->select(list->model()->index(row, 0),
                                       QItemSelectionModel::Toggle | QItemSelectionModel::Rows);
    QCOMPARE(list->selectedCount(), messages - 3);
    QTRY_VERIFY(child<QPushButton>("retrySelected")->text().contains(QStringLiteral("99,997")));
    key(list, Qt::Key_F5); // read anew: the selection is carried over
    action(ActionId::Refresh)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(list->selectedCount(), messages - 3, timeoutMs);
    key(list, Qt::Key_End);
    key(list, Qt::Key_Home);
    QCOMPARE(list->selectedCount(), 1);
}

void TestHundredThousand::messagesAreSearched()
{
    views::DataTable *list = table("messagesTable");
    auto *box = child<QLineEdit>("messageSearch");
    box->setFocus();
    QTest::keyClicks(box, QStringLiteral("order 77777"));
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), 1, timeoutMs);
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("placeorder"));
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), messages, timeoutMs);
    box->clear();
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), messages, timeoutMs);
    auto *status = child<QComboBox>("messageStatus");
    status->setCurrentIndex(status->findData(int(records::MessageStatus::Archived)));
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), 0, timeoutMs);
    status->setCurrentIndex(0);
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), messages, timeoutMs);
}

void TestHundredThousand::detailsOfHeavyMessages()
{
    views::DataTable *list = table("messagesTable");
    clickHeader(list, models::MessageCells::Size);
    clickHeader(list, models::MessageCells::Size);
    QTRY_VERIFY_WITH_TIMEOUT(isDrawn(list), timeoutMs);
    list->setFocus();
    auto *tabs = child<QTabBar>("detailTabs");
    for (int row = 0; row < 4; ++row) {
        const QRect cell = list->visualRect(list->model()->index(row, models::MessageCells::Type));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, cell.center());
        const QString id = list->model()->index(row, 0).data(models::IdRole).toString();
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("detailTitle")->text().contains(QStringLiteral("Exception")), timeoutMs);
        for (int tab = 0; tab < tabs->count(); ++tab) {
            QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
            QCoreApplication::sendPostedEvents();
        }
        QTRY_VERIFY_WITH_TIMEOUT(child<views::DataTable>("headersTable")->model()->rowCount() > 2, timeoutMs);
        tabs->setCurrentIndex(2);
        auto *view = child<QComboBox>("bodyView");
        for (int i = 0; i < view->count(); ++i) {
            view->setCurrentIndex(i);
            QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChildren<QWidget *>(QStringLiteral("plain")).isEmpty(), timeoutMs);
        }
        if (auto *more = child<QPushButton>("bodyMore"); more->isVisible())
            QTest::mouseClick(more, Qt::LeftButton);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!child<QPushButton>("bodyMore")->isVisible(), timeoutMs);
    tabs->setCurrentIndex(0);
    qInfo("resident %.0f MB", residentMb("VmRSS"));
}

void TestHundredThousand::panesAndDialogsOpen()
{
    QAction *activity = child<QDockWidget>("activityDock")->toggleViewAction();
    activity->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(table("activityTable")->model()->rowCount() > 0, timeoutMs);
    activity->trigger();
    for (const ActionId id :
         {ActionId::CommandPalette, ActionId::ShortcutSheet, ActionId::EditConnection, ActionId::About}) {
        if (id == ActionId::EditConnection)
            Q_EMIT m_window->navigator().connectionRequested(core::ConnectionId{1});
        else
            action(id)->trigger();
        QTRY_VERIFY(QApplication::activeModalWidget() != nullptr);
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("err"));
        key(QApplication::activeModalWidget(), Qt::Key_Escape);
        QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
    }
}

void TestHundredThousand::aRetryRunsWhilePagesAreWalked()
{
    action(ActionId::ShowGroups)->trigger();
    views::DataTable *groups = table("groupsTable");
    key(groups, Qt::Key_End);
    key(groups, Qt::Key_Home);
    key(groups, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(groups->selectedRowNumbers(), (QList<int>{0, 1}));
    action(ActionId::RetrySelected)->trigger();
    QTRY_VERIFY(m_window->findChild<views::PlanDialog *>() != nullptr);
    auto *dialog = m_window->findChild<views::PlanDialog *>();
    auto *go = dialog->findChild<QPushButton *>(QStringLiteral("planGo"));
    QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled(), timeoutMs);
    dialog->findChild<QSpinBox *>(QStringLiteral("planLimit"))->setValue(6000);
    QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled() && go->text().contains(QStringLiteral("6,000")), timeoutMs);
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!m_session->snapshot().operations.isEmpty(), timeoutMs);
    const auto operation = [this] { return m_session->snapshot().operations.value(0).operation; };
    QVERIFY(operation().id.isValid());
    while (records::isLive(operation().state)) {
        for (const ActionId page : {ActionId::ShowRetries, ActionId::ShowMessages, ActionId::ShowGroups}) {
            const quint64 seen = m_session->snapshot().sequence;
            action(page)->trigger();
            key(m_window->focusWidget(), Qt::Key_Down);
            QTRY_VERIFY_WITH_TIMEOUT(m_session->snapshot().sequence > seen || !records::isLive(operation().state),
                                     timeoutMs);
        }
    }
    QCOMPARE(operation().counts.sent, 6000);
    QTRY_COMPARE_WITH_TIMEOUT(m_session->snapshot().unresolvedTotal, qint64(messages - 6000), timeoutMs);
    qInfo("resident %.0f MB", residentMb("VmRSS"));
}

void TestHundredThousand::archivingAGroupAndUndo()
{
    action(ActionId::ShowGroups)->trigger();
    views::DataTable *groups = table("groupsTable");
    groups->setFocus();
    key(groups, Qt::Key_End);
    key(groups, Qt::Key_Home);
    QCOMPARE(groups->selectedRowNumbers(), QList<int>{0});
    const qint64 before = m_session->snapshot().unresolvedTotal;
    QVERIFY2(action(ActionId::Archive)->isEnabled(), qPrintable(action(ActionId::Archive)->toolTip()));
    action(ActionId::Archive)->trigger(); // of so many it is asked first
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QPushButton *>(QStringLiteral("decisionGo")) != nullptr, timeoutMs);
    QTest::mouseClick(child<QPushButton>("decisionGo"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->snapshot().unresolvedTotal < before, timeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(action(ActionId::UndoArchive)->isEnabled(), timeoutMs);
    action(ActionId::UndoArchive)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(m_session->snapshot().unresolvedTotal, before, timeoutMs);
}

void TestHundredThousand::themeChanges()
{
    for (const ActionId theme : {ActionId::ThemeDark, ActionId::ThemeLight}) {
        const EventWatchdog::Duration before = EventWatchdog::threadTime();
        action(theme)->trigger();
        QCoreApplication::sendPostedEvents();
        const EventWatchdog::Duration used = EventWatchdog::threadTime() - before;
        qInfo("theme change: %.0f ms of CPU", double(used.count()) / 1e6);
        QVERIFY(used < std::max<EventWatchdog::Duration>(400ms, 2 * m_firstWindow)); // a slow machine's windows
    }
    m_window->repaint();
    watched()->watchdog().reset(); // a theme change may take 400 ms
}

void TestHundredThousand::memoryStaysSmall()
{
    qInfo("resident %.0f MB, at most %.0f MB", residentMb("VmRSS"), residentMb("VmHWM"));
    QVERIFY(residentMb("VmHWM") < mostResidentMb);
}

static int runOrFill(int argc, char **argv)
{
    if (argc == 4 && qstrcmp(argv[1], "--fill") == 0) {
        const QCoreApplication filling(argc, argv);
        bigstore::fill(QString::fromLocal8Bit(argv[2]), QString::fromLocal8Bit(argv[3]), messages);
        return 0;
    }
    views::WatchedApplication application(argc, argv);
    TestHundredThousand test;
    return QTest::qExec(&test, argc, argv);
}

REDRIVE_TEST_RUN(runOrFill)
#include "tst_hundredthousand.moc"
