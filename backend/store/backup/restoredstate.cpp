#include "backend/store/backup/restoredstate.h"

#include "backend/core/limits.h"
#include "backend/records/connection.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"
#include "backend/store/sqlite/storecopy.h"
#include "backend/store/text.h"

namespace store {

using core::limits::batchMembers;
using records::MessageStatus;
using records::OperationState;

namespace {

QString sentSince()
{
    return Text::tr("A backup was restored. The message may have been sent since that backup.");
}

Result<> stopped(const std::stop_token &stop)
{
    return stop.stop_requested() ? core::fail(core::ErrorKind::Cancelled, Text::tr("The restore was stopped."))
                                 : Result<>{};
}

Result<> discard(RetryStore &retries, core::OperationId id)
{
    for (;;) {
        const Result<bool> gone = retries.discardFreezing(id, batchMembers);
        if (!gone)
            return core::fail(gone.error());
        if (*gone)
            return {};
    }
}

Result<> endOperation(RetryStore &retries, core::OperationId id, core::TimePoint now, const std::stop_token &stop)
{
    for (int cancelled = 1; cancelled > 0;) {
        const Result<> on = stopped(stop);
        if (!on)
            return on;
        const Result<int> some = retries.cancelMembers(id, batchMembers);
        if (!some)
            return core::fail(some.error());
        cancelled = *some;
    }
    Result<records::RetryOperation> operation = retries.operation(id);
    if (!operation)
        return core::fail(operation.error());
    operation->state = OperationState::Cancelled;
    operation->finished = now;
    operation->waitingReason.clear();
    operation->endPause(now);
    return retries.updateOperation(*operation);
}

Result<qint64> endOperations(Session &session, core::ConnectionId connection, core::TimePoint now,
                             const std::stop_token &stop)
{
    const Result<> ended = endForwarding(session, connection, sentSince());
    if (!ended)
        return core::fail(ended.error());
    const Result<QList<records::RetryOperation>> unfinished = session.retries().unfinished(connection);
    if (!unfinished)
        return core::fail(unfinished.error());
    for (const records::RetryOperation &operation : *unfinished) {
        const Result<> done = operation.state == OperationState::Freezing
                                  ? discard(session.retries(), operation.id)
                                  : endOperation(session.retries(), operation.id, now, stop);
        if (!done)
            return core::fail(done.error());
    }
    return unfinished->size();
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
        const Result<> on = stopped(stop);
        if (!on)
            return core::fail(on.error());
        const Result<Slice> slice = session.messages().slice(filter, after, batchMembers);
        if (!slice)
            return core::fail(slice.error());
        if (slice->ids.isEmpty())
            return marked;
        after = slice->end;
        if (status == MessageStatus::RetryIssued) {
            const Result<int> closed = session.retries().close(slice->ids, {ClaimEndReason::Restored, now, {}});
            if (!closed)
                return core::fail(closed.error());
        }
        const Result<int> some = session.messages().setStatus(slice->ids, {status, MessageStatus::Unresolved},
                                                              records::MessageStatus::Unknown);
        if (!some)
            return core::fail(some.error());
        marked += *some;
    }
}

} // namespace

Result<RestoreCounts> makeUnknown(Session &session, core::TimePoint now, const std::stop_token &stop)
{
    const Result<QList<records::Connection>> connections = session.connections().all();
    if (!connections)
        return core::fail(connections.error());
    RestoreCounts counts;
    for (const records::Connection &connection : *connections) {
        const Result<qint64> ended = endOperations(session, connection.id, now, stop);
        if (!ended)
            return core::fail(ended.error());
        counts.ended += *ended;
        const Result<> left = leaveIntakes(session, connection.id);
        if (!left)
            return core::fail(left.error());
        for (const MessageStatus status :
             {MessageStatus::RetryIssued, MessageStatus::Released, MessageStatus::Unresolved}) {
            const Result<qint64> marked = markAll(session, connection.id, status, now, stop);
            if (!marked)
                return core::fail(marked.error());
            counts.unknown += *marked;
        }
    }
    return counts;
}

} // namespace store
