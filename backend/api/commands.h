// The requests and answers of the engine's commands: plain values, which backend/control sends to another process.
// Counts are messages. `who` is the person for the activity log, like "ada@desk-7"; a client that knows its user fills
// it in. Texts are for people and are translated.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/filter.h"
#include "backend/records/intake.h"
#include "backend/records/retry.h"

#include <QList>

#include <optional>

namespace api {

struct ConnectionDraft
{
    records::Connection connection; // with its id set: changes that connection
    std::optional<QString> secret; // nothing: the secret stays. It goes to core::Secrets, never to the store
};

struct ConnectionTest
{
    QString product;
    QStringList can; // what this account can do
    QStringList missing; // rights and plugins that it lacks
    QString guarantee; // what a crash or an outage can and cannot do to a message
    QStringList notKnown{}; // what it may be able to do
    QString notKnownReason{}; // why that is unknown
    struct Queue
    {
        QString name;
        std::optional<qint64> depth; // message count; nothing: unknown
    };
    QStringList missingQueues{}; // error queues named in the connection that the broker does not have
    QList<Queue> otherQueues{}; // when some are missing: queues with dead letters or with a similar name
};

struct IntakeRequest
{
    core::ConnectionId connection;
    QString queue; // empty: every error and dead-letter queue of the connection
    std::optional<qint64> limit; // of all queues together; nothing: all messages
};

// Stores copies of messages as "browsed only"; the originals stay in their queues.
struct BrowseRequest
{
    core::ConnectionId connection;
    QString queue; // empty: every error and dead-letter queue of the connection
    std::optional<int> limit; // per queue, from its head; nothing: limits::browseMost
};

struct SubscribeRequest
{
    core::ConnectionId connection;
    QString queue; // empty: every known error and dead-letter queue, or to unsubscribe every subscribed one
    bool subscribe = true; // false: unsubscribe
};

// Which messages to retry or release, as of which moment, and how.
struct RetryRequest
{
    records::OperationKind kind = records::OperationKind::Retry;
    records::MessageFilter filter; // without a status: unresolved messages
    std::optional<qint64> asOfChange; // the change number of the list that the person saw; nothing: now
    records::Plan plan;
    QString who;
};

// One destination of a plan, and how many messages go there.
struct PlannedDestination
{
    records::Destination destination;
    qint64 count = 0;
    std::optional<bool> exists; // nothing: unknown
    std::optional<qint64> waiting; // message count of the queue; nothing: unknown
    std::optional<int> consumers; // nothing: unknown
    qint64 straightBack = 0; // how many go to the error queue they were taken from
    std::optional<records::Destination>
        insteadOf{}; // when redirected: the destination that the messages name, which may be unknown
    bool standing = false; // redirected by a standing redirect of the connection, not by the plan

    // The queue that the messages name.
    [[nodiscard]] QString origin() const { return (insteadOf ? *insteadOf : destination).queue; }
};

// What a person should know before confirming a plan.
struct PlanWarning
{
    enum class Kind { FanOut, Derived, Damaged, OtherTool, StraightBack };
    Kind kind = Kind::FanOut;
    qint64 count = 0; // messages concerned
    QString sentence; // contains the count

    friend bool operator==(const PlanWarning &, const PlanWarning &) = default;
};

// Why an edit cannot be applied to some of the messages.
struct EditMisfit
{
    QString reason;
    qint64 count = 0;
    core::MessageId example;

    friend bool operator==(const EditMisfit &, const EditMisfit &) = default;
};

// What a retry or release would send, what it would leave out, and why.
struct PlanPreview
{
    QString sentence; // the selection in words: "Unresolved messages on shop, from queue error"
    core::ConnectionId connection;
    QString connectionName;
    records::Environment environment = records::Environment::Production;
    qint64 asOfChange = 0; // pass it on in RetryCommand::request
    core::TimePoint asOf{};
    qint64 frozenCount = 0; // would be sent
    // Left out, by reason:
    qint64 changedLeftOut = 0; // changed since the list was read
    qint64 newNotIncluded = 0; // arrived since
    qint64 looped = 0; // came back limits::loopGuardCameBack times or more, without plan.includeLooped
    qint64 noDestination = 0; // unknown destination
    qint64 noSuchQueue = 0; // the destination does not exist on the broker
    qint64 possibleDuplicates = 0; // a person has to decide first
    qint64 heldElsewhere = 0; // belongs to another unfinished operation
    qint64 notFaithful = 0; // the broker's HTTP interface cannot send its headers back unchanged
    qint64 beyondLimit = 0; // beyond plan.limit
    qint64 browsedOnly = 0; // the original is still in its queue
    QString browsedOnlyReason; // why the browsed-only messages cannot be sent; empty: there are none
    QList<PlannedDestination> destinations; // of frozenCount
    QList<PlannedDestination> missingDestinations; // of noSuchQueue
    QList<PlanWarning> warnings;
    std::optional<core::TimePoint> firstFailed;
    std::optional<core::TimePoint> lastFailed;
    records::HandOver handOver = records::HandOver::None;
    bool onUnknownApplies = false; // the choice matters for this hand-over
    records::OnUnknown onUnknownDefault = records::OnUnknown::LeaveInDoubt;
    QString guarantee;
    QString refusal; // why retry() would refuse this plan; empty: it would not
    core::ErrorKind refusalKind = core::ErrorKind::Refused; // Transient: it may work later
    bool confirmCount = false; // the person must type the count: Production, limits::confirmFromCount or more
    qint64 redirected = 0; // of frozenCount: sent elsewhere than to the destination they name
    qint64 sendable = 0; // of noDestination: would be sent if the plan redirected them
    QList<records::Redirect> standing{}; // the standing redirects of the connection
    QString cannotRedirect{}; // why the plan cannot redirect; empty: it can
    QStringList targets{}; // known queues that a redirect can lead to
    QString targetsNotKnown{}; // why there may be more such queues; empty: the list is complete
    qint64 editMisfits = 0; // left out: the edit cannot be applied to them
    QList<EditMisfit> misfits{}; // the most frequent reasons, most frequent first
    qint64 editUnchanged = 0; // of frozenCount: the edit finds nothing to change
    core::MessageId editSample{}; // the first message that the edit changes; none: it changes none
    QString cannotEdit{}; // why the plan cannot edit; empty: it can
    std::optional<core::Milliseconds> takesToFail{}; // how long these messages took to fail; nothing: unknown
    core::Milliseconds quiet{}; // quiet period after which a step of a ramp counts as good
};

// The confirmation of a previewed plan.
struct RetryCommand
{
    RetryRequest request; // with the asOfChange of the preview
    qint64 expectedCount = 0; // the frozenCount that was shown; any other count is a Conflict
    std::optional<qint64> confirmedCount; // typed by the person when the preview asks for it
    std::optional<QList<records::Redirect>>
        standingShown{}; // the standing redirects that were shown; others are a Conflict. Nothing: not checked
    core::Milliseconds watchBack{}; // how long after its end to watch for messages that come back; at most 7 days
};

enum class OperationAction { Pause, Resume, Cancel, Dismiss }; // Dismiss: leave an ended one out of the list
enum class Settlement { AssumeSent, SendAgain };

// The result of "Pause all" or "Resume all".
struct PauseAllAnswer
{
    struct Held
    {
        core::OperationId operation;
        records::PausedBy by = records::PausedBy::Nobody;
        QString why; // the reason it stays paused
    };
    QList<core::OperationId> changed; // paused or resumed by this command
    QList<Held> held; // after "Resume all": paused by something else, or on a connection without the right to retry
};

// The decision about messages in doubt: those sent without an answer.
struct SettleCommand
{
    core::OperationId operation;
    QList<qint64> ordinals; // numbers of its members; empty: all that are in doubt
    Settlement settlement = Settlement::AssumeSent;
    QString who;
};

// The rate limit of a live operation.
struct RateCommand
{
    core::OperationId operation;
    std::optional<qint64> perMinute; // messages per minute; nothing: no limit
    QString who;
};

// Adds or removes a standing redirect: every retry on the connection then sends messages for one queue to another.
struct RedirectCommand
{
    core::ConnectionId connection;
    records::Redirect redirect; // to remove one, only `from` is needed
    bool remove = false;
    QString who;
};

struct RedirectAnswer
{
    QString notKnown; // why it is unknown whether the target exists; empty: it exists
};

// What a person decides about stored messages. None of these sends anything.
enum class Decision {
    Archive, // Unresolved -> Archived
    Restore, // Archived -> Unresolved
    TakeBack, // sent or in doubt -> Unresolved: can be sent again, which may duplicate them
    Resolve, // sent or in doubt -> Resolved: a person knows that they were processed
    Delete, // Archived, or Resolved when the filter says so -> removed for good
};

struct DecisionCommand
{
    // Leave the status empty: the decision implies it. Exceptions: Resolved, to delete resolved messages; Unknown, to
    // archive, take back or resolve messages of unknown state after a backup was restored.
    records::MessageFilter filter;
    Decision decision = Decision::Archive;
    QString who;
};

struct DecisionCounts
{
    qint64 changed = 0;
    qint64 browsedOnly = 0; // not changed: the original is still in its queue
    QString browsedOnlyReason; // why those cannot be changed; empty: there are none
    qint64 underWay = 0; // not changed: not sent yet, or part of an unfinished retry
};

} // namespace api
