// Policies in the window: the banner, the note on the tab, the badges of queues and groups, their menus, the palette, and
// the message that a policy holds.
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/banner.h"
#include "views/groups/groupspage.h"
#include "views/policies/assigndialog.h"
#include "views/policies/policiespage.h"
#include "views/policies/policydialog.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QTreeView>

using models::GroupsModel;
using views::ActionId;

class TestPoliciesWindow final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void thePageHasATabAndAKey();
    void aProbingPolicyIsInTheBanner();
    void aStoppedPolicyIsInTheBanner_data();
    void aStoppedPolicyIsInTheBanner();
    void theBannerLeavesWithItsReason();
    void pauseAllSaysThatPoliciesStop();
    void aQueueShowsItsPolicy();
    void theMenuOfAQueueUnassignsAndShows();
    void theMenuOfAQueueAssigns();
    void aGroupShowsItsPolicy();
    void theMenuOfAGroupAssigns();
    void theActionAssignsToTheSelectedGroup();
    void theActionAddsAPolicy();
    void aHeldMessageSaysWhatHoldsIt();
    void aPersonTakesAMessageOutAndReturnsIt();
    void aHeldMessageIsRetriedNow();

private:
    QAction *action(ActionId id) { return child<QAction>(qPrintable(QStringLiteral("action%1").arg(int(id)))); }
    [[nodiscard]] views::Banner *banner(const QString &part); // that shows this; null: none
    [[nodiscard]] QTabBar *tabs() { return child<QTabBar>("pageTabs"); }
    [[nodiscard]] views::PoliciesPage *page() { return child<views::PoliciesPage>("policiesPage"); }
    [[nodiscard]] QModelIndex queueIndex();
    void showHeldMessage(recovery::HeldState state);
    QMenu *openGroupMenu(int row);
    QMenu *openErrorMenu(); // of the queue "error"
};

void TestPoliciesWindow::init()
{
    prepare(40);
    m_client->snapshot.engine = api::EngineState::Running;
    support::addPolicies(*m_client);
}

void TestPoliciesWindow::cleanup()
{
    shut();
}

views::Banner *TestPoliciesWindow::banner(const QString &part)
{
    for (views::Banner *one : m_window->findChildren<views::Banner *>()) {
        if (!one->isHidden() && one->text().contains(part))
            return one;
    }
    return nullptr;
}

void TestPoliciesWindow::thePageHasATabAndAKey()
{
    show();
    QCOMPARE(action(ActionId::ShowPolicies)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_5));
    action(ActionId::ShowPolicies)->trigger();
    QCOMPARE(tabs()->tabText(tabs()->currentIndex()), QStringLiteral("Policies  1 paused"));
    QVERIFY(page()->isVisible());
    QTRY_COMPARE(m_window->focusWidget(), child<views::DataTable>("policiesTable"));
}

void TestPoliciesWindow::aProbingPolicyIsInTheBanner()
{
    support::startProbing(*m_client);
    show();
    QTRY_VERIFY(banner(QStringLiteral("first success")) != nullptr);
    views::Banner *shown = banner(QStringLiteral("first success"));
    QVERIFY(shown->text().contains(QStringLiteral("Policy standard")));
    QTest::mouseClick(test::child<QPushButton>(*shown, "bannerAction"), Qt::LeftButton);
    QVERIFY(page()->isVisible());
    QCOMPARE(page()->chosen(), QStringLiteral("standard"));
}

void TestPoliciesWindow::aStoppedPolicyIsInTheBanner_data()
{
    QTest::addColumn<bool>("isCopy");
    QTest::newRow("by its stop rule") << false;
    QTest::newRow("in a copied store") << true;
}

void TestPoliciesWindow::aStoppedPolicyIsInTheBanner()
{
    QFETCH(bool, isCopy);
    if (isCopy)
        support::stopAsCopy(*m_client);
    else
        support::stopByRule(*m_client);
    show();
    QTRY_VERIFY(banner(isCopy ? QStringLiteral("is a copy") : QStringLiteral("50%")) != nullptr);
}

void TestPoliciesWindow::theBannerLeavesWithItsReason()
{
    support::startProbing(*m_client);
    show();
    QTRY_VERIFY(banner(QStringLiteral("first success")) != nullptr);
    m_client->snapshot.policies.last().state = api::PolicyState::Active;
    m_client->publish();
    QTRY_VERIFY(banner(QStringLiteral("first success")) == nullptr);
}

void TestPoliciesWindow::pauseAllSaysThatPoliciesStop()
{
    show();
    m_client->snapshot.engine = api::EngineState::Paused;
    m_client->publish();
    QTRY_VERIFY(banner(QStringLiteral("retries and policies are paused")) != nullptr);
}

QModelIndex TestPoliciesWindow::queueIndex()
{
    auto *tree = child<QTreeView>("queueTree");
    const QModelIndex top = tree->model()->index(0, 0);
    for (int row = 0; row < tree->model()->rowCount(top); ++row) {
        const QModelIndex index = tree->model()->index(row, 0, top);
        if (index.data().toString() == QLatin1String("error"))
            return index;
    }
    return {};
}

void TestPoliciesWindow::aQueueShowsItsPolicy()
{
    show();
    QTRY_VERIFY(queueIndex().isValid());
    QCOMPARE(queueIndex().data(models::PolicyRole).toString(), QStringLiteral("standard"));
    QVERIFY(queueIndex().data(Qt::ToolTipRole).toString().contains(QStringLiteral("standard")));
    QVERIFY(queueIndex().data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("standard")));
    m_client->snapshot.policies.last().assignments.clear();
    m_client->publish();
    QTRY_VERIFY(queueIndex().data(models::PolicyRole).toString().isEmpty());
}

void TestPoliciesWindow::theMenuOfAQueueUnassignsAndShows()
{
    show();
    QMenu *menu = openErrorMenu();
    test::child<QAction>(*menu, "showPolicy")->trigger();
    QCOMPARE(page()->chosen(), QStringLiteral("standard"));
    test::child<QAction>(*menu, "unassignPolicy")->trigger();
    QTRY_VERIFY(queueIndex().data(models::PolicyRole).toString().isEmpty());
    menu->close();
}

void TestPoliciesWindow::theMenuOfAQueueAssigns()
{
    m_client->snapshot.policies.last().assignments.clear();
    show();
    QMenu *menu = openErrorMenu();
    test::child<QAction>(*menu, "assignPolicy")->trigger();
    menu->close();
    auto *dialog = child<views::AssignDialog>("assignDialog");
    QVERIFY(dialog->isVisible());
    QVERIFY(dialog->scope().of == recovery::Scope::Of::Queue);
    QCOMPARE(dialog->scope().queue, QStringLiteral("error"));
}

void TestPoliciesWindow::aGroupShowsItsPolicy()
{
    show();
    auto *groups = child<views::DataTable>("groupsTable");
    QTRY_VERIFY(groups->model()->rowCount() > 3);
    const QModelIndex state = groups->model()->index(0, GroupsModel::State);
    QVERIFY2(state.data().toString().contains(QStringLiteral("Policy standard")), qPrintable(state.data().toString()));
    QVERIFY(state.siblingAtColumn(GroupsModel::Cause)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("standard")));
    m_client->snapshot.policies.last().assignments.removeLast();
    m_client->publish();
    QTRY_VERIFY(!groups->model()->index(0, GroupsModel::State).data().toString().contains(QStringLiteral("standard")));
}

QMenu *TestPoliciesWindow::openErrorMenu()
{
    auto *tree = child<QTreeView>("queueTree");
    if (!QTest::qWaitFor([this] { return queueIndex().isValid(); }))
        return nullptr;
    tree->setCurrentIndex(queueIndex());
    Q_EMIT tree->customContextMenuRequested(tree->visualRect(queueIndex()).center());
    return child<QMenu>("queueMenu");
}

QMenu *TestPoliciesWindow::openGroupMenu(int row)
{
    auto *groups = child<views::DataTable>("groupsTable");
    if (!QTest::qWaitFor([groups, row] { return groups->model()->rowCount() > row; }))
        return nullptr;
    groups->selectRow(row);
    Q_EMIT groups->customContextMenuRequested(groups->visualRect(groups->model()->index(row, 1)).center());
    return child<QMenu>("groupMenu");
}

void TestPoliciesWindow::theMenuOfAGroupAssigns()
{
    show();
    QMenu *menu = openGroupMenu(2);
    QVERIFY(menu != nullptr);
    test::child<QAction>(*menu, "assignPolicy")->trigger();
    menu->close();
    auto *dialog = child<views::AssignDialog>("assignDialog");
    QVERIFY(dialog->scope().of == recovery::Scope::Of::Group);
    QVERIFY(dialog->scope().group.isValid());
    QTest::mouseClick(test::child<QPushButton>(*dialog, "assign"), Qt::LeftButton);
    QTRY_COMPARE(m_client->assigned.size(), 1);
    QCOMPARE(m_client->assigned.first().policy, QStringLiteral("nightly reports"));
}

void TestPoliciesWindow::theActionAssignsToTheSelectedGroup()
{
    show();
    auto *groups = child<views::DataTable>("groupsTable");
    QTRY_VERIFY(groups->model()->rowCount() > 3);
    groups->selectRow(2);
    const qint64 id = groups->model()->index(2, 1).data(models::IdRole).toLongLong();
    action(ActionId::AssignPolicy)->trigger();
    auto *dialog = child<views::AssignDialog>("assignDialog");
    QTRY_COMPARE(dialog->scope().group.value, id);
}

void TestPoliciesWindow::theActionAddsAPolicy()
{
    show();
    QTRY_VERIFY(action(ActionId::AddPolicy)->isEnabled());
    action(ActionId::AddPolicy)->trigger();
    QVERIFY(child<views::PolicyDialog>("policyDialog")->isVisible());
    QVERIFY(page()->isVisible());
}

void TestPoliciesWindow::showHeldMessage(recovery::HeldState state)
{
    const core::MessageId id = m_client->store.constFirst().id;
    m_client->details[id].policy->state = state;
    show();
    Q_EMIT m_window->navigator().messageOpened(id);
}

void TestPoliciesWindow::aHeldMessageSaysWhatHoldsIt()
{
    showHeldMessage(recovery::HeldState::Waiting);
    QTRY_VERIFY(child<QWidget>("policyStrip")->isVisible());
    QVERIFY(child<QLabel>("policyHolds")->text().contains(QStringLiteral("standard")));
    for (const char *part : {"6 of 23", "17", "in 20 s"})
        QVERIFY(child<QLabel>("policyStanding")->text().contains(QLatin1String(part)));
    QTest::mouseClick(child<QPushButton>("policyShow"), Qt::LeftButton);
    QCOMPARE(page()->chosen(), QStringLiteral("standard"));
    m_client->details[m_client->store.constFirst().id].policy.reset();
    m_client->touchMessages();
    QTRY_VERIFY(!child<QWidget>("policyStrip")->isVisible());
}

void TestPoliciesWindow::aPersonTakesAMessageOutAndReturnsIt()
{
    showHeldMessage(recovery::HeldState::Waiting);
    auto *button = child<QPushButton>("policyExclude");
    QTRY_VERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(m_client->excluded.size(), 1);
    QVERIFY(m_client->excluded.first().exclude);
    QCOMPARE(m_client->excluded.first().messages, QList<core::MessageId>{m_client->store.constFirst().id});
    m_client->details[m_client->store.constFirst().id].policy->state = recovery::HeldState::Excluded;
    m_client->touchMessages();
    QTRY_COMPARE(button->text(), QStringLiteral("Return to the policy"));
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(m_client->excluded.size(), 2);
    QVERIFY(!m_client->excluded.last().exclude);
}

void TestPoliciesWindow::aHeldMessageIsRetriedNow()
{
    showHeldMessage(recovery::HeldState::Waiting);
    auto *button = child<QPushButton>("policyRetry");
    QTRY_VERIFY(button->isVisible());
    QTRY_VERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(m_client->previews.size(), 1);
    QCOMPARE(m_client->previews.first().filter.messages, QList<core::MessageId>{m_client->store.constFirst().id});
}

REDRIVE_WIDGET_TEST(TestPoliciesWindow)
#include "tst_policies_window.moc"
