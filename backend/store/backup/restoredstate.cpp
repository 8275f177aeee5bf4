#include "backend/store/backup/restoredstate.h"

#include "backend/core/limits.h"
#include "backend/records/connection.h"
#include "backend/records/rules/storecopies.h"
#include "backend/store/connectionstore.h"
#include "backend/store/identity/storecopy.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/text.h"

namespace store {

using core::limits::batchMembers;
using records::MessageStatus;
using records::OperationState;

namespace {

Result<> stopped(const std::stop_token &stop)
{
    return stop.stop_requested() ? core::fail(core::ErrorKind::Cancelled, Text::tr("The restore was stopped."))
                                 : Result<>{};
}

Result<> discard(Session &session, core::OperationId id)
{
    for (;;) {
        TRY(const bool gone, session.frozenSets().discard(id, batchMembers));
        if (gone)
            return {};
    }
}

Result<> endOperation(Session &session, core::OperationId id, core::TimePoint now, const std::stop_token &stop)
{
    for (int cancelled = 1; cancelled > 0;) {
        TRY(stopped(stop));
        TRY(cancelled, session.claims().cancelMembers(id, batchMembers));
    }
    TRY(const records::RetryOperation operation, session.retryOperations().load(id));
    return session.retryOperations().update(records::endedByRestore(operation, now));
}

Result<qint64> endOperations(Session &session, core::ConnectionId connection, core::TimePoint now,
                             const std::stop_token &stop)
{
    TRY(endForwarding(session, connection, records::sentSinceBackup()));
    TRY(const QList<records::RetryOperation> unfinished, session.retryOperations().unfinished(connection));
    for (const records::RetryOperation &operation : unfinished)
        TRY(operation.state == OperationState::Freezing ? discard(session, operation.id)
                                                        : endOperation(session, operation.id, now, stop));
    return unfinished.size();
}

// Changes all messages of one status, in slices. Messages in retry are closed first, so that no claim and no doubt
// stays open.
Result<qint64> markAll(Session &session, core::ConnectionId connection, MessageStatus status, core::TimePoint now,
                       const std::stop_token &stop)
{
    records::MessageFilter filter;
    filter.connection = connection;
    filter.status = status;
    qint64 marked = 0;
    SliceEnd after;
    for (;;) {
        TRY(stopped(stop));
        TRY(const Slice slice, session.messages().slice(filter, after, batchMembers));
        if (slice.ids.isEmpty())
            return marked;
        after = slice.end;
        if (status == MessageStatus::RetryIssued)
            TRY(session.claims().close(slice.ids, {records::ClaimClosing::Restored, now, {}}));
        TRY(const int some, session.messages().setStatus(slice.ids, {status, MessageStatus::Unresolved},
                                                         records::MessageStatus::Unknown));
        marked += some;
    }
}

} // namespace

Result<RestoreCounts> makeUnknown(Session &session, core::TimePoint now, const std::stop_token &stop)
{
    TRY(const QList<records::Connection> connections, session.connections().all());
    RestoreCounts counts;
    for (const records::Connection &connection : connections) {
        TRY(const qint64 ended, endOperations(session, connection.id, now, stop));
        counts.ended += ended;
        TRY(leaveIntakes(session, connection.id));
        for (const MessageStatus status :
             {MessageStatus::RetryIssued, MessageStatus::Released, MessageStatus::Unresolved}) {
            TRY(const qint64 marked, markAll(session, connection.id, status, now, stop));
            counts.unknown += marked;
        }
    }
    TRY(pausePolicies(session, now, records::policyRestsAfterRestore()));
    return counts;
}

} // namespace store
