// The rows of the Policies page, of the assignments of one policy, and of the rules of a policy that is edited.
#include "models/common/roles.h"
#include "models/policies/assignmentsmodel.h"
#include "models/policies/classrulesmodel.h"
#include "models/policies/policiesmodel.h"
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace std::chrono_literals;
using models::AssignmentsModel;
using models::ClassRulesModel;
using models::PoliciesModel;
using models::TimeZone;
using recovery::ClassRule;

class TestPoliciesModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aRowSaysEverythingOfAPolicy();
    void rowsFollowTheSnapshot();
    void pauseAllRedrawsTheRows();
    void anAssignmentSaysWhyItWaits();
    void rulesAreAddedMovedAndRemoved();
    void theWrongRuleIsMarked();

private:
    [[nodiscard]] QString text(const QString &policy, int column, int role = Qt::DisplayRole) const
    {
        return m_model->index(m_model->rowOf(policy), column).data(role).toString();
    }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<PoliciesModel> m_model;
};

void TestPoliciesModel::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->snapshot.at = core::fromMs(1'790'000'000'000);
    m_client->snapshot.engine = api::EngineState::Running;
    api::ConnectionView shop;
    shop.connection.id = core::ConnectionId{1};
    shop.connection.name = QStringLiteral("shop");
    m_client->snapshot.connections = {shop};
    support::addPolicies(*m_client);
    m_model = std::make_unique<PoliciesModel>();
    new QAbstractItemModelTester(m_model.get(), m_model.get());
    m_model->show(m_client->snapshot, TimeZone::Utc);
}

void TestPoliciesModel::aRowSaysEverythingOfAPolicy()
{
    const QString standard = QStringLiteral("standard");
    QCOMPARE(text(standard, PoliciesModel::Name), standard);
    QVERIFY(text(standard, PoliciesModel::For).contains(QStringLiteral("queue error of shop")));
    QVERIFY(text(standard, PoliciesModel::What).contains(QStringLiteral("23 retries")));
    QCOMPARE(text(standard, PoliciesModel::Held), QStringLiteral("214"));
    QCOMPARE(text(standard, PoliciesModel::Exhausted), QStringLiteral("3"));
    QCOMPARE(text(standard, PoliciesModel::Next).size(), QStringLiteral("03:02:31").size());
    QVERIFY(text(standard, PoliciesModel::Next, Qt::ToolTipRole).contains(QStringLiteral("in 20 s")));
    QVERIFY(text(standard, PoliciesModel::State, Qt::ToolTipRole).contains(QStringLiteral("in 20 s")));
    const QString slow = QStringLiteral("slow partner");
    QCOMPARE(text(slow, PoliciesModel::Next), QStringLiteral("–"));
    QVERIFY(text(slow, PoliciesModel::Next, Qt::AccessibleTextRole) != QStringLiteral("–"));
    QVERIFY(!text(slow, PoliciesModel::For).isEmpty());
}

void TestPoliciesModel::rowsFollowTheSnapshot()
{
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->show(m_client->snapshot, TimeZone::Utc);
    QCOMPARE(changed.size(), 0);
    m_client->snapshot.policies.last().assignments.first().held = 3;
    m_model->show(m_client->snapshot, TimeZone::Utc);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(text(QStringLiteral("standard"), PoliciesModel::Held), QStringLiteral("3"));
    m_client->snapshot.policies.removeFirst();
    m_model->show(m_client->snapshot, TimeZone::Utc);
    QCOMPARE(m_model->rowCount(), 2);
}

void TestPoliciesModel::pauseAllRedrawsTheRows()
{
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_client->snapshot.engine = api::EngineState::Paused;
    m_model->show(m_client->snapshot, TimeZone::Utc);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(text(QStringLiteral("standard"), PoliciesModel::State), QStringLiteral("All paused"));
}

void TestPoliciesModel::anAssignmentSaysWhyItWaits()
{
    AssignmentsModel model;
    const QAbstractItemModelTester tester(&model);
    QList<api::AssignmentView> assignments = m_client->snapshot.policies.last().assignments;
    model.show(assignments, m_client->snapshot.at, TimeZone::Utc);
    const auto cell = [&model](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(cell(AssignmentsModel::Due), QStringLiteral("12"));
    QVERIFY(cell(AssignmentsModel::Why).isEmpty());
    assignments.first().probingSince = m_client->snapshot.at - 1min;
    model.show(assignments, m_client->snapshot.at, TimeZone::Utc);
    QVERIFY(cell(AssignmentsModel::Why).contains(QStringLiteral("probing since")));
    assignments.first().nextDue.reset();
    model.show(assignments, m_client->snapshot.at, TimeZone::Utc, true);
    QCOMPARE(cell(AssignmentsModel::Next), QStringLiteral("paused"));
    assignments.first().waits = QStringLiteral("shop is unreachable");
    model.show(assignments, m_client->snapshot.at, TimeZone::Utc);
    QCOMPARE(cell(AssignmentsModel::Why), QStringLiteral("shop is unreachable"));
    QCOMPARE(model.index(0, AssignmentsModel::Why).data(models::ToneRole).toInt(), int(models::Tone::Warn));
}

void TestPoliciesModel::rulesAreAddedMovedAndRemoved()
{
    ClassRulesModel model; // without a tester: it wants the rows behind a removed one to keep their numbers
    QSignalSpy edited(&model, &ClassRulesModel::edited);
    QCOMPARE(model.add(), 0);
    QCOMPARE(model.add(), 1);
    ClassRule status;
    status.by = ClassRule::By::HttpStatus;
    status.httpStatus = 429;
    model.change(1, status);
    QCOMPARE(edited.size(), 3);
    model.change(1, status); // the same
    QCOMPARE(edited.size(), 3);
    model.move(1, -1);
    QCOMPARE(model.rules().first().httpStatus, 429);
    QCOMPARE(model.index(0, ClassRulesModel::Pattern).data().toString(), QStringLiteral("429"));
    model.move(0, -1); // there is no place
    model.move(0, 1);
    QCOMPARE(model.rules().last().httpStatus, 429);
    model.remove(0);
    model.remove(7);
    QCOMPARE(model.rules(), QList<ClassRule>{status});
}

void TestPoliciesModel::theWrongRuleIsMarked()
{
    ClassRulesModel model;
    model.add();
    model.add();
    model.setWrong(1);
    const auto tone = [&model](int row) { return model.index(row, ClassRulesModel::Pattern).data(models::ToneRole); };
    QVERIFY(tone(1).toInt() == int(models::Tone::Bad));
    QVERIFY(tone(0).toInt() == int(models::Tone::Normal));
    model.setWrong(-1);
    QVERIFY(tone(1).toInt() == int(models::Tone::Normal));
}

REDRIVE_TEST(TestPoliciesModel)
#include "tst_policiesmodel.moc"
