#pragma once

#include "backend/core/result.h"
#include "backend/recovery/assignment.h"
#include "backend/recovery/consecutivefailures.h"

#include <QList>

#include <optional>

namespace store {

using core::Result;

class Database;

// Who stopped a policy, and why.
struct PolicyPause
{
    QString who; // a person, or "engine" for a stop rule
    core::TimePoint at{};
    QString why; // empty: a person did not say

    friend bool operator==(const PolicyPause &, const PolicyPause &) = default;
};

struct StoredPolicy
{
    recovery::Policy policy;
    int version = 1; // grows with each new definition
    std::optional<PolicyPause> pause;
    // Since it was first set:
    qint64 retried = 0; // copies sent by its finished operations
    qint64 cameBack = 0; // of all its copies
    qint64 resolved = 0; // messages that were resolved after one of its retries
};

struct StoredAssignment
{
    recovery::Assignment assignment;
    recovery::LimitState limit;
};

// An operation of a policy of which it is not yet known how its retries ended.
struct PolicyOperation
{
    core::OperationId id;
    core::ConnectionId connection;
    core::AssignmentId assignment;
    QString policy;
    std::optional<core::TimePoint>
        deliversUntil{}; // the broker delivers the last copy then; nothing: it holds none back
    bool isAtRest = false; // all of it is sent, and no stop rule counts what comes back
};

// Recovery policies, what they are assigned to, and their operations; the messages under them are in HeldMessageStore.
// Each call is part of the caller's transaction (store.h); those that only read also work in Store::read. Engine thread.
class PolicyStore final
{
public:
    explicit PolicyStore(Database &database);
    PolicyStore(const PolicyStore &) = delete;
    PolicyStore &operator=(const PolicyStore &) = delete;

    // By name. A policy that cannot be read makes no retry and is paused, with the reason, so that it stops no other.
    [[nodiscard]] Result<QList<StoredPolicy>> policies();
    // NotFound: there is no such policy.
    [[nodiscard]] Result<StoredPolicy> policy(const QString &name);
    // Policy::counter; empty also if there is no such policy any more.
    [[nodiscard]] Result<QString> counterOf(const QString &name);
    // Those of all policies, without empty ones.
    [[nodiscard]] Result<QStringList> counters();
    // Adds the policy, or replaces the definition of the one with this name. Rejected: too long to be read again.
    [[nodiscard]] Result<> save(const recovery::Policy &policy);
    [[nodiscard]] Result<> setPause(const QString &name, const std::optional<PolicyPause> &pause);
    // Adds to the numbers of a policy; one that is gone is ignored.
    [[nodiscard]] Result<> count(const QString &name, qint64 retried, qint64 cameBack, qint64 resolved);
    // Removes the policy with its assignments. Its messages are let go later: HeldMessageStore::detachOrphans(). NotFound: there is no such
    // policy.
    [[nodiscard]] Result<> remove(const QString &name);

    // Oldest first, without those that cannot be read.
    [[nodiscard]] Result<QList<StoredAssignment>> assignments();
    // If the policy is assigned to exactly this for new failures only, and is now to be for all, that assignment is widened.
    // Conflict: a policy is assigned to exactly this already; the message names it.
    [[nodiscard]] Result<core::AssignmentId> assign(const recovery::Assignment &assignment);
    [[nodiscard]] Result<> unassign(core::AssignmentId id);
    [[nodiscard]] Result<> setLimit(core::AssignmentId id, const recovery::LimitState &limit);

    // ---- operations of policies ----

    // Those not settled yet, oldest first.
    [[nodiscard]] Result<QList<PolicyOperation>> unsettled();
    [[nodiscard]] Result<> setSettled(core::OperationId operation);
    // Hides settled operations of policies from lists, as RetryOperationStore::dismiss does, if they ended before this time and have
    // nothing in doubt. Answers how many.
    [[nodiscard]] Result<int> dismissSettled(core::TimePoint before);

private:
    Database &m_database;
};

} // namespace store
