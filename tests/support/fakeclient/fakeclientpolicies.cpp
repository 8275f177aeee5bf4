// Requests about recovery policies, which change the snapshot as an engine would, and about rehearsals.
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"
#include "tests/support/fakeclient/fakeclient.h"

#include <algorithm>

namespace support {

using core::fail;
using core::Result;

namespace {

api::PolicyView *find(QList<api::PolicyView> &policies, const QString &name)
{
    const auto found =
        std::find_if(policies.begin(), policies.end(), [&](const auto &one) { return one.name == name; });
    return found == policies.end() ? nullptr : &*found;
}

auto noPolicy(const QString &name)
{
    return fail(core::ErrorKind::NotFound, QStringLiteral("There is no policy %1.").arg(name));
}

} // namespace

Result<QString> FakeClient::respond(const api::SetPolicy &asked)
{
    TRY(const recovery::Policy policy, recovery::policyFrom(asked.file));
    policiesSet.append(asked);
    api::PolicyView *known = find(snapshot.policies, policy.name);
    if (known == nullptr) {
        snapshot.policies.append(api::PolicyView());
        known = &snapshot.policies.last();
    }
    known->name = policy.name;
    known->file = recovery::toJson(policy);
    known->sentence = recovery::sentenceOf(policy);
    known->ending = recovery::endingOf(policy);
    known->attempts = recovery::attemptsOf(policy);
    publish();
    return policy.name;
}

Result<> FakeClient::respond(const api::RemovePolicy &asked)
{
    const qsizetype gone = snapshot.policies.removeIf([&](const auto &one) { return one.name == asked.name; });
    publish();
    return gone == 0 ? Result<>(noPolicy(asked.name)) : Result<>();
}

Result<api::AssignmentPreview> FakeClient::respond(const api::PreviewAssignment &asked)
{
    assignmentQuestions.append(asked);
    return assignmentPreview;
}

Result<core::AssignmentId> FakeClient::respond(const api::AssignPolicy &asked)
{
    assigned.append(asked);
    api::PolicyView *const policy = find(snapshot.policies, asked.policy);
    if (policy == nullptr)
        return noPolicy(asked.policy);
    api::AssignmentView view;
    view.id = core::AssignmentId{assigned.size()};
    view.scope = asked.scope;
    view.words = asked.scope.of == recovery::Scope::Of::Queue ? asked.scope.queue : QStringLiteral("scope");
    policy->assignments.append(view);
    publish();
    return view.id;
}

Result<> FakeClient::respond(const api::UnassignPolicy &asked)
{
    for (api::PolicyView &policy : snapshot.policies)
        policy.assignments.removeIf([&](const auto &one) { return one.id == asked.assignment; });
    publish();
    return {};
}

Result<> FakeClient::respond(const api::PausePolicy &asked)
{
    policyPauses.append(asked);
    api::PolicyView *const policy = find(snapshot.policies, asked.name);
    if (policy == nullptr)
        return noPolicy(asked.name);
    policy->state = asked.pause ? api::PolicyState::Paused : api::PolicyState::Active;
    policy->pausedWho = asked.pause ? QStringLiteral("ada@desk") : QString();
    policy->pausedAt = asked.pause ? std::optional(snapshot.at) : std::nullopt;
    publish();
    return {};
}

Result<qint64> FakeClient::respond(const api::ExcludeFromPolicy &asked)
{
    excluded.append(asked);
    return asked.messages.size();
}

Result<api::RehearsalReport> FakeClient::respond(const api::Rehearse &asked)
{
    rehearsals.append(asked);
    return rehearsalAnswer;
}

Result<api::RehearsalProgress> FakeClient::respond(const api::AskRehearsal &)
{
    return rehearsalProgress;
}

} // namespace support
