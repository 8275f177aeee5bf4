// Queries about failure groups, messages and the activity log, and their results. They are answered from the store by a
// read-only connection, on neither the GUI thread nor the engine thread. Counts are messages; `change` is the store's
// change number at which a result was read.
#pragma once

#include "backend/api/request.h"
#include "backend/api/requests/policyview.h"
#include "backend/records/event.h"
#include "backend/records/messages/expiry.h"
#include "backend/records/messages/exportedmessage.h"
#include "backend/records/messages/groupmark.h"
#include "backend/records/messages/trail.h"

#include <QList>

#include <optional>

namespace api {

struct GroupPage;

// The failure groups that have messages with this status.
struct GroupQuery
{
    using Answer = GroupPage;
    static constexpr RequestRules rules{"GroupQuery"};

    core::ConnectionId connection; // none: all
    QString queue;
    records::Classifier classifier = records::Classifier::ExceptionAndStack;
    records::MessageStatus status = records::MessageStatus::Unresolved;
    QString titleFilter; // part of the title or of the note
    int offset = 0;
    int limit = 500;
    enum class Muted { Any, Without, Only };
    Muted muted = Muted::Any;
    enum class Order { Count, Title, FirstFailed, LastFailed, LastHour }; // LastHour: failures in it
    Order order = Order::Count; // of all groups, so that the page has the first of them; quiet muted groups come last
    records::SortDirection direction = records::SortDirection::Descending;
};

// A policy that holds messages of a group, and by which kind of assignment.
struct GroupPolicy
{
    QString name;
    recovery::Scope::Of by = recovery::Scope::Of::Group;

    friend bool operator==(const GroupPolicy &, const GroupPolicy &) = default;
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
    QList<GroupPolicy> policies{}; // that hold the newest of its unresolved messages, by name
    QString example{}; // the text of its newest failure, only where the title names no stack frame (groupcause.h)
};

struct GroupPage
{
    QList<GroupRow> rows; // in the order of the query; quiet muted groups last
    qint64 total = 0; // groups on all pages
    qint64 messages = 0; // messages on all pages
    qint64 change = 0;
};

struct MessagePage;

struct MessageQuery
{
    using Answer = MessagePage;
    static constexpr RequestRules rules{"MessageQuery"};

    records::MessageFilter filter;
    records::MessageOrder order = records::MessageOrder::LastFailed;
    records::SortDirection direction = records::SortDirection::Descending;
    int limit = 200;
    QString after; // MessagePage::next of the previous page; empty: from the start
    quint32 caller = 0; // a new list cancels an unanswered one of the same caller, and its counts; 0: cancels none
    bool countLater = false; // the page does not wait for a total that takes reading messages: see MessageCountQuery
};

struct MessagePage
{
    QList<records::FailedMessage> rows;
    QString next; // MessageQuery::after for the next page; empty: this is the last
    qint64 total = 0; // messages on all pages; 0 if they are not counted
    bool isCounted = true; // false: only with MessageQuery::countLater
    qint64 change = 0;
};

// How many messages a list has. At once where counts are kept (store/messages/keptcounts.h), otherwise it reads them.
struct MessageCountQuery
{
    using Answer = qint64;
    static constexpr RequestRules rules{"MessageCountQuery"};

    MessageQuery list; // only its filter and caller count
};

struct MessageIds;

// The ids of all messages of a list.
struct MessageIdQuery
{
    using Answer = MessageIds;
    static constexpr RequestRules rules{"MessageIdQuery"};

    MessageQuery list; // its limit and `after` are ignored
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

struct OtherMatches;

// What the search of a list finds in other statuses. Empty for a list without a search or without a status.
struct OtherMatchesQuery
{
    using Answer = OtherMatches;
    static constexpr RequestRules rules{"OtherMatchesQuery"};

    MessageQuery list; // only its filter and caller count
};

// What a search finds in statuses that its list does not show.
struct OtherMatches
{
    QList<StatusCount> counts; // in the order of records::messageStatuses; none is zero
    bool atLeast = false; // the text index is behind: there may be more
};

struct MessageRowQuery
{
    using Answer = QList<records::FailedMessage>; // in the order of the ids
    static constexpr RequestRules rules{"MessageRowQuery"};

    QList<core::MessageId> messages;
};

struct MessageDetail;

struct MessageDetailQuery
{
    using Answer = MessageDetail;
    static constexpr RequestRules rules{"MessageDetailQuery"};

    core::MessageId message;
};

struct BodyQuery
{
    using Answer = QByteArray; // the whole body
    static constexpr RequestRules rules{"BodyQuery"};

    core::MessageId message;
};

struct MessageDetail
{
    records::FailedMessage message;
    records::Envelope envelope; // the body is cut to limits::bodyPreviewBytes
    bool bodyComplete = true;
    QList<records::ProcessingAttempt> attempts; // newest first
    QList<records::TrailEntry> trail; // oldest first
    records::Expiry expiry{}; // of the original in its queue; only for browsed messages
    std::optional<PolicyStanding> policy{}; // nothing: no policy has it, or has had it
};

// Entries of the activity log.
struct EventQuery
{
    using Answer = QList<records::Event>;
    static constexpr RequestRules rules{"EventQuery"};

    std::optional<core::TimePoint> since;
    qint64 afterSequence = 0;
    int limit = 500;
    bool newestFirst = true;
};

// Checks the activity log against its seals.
struct TrailCheckQuery
{
    using Answer = records::TrailCheck;
    static constexpr RequestRules rules{"TrailCheckQuery"};

    QByteArray seal; // one noted earlier that must be found; empty: none
};

} // namespace api
