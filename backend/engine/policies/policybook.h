#pragma once

#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/store.h"

#include <map>

namespace engine {

// The policies and assignments of the store in memory, prepared for many decisions. Engine thread.
class PolicyBook final
{
public:
    struct Prepared // a policy
    {
        store::StoredPolicy stored;
        recovery::Decider decider;
    };
    struct Assigned
    {
        recovery::Assignment assignment;
        recovery::ConsecutiveFailures limit;
        bool isChanged = false; // the limit, since it was read or saved
    };

    // Reads everything anew.
    [[nodiscard]] core::Result<> load(store::Session &session);

    [[nodiscard]] bool isEmpty() const { return m_assigned.empty(); }
    [[nodiscard]] const std::map<QString, Prepared> &policies() const { return m_policies; }
    [[nodiscard]] const std::map<core::AssignmentId, Assigned> &assigned() const { return m_assigned; }
    // Null: there is none of this name or id.
    [[nodiscard]] const Prepared *policy(const QString &name) const;
    [[nodiscard]] Assigned *find(core::AssignmentId id);
    // The assignment that is for this message. Null: none is.
    [[nodiscard]] const recovery::Assignment *of(const store::PolicyCandidate &candidate,
                                                 recovery::Covers covers = recovery::Covers::NewFailures) const;

    // A retry under this assignment failed or succeeded. An assignment that is gone is ignored.
    [[nodiscard]] recovery::ConsecutiveFailures::Change failed(core::AssignmentId id, core::TimePoint now);
    [[nodiscard]] recovery::ConsecutiveFailures::Change succeeded(core::AssignmentId id, core::TimePoint now);
    // Writes the limits that changed. If the transaction fails, load() again.
    [[nodiscard]] core::Result<> saveLimits(store::Session &session);

private:
    std::map<QString, Prepared> m_policies;
    std::map<core::AssignmentId, Assigned> m_assigned;
    recovery::Assignments m_assignments;
};

} // namespace engine
