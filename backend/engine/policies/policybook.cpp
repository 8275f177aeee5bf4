#include "backend/engine/policies/policybook.h"

namespace engine {

using recovery::ConsecutiveFailures;

core::Result<> PolicyBook::load(store::Session &session)
{
    TRY(const QList<store::StoredPolicy> policies, session.policies().policies());
    TRY(const QList<store::StoredAssignment> assignments, session.policies().assignments());
    m_policies.clear();
    m_assigned.clear();
    for (const store::StoredPolicy &stored : policies)
        m_policies.emplace(stored.policy.name, Prepared{stored, recovery::Decider(stored.policy)});
    QList<recovery::Assignment> known;
    for (const store::StoredAssignment &stored : assignments) {
        const Prepared *const of = policy(stored.assignment.policy);
        if (of == nullptr)
            continue;
        known.append(stored.assignment);
        m_assigned.emplace(
            stored.assignment.id,
            Assigned{stored.assignment, ConsecutiveFailures(of->stored.policy.rateLimit, stored.limit), false});
    }
    m_assignments = recovery::Assignments(known);
    return {};
}

const PolicyBook::Prepared *PolicyBook::policy(const QString &name) const
{
    const auto found = m_policies.find(name);
    return found == m_policies.end() ? nullptr : &found->second;
}

PolicyBook::Assigned *PolicyBook::find(core::AssignmentId id)
{
    const auto found = m_assigned.find(id);
    return found == m_assigned.end() ? nullptr : &found->second;
}

const recovery::Assignment *PolicyBook::of(const store::PolicyCandidate &candidate, recovery::Covers covers) const
{
    recovery::Subject subject = recovery::subjectOf(candidate.message, candidate.groups);
    subject.failedIn = candidate.failedIn;
    subject.under = candidate.held ? candidate.held->assignment : core::AssignmentId{};
    return m_assignments.of(subject, covers);
}

ConsecutiveFailures::Change PolicyBook::failed(core::AssignmentId id, core::TimePoint now)
{
    Assigned *const assigned = find(id);
    if (assigned == nullptr)
        return ConsecutiveFailures::Change::None;
    assigned->isChanged = true;
    return assigned->limit.failed(now);
}

ConsecutiveFailures::Change PolicyBook::succeeded(core::AssignmentId id, core::TimePoint now)
{
    Assigned *const assigned = find(id);
    if (assigned == nullptr || (assigned->limit.state().consecutive == 0 && !assigned->limit.isProbing()))
        return ConsecutiveFailures::Change::None;
    assigned->isChanged = true;
    return assigned->limit.succeeded(now);
}

core::Result<> PolicyBook::saveLimits(store::Session &session)
{
    for (auto &[id, assigned] : m_assigned) {
        if (!assigned.isChanged)
            continue;
        TRY(session.policies().setLimit(id, assigned.limit.state()));
        assigned.isChanged = false;
    }
    return {};
}

} // namespace engine
