// What a person on call reads: what is retried by itself, when next, why not, and what ends it.
#include "models/policies/policywords.h"
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using models::TimeZone;
using models::Tone;
using recovery::HeldState;

class TestPolicyWords final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void anActivePolicySaysWhatItHoldsAndWhenNext();
    void whatTheBrokerHasIsSaidAlsoInAPause();
    void aReasonToWaitIsSaid();
    void aProbingPolicySaysWhatEndsIt();
    void aPausedPolicySaysWhoAndWhy();
    void pauseAllIsSaid();
    void anUnassignedPolicySaysSo();
    void theBannerNamesTheWorst();
    void aPersonsPauseNeedsNoBanner();
    void theNoteOfTheTabCounts();
    void aStandingSaysWhatIsLeft();
    void aStandingUnderAPausedPolicySaysSo();
    void everyStandingHasWords_data();
    void everyStandingHasWords();
    void thePolicyOfAQueueAndOfAGroupIsFound();
    void whatCouldNotBeMovedIsSaidWithTheReason();
    void aPausedPolicyHasNoNextRetry();
    void aGroupSaysWhyAPolicyHoldsIt();
    void hostileNamesAreShownHarmless();

private:
    [[nodiscard]] api::PolicyView &policy(const char *name);
    [[nodiscard]] QString situation(const char *name)
    {
        return models::policySituation(policy(name), m_client->snapshot, TimeZone::Utc);
    }
    [[nodiscard]] models::PolicyNotice notice() { return models::policyNotice(m_client->snapshot, TimeZone::Utc); }
    [[nodiscard]] QString standing(const api::PolicyStanding &one)
    {
        return models::standingText(one, m_client->snapshot, TimeZone::Utc);
    }

    std::unique_ptr<support::FakeClient> m_client;
};

void TestPolicyWords::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->snapshot.at = core::fromMs(1'790'000'000'000);
    api::ConnectionView shop;
    shop.connection.id = core::ConnectionId{1};
    shop.connection.name = QStringLiteral("shop");
    m_client->snapshot.connections = {shop};
    m_client->snapshot.engine = api::EngineState::Running;
    support::addPolicies(*m_client);
}

api::PolicyView &TestPolicyWords::policy(const char *name)
{
    for (api::PolicyView &one : m_client->snapshot.policies) {
        if (one.name == QLatin1String(name))
            return one;
    }
    Q_UNREACHABLE();
}

void TestPolicyWords::anActivePolicySaysWhatItHoldsAndWhenNext()
{
    QVERIFY(situation("standard").contains(QStringLiteral("214")));
    QVERIFY(situation("standard").contains(QStringLiteral("in 20 s")));
    QVERIFY(models::toneOf(policy("standard")) == Tone::Ok);
    policy("standard").assignments.first().nextDue = m_client->snapshot.at - 5s;
    QVERIFY(situation("standard").contains(QStringLiteral("now")));
}

void TestPolicyWords::whatTheBrokerHasIsSaidAlsoInAPause()
{
    const QString honest = QStringLiteral("The broker has 7 of them");
    for (const char *name : {"standard", "nightly reports"}) { // active, paused
        QVERIFY(!situation(name).contains(honest));
        policy(name).assignments.first().atBroker = 7;
        QVERIFY(situation(name).contains(honest));
        QVERIFY(situation(name).contains(QStringLiteral("also when the policy is paused")));
    }
    api::PolicyStanding waits;
    waits.policy = QStringLiteral("standard");
    waits.state = HeldState::InRetry;
    waits.attempt = 2;
    waits.of = 4;
    QVERIFY(standing(waits).contains(QStringLiteral("in progress")));
    waits.isAtBroker = true;
    waits.nextAttempt = m_client->snapshot.at + 20s;
    QVERIFY(standing(waits).contains(QStringLiteral("Retry 2 of 3 waits at the broker until")));
    QVERIFY(standing(waits).contains(QStringLiteral("in 20 s")));
    waits.nextAttempt = m_client->snapshot.at - 1s; // delivered since the detail was read
    QVERIFY(standing(waits).contains(QStringLiteral("in progress")));
}

void TestPolicyWords::aReasonToWaitIsSaid()
{
    policy("standard").assignments.first().waits = QStringLiteral("The connection shop is unreachable.");
    QVERIFY(situation("standard").contains(QStringLiteral("The connection shop is unreachable.")));
}

void TestPolicyWords::aProbingPolicySaysWhatEndsIt()
{
    support::startProbing(*m_client);
    const QString it = QStringLiteral("It");
    const QString text = models::probingText(policy("standard"), it);
    QVERIFY(text.contains(QStringLiteral("5 s")));
    QVERIFY(text.contains(QStringLiteral("10")));
    QVERIFY(text.contains(QStringLiteral("first success")));
    QVERIFY(situation("standard").contains(text));
    QVERIFY(models::policyState(policy("standard"), m_client->snapshot, TimeZone::Utc)
                .contains(QStringLiteral("Probing since")));
    policy("standard").file = "not a policy";
    QVERIFY(models::probingText(policy("standard"), it).contains(QStringLiteral("first success")));
}

void TestPolicyWords::aPausedPolicySaysWhoAndWhy()
{
    QVERIFY(situation("nightly reports").contains(QStringLiteral("maria")));
    QVERIFY(!models::isStoppedByRedrive(policy("nightly reports")));
    support::stopByRule(*m_client);
    QVERIFY(models::isStoppedByRedrive(policy("standard")));
    QVERIFY(situation("standard").contains(QStringLiteral("50%")));
    QVERIFY(!situation("standard").contains(QStringLiteral("engine"))); // a word of the program
    QVERIFY(models::toneOf(policy("standard")) == Tone::Bad);
}

void TestPolicyWords::pauseAllIsSaid()
{
    const QString before = situation("standard");
    m_client->snapshot.engine = api::EngineState::Paused;
    QVERIFY(situation("standard") != before);
    QVERIFY(situation("standard").contains(QStringLiteral("paused")));
    QCOMPARE(models::policyState(policy("standard"), m_client->snapshot, TimeZone::Utc), QStringLiteral("All paused"));
}

void TestPolicyWords::anUnassignedPolicySaysSo()
{
    QVERIFY(situation("slow partner").contains(QStringLiteral("assigned to nothing")));
    QVERIFY(models::policyPurpose(policy("slow partner")).isEmpty());
    QVERIFY(models::toneOf(policy("slow partner")) == Tone::Muted);
}

void TestPolicyWords::theBannerNamesTheWorst()
{
    QVERIFY(notice().text.isEmpty());
    support::startProbing(*m_client);
    QCOMPARE(notice().policy, QStringLiteral("standard"));
    QVERIFY(notice().tone == Tone::Warn);
    api::PolicyView stopped = policy("nightly reports");
    stopped.name = QStringLiteral("another");
    stopped.pausedWho = QStringLiteral("engine");
    stopped.pausedWhy = QStringLiteral("Half of its messages came back.");
    m_client->snapshot.policies.append(stopped);
    QCOMPARE(notice().policy, QStringLiteral("another")); // one that stopped is worse than one that probes
    QVERIFY(notice().tone == Tone::Bad);
    QVERIFY(notice().text.contains(QStringLiteral("1 more")));
    QVERIFY(notice().text.contains(QStringLiteral("Half of its messages came back.")));
}

void TestPolicyWords::aPersonsPauseNeedsNoBanner()
{
    QVERIFY(notice().text.isEmpty()); // maria paused the nightly one
    support::startProbing(*m_client);
    m_client->snapshot.engine = api::EngineState::Paused; // nothing is tried now
    QVERIFY(notice().text.isEmpty());
}

void TestPolicyWords::theNoteOfTheTabCounts()
{
    QCOMPARE(models::policyNote(m_client->snapshot), QStringLiteral("1 paused"));
    support::startProbing(*m_client);
    QCOMPARE(models::policyNote(m_client->snapshot), QStringLiteral("1 probing · 1 paused"));
    m_client->snapshot.policies = {policy("standard")};
    m_client->snapshot.policies.first().state = api::PolicyState::Active;
    QCOMPARE(models::policyNote(m_client->snapshot), QStringLiteral("214 held"));
    m_client->snapshot.policies.clear();
    QVERIFY(models::policyNote(m_client->snapshot).isEmpty());
}

void TestPolicyWords::aStandingSaysWhatIsLeft()
{
    api::PolicyStanding one;
    one.policy = QStringLiteral("standard");
    one.attempt = 7;
    one.of = 24;
    one.nextAttempt = m_client->snapshot.at + 20s;
    for (const char *part : {"6 of 23 retries", "17", "in 20 s"})
        QVERIFY2(standing(one).contains(QLatin1String(part)), qPrintable(standing(one)));
    one.reason = QStringLiteral("shop is unreachable.");
    QVERIFY(standing(one).contains(one.reason));
}

void TestPolicyWords::aStandingUnderAPausedPolicySaysSo()
{
    api::PolicyStanding one;
    one.policy = QStringLiteral("nightly reports");
    one.attempt = 1;
    one.of = 4;
    one.nextAttempt = m_client->snapshot.at + 20s;
    QVERIFY(standing(one).contains(QStringLiteral("paused")));
    QVERIFY(!standing(one).contains(QStringLiteral("in 20 s"))); // it will not happen
    one.policy = QStringLiteral("standard");
    QVERIFY(standing(one).contains(QStringLiteral("in 20 s")));
    m_client->snapshot.engine = api::EngineState::Paused;
    QVERIFY(!standing(one).contains(QStringLiteral("in 20 s")));
}

void TestPolicyWords::everyStandingHasWords_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("hasWords");
    QTest::addColumn<bool>("canBeTakenOut");
    QTest::newRow("waiting") << int(HeldState::Waiting) << true << true;
    QTest::newRow("in retry") << int(HeldState::InRetry) << true << true;
    QTest::newRow("exhausted") << int(HeldState::Exhausted) << true << false;
    QTest::newRow("not moved") << int(HeldState::NotMoved) << true << false;
    QTest::newRow("leaving") << int(HeldState::Leaving) << true << false;
    QTest::newRow("excluded") << int(HeldState::Excluded) << true << false;
    QTest::newRow("ended") << int(HeldState::Ended) << false << false;
}

void TestPolicyWords::everyStandingHasWords()
{
    QFETCH(int, state);
    QFETCH(bool, hasWords);
    QFETCH(bool, canBeTakenOut);
    api::PolicyStanding one;
    one.policy = QStringLiteral("standard");
    one.state = HeldState(state);
    one.attempt = 24;
    one.of = 24;
    QCOMPARE(!standing(one).isEmpty(), hasWords);
    QVERIFY(!standing(one).contains(QStringLiteral("24"))); // no retry beyond the last
    one.attempt = 1; // a permanent failure: the policy never retried it
    QVERIFY2(state != int(HeldState::Exhausted) || standing(one).contains(QStringLiteral("gave up without a retry")),
             qPrintable(standing(one)));
    QCOMPARE(models::canBeExcluded(one), canBeTakenOut);
}

void TestPolicyWords::thePolicyOfAQueueAndOfAGroupIsFound()
{
    const api::Snapshot &snapshot = m_client->snapshot;
    const models::AssignedPolicy found =
        models::policyOfQueue(snapshot, core::ConnectionId{1}, QStringLiteral("error"));
    QVERIFY(found.policy == &policy("standard"));
    QCOMPARE(found.assignment.value, 1);
    QVERIFY(models::policyOfQueue(snapshot, core::ConnectionId{2}, QStringLiteral("error")).policy == nullptr);
    QVERIFY(models::policyOfQueue(snapshot, core::ConnectionId{1}, QStringLiteral("other")).policy == nullptr);
    QVERIFY(models::policyOfGroup(snapshot, core::GroupId{7}).policy == nullptr);
    policy("standard").assignments.first().scope.of = recovery::Scope::Of::Group;
    policy("standard").assignments.first().scope.group = core::GroupId{7};
    QVERIFY(models::policyOfGroup(snapshot, core::GroupId{7}).policy == &policy("standard"));
}

void TestPolicyWords::whatCouldNotBeMovedIsSaidWithTheReason()
{
    api::AssignmentView &one = policy("standard").assignments.first();
    one.notMoved = 2;
    one.notMovedWhy = QStringLiteral("The broker refused it.");
    QVERIFY(situation("standard").contains(QStringLiteral("2 messages could not be moved: The broker refused it.")));
    policy("standard").state = api::PolicyState::Paused;
    QVERIFY(situation("standard").contains(one.notMovedWhy));
}

void TestPolicyWords::aPausedPolicyHasNoNextRetry()
{
    const auto next = [this] { return models::nextRetry(policy("standard"), m_client->snapshot, TimeZone::Utc); };
    QVERIFY(next() != QStringLiteral("paused"));
    policy("standard").assignments.first().nextDue.reset();
    policy("standard").state = api::PolicyState::Paused;
    QCOMPARE(next(), QStringLiteral("paused"));
    policy("standard").state = api::PolicyState::Active;
    m_client->snapshot.engine = api::EngineState::Paused;
    QCOMPARE(next(), QStringLiteral("paused"));
}

void TestPolicyWords::aGroupSaysWhyAPolicyHoldsIt()
{
    using Of = recovery::Scope::Of;
    const QString name = QStringLiteral("standard");
    const QString own = models::groupPolicyText({{name, Of::Group}});
    const QString rule = models::groupPolicyText({{name, Of::Rule}});
    const QString queue = models::groupPolicyText({{name, Of::Queue}});
    QVERIFY(own.contains(name) && rule.contains(name) && queue.contains(name));
    QVERIFY(own != rule && rule != queue && queue != own);
    QVERIFY(models::groupPolicyText({}).isEmpty());
    QVERIFY(models::groupPolicyText({{name, Of::Rule}, {QStringLiteral("slow"), Of::Queue}})
                .contains(QStringLiteral("slow")));
}

void TestPolicyWords::hostileNamesAreShownHarmless()
{
    policy("standard").name = QStringLiteral("a\u202eb\nc");
    m_client->snapshot.policies.last().state = api::PolicyState::Probing;
    QVERIFY(!notice().text.contains(QChar(u'\u202e')));
    QVERIFY(!notice().text.contains(QLatin1Char('\n')));
}

REDRIVE_TEST(TestPolicyWords)
#include "tst_policywords.moc"
