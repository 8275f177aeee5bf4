// An account that may not take: what the window offers instead, and says of browsed messages.
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

class TestBrowsedOnlyWindow final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { shut(); }
    void whatCannotBeTakenIsOfferedForBrowsing();
    void whatWasOnlyLookedAtSaysSoAndIsNotRetried();
    void aSubscribedQueueIsNotBrowsedOnly();
};

void TestBrowsedOnlyWindow::init()
{
    prepare(50);
    for (api::ConnectionView &view : m_client->snapshot.connections) {
        view.connection.rights = records::defaultRights;
        view.canTake = false;
        view.cannotTakeReason = QStringLiteral("the plugin rabbitmq_shovel");
        view.canBrowse = true;
    }
}

void TestBrowsedOnlyWindow::whatCannotBeTakenIsOfferedForBrowsing()
{
    m_client->store.clear();
    for (api::QueueView &queue : m_client->snapshot.queues) {
        queue.unresolved = 0;
        queue.depth = queue.holdsFailed ? 800 : 0;
    }
    show();
    auto *page = child<QWidget>("groupsPage");
    auto *button = page->findChild<QPushButton *>(QStringLiteral("stateAction"));
    QTRY_COMPARE(button->text(), QStringLiteral("Browse only"));
    const QString sentence = page->findChild<QLabel *>(QStringLiteral("stateSentence"))->text();
    QVERIFY2(sentence.contains(QStringLiteral("rabbitmq_shovel")), qPrintable(sentence));
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(m_client->browses.size(), 1);
    QVERIFY(m_client->intakes.isEmpty());
}

void TestBrowsedOnlyWindow::whatWasOnlyLookedAtSaysSoAndIsNotRetried()
{
    for (records::FailedMessage &message : m_client->store)
        message.flags = records::MessageFlag::BrowsedOnly;
    for (api::MessageDetail &detail : m_client->details)
        detail.message.flags = records::MessageFlag::BrowsedOnly;
    show();
    auto *retry = child<QPushButton>("retryThis");
    QTRY_VERIFY2(retry->toolTip().contains(QStringLiteral("browsed only")), qPrintable(retry->toolTip()));
    QVERIFY2(retry->toolTip().contains(QStringLiteral("rabbitmq_shovel")), qPrintable(retry->toolTip()));
    QVERIFY(!retry->isEnabled());
}

void TestBrowsedOnlyWindow::aSubscribedQueueIsNotBrowsedOnly()
{
    m_client->snapshot.connections.first().canTake = true;
    for (api::QueueView &queue : m_client->snapshot.queues)
        queue.subscribed = true;
    show();
    QMenu *menu = openQueueMenu();
    QVERIFY(menu != nullptr);
    const QAction *look = entryOf(*menu, QStringLiteral("Browse only"));
    QVERIFY(look != nullptr);
    QVERIFY(!look->isEnabled());
    QVERIFY2(look->toolTip().contains(QStringLiteral("Unsubscribe")), qPrintable(look->toolTip()));
    menu->close();
}

REDRIVE_WIDGET_TEST(TestBrowsedOnlyWindow)
#include "tst_browsedonly_window.moc"
