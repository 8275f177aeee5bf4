#include "tests/support/fakeclient/policyscene.h"

#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"
#include "tests/support/fakeclient/consolescene.h"

namespace support {

namespace {

using namespace std::chrono_literals;
using recovery::Schedule;

api::PolicyView viewOf(const recovery::Policy &policy)
{
    api::PolicyView view;
    view.name = policy.name;
    view.file = recovery::toJson(policy);
    view.sentence = recovery::sentenceOf(policy);
    view.ending = recovery::endingOf(policy);
    view.attempts = recovery::attemptsOf(policy);
    return view;
}

api::AssignmentView queueOf(const api::Snapshot &snapshot, const QString &queue)
{
    api::AssignmentView view;
    const api::ConnectionView &connection = snapshot.connections.constFirst();
    view.scope.connection = connection.connection.id;
    view.scope.queue = queue;
    view.words = QStringLiteral("queue %1 of %2").arg(queue, connection.connection.name);
    return view;
}

api::PolicyView standard(FakeClient &client)
{
    recovery::Policy policy;
    policy.name = QStringLiteral("standard");
    policy.jitter.kind = recovery::Jitter::Kind::None;
    policy.rateLimit = recovery::RateLimit();
    policy.rules = {
        {recovery::ClassRule::By::Exception, QStringLiteral("System.Text.Json.JsonException"), 0,
         recovery::FailureClass::Permanent},
        {recovery::ClassRule::By::Exception, QStringLiteral("*Timeout*"), 0, recovery::FailureClass::Delayed},
        {recovery::ClassRule::By::HttpStatus, {}, 429, recovery::FailureClass::Delayed}};
    api::PolicyView view = viewOf(policy);
    view.retried = 1412;
    view.cameBack = 96;
    view.resolved = 1180;
    api::AssignmentView errors = queueOf(client.snapshot, QStringLiteral("error"));
    errors.id = core::AssignmentId{1};
    errors.held = 214;
    errors.due = 12;
    errors.nextDue = client.snapshot.at + 20s;
    errors.exhausted = 3;
    view.assignments = {errors};
    if (!client.store.isEmpty()) {
        api::AssignmentView group;
        group.id = core::AssignmentId{2};
        group.scope.of = recovery::Scope::Of::Group;
        group.scope.group = client.groupOf(client.store.constFirst(), records::Classifier::ExceptionAndStack);
        group.words = QStringLiteral("group \"%1\" of %2")
                          .arg(FakeClient::titleOf(client.store.constFirst(), records::Classifier::ExceptionAndStack),
                               client.snapshot.connections.constFirst().connection.name);
        group.held = 31;
        group.nextDue = client.snapshot.at + 4min;
        view.assignments.append(group);
    }
    return view;
}

api::PolicyView nightly(const FakeClient &client)
{
    recovery::Policy policy;
    policy.name = QStringLiteral("nightly reports");
    policy.immediate = 0;
    policy.schedule.kind = Schedule::Kind::Cadence;
    policy.schedule.every = 24h;
    policy.schedule.offset = 6h;
    policy.jitter.kind = recovery::Jitter::Kind::None;
    policy.delayed = int(recovery::turnsBeforeBackstop(policy));
    api::PolicyView view = viewOf(policy);
    view.state = api::PolicyState::Paused;
    view.pausedWho = QStringLiteral("maria");
    view.pausedAt = client.snapshot.at - 41min;
    api::AssignmentView rule;
    rule.id = core::AssignmentId{3};
    rule.scope.of = recovery::Scope::Of::Rule;
    rule.scope.rule.exception = QStringLiteral("*Timeout*");
    rule.words = QStringLiteral("rule {\"exception\": \"*Timeout*\"} for all connections");
    rule.held = 41;
    rule.due = 41;
    rule.nextDue = client.snapshot.at - 10min;
    view.assignments = {rule};
    return view;
}

api::PolicyView slow()
{
    recovery::Policy policy;
    policy.name = QStringLiteral("slow partner");
    policy.immediate = 0;
    policy.delayed = 9;
    policy.schedule.kind = Schedule::Kind::Exponential;
    policy.schedule.first = 5s;
    policy.schedule.cap = 30min;
    return viewOf(policy);
}

void holdMessages(FakeClient &client)
{
    api::PolicyStanding standing;
    standing.policy = QStringLiteral("standard");
    standing.attempt = 7;
    standing.of = 24;
    standing.nextAttempt = client.snapshot.at + 20s;
    for (api::MessageDetail &detail : client.details) {
        if (detail.message.queue == QLatin1String("error"))
            detail.policy = standing;
    }
}

api::PolicyView &standardOf(FakeClient &client)
{
    return *std::find_if(client.snapshot.policies.begin(), client.snapshot.policies.end(),
                         [](const auto &one) { return one.name == QLatin1String("standard"); });
}

void pause(FakeClient &client, const QString &why)
{
    api::PolicyView &view = standardOf(client);
    view.state = api::PolicyState::Paused;
    view.pausedWho = QStringLiteral("engine");
    view.pausedAt = client.snapshot.at - 3min;
    view.pausedWhy = why;
}

} // namespace

void addPolicies(FakeClient &client)
{
    client.snapshot.policies = {nightly(client), slow(), standard(client)};
    holdMessages(client);
}

void startProbing(FakeClient &client)
{
    api::PolicyView &view = standardOf(client);
    view.state = api::PolicyState::Probing;
    view.assignments.first().probingSince = client.snapshot.at - 11min;
    view.assignments.first().waits =
        QStringLiteral("10 retries in a row came back. One message is tried every 5 s until one succeeds.");
}

void stopByRule(FakeClient &client)
{
    pause(client, QStringLiteral("Its retry 14 stopped because 50% of its messages came back."));
}

void stopAsCopy(FakeClient &client)
{
    pause(client, QStringLiteral("This store is a copy, and the original may still retry the same messages."));
}

} // namespace support
