// The Policies page: what is retried by itself, when next, why not, and how a person stops it.
#include "tests/support/askedquestion.h"
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/common/lists/datatable.h"
#include "views/policies/attempttimelineview.h"
#include "views/policies/policiespage.h"
#include "views/policies/policydialog.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTest>

using models::PoliciesModel;

class TestPoliciesPage final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyPolicyIsListed();
    void nothingYetOffersToAddOne();
    void theChosenPolicyIsExplained();
    void whatDueMessagesWaitForIsOneClickAway();
    void theChosenPolicyStaysChosen();
    void pausingNeedsOneClickAndNoRight();
    void resumingNeedsTheRightToRetry();
    void removingAsksFirst();
    void enterOpensTheDialog();
    void aNewPolicyIsSelected();
    void unassigningActsOnTheSelectedAssignment();
    void aRefusedCommandIsSaid();
    void theMenuOffersTheSame();
    void pictures_data();
    void pictures();

private:
    template<typename T>
    T *child(const char *name)
    {
        return m_one->child<T>(name);
    }
    void show();
    void choose(const char *policy) { m_one->part->choose(QString::fromLatin1(policy)); }
    [[nodiscard]] views::DataTable *table() { return child<views::DataTable>("policiesTable"); }

    std::unique_ptr<test::OnePart<views::PoliciesPage>> m_one;
};

void TestPoliciesPage::init()
{
    m_one = std::make_unique<test::OnePart<views::PoliciesPage>>();
    m_one->client.snapshot.engine = api::EngineState::Running;
    support::addPolicies(m_one->client);
}

void TestPoliciesPage::cleanup()
{
    m_one.reset();
}

void TestPoliciesPage::show()
{
    m_one->show();
    m_one->part->resize(880, 460);
    m_one->part->setActive(true);
}

void TestPoliciesPage::everyPolicyIsListed()
{
    show();
    QCOMPARE(table()->model()->rowCount(), 3);
    QVERIFY(table()->isVisible());
    QCOMPARE(m_one->part->chosen(), QStringLiteral("nightly reports")); // the first: something is always explained
}

void TestPoliciesPage::nothingYetOffersToAddOne()
{
    m_one->client.snapshot.policies.clear();
    show();
    QVERIFY(!table()->isVisible());
    QVERIFY(!child<QWidget>("policyDetail")->isVisible());
    QVERIFY(!child<QPushButton>("policyPause")->isEnabled());
    const auto actions = m_one->part->findChildren<QPushButton *>(QStringLiteral("stateAction"));
    const auto add = std::find_if(actions.cbegin(), actions.cend(), [](const auto *one) { return one->isVisible(); });
    QVERIFY(add != actions.cend());
    QTest::mouseClick(*add, Qt::LeftButton);
    QVERIFY(child<views::PolicyDialog>("policyDialog")->isVisible());
}

void TestPoliciesPage::theChosenPolicyIsExplained()
{
    support::startProbing(m_one->client);
    show();
    choose("standard");
    const QString situation = child<QLabel>("policySituation")->text();
    QVERIFY2(situation.contains(QStringLiteral("first success")), qPrintable(situation));
    QVERIFY(child<QLabel>("policySentence")->text().contains(QStringLiteral("23 retries")));
    QCOMPARE(child<views::DataTable>("assignmentsTable")->model()->rowCount(), 1);
    QVERIFY(child<views::AttemptTimelineView>("attemptTimeline")
                ->accessibleDescription()
                .contains(QStringLiteral("23 retries")));
    choose("slow partner");
    QVERIFY(child<QLabel>("policySituation")->text().contains(QStringLiteral("assigned to nothing")));
}

void TestPoliciesPage::whatDueMessagesWaitForIsOneClickAway()
{
    show();
    choose("standard");
    QVERIFY(!child<QPushButton>("policyObstacle")->isVisible());
    api::AssignmentView &one = m_one->client.snapshot.policies.last().assignments.first();
    one.waits = QStringLiteral("They wait for operation 12, which is paused by maria.");
    one.waitsFor = core::OperationId{12};
    m_one->client.publish();
    QTRY_VERIFY(child<QPushButton>("policyObstacle")->isVisible());
    QVERIFY(child<QLabel>("policySituation")->text().contains(one.waits));
    core::OperationId opened;
    connect(&m_one->navigator, &views::Navigator::operationRequested, this,
            [&opened](core::OperationId id) { opened = id; });
    QTest::mouseClick(child<QPushButton>("policyObstacle"), Qt::LeftButton);
    QVERIFY(opened == one.waitsFor);
}

void TestPoliciesPage::theChosenPolicyStaysChosen()
{
    show();
    choose("standard");
    m_one->client.snapshot.policies.last().assignments.first().held = 3;
    m_one->client.publish();
    QTRY_VERIFY(child<QLabel>("policySituation")->text().contains(QStringLiteral("3 messages")));
    QCOMPARE(m_one->part->chosen(), QStringLiteral("standard"));
    m_one->client.snapshot.policies.removeLast();
    m_one->client.publish();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(m_one->part->chosen() != QStringLiteral("standard"));
}

void TestPoliciesPage::pausingNeedsOneClickAndNoRight()
{
    m_one->client.snapshot.connections.first().connection.rights = records::Right::See;
    show();
    choose("standard");
    auto *pause = child<QPushButton>("policyPause");
    QVERIFY(pause->isEnabled());
    QVERIFY(!child<QPushButton>("policyEdit")->isEnabled());
    QVERIFY(!child<QPushButton>("policyEdit")->toolTip().isEmpty());
    QVERIFY(!child<QPushButton>("policyRemove")->isEnabled());
    QTest::mouseClick(pause, Qt::LeftButton);
    QTRY_COMPARE(m_one->client.policyPauses.size(), 1);
    QCOMPARE(m_one->client.policyPauses.first().name, QStringLiteral("standard"));
    QVERIFY(m_one->client.policyPauses.first().pause);
    QTRY_COMPARE(pause->text(), QStringLiteral("Resume policy"));
    QVERIFY(!pause->isEnabled()); // that needs the right
}

void TestPoliciesPage::resumingNeedsTheRightToRetry()
{
    show();
    choose("nightly reports");
    auto *pause = child<QPushButton>("policyPause");
    QCOMPARE(pause->text(), QStringLiteral("Resume policy"));
    QTest::mouseClick(pause, Qt::LeftButton);
    QTRY_COMPARE(m_one->client.policyPauses.size(), 1);
    QVERIFY(!m_one->client.policyPauses.first().pause);
}

void TestPoliciesPage::removingAsksFirst()
{
    show();
    choose("standard");
    QTest::mouseClick(child<QPushButton>("policyRemove"), Qt::LeftButton);
    const test::AskedQuestion question(*m_one->part, "removePolicy");
    QVERIFY(question.consequences().contains(QStringLiteral("214")));
    QCOMPARE(m_one->client.count<api::RemovePolicy>(), 0);
    QTest::mouseClick(question.go(), Qt::LeftButton);
    QTRY_COMPARE(table()->model()->rowCount(), 2);
}

void TestPoliciesPage::enterOpensTheDialog()
{
    show();
    choose("standard");
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Return);
    auto *dialog = child<views::PolicyDialog>("policyDialog");
    QVERIFY(dialog->isVisible());
    QVERIFY(dialog->policy().has_value());
    QCOMPARE(dialog->policy()->name, QStringLiteral("standard"));
}

void TestPoliciesPage::aNewPolicyIsSelected()
{
    show();
    QTest::mouseClick(child<QPushButton>("policyAdd"), Qt::LeftButton);
    auto *dialog = child<views::PolicyDialog>("policyDialog");
    QTest::mouseClick(test::child<QPushButton>(*dialog, "policySave"), Qt::LeftButton);
    QTRY_COMPARE(m_one->client.policiesSet.size(), 1);
    QTRY_COMPARE(m_one->part->chosen(), QStringLiteral("standard 2"));
}

void TestPoliciesPage::unassigningActsOnTheSelectedAssignment()
{
    show();
    choose("standard");
    auto *unassign = child<QPushButton>("policyUnassign");
    QVERIFY(!unassign->isEnabled());
    child<views::DataTable>("assignmentsTable")->selectRow(0);
    QTRY_VERIFY(unassign->isEnabled());
    QTest::mouseClick(unassign, Qt::LeftButton);
    QTRY_COMPARE(child<views::DataTable>("assignmentsTable")->model()->rowCount(), 0);
    QVERIFY(m_one->client.snapshot.policies.last().assignments.isEmpty());
}

void TestPoliciesPage::aRefusedCommandIsSaid()
{
    show();
    choose("standard");
    QStringList said;
    connect(&m_one->session, &models::ConsoleSession::failed, this, [&said](const QString &text) { said << text; });
    m_one->client.failNext<api::PausePolicy>(
        core::Error{core::ErrorKind::Conflict, QStringLiteral("It is paused already."), {}});
    QTest::mouseClick(child<QPushButton>("policyPause"), Qt::LeftButton);
    QTRY_COMPARE(said.size(), 1);
    QVERIFY(said.first().contains(QStringLiteral("It is paused already.")));
}

void TestPoliciesPage::theMenuOffersTheSame()
{
    show();
    choose("standard");
    Q_EMIT table()->customContextMenuRequested(table()->visualRect(table()->currentIndex()).center());
    auto *menu = child<QMenu>("policyMenu");
    QVERIFY(menu->actions().size() >= 4);
    menu->actions().constFirst()->trigger();
    QTRY_COMPARE(m_one->client.policyPauses.size(), 1);
    menu->close();
}

void TestPoliciesPage::pictures_data()
{
    QTest::addColumn<int>("mode");
    QTest::newRow("light") << int(views::ThemeMode::Light);
    QTest::newRow("dark") << int(views::ThemeMode::Dark);
}

void TestPoliciesPage::pictures()
{
    QFETCH(int, mode);
    m_one->theme.setMode(views::ThemeMode(mode));
    support::startProbing(m_one->client);
    show();
    choose("standard");
    QVERIFY(m_one->takePicture(QStringLiteral("policies")));
}

REDRIVE_WIDGET_TEST(TestPoliciesPage)
#include "tst_policiespage.moc"
