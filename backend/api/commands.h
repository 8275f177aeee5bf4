// What can be asked of the engine. Plain values that could cross a process boundary (backend/control does that).
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
    records::Connection connection; // id set: change that one
    std::optional<QString> secret; // given now; goes to Secrets, never to the store
};

struct ConnectionTest
{
    QString product;
    QStringList can; // what will be possible, in words
    QStringList missing;
    QString guarantee;
    QStringList notKnown{}; // what may be possible, in words
    QString notKnownReason{};
    struct Queue
    {
        QString name;
        std::optional<qint64> depth; // messages in it; nothing: not known
    };
    QStringList missingQueues{}; // error queues that the connection names and the broker does not have
    QList<Queue> otherQueues{}; // where some are missing: those that hold dead letters, or have nearly their names
};

struct IntakeRequest
{
    core::ConnectionId connection;
    QString queue; // empty: every error and dead-letter queue of the connection
    std::optional<qint64> limit;
};

// Only looks: what is seen is stored as looked at, and its original stays where it is.
struct BrowseRequest
{
    core::ConnectionId connection;
    QString queue; // empty: every error and dead-letter queue of the connection
    std::optional<int> limit; // of each queue, from its head; limits::lookMost at most
};

struct SubscribeRequest
{
    core::ConnectionId connection;
    QString queue; // empty: every error and dead-letter queue that is known of the connection
    bool subscribe = true;
};

// Retry or release: which messages, as of which moment, how.
struct RetryRequest
{
    records::OperationKind kind = records::OperationKind::Retry;
    records::MessageFilter filter;
    std::optional<qint64> asOfChange; // the change number at which the list was read; nothing: now
    records::Plan plan;
    QString who;
};

struct PlannedDestination
{
    records::Destination destination;
    qint64 count = 0;
    std::optional<bool> exists; // nothing: unknown
    std::optional<qint64> waiting;
    std::optional<int> consumers;
    qint64 straightBack = 0; // of them, to the very queue they were taken from
    std::optional<records::Destination>
        insteadOf{}; // redirected: what the messages say themselves, which may be nothing
    bool standing = false; // redirected by a standing redirect, not by the plan

    [[nodiscard]] QString origin() const { return (insteadOf ? *insteadOf : destination).queue; }
};

// What to know before it goes, and of how many messages it is true.
struct PlanWarning
{
    enum class Kind { FanOut, Derived, Damaged, OtherTool, StraightBack };
    Kind kind = Kind::FanOut;
    qint64 count = 0;
    QString sentence;

    friend bool operator==(const PlanWarning &, const PlanWarning &) = default;
};

// Why an edit does not fit some messages of a set.
struct EditMisfit
{
    QString reason;
    qint64 count = 0;
    core::MessageId example;

    friend bool operator==(const EditMisfit &, const EditMisfit &) = default;
};

// The preview of a request: what would go, what is left out and why. Nothing is written.
struct PlanPreview
{
    QString sentence; // scope and filters in words
    core::ConnectionId connection;
    QString connectionName;
    records::Environment environment = records::Environment::Production;
    qint64 asOfChange = 0;
    core::TimePoint asOf{};
    qint64 frozenCount = 0; // what would go
    qint64 changedLeftOut = 0; // changed since the list was read
    qint64 newNotIncluded = 0; // arrived since
    qint64 looped = 0; // came back limits::loopGuardCameBack times or more; left out unless plan.includeLooped
    qint64 noDestination = 0; // destination unknown: left out
    qint64 noSuchQueue = 0; // destination known, but missing on the broker: left out
    qint64 possibleDuplicates = 0; // left out until a person decides
    qint64 heldElsewhere = 0; // of another operation that goes on: left out
    qint64 notFaithful = 0; // with headers that this broker's HTTP interface cannot send back unchanged: left out
    qint64 beyondLimit = 0; // left out by plan.limit
    qint64 browsedOnly = 0; // left out: the originals still lie in their queue
    QString lookedAtReason; // what they need to be taken; empty: there are none
    QList<PlannedDestination> destinations;
    QList<PlannedDestination> missingDestinations; // of noSuchQueue
    QList<PlanWarning> warnings;
    std::optional<core::TimePoint> firstFailed;
    std::optional<core::TimePoint> lastFailed;
    records::HandOver handOver = records::HandOver::None;
    bool onUnknownApplies = false; // the choice has a meaning for this hand-over
    records::OnUnknown onUnknownDefault = records::OnUnknown::LeaveInDoubt;
    QString guarantee;
    QString refusal; // why it cannot be done at all; empty: it can
    core::ErrorKind refusalKind = core::ErrorKind::Refused; // Transient: it may be possible later
    bool confirmCount = false; // production and at least limits::confirmFromCount messages
    qint64 redirected = 0; // of frozenCount: go elsewhere than they say themselves
    qint64 sendable = 0; // of noDestination: would go if the plan named a queue for them
    QList<records::Redirect> standing{}; // the connection's own
    QString cannotRedirect{}; // why the plan may have no redirect; empty: it may
    QStringList targets{}; // queues that it may name
    QString targetsNotKnown{}; // why there may be others; empty: there are none
    qint64 editMisfits = 0; // left out: the edit of the plan does not fit them
    QList<EditMisfit> misfits{}; // why, the most frequent first, the first few told
    qint64 editUnchanged = 0; // of frozenCount: it leaves them as they are
    core::MessageId editSample{}; // the first that it changes; none: it changes nothing
    QString cannotEdit{}; // why the plan may have no edit; empty: it may
    std::optional<core::Milliseconds> takesToFail{}; // how long these messages take to fail; nothing: not known
    core::Milliseconds quiet{}; // how long nothing may come back until a step of a ramp counts as good
};

struct RetryCommand
{
    RetryRequest request; // asOfChange must be set
    qint64 expectedCount = 0; // the frozenCount that was shown; another one is refused
    std::optional<qint64> confirmedCount; // typed by the person where the preview asks for it
    std::optional<QList<records::Redirect>>
        standingShown{}; // of the preview; others are refused. Nothing: not looked at
    core::Milliseconds watchBack{}; // what comes back is taken for so long after the end; 0: not longer than it needs
};

enum class OperationAction { Pause, Resume, Cancel, Dismiss };
enum class Settlement { AssumeSent, SendAgain };

// What "Pause all" or "Resume all" came to.
struct PauseAllAnswer
{
    struct Held
    {
        core::OperationId operation;
        records::PausedBy by = records::PausedBy::Nobody;
        QString why; // it stays paused, for people
    };
    QList<core::OperationId> changed; // these are paused now, or go on
    QList<Held> held; // after "Resume all": what it did not pause, and what this console may not retry
};

struct SettleCommand
{
    core::OperationId operation;
    QList<qint64> ordinals; // empty: all in doubt of that operation
    Settlement settlement = Settlement::AssumeSent;
    QString who;
};

struct RateCommand
{
    core::OperationId operation;
    std::optional<qint64> perMinute; // nothing: no limit
    QString who;
};

// A standing redirect of a connection, from a queue.
struct RedirectCommand
{
    core::ConnectionId connection;
    records::Redirect redirect; // to remove one, where it is from is enough
    bool remove = false;
    QString who;
};

struct RedirectAnswer
{
    QString notKnown; // why nobody can say whether the queue exists; empty: it does
};

// What a person decides about stored messages; nothing is sent.
enum class Decision {
    Archive, // Unresolved -> Archived
    Restore, // Archived -> Unresolved
    TakeBack, // sent, or in doubt -> Unresolved: to be sent once more, with the risk of doubling them
    Resolve, // sent, or in doubt -> Resolved: they are known to be processed
    Delete, // Archived, or Resolved where the filter says so -> gone for good
};

struct DecisionCommand
{
    // Without a status: the decision says it. Unknown: what became of messages since a backup was restored.
    records::MessageFilter filter;
    Decision decision = Decision::Archive;
    QString who;
};

struct DecisionCounts
{
    qint64 changed = 0;
    qint64 browsedOnly = 0; // stayed as they are: their originals lie in the queue
    QString lookedAtReason; // what they need to be taken; empty: there are none
    qint64 underWay = 0; // stayed as they are: in retry and not sent yet, or of a retry that has not ended
};

} // namespace api
