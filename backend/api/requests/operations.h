// Queries about past and current retries and releases: who, why, the outcome, their messages and what the chart shows.
#pragma once

#include "backend/api/request.h"
#include "backend/records/event.h"
#include "backend/records/retries/retrymember.h"
#include "backend/records/retries/throughput.h"

#include <QList>

#include <optional>

namespace api {

enum class OperationsWanted {
    All,
    NotEnded, // includes cancelled operations that still have work left
    Ended,
    CameBack, // some of their messages failed again
    Trouble, // some messages were ejected or are in doubt
    Cancelled,
};

struct OperationPage;

// All parts must match; an empty part matches everything.
struct OperationQuery
{
    using Answer = OperationPage;
    static constexpr RequestRules rules{"OperationQuery"};

    core::ConnectionId connection; // none: all
    OperationsWanted wanted = OperationsWanted::All;
    // Every word must be part of the scope, the reason, the person or the connection's name (upper and lower case are
    // the same), or be the operation's number.
    QString text;
    std::optional<core::TimePoint> since{}; // requested at or after
    std::optional<core::TimePoint> until{}; // requested before
    bool dismissed = true; // includes dismissed ones; false: a policy's retries of the last 24 hours are there, too
    core::OperationId before{}; // only operations older than this; none: from the newest
    int limit = 200;
};

struct OperationRow
{
    records::RetryOperation operation;
    QString connection; // its name; empty when it was removed
};

struct OperationPage
{
    QList<OperationRow> rows; // newest first
    core::OperationId next; // `before` of the next page; none: this is the last
    // Sums over all operations that match, on this page or not:
    qint64 total = 0; // operations
    qint64 sent = 0; // messages
    qint64 cameBack = 0; // messages
};

struct MemberQuery
{
    using Answer = QList<records::RetryMember>;
    static constexpr RequestRules rules{"MemberQuery"};

    core::OperationId operation; // none: all operations
    std::optional<records::Outcome> outcome; // nothing: any
    qint64 afterOrdinal = -1;
    int limit = 200;
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

struct OperationDetail;

struct OperationDetailQuery
{
    using Answer = OperationDetail;
    static constexpr RequestRules rules{"OperationDetailQuery"};

    core::OperationId operation;
};

// One operation in detail, for the report. Each list has at most limits::operationShares rows, largest first.
struct OperationDetail
{
    records::RetryOperation operation;
    QString connection; // its name
    QList<DestinationShare> destinations;
    QList<ReasonShare> reasons; // for skipped, ejected, cancelled and in-doubt messages
    QList<ReturnShare> returns;
    QList<records::Event> events; // of the activity log about it, and about everything while it ran; oldest first
    QList<ProofShare> proofs{}; // for sent messages
    std::optional<core::Milliseconds> takesToFail{}; // how long its messages took to fail; nothing: unknown
    core::Milliseconds quiet{}; // quiet period after which a step of a ramp counts as good
};

struct MarkQuery
{
    using Answer = QList<records::RunMark>; // oldest first
    static constexpr RequestRules rules{"MarkQuery"};

    core::OperationId operation;
};

// What one operation did, for the chart. Seconds in which nothing happened have no sample.
struct SeriesQuery
{
    using Answer = QList<records::RunSample>;
    static constexpr RequestRules rules{"SeriesQuery"};

    core::OperationId operation;
    core::TimePoint since{};
    core::TimePoint until{};
};

} // namespace api
