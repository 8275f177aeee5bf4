// Questions that are answered from the store by a read-only connection, off the GUI thread and off the engine thread.
#pragma once

#include "backend/records/event.h"
#include "backend/records/expiry.h"
#include "backend/records/filter.h"
#include "backend/records/groupmark.h"
#include "backend/records/retry.h"

#include <QList>

#include <optional>

namespace api {

struct GroupQuery
{
    core::ConnectionId connection; // none: all
    QString queue;
    records::Classifier classifier = records::Classifier::ExceptionAndStack;
    records::MessageStatus status = records::MessageStatus::Unresolved;
    QString titleFilter; // substring of the title or of the note
    int offset = 0;
    int limit = 500;
    enum class Muted { Any, Without, Only };
    Muted muted = Muted::Any;
};

struct GroupRow
{
    core::GroupId id;
    core::ConnectionId connection;
    QString title;
    qint64 count = 0; // with the status asked for
    qint64 inRetry = 0;
    qint64 cameBack = 0;
    qint64 browsedOnly = 0; // unresolved ones whose originals still lie in their queue
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    QList<int> lastHour; // failures per 5 minutes from whole ones on, oldest first, the last goes on: the sparkline
    core::OperationId operation; // the newest live or recent operation that holds members of it
    records::GroupMarks marks{};
    std::optional<core::TimePoint> firstLost{}; // of what was only looked at: when the first leaves its queue unseen
    qint64 lostSoon = 0; // of these, within records::QueueLoss::soonIs
};

struct GroupPage
{
    QList<GroupRow> rows; // most messages first; muted ones that are quiet come last
    qint64 total = 0; // groups in all
    qint64 messages = 0; // messages in all of them
    qint64 change = 0; // the change number at which this was read
};

struct MessageQuery
{
    records::MessageFilter filter;
    records::MessageOrder order = records::MessageOrder::LastFailed;
    records::SortDirection direction = records::SortDirection::Descending;
    int limit = 200;
    QString after; // cursor from the page before; empty: from the start
    quint32 caller = 0; // a newer list of the same caller ends the older one with Cancelled; 0: ends nothing
};

struct MessagePage
{
    QList<records::FailedMessage> rows;
    QString next; // cursor; empty: no more
    qint64 total = 0; // exact
    qint64 change = 0;
};

struct MessageIds
{
    QList<core::MessageId> ids; // of the whole filter, in order
    qint64 change = 0;
};

struct StatusCount
{
    records::MessageStatus status = records::MessageStatus::Unresolved;
    qint64 count = 0;

    friend bool operator==(const StatusCount &, const StatusCount &) = default;
};

// What a search finds under statuses that its list leaves out.
struct OtherMatches
{
    QList<StatusCount> counts; // in the order of records::messageStatuses; none is zero
    bool atLeast = false; // the text index has not reached every message: there may be more
};

struct TrailEntry
{
    core::TimePoint at{};
    QString what; // "Claimed by batch 3 of operation 12"
    QString who;
};

struct MessageDetail
{
    records::FailedMessage message;
    records::Envelope envelope; // body cut to limits::bodyPreviewBytes
    bool bodyComplete = true;
    QList<records::ProcessingAttempt> attempts; // newest first
    QList<TrailEntry> trail; // oldest first
    records::Expiry expiry{}; // of the original in its queue, while the message was only looked at
};

struct MemberRow
{
    core::OperationId operation;
    qint64 ordinal = 0;
    core::MessageId message;
    QString uniqueId;
    QString destination;
    records::Outcome outcome = records::Outcome::Pending;
    bool cameBack = false;
    bool possibleDuplicate = false;
    QString reason;
};

struct MemberQuery
{
    core::OperationId operation; // none: all operations
    std::optional<records::Outcome> outcome;
    qint64 afterOrdinal = -1;
    int limit = 200;
};

struct EventQuery
{
    std::optional<core::TimePoint> since;
    qint64 afterSequence = 0;
    int limit = 500;
    bool newestFirst = true;
};

// What an operation did at one destination.
struct DestinationShare
{
    QString destination;
    records::OutcomeCounts counts;
};

// Why members ended as they did.
struct ReasonShare
{
    records::Outcome outcome = records::Outcome::Pending;
    QString reason;
    qint64 count = 0;
};

// The group in which messages that came back lie now.
struct ReturnShare
{
    core::GroupId group;
    QString title;
    qint64 count = 0;
    qint64 newCause =
        0; // of these: sent back for another cause, and not sent again since. 0 for sets frozen before schema 8
    QString note{}; // on that group; empty: none
};

// What is known of messages that did not come back.
enum class Proof {
    Acknowledged, // their endpoint said so
    ByHand, // a person said so
    Quiet, // nothing came back for long enough while somebody watched
};

struct ProofShare
{
    Proof proof = Proof::Acknowledged;
    qint64 count = 0;
    core::TimePoint first{}; // when the first of them was known
    core::TimePoint last{};
    std::optional<core::Milliseconds> quietFor{}; // the shortest quiet time of them
};

// One operation, told for a hand-over. Each list holds limits::operationShares rows at most, the biggest first.
struct OperationDetail
{
    records::RetryOperation operation;
    QString connection; // its name
    QList<DestinationShare> destinations;
    QList<ReasonShare> reasons; // of what was skipped, ejected or cancelled, or is in doubt
    QList<ReturnShare> returns;
    QList<records::Event> events; // what was done anywhere while it went on, oldest first
    QList<ProofShare> proofs{}; // of those that were sent
    std::optional<core::Milliseconds> takesToFail{}; // how long its messages took to fail; nothing: not known
    core::Milliseconds quiet{}; // how long nothing may come back until a step of a ramp counts as good
};

// One point per second of one operation.
struct RunSample
{
    core::TimePoint at{};
    int staged = 0;
    int sent = 0;
    int cameBack = 0;
    std::optional<qint64> depth; // of the destinations, when it was asked for
    core::Milliseconds span{1000}; // that it counts, from `at` on; old ones are a minute
};

// What a chart marks in the course of an operation.
struct RunMark
{
    enum class Kind { Step, Stopped, GoesOn };
    core::TimePoint at{};
    Kind kind = Kind::Step;
    int step = 0; // from 1; 0: not a step

    friend bool operator==(const RunMark &, const RunMark &) = default;
};

struct SeriesQuery
{
    core::OperationId operation;
    core::TimePoint since{};
    core::TimePoint until{};
};

} // namespace api
