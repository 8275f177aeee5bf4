// Queries and their results. They are answered from the store by a read-only connection, on neither the GUI thread nor
// the engine thread. Counts are messages; `change` is the store's change number at which a result was read.
#pragma once

#include "backend/records/event.h"
#include "backend/records/expiry.h"
#include "backend/records/filter.h"
#include "backend/records/groupmark.h"
#include "backend/records/retry.h"

#include <QList>

#include <optional>

namespace api {

// The failure groups that have messages with this status.
struct GroupQuery
{
    core::ConnectionId connection; // none: all
    QString queue;
    records::Classifier classifier = records::Classifier::ExceptionAndStack;
    records::MessageStatus status = records::MessageStatus::Unresolved;
    QString titleFilter; // part of the title or of the note
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
    qint64 count = 0; // messages with the status of the query
    qint64 inRetry = 0;
    qint64 cameBack = 0;
    qint64 browsedOnly = 0; // unresolved messages whose original is still in its queue
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    QList<int> lastHour; // failures per 5 minutes, oldest first; the last interval is not over yet
    core::OperationId operation; // the newest operation with messages of this group; none: there is none
    records::GroupMarks marks{};
    std::optional<core::TimePoint> firstLost{}; // when the first browsed message expires; nothing: none is known to
    qint64 lostSoon = 0; // browsed messages that expire within records::QueueLoss::soonIs
};

struct GroupPage
{
    QList<GroupRow> rows; // most messages first; quiet muted groups last
    qint64 total = 0; // groups on all pages
    qint64 messages = 0; // messages on all pages
    qint64 change = 0;
};

struct MessageQuery
{
    records::MessageFilter filter;
    records::MessageOrder order = records::MessageOrder::LastFailed;
    records::SortDirection direction = records::SortDirection::Descending;
    int limit = 200;
    QString after; // MessagePage::next of the previous page; empty: from the start
    quint32 caller = 0; // a new list cancels an unanswered one of the same caller; 0: cancels none
};

struct MessagePage
{
    QList<records::FailedMessage> rows;
    QString next; // MessageQuery::after for the next page; empty: this is the last
    qint64 total = 0; // messages on all pages
    qint64 change = 0;
};

struct MessageIds
{
    QList<core::MessageId> ids; // all that match, in the order of the query
    qint64 change = 0;
};

struct StatusCount
{
    records::MessageStatus status = records::MessageStatus::Unresolved;
    qint64 count = 0;

    friend bool operator==(const StatusCount &, const StatusCount &) = default;
};

// What a search finds in statuses that its list does not show.
struct OtherMatches
{
    QList<StatusCount> counts; // in the order of records::messageStatuses; none is zero
    bool atLeast = false; // the text index is behind: there may be more
};

// One step in the history of a message.
struct TrailEntry
{
    core::TimePoint at{};
    QString what; // "Claimed by batch 3 of operation 12"
    QString who;
};

struct MessageDetail
{
    records::FailedMessage message;
    records::Envelope envelope; // the body is cut to limits::bodyPreviewBytes
    bool bodyComplete = true;
    QList<records::ProcessingAttempt> attempts; // newest first
    QList<TrailEntry> trail; // oldest first
    records::Expiry expiry{}; // of the original in its queue; only for browsed messages
};

// One message of an operation.
struct MemberRow
{
    core::OperationId operation;
    qint64 ordinal = 0; // its number within the operation
    core::MessageId message;
    QString uniqueId;
    QString destination;
    records::Outcome outcome = records::Outcome::Pending;
    bool cameBack = false;
    bool possibleDuplicate = false;
    QString reason; // of the outcome
};

struct MemberQuery
{
    core::OperationId operation; // none: all operations
    std::optional<records::Outcome> outcome; // nothing: any
    qint64 afterOrdinal = -1;
    int limit = 200;
};

// Entries of the activity log.
struct EventQuery
{
    std::optional<core::TimePoint> since;
    qint64 afterSequence = 0;
    int limit = 500;
    bool newestFirst = true;
};

// The outcomes of an operation at one destination.
struct DestinationShare
{
    QString destination;
    records::OutcomeCounts counts;
};

// Why messages of an operation were not sent, or are in doubt.
struct ReasonShare
{
    records::Outcome outcome = records::Outcome::Pending;
    QString reason;
    qint64 count = 0;
};

// The failure group that messages which came back belong to now.
struct ReturnShare
{
    core::GroupId group;
    QString title;
    qint64 count = 0;
    qint64 newCause =
        0; // those that failed for another cause than before and were not sent again; 0 if frozen before schema 8
    QString note{}; // of that group; empty: none
};

// Why messages that did not come back count as resolved.
enum class Proof {
    Acknowledged, // their endpoint confirmed them
    ByHand, // a person resolved them
    Quiet, // they did not come back within the quiet period while the error queues were watched
};

struct ProofShare
{
    Proof proof = Proof::Acknowledged;
    qint64 count = 0;
    core::TimePoint first{}; // when the first of them was resolved
    core::TimePoint last{};
    std::optional<core::Milliseconds> quietFor{}; // Quiet: the shortest time that one of them was watched
};

// One operation in detail, for the report. Each list has at most limits::operationShares rows, largest first.
struct OperationDetail
{
    records::RetryOperation operation;
    QString connection; // its name
    QList<DestinationShare> destinations;
    QList<ReasonShare> reasons; // for skipped, ejected, cancelled and in-doubt messages
    QList<ReturnShare> returns;
    QList<records::Event> events; // of the whole activity log while it ran, oldest first
    QList<ProofShare> proofs{}; // for sent messages
    std::optional<core::Milliseconds> takesToFail{}; // how long its messages took to fail; nothing: unknown
    core::Milliseconds quiet{}; // quiet period after which a step of a ramp counts as good
};

// What one operation did in one second, for the chart.
struct RunSample
{
    core::TimePoint at{};
    int staged = 0;
    int sent = 0;
    int cameBack = 0;
    std::optional<qint64> depth; // message count of its destinations; nothing: not read in this second
    core::Milliseconds span{1000}; // the time it covers, from `at` on; old samples cover a minute
};

// A moment that the chart of an operation marks.
struct RunMark
{
    enum class Kind { Step, Stopped, GoesOn };
    core::TimePoint at{};
    Kind kind = Kind::Step;
    int step = 0; // of the ramp, from 1; 0: not a step

    friend bool operator==(const RunMark &, const RunMark &) = default;
};

struct SeriesQuery
{
    core::OperationId operation;
    core::TimePoint since{};
    core::TimePoint until{};
};

} // namespace api
