// Which policies hold the messages of a group, and where one of its messages stands.
#include "backend/api/requests/queries.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/query/queries.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using core::Result;
using recovery::HeldState;
using Of = recovery::Scope::Of;
using test::must;

namespace {
constexpr core::TimePoint now = core::fromMs(1767323045000);
} // namespace

class TestGroupPolicies final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aGroupIsHeldByRuleAndByQueue();
    void whatThePolicyGaveUpIsNotHeld();
    void aPausedPolicyHasNoNextAttempt();

private:
    void write(const std::function<Result<>(store::Session &)> &work) { must(m_store->transact(work)); }
    [[nodiscard]] core::AssignmentId assign(const QString &policy, Of of);
    void hold(qint64 message, core::AssignmentId by, HeldState state);
    [[nodiscard]] QList<api::GroupPolicy> policies();

    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    std::unique_ptr<store::Queries> m_queries;
    core::ConnectionId m_shop;
};

void TestGroupPolicies::init()
{
    m_queries.reset();
    m_store.reset();
    core::SeededRandom random(5);
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store = m_place.open(random, support::StorePlace::On::Disk);
    write([this](store::Session &session) -> Result<> {
        TRY(m_shop, session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        for (int n = 0; n < 3; ++n) {
            store::NewMessage fresh = test::sampleMessage(m_shop, n);
            fresh.message.flags = {};
            fresh.message.status = records::MessageStatus::Unresolved;
            fresh.titles.fill(QStringLiteral("one cause"));
            TRY(session.messages().insert(fresh));
        }
        return {};
    });
    m_queries = m_place.queries([] { return now; });
}

core::AssignmentId TestGroupPolicies::assign(const QString &policy, Of of)
{
    core::AssignmentId id;
    write([&](store::Session &session) -> Result<> {
        recovery::Policy one;
        one.name = policy;
        TRY(session.policies().save(one));
        recovery::Scope scope;
        scope.of = of;
        scope.connection = m_shop;
        scope.queue = QStringLiteral("error");
        scope.rule.exception = QStringLiteral("*");
        TRY(id, session.policies().assign({{}, policy, scope}));
        return {};
    });
    return id;
}

void TestGroupPolicies::hold(qint64 message, core::AssignmentId by, HeldState state)
{
    write([&](store::Session &session) -> Result<> {
        recovery::HeldMessage held;
        held.message = core::MessageId{message};
        held.connection = m_shop;
        held.assignment = by;
        held.state = state;
        held.nextAttempt = now + std::chrono::minutes(5);
        return session.heldMessages().hold(held);
    });
}

QList<api::GroupPolicy> TestGroupPolicies::policies()
{
    const api::GroupPage page = must(m_queries->ask(api::GroupQuery{}));
    return page.rows.size() == 1 ? page.rows.first().policies : QList<api::GroupPolicy>{{QStringLiteral("no group")}};
}

void TestGroupPolicies::aGroupIsHeldByRuleAndByQueue()
{
    QVERIFY(policies().isEmpty());
    hold(1, assign(QStringLiteral("standard"), Of::Rule), HeldState::Waiting);
    const api::GroupPolicy standard{QStringLiteral("standard"), Of::Rule};
    QVERIFY(policies() == QList<api::GroupPolicy>{standard});
    const core::AssignmentId slow = assign(QStringLiteral("slow"), Of::Queue);
    hold(2, slow, HeldState::InRetry);
    hold(3, slow, HeldState::Waiting);
    const api::GroupPolicy second{QStringLiteral("slow"), Of::Queue};
    QVERIFY((policies() == QList<api::GroupPolicy>{second, standard})); // by name
}

void TestGroupPolicies::whatThePolicyGaveUpIsNotHeld()
{
    const core::AssignmentId standard = assign(QStringLiteral("standard"), Of::Rule);
    hold(1, standard, HeldState::Exhausted);
    hold(2, standard, HeldState::NotMoved);
    hold(3, standard, HeldState::Excluded);
    QVERIFY(policies().isEmpty());
}

void TestGroupPolicies::aPausedPolicyHasNoNextAttempt()
{
    hold(1, assign(QStringLiteral("standard"), Of::Rule), HeldState::Waiting);
    const auto standing = [this] {
        return must(m_queries->ask(api::MessageDetailQuery{core::MessageId{1}})).policy.value();
    };
    QVERIFY(standing().nextAttempt.has_value());
    write([](store::Session &session) {
        return session.policies().setPause(QStringLiteral("standard"),
                                           store::PolicyPause{QStringLiteral("ada"), now, {}});
    });
    QVERIFY(standing().isPaused);
    QVERIFY(!standing().nextAttempt);
    write([](store::Session &session) -> Result<> {
        TRY(session.policies().setPause(QStringLiteral("standard"), {}));
        return session.retryOperations().setAllPaused(true);
    });
    QVERIFY(!standing().nextAttempt);
}

REDRIVE_TEST(TestGroupPolicies)
#include "tst_grouppolicies.moc"
