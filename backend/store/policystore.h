#pragma once

#include "backend/core/result.h"
#include "backend/records/message.h"
#include "backend/recovery/assignment.h"
#include "backend/recovery/heldmessage.h"
#include "backend/recovery/ratelimit.h"
#include "backend/store/retryrecords.h"

#include <QList>
#include <QMap>

#include <array>
#include <compare>
#include <functional>
#include <optional>

namespace store {

using core::Result;

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

// A message as the policies must see it.
struct PolicyCandidate
{
    records::FailedMessage message; // the text of its failure may be cut
    std::array<core::GroupId, records::classifierCount> groups;
    std::optional<recovery::HeldMessage> held;
    core::OperationId operation; // that has it, or had it last; invalid: it was never in one
    int retries = 0; // of this store, by whomever
};

struct PolicyCandidates
{
    QList<PolicyCandidate> messages;
    qint64 until = 0; // everything up to this change number is covered
    bool more = false; // there are later changes
};

// Messages under one assignment.
struct HeldCounts
{
    QMap<recovery::HeldState, qint64> byState;
    QString notMovedWhy; // the reason of one that could not be moved; empty: there is none
    qint64 due = 0; // of those that wait or leave, the time of so many has come
    qint64 atBroker = 0; // of those in retry, the broker holds so many until their time, or gets them for it now
    std::optional<core::TimePoint> nextDue; // the earliest attempt of those that wait here
    std::optional<core::TimePoint> nextAtBroker; // likewise at the broker
};

// The messages of one connection under an assignment that wait, or that leave.
struct PolicyLane
{
    core::AssignmentId assignment;
    core::ConnectionId connection;
    recovery::HeldState state = recovery::HeldState::Waiting; // or Leaving
    bool isRelease = false; // they go back to the queue they came from, and not to their destination

    friend auto operator<=>(const PolicyLane &, const PolicyLane &) = default;
};

// How the part of a message in an operation ended.
struct MemberEnd
{
    records::Outcome outcome = records::Outcome::Pending;
    ClaimEndReason closure = ClaimEndReason::None;
    QString closedBy; // the person, if one did it
    QString reason;
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

// Recovery policies, what they are assigned to, and the messages under them. Each call is part of the caller's
// transaction (store.h); those that only read also work in Store::read. Engine thread. After a crash every message is
// where the last transaction left it: a due attempt is due again, and the rules of RetryStore keep a message that an
// operation already has out of a second one.
class PolicyStore
{
public:
    PolicyStore() = default;
    PolicyStore(const PolicyStore &) = delete;
    PolicyStore &operator=(const PolicyStore &) = delete;
    virtual ~PolicyStore() = default;

    // ---- policies and assignments ----

    // By name. A policy that cannot be read makes no retry and is paused, with the reason, so that it stops no other.
    [[nodiscard]] virtual Result<QList<StoredPolicy>> policies() = 0;
    // NotFound: there is no such policy.
    [[nodiscard]] virtual Result<StoredPolicy> policy(const QString &name) = 0;
    // Adds the policy, or replaces the definition of the one with this name. Rejected: too long to be read again.
    [[nodiscard]] virtual Result<> save(const recovery::Policy &policy) = 0;
    [[nodiscard]] virtual Result<> setPause(const QString &name, const std::optional<PolicyPause> &pause) = 0;
    // Adds to the numbers of a policy; one that is gone is ignored.
    [[nodiscard]] virtual Result<> count(const QString &name, qint64 retried, qint64 cameBack, qint64 resolved) = 0;
    // Removes the policy with its assignments. Its messages are removed later: forgetOrphans(). NotFound: there is no such
    // policy.
    [[nodiscard]] virtual Result<> remove(const QString &name) = 0;

    // Oldest first, without those that cannot be read.
    [[nodiscard]] virtual Result<QList<StoredAssignment>> assignments() = 0;
    // Conflict: a policy is assigned to exactly this already; the message names it.
    [[nodiscard]] virtual Result<core::AssignmentId> assign(const recovery::Assignment &assignment) = 0;
    [[nodiscard]] virtual Result<> unassign(core::AssignmentId id) = 0;
    [[nodiscard]] virtual Result<> setLimit(core::AssignmentId id, const recovery::LimitState &limit) = 0;

    // ---- messages ----

    // The change number up to which messages have met the current policies. 0: all have to meet them again.
    [[nodiscard]] virtual Result<qint64> followed() = 0;
    [[nodiscard]] virtual Result<> setFollowed(qint64 change) = 0;
    // Of the next `limit` messages written to after `change`, those that are unresolved or under a policy. Browsed-only
    // messages are left out.
    [[nodiscard]] virtual Result<PolicyCandidates> changedSince(qint64 change, int limit) = 0;
    // Messages that count as being retried although they are unresolved. Some operations let a message go without writing to
    // it, so no change tells. Only those with a higher id than `after`, by id.
    [[nodiscard]] virtual Result<QList<PolicyCandidate>> letGo(core::MessageId after, int limit) = 0;
    [[nodiscard]] virtual Result<QList<PolicyCandidate>> candidates(const QList<core::MessageId> &messages) = 0;
    // Writes the row of this message.
    [[nodiscard]] virtual Result<> hold(const recovery::HeldMessage &held) = 0;
    [[nodiscard]] virtual Result<> release(core::MessageId message) = 0;
    // Removes up to `rows` messages whose assignment is gone. True: some may be left.
    [[nodiscard]] virtual Result<bool> forgetOrphans(int rows) = 0;

    // The messages of this connection under this assignment that wait or leave and whose time has come, the longest due
    // first. Both calls look into an index, however many messages wait.
    [[nodiscard]] virtual Result<QList<recovery::HeldMessage>> due(core::AssignmentId assignment,
                                                                   core::ConnectionId connection,
                                                                   recovery::HeldState state, core::TimePoint now,
                                                                   int limit) = 0;
    // Nothing: none waits or leaves.
    [[nodiscard]] virtual Result<std::optional<core::TimePoint>> nextDue(core::AssignmentId assignment) = 0;
    // Takes the time from up to `rows` due messages of this lane that name a missing queue, so that they cost nothing until
    // they are released. True: there may be more.
    [[nodiscard]] virtual Result<bool> holdBack(const PolicyLane &lane, const QString &queue, core::TimePoint now,
                                                const QString &reason, int rows) = 0;
    // One that was held back; invalid: none.
    [[nodiscard]] virtual Result<core::MessageId> heldBack(const PolicyLane &lane, const QString &queue) = 0;
    // Makes up to `rows` of them due. True: there may be more. No queue: whichever is missing.
    [[nodiscard]] virtual Result<bool> releaseHeld(const PolicyLane &lane, const std::optional<QString> &queue,
                                                   core::TimePoint now, int rows) = 0;
    // Brings back next attempts that lie further ahead than `longest` of their round of delayed retries; an immediate one is
    // due at once. After the clock was set back they would come hours too late. Answers how many.
    [[nodiscard]] virtual Result<int> capNextAttempts(core::AssignmentId assignment, core::TimePoint now,
                                                      const std::function<core::Milliseconds(int round)> &longest) = 0;
    // Of the messages in the set of this operation, those that wait are in retry from now on, and those that leave have
    // left. The members get the times at which the broker delivers them (HeldMessage::deliverAt). Conflict, and the caller discards the set: one of them is not under this assignment, or not due at `now`.
    [[nodiscard]] virtual Result<> entered(core::OperationId operation, core::AssignmentId assignment,
                                           core::TimePoint now) = 0;
    // Nothing: the message is not in the set.
    [[nodiscard]] virtual Result<std::optional<MemberEnd>> endIn(core::OperationId operation,
                                                                 core::MessageId message) = 0;
    // Costs about 50 ns for each message under the assignment.
    [[nodiscard]] virtual Result<HeldCounts> counts(core::AssignmentId assignment, core::TimePoint now) = 0;

    // ---- operations of policies ----

    // Those not settled yet, oldest first.
    [[nodiscard]] virtual Result<QList<PolicyOperation>> unsettled() = 0;
    [[nodiscard]] virtual Result<> setSettled(core::OperationId operation) = 0;
    // Hides settled operations of policies from lists, as RetryStore::dismiss does, if they ended before this time and have
    // nothing in doubt. Answers how many.
    [[nodiscard]] virtual Result<int> dismissSettled(core::TimePoint before) = 0;
};

} // namespace store
