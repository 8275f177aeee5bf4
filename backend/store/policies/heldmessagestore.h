#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/message.h"
#include "backend/recovery/heldmessage.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>
#include <QMap>

#include <array>
#include <compare>
#include <functional>
#include <optional>

namespace store {

using core::Result;

class Database;
class RetryLedger;

// A message as the policies must see it.
struct PolicyCandidate
{
    records::FailedMessage message; // the text of its failure may be cut
    std::array<core::GroupId, records::classifierCount> groups;
    std::optional<recovery::HeldMessage> held;
    core::OperationId operation; // that has it, or had it last; invalid: it was never in one
    int retries = 0; // of this store, by whomever
    qint64 failedIn = 0; // the change number with which the store learnt its newest failure
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

// The messages under recovery policies (PolicyStore). Each call is part of the caller's transaction (store.h); those that
// only read also work in Store::read. Engine thread. After a crash every message is where the last transaction left it: a
// due attempt is due again, and the rules of a frozen set keep a message that an operation already has out of a second one.
class HeldMessageStore final
{
public:
    HeldMessageStore(Database &database, RetryLedger &ledger);
    HeldMessageStore(const HeldMessageStore &) = delete;
    HeldMessageStore &operator=(const HeldMessageStore &) = delete;

    // The change number up to which messages have met the current policies. 0: all have to meet them again.
    [[nodiscard]] Result<qint64> followed();
    [[nodiscard]] Result<> setFollowed(qint64 change);
    // Of the next `limit` messages written to after `change`, those that are unresolved or under a policy. Browsed-only
    // messages are left out.
    [[nodiscard]] Result<PolicyCandidates> changedSince(qint64 change, int limit);
    // Messages that count as being retried although they are unresolved. Some operations let a message go without writing to
    // it, so no change tells. Only those with a higher id than `after`, by id.
    [[nodiscard]] Result<QList<PolicyCandidate>> letGo(core::MessageId after, int limit);
    [[nodiscard]] Result<QList<PolicyCandidate>> candidates(const QList<core::MessageId> &messages);
    // Writes the row of this message.
    [[nodiscard]] Result<> hold(const recovery::HeldMessage &held);
    // Lets up to `rows` messages go whose assignment is gone; what they have used and that a person took them out stays
    // with them. True: some may be left.
    [[nodiscard]] Result<bool> detachOrphans(int rows);
    // Of the messages with this body that were found in the same queue as `failed`, were sent before the store learnt of
    // `failed`, and of which nothing is known since: the one that was sent first. Nothing: there is none.
    [[nodiscard]] Result<std::optional<PolicyCandidate>> sentWith(const QString &body, const PolicyCandidate &failed);
    // How many messages of this operation failed again without the headers of Redrive (HeldMessage::returnedAs), besides those
    // that RetryOperation::counts has; without the forgiven ones.
    [[nodiscard]] Result<qint64> returnsBesides(core::OperationId operation);
    // Whoever resumed it has seen those so far. RetryOperation::forgiven does the same for the others.
    [[nodiscard]] Result<> forgiveReturnsBesides(core::OperationId operation);

    // The messages of this connection under this assignment that wait or leave and whose time has come, the longest due
    // first. Both calls look into an index, however many messages wait.
    [[nodiscard]] Result<QList<recovery::HeldMessage>> due(core::AssignmentId assignment, core::ConnectionId connection,
                                                           recovery::HeldState state, core::TimePoint now, int limit);
    // Nothing: none waits or leaves.
    [[nodiscard]] Result<std::optional<core::TimePoint>> nextDue(core::AssignmentId assignment);
    // Takes the time from up to `rows` due messages of this lane that name a missing queue, so that they cost nothing until
    // they are released. True: there may be more.
    [[nodiscard]] Result<bool> holdBack(const PolicyLane &lane, const QString &queue, core::TimePoint now,
                                        const QString &reason, int rows);
    // One that was held back; invalid: none.
    [[nodiscard]] Result<core::MessageId> heldBack(const PolicyLane &lane, const QString &queue);
    // Makes up to `rows` of them due. True: there may be more. No queue: whichever is missing.
    [[nodiscard]] Result<bool> releaseHeld(const PolicyLane &lane, const std::optional<QString> &queue,
                                           core::TimePoint now, int rows);
    // Brings back next attempts that lie further ahead than `longest` of their round of delayed retries; an immediate one is
    // due at once. After the clock was set back they would come hours too late. Answers how many.
    [[nodiscard]] Result<int> capNextAttempts(core::AssignmentId assignment, core::TimePoint now,
                                              const std::function<core::Milliseconds(int round)> &longest);
    // Of the messages in the set of this operation, those that wait are in retry from now on, and those that leave have
    // left. The members get the times at which the broker delivers them (HeldMessage::deliverAt). Conflict,
    // and the caller discards the set: one of them is not under this assignment, or not due at `now`, or it or the rules
    // have changed since it met them (followed()).
    [[nodiscard]] Result<> entered(core::OperationId operation, core::AssignmentId assignment, core::TimePoint now);
    // Nothing: the message is not in the set.
    [[nodiscard]] Result<std::optional<MemberEnd>> endIn(core::OperationId operation, core::MessageId message);
    // Costs about 50 ns for each message under the assignment.
    [[nodiscard]] Result<HeldCounts> counts(core::AssignmentId assignment, core::TimePoint now);

private:
    [[nodiscard]] Result<> freezeDeliveries(core::OperationId operation, core::TimePoint now);
    [[nodiscard]] Result<QList<PolicyCandidate>> readCandidates(const QString &ids);

    Database &m_database;
    RetryLedger &m_ledger;
};

} // namespace store
