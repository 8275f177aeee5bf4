// Messages of a framework that no dialect knows, on a RabbitMQ of Debian, in the whole window over the whole engine: with clicks and
// keys alone they get a group with their cause and a way home, and a retry brings them there.
// On an X server REDRIVE_SCREENSHOTS names a folder for pictures of the screen; REDRIVE_THEME=dark makes dark ones, REDRIVE_SIZE=1024x700
// small ones.
#include "models/conventions/placeuse.h"
#include "models/groups/groupsmodel.h"
#include "models/session/consolesession.h"
#include "tests/support/child.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/resources.h"
#include "views/mainwindow/mainwindow.h"

#include <QApplication>
#include <QCborMap>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

using models::PlaceUse;
using support::RabbitConsole;

namespace {

constexpr int timeoutMs = 60000;
constexpr int expired = 60; // messages whose card has expired
constexpr int refused = 24; // and those whose card was refused
const QString errorQueue = QStringLiteral("billing.failed");
const QString home = QStringLiteral("billing.charge");
const QString vhost = QStringLiteral("flow");

// The failure is inside a header, and the counter has a name of its own.
records::Envelope failedCharge(int number)
{
    const bool isExpired = number < expired;
    records::Envelope message;
    records::set(message.headers, QStringLiteral("x-error"),
                 QCborMap{{QStringLiteral("type"),
                           isExpired ? QStringLiteral("Billing.CardExpired") : QStringLiteral("Billing.CardRefused")},
                          {QStringLiteral("text"), isExpired ? QStringLiteral("The card has expired.")
                                                             : QStringLiteral("The bank refused the card.")},
                          {QStringLiteral("from"), home}});
    records::set(message.headers, QStringLiteral("x-tries"), 5);
    records::set(message.headers, QStringLiteral("x-app"), QStringLiteral("billing-api"));
    message.body = "{\"order\": " + QByteArray::number(4711 + number) + ", \"amount\": 25}";
    return message;
}

} // namespace

class TestConventionFlow final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void anUnknownMessageIsShown();
    void aPersonSaysWhatItMeans();
    void theConventionAppliesToWhatIsThere();
    void theGroupIsRetriedToWhereItCameFrom();
    void cleanupTestCase();

private:
    template<typename T>
    T *child(const char *name)
    {
        return test::child<T>(*m_window, name);
    }
    views::DataTable *table(const char *name) { return child<views::DataTable>(name); }
    [[nodiscard]] bool chooseRow(const char *name, const QString &text);
    void sayOf(const QString &place, PlaceUse use);
    void click(const char *button);
    void takePicture(const QString &name);

    QTemporaryDir m_folder;
    support::RabbitServer m_server;
    std::unique_ptr<support::RabbitAdmin> m_admin;
    std::unique_ptr<RabbitConsole> m_console;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<views::Preferences> m_preferences;
    std::unique_ptr<views::Theme> m_theme;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<views::MainWindow> m_window;
};

void TestConventionFlow::initTestCase()
{
    if (const QString missing = support::RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_admin = std::make_unique<support::RabbitAdmin>(m_server, vhost);
    m_admin->makeVhost();
    m_admin->makeQueue(errorQueue);
    m_admin->makeQueue(home);
    QList<records::Envelope> messages;
    for (int number = 0; number < expired + refused; ++number)
        messages.append(failedCharge(number));
    m_admin->publish(errorQueue, messages);

    records::Connection connection = m_server.connection(vhost, {errorQueue});
    connection.rights |= records::Right::Edit | records::Rights(records::Right::Redirect);
    m_console = std::make_unique<RabbitConsole>(m_folder.filePath(QStringLiteral("redrive.db")), connection);
    m_console->open();
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));

    views::installPlurals(*QCoreApplication::instance());
    m_settings = std::make_unique<QSettings>(m_folder.filePath(QStringLiteral("console.ini")), QSettings::IniFormat);
    m_preferences = std::make_unique<views::Preferences>(*m_settings);
    const bool isDark = qEnvironmentVariable("REDRIVE_THEME") == QLatin1StringView("dark");
    m_theme = std::make_unique<views::Theme>(isDark ? views::ThemeMode::Dark : views::ThemeMode::Light);
    m_session = std::make_unique<models::ConsoleSession>(m_console->client());
    m_window = std::make_unique<views::MainWindow>(*m_session, *m_preferences, *m_theme);
    const QStringList size = qEnvironmentVariable("REDRIVE_SIZE", QStringLiteral("1440x900")).split(QLatin1Char('x'));
    m_window->resize(size.constFirst().toInt(), size.constLast().toInt());
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

bool TestConventionFlow::chooseRow(const char *name, const QString &text)
{
    views::DataTable *list = table(name);
    for (int row = 0; row < list->model()->rowCount(); ++row) {
        for (int column = 0; column < list->model()->columnCount(); ++column) {
            if (!list->model()->index(row, column).data().toString().startsWith(text))
                continue;
            list->selectRow(row);
            return true;
        }
    }
    return false;
}

void TestConventionFlow::sayOf(const QString &place, PlaceUse use)
{
    child<QLineEdit>("placeFilter")->clear(); // it began with what is inside the header
    QVERIFY(chooseRow("placeTable", place));
    QMenu *menu = child<QPushButton>("placeUse")->menu();
    Q_EMIT menu->aboutToShow();
    auto *entry = menu->findChild<QAction *>(QStringLiteral("use%1").arg(int(use)));
    QVERIFY(entry != nullptr && entry->isEnabled());
    entry->trigger();
}

void TestConventionFlow::click(const char *button)
{
    auto *pressed = child<QPushButton>(button);
    QTRY_VERIFY_WITH_TIMEOUT(pressed->isVisible() && pressed->isEnabled(), timeoutMs);
    QTest::mouseClick(pressed, Qt::LeftButton);
}

void TestConventionFlow::takePicture(const QString &name)
{
    const QString folder = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    if (folder.isEmpty())
        return;
    QCoreApplication::processEvents();
    const QRect place = m_window->geometry();
    const QPixmap picture = m_window->screen()->grabWindow(0, place.x(), place.y(), place.width(), place.height());
    QVERIFY(picture.save(QStringLiteral("%1/%2-%3.png").arg(folder, name, views::toString(m_theme->mode()))));
}

void TestConventionFlow::anUnknownMessageIsShown()
{
    QTRY_VERIFY_WITH_TIMEOUT(chooseRow("groupsTable", errorQueue), timeoutMs);
    QCOMPARE(table("groupsTable")->model()->rowCount(), 1); // all in one: nobody knows their causes
    QTest::keyClick(table("groupsTable"), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(table("messagesTable")->model()->rowCount(), expired + refused, timeoutMs);
    table("messagesTable")->selectRow(0);
    QTest::keyClick(table("messagesTable"), Qt::Key_Return); // a narrow window shows the message on a page
    child<QTabBar>("detailTabs")->setCurrentIndex(1);
    QTRY_VERIFY_WITH_TIMEOUT(chooseRow("headersTable", QStringLiteral("x-error")), timeoutMs);
    takePicture(QStringLiteral("unknown"));
}

void TestConventionFlow::aPersonSaysWhatItMeans()
{
    QMenu *menu = child<QPushButton>("headerUse")->menu();
    Q_EMIT menu->aboutToShow();
    auto *inside = menu->findChild<QAction *>(QStringLiteral("useInside"));
    QVERIFY(inside != nullptr && inside->isEnabled());
    inside->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(QApplication::activeModalWidget() != nullptr, timeoutMs);
    sayOf(QStringLiteral("Header x-error /type"), PlaceUse::CauseType);
    sayOf(QStringLiteral("Header x-error /text"), PlaceUse::CauseMessage);
    sayOf(QStringLiteral("Header x-error /from"), PlaceUse::ReturnTo);
    sayOf(QStringLiteral("Header x-error"), PlaceUse::Remove);
    sayOf(QStringLiteral("Header x-tries"), PlaceUse::SetToZero);
    // What it does to this message is shown before it holds.
    QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("trialAfter1")->text().contains(QStringLiteral("Card")), timeoutMs);
    QVERIFY(child<QLabel>("trialAfter2")->text().contains(home));
    QVERIFY(child<QLabel>("trialBefore1")->text().contains(errorQueue));
    takePicture(QStringLiteral("convention"));
}

void TestConventionFlow::theConventionAppliesToWhatIsThere()
{
    click("conventionSave");
    click("conventionApply");
    QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("conventionAnswer")->text().contains(QString::number(expired + refused)),
                             timeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("conventionClose")->isEnabled(), timeoutMs);
    takePicture(QStringLiteral("applied"));
    click("conventionClose");
    m_window->action(views::ActionId::ShowGroups)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(table("groupsTable")->model()->rowCount(), 2, timeoutMs);
}

void TestConventionFlow::theGroupIsRetriedToWhereItCameFrom()
{
    QTRY_VERIFY_WITH_TIMEOUT(chooseRow("groupsTable", QStringLiteral("CardExpired")), timeoutMs);
    takePicture(QStringLiteral("group"));
    click("retrySelected");
    QTRY_VERIFY_WITH_TIMEOUT(chooseRow("planDestinations", home), timeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("planGo")->isEnabled(), timeoutMs);
    takePicture(QStringLiteral("plan"));
    click("planGo");
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(home), qint64(expired), timeoutMs);
    const QList<records::Envelope> arrived = m_admin->drain(home);
    QCOMPARE(arrived.size(), expired);
    for (const records::Envelope &message : arrived) {
        QVERIFY(!records::find(message.headers, QStringLiteral("x-error")));
        QCOMPARE(records::find(message.headers, QStringLiteral("x-tries"))->toInteger(), 0);
        QCOMPARE(records::find(message.headers, QStringLiteral("x-app"))->toString(), QStringLiteral("billing-api"));
        QVERIFY(message.body.startsWith("{\"order\": "));
    }
}

void TestConventionFlow::cleanupTestCase()
{
    m_window.reset();
    m_session.reset();
    m_theme.reset();
    m_preferences.reset();
    m_settings.reset();
    m_console.reset();
}

REDRIVE_WIDGET_TEST(TestConventionFlow)
#include "tst_conventionflow.moc"
