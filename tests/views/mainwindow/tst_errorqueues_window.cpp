// A person decides which queues are error queues: asked by a banner, in the menu of a queue, and never by accident.
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/widgets/banner.h"

#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using records::QueueFact;

namespace {

const QString addAndTake = QStringLiteral("Add as an error queue and take…");

const records::QueueFacts deadLetters{{QueueFact::Kind::DeadLettersOf, QStringLiteral("orders")},
                                      {QueueFact::Kind::NamedForFailures}};
const records::QueueFacts loop{{QueueFact::Kind::DeadLettersOf, QStringLiteral("mail.wait")},
                               {QueueFact::Kind::LoopsBack, QStringLiteral("mail.wait")},
                               {QueueFact::Kind::HasConsumers, {}, 3}};

} // namespace

class TestErrorQueuesWindow final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { shut(); }
    void whatWasTakenBeforeIsAskedAboutInABanner();
    void decidingLaterAsksAgain();
    void aConnectionWithoutErrorQueuesIsOfferedThem();
    void aQueueThatIsNoErrorQueueIsAddedBeforeItIsTakenFrom();
    void aWorkQueueIsNotTakenFromByItsMenu();

private:
    [[nodiscard]] api::ConnectionView &shop() { return m_client->snapshot.connections.first(); }
    [[nodiscard]] views::Banner *banner(); // the visible one about error queues; null: there is none
    [[nodiscard]] QDialog *opened() { return m_window->findChild<QDialog *>(QStringLiteral("errorQueuesDialog")); }
    QDialog *openFromBanner();
    [[nodiscard]] static QStringList checked(const QDialog &dialog);
};

void TestErrorQueuesWindow::init()
{
    prepare(50);
    shop().connection.rights = records::defaultRights;
    for (api::QueueView &queue : m_client->snapshot.queues) {
        const bool mine = queue.connection == shop().connection.id;
        if (mine && queue.name == u"orders.dlq") {
            queue.holdsFailed = false;
            queue.isCandidate = true;
            queue.unresolved = 0;
            queue.facts = deadLetters;
        }
    }
}

views::Banner *TestErrorQueuesWindow::banner()
{
    const QList<views::Banner *> all = m_window->findChildren<views::Banner *>();
    for (views::Banner *one : all) {
        if (one->isVisible() && one->text().contains(QLatin1String("error queue")))
            return one;
    }
    return nullptr;
}

QDialog *TestErrorQueuesWindow::openFromBanner()
{
    if (!QTest::qWaitFor([this] { return banner() != nullptr; }))
        return nullptr;
    banner()->findChild<QPushButton *>(QStringLiteral("bannerAction"))->click();
    return opened();
}

QStringList TestErrorQueuesWindow::checked(const QDialog &dialog)
{
    QStringList names;
    const QList<QCheckBox *> boxes = dialog.findChildren<QCheckBox *>(QStringLiteral("candidate"));
    for (const QCheckBox *box : boxes) {
        if (box->isChecked())
            names.append(box->text().section(QLatin1Char(' '), 0, 0));
    }
    return names;
}

void TestErrorQueuesWindow::whatWasTakenBeforeIsAskedAboutInABanner()
{
    shop().unanswered = {{QStringLiteral("orders.dlq"), 12, deadLetters}, {QStringLiteral("mail"), 3, loop}};
    show();
    QDialog *dialog = openFromBanner();
    QVERIFY(dialog != nullptr);
    QCOMPARE(checked(*dialog), QStringList{QStringLiteral("orders.dlq")}); // nothing speaks against it
    QStringList words;
    const QList<QLabel *> labels = dialog->findChildren<QLabel *>();
    for (const QLabel *label : labels)
        words.append(label->text());
    QVERIFY(words.join(u' ').contains(QLatin1String("3 consumers take its messages")));
    test::child<QPushButton>(*dialog, "errorQueuesChoose")->click();
    QTRY_COMPARE(m_client->choices.size(), 1);
    QCOMPARE(m_client->choices.first().connection, shop().connection.id);
    QCOMPARE(m_client->choices.first().take, QStringList{QStringLiteral("orders.dlq")});
    QCOMPARE(m_client->choices.first().leave, QStringList{QStringLiteral("mail")});
    m_client->publish();
    QTRY_VERIFY(banner() == nullptr); // it is answered
}

void TestErrorQueuesWindow::decidingLaterAsksAgain()
{
    shop().unanswered = {{QStringLiteral("mail"), 3, loop}};
    show();
    QDialog *dialog = openFromBanner();
    QVERIFY(dialog != nullptr);
    QCOMPARE(checked(*dialog), QStringList());
    QTest::keyClick(dialog, Qt::Key_Return); // the safe button is the default one
    QTRY_VERIFY(opened() == nullptr);
    QCOMPARE(m_client->choices.size(), 0);
    QVERIFY(banner() != nullptr);
}

void TestErrorQueuesWindow::aConnectionWithoutErrorQueuesIsOfferedThem()
{
    for (api::QueueView &queue : m_client->snapshot.queues) {
        if (queue.connection == shop().connection.id)
            queue.holdsFailed = false;
    }
    show();
    QDialog *dialog = openFromBanner();
    QVERIFY(dialog != nullptr);
    test::child<QPushButton>(*dialog, "errorQueuesChoose")->click();
    QTRY_COMPARE(m_client->choices.size(), 1);
    QCOMPARE(m_client->choices.first().take, QStringList{QStringLiteral("orders.dlq")});
    QCOMPARE(m_client->choices.first().leave, QStringList());
}

// The take question once offered all its messages and was then refused.
void TestErrorQueuesWindow::aQueueThatIsNoErrorQueueIsAddedBeforeItIsTakenFrom()
{
    m_client->snapshot.queues.removeIf([this](const api::QueueView &queue) {
        return queue.connection == shop().connection.id && queue.name != u"orders.dlq";
    });
    show();
    QMenu *menu = openQueueMenu();
    QVERIFY(menu != nullptr);
    QVERIFY(entryOf(*menu, QStringLiteral("Take failed messages…")) == nullptr);
    QAction *add = entryOf(*menu, addAndTake);
    QVERIFY(add != nullptr && add->isEnabled());
    add->trigger();
    menu->close();
    QTRY_VERIFY(opened() != nullptr);
    QCOMPARE(m_client->intakes.size(), 0);
    test::child<QPushButton>(*opened(), "errorQueuesChoose")->click();
    QTRY_COMPARE(m_client->choices.size(), 1);
    QCOMPARE(m_client->choices.first().take, QStringList{QStringLiteral("orders.dlq")});
    QTRY_VERIFY(m_window->findChild<QDialog *>(QStringLiteral("takeQuestion")) != nullptr); // it is a Production broker
    QCOMPARE(m_client->intakes.size(), 0);
    child<QDialog>("takeQuestion")->reject();
}

void TestErrorQueuesWindow::aWorkQueueIsNotTakenFromByItsMenu()
{
    m_client->snapshot.queues.removeIf([this](const api::QueueView &queue) {
        return queue.connection == shop().connection.id && queue.name != u"orders";
    });
    show();
    QMenu *menu = openQueueMenu();
    QVERIFY(menu != nullptr);
    for (const char *text : {"Browse only", "Subscribe to this queue"}) {
        const QAction *entry = entryOf(*menu, QString::fromLatin1(text));
        QVERIFY(entry != nullptr && !entry->isEnabled() && !entry->toolTip().isEmpty());
    }
    entryOf(*menu, addAndTake)->trigger();
    menu->close();
    QTRY_VERIFY(opened() != nullptr);
    opened()->reject();
    QCOMPARE(m_client->choices.size(), 0);
    QCOMPARE(m_client->intakes.size(), 0);
}

REDRIVE_WIDGET_TEST(TestErrorQueuesWindow)
#include "tst_errorqueues_window.moc"
