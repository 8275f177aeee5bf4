#include "backend/engine/messageservice.h"

#include "backend/core/limits.h"
#include "backend/engine/auditlog.h"
#include "backend/engine/filterdescription.h"
#include "backend/engine/planrules.h"
#include "backend/engine/rights.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"
#include "backend/store/retentionstore.h"
#include "backend/store/retrystore.h"

namespace engine {

namespace {

using api::Decision;
using records::MessageStatus;

// Deleting applies to archived messages, or to resolved ones if the filter says so.
MessageStatus deletedStatus(const api::DecisionCommand &command)
{
    return command.filter.status == MessageStatus::Resolved ? MessageStatus::Resolved : MessageStatus::Archived;
}

bool isOfUnknown(const api::DecisionCommand &command)
{
    return command.filter.status == MessageStatus::Unknown;
}

MessageStatus statusBefore(const api::DecisionCommand &command)
{
    if (isOfUnknown(command))
        return MessageStatus::Unknown;
    switch (command.decision) {
    case Decision::Archive:
        return MessageStatus::Unresolved;
    case Decision::Restore:
        return MessageStatus::Archived;
    case Decision::TakeBack:
    case Decision::Resolve:
        return MessageStatus::RetryIssued;
    case Decision::Delete:
        return deletedStatus(command);
    }
    Q_UNREACHABLE();
}

records::Right rightFor(Decision decision)
{
    switch (decision) {
    case Decision::TakeBack: // the message may be sent again
        return records::Right::Retry;
    case Decision::Delete:
        return records::Right::Delete;
    case Decision::Archive:
    case Decision::Restore:
    case Decision::Resolve:
        return records::Right::Archive;
    }
    Q_UNREACHABLE();
}

// For messages of unknown state after a backup was restored: what the person knows about them.
QString verbOfUnknown(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return Text::tr("Unknown state settled: archived");
    case Decision::TakeBack:
        return Text::tr("Unknown state settled: unresolved");
    case Decision::Resolve:
        return Text::tr("Unknown state settled: resolved");
    case Decision::Restore:
    case Decision::Delete:
        break;
    }
    return Text::tr("Restored");
}

QString verbOf(const api::DecisionCommand &command)
{
    if (isOfUnknown(command))
        return verbOfUnknown(command.decision);
    switch (command.decision) {
    case Decision::Archive:
        return Text::tr("Archived");
    case Decision::Restore:
        return Text::tr("Restored");
    case Decision::TakeBack:
        return Text::tr("Taken back");
    case Decision::Resolve:
        return Text::tr("Resolved by hand");
    case Decision::Delete:
        return Text::tr("Deleted");
    }
    Q_UNREACHABLE();
}

MessageStatus knownStatus(Decision decision)
{
    if (decision == Decision::Archive)
        return MessageStatus::Archived;
    return decision == Decision::Resolve ? MessageStatus::Resolved : MessageStatus::Unresolved;
}

} // namespace

MessageService::MessageService(ConnectionContext surroundings, ConnectionService &connections)
    : m_around(std::move(surroundings))
    , m_connections(connections)
    , m_timers(m_around.dependencies.clock)
    , m_selectionResolver(m_around.dependencies)
{
}

void MessageService::cancelAll()
{
    m_timers.cancelAll();
    m_selectionResolver.cancelAll();
}

core::Result<QList<records::Connection>> MessageService::reached(const records::MessageFilter &filter) const
{
    if (filter.connection.isValid()) {
        TRY(const records::Connection one, m_connections.record(filter.connection));
        return QList<records::Connection>{one};
    }
    return m_around.dependencies.store.read<QList<records::Connection>>(
        [](store::Session &session) { return session.connections().all(); });
}

QString MessageService::sentenceOf(const records::MessageFilter &filter,
                                   const QList<records::Connection> &connections) const
{
    ScopeNames names;
    if (connections.size() == 1)
        names.connection = connections.first().name;
    const core::Result<> read = m_around.dependencies.store.read([&](store::Session &session) -> core::Result<> {
        TRY(names.groups, session.messages().groupTitles(filter.groups.mid(0, 1)));
        return {};
    });
    static_cast<void>(read); // without its title the group is still counted in the sentence
    return scopeSentence(filter, names);
}

core::Result<QString> MessageService::whyBrowsedOnly(const records::MessageFilter &filter)
{
    TRY(const core::ConnectionId id, m_around.dependencies.store.read<core::ConnectionId>([&](store::Session &session) {
        return SelectionResolver::connectionOf(session, filter);
    }));
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(id));
    return browsedOnlyReason(runtime->connection(), runtime->capabilities());
}

core::Result<int> MessageService::change(store::Session &session, const api::DecisionCommand &command,
                                         const QList<core::MessageId> &messages)
{
    const store::Decided decided{m_around.dependencies.clock.now(), command.who};
    if (isOfUnknown(command))
        return session.messages().decide(messages, {MessageStatus::Unknown}, knownStatus(command.decision), decided);
    switch (command.decision) {
    case Decision::Archive:
        return session.messages().decide(messages, {MessageStatus::Unresolved}, MessageStatus::Archived, decided);
    case Decision::Restore:
        return session.messages().decide(messages, {MessageStatus::Archived}, MessageStatus::Unresolved, decided);
    case Decision::TakeBack:
        return session.retries().close(messages, {store::ClaimEndReason::TakenBack, decided.at, decided.who});
    case Decision::Resolve:
        return session.retries().close(messages, {store::ClaimEndReason::ByHand, decided.at, decided.who});
    case Decision::Delete:
        return session.retention().removeOf(messages, deletedStatus(command));
    }
    Q_UNREACHABLE();
}

core::Task<core::Result<>> MessageService::decideAll(api::DecisionCommand command, records::MessageFilter filter,
                                                     api::DecisionCounts *counts)
{
    const bool isOfRetry = filter.status == MessageStatus::RetryIssued || command.decision == Decision::Delete;
    qint64 &left = isOfRetry ? counts->underWay : counts->browsedOnly;
    store::SliceEnd after;
    bool finished = false;
    while (!finished) {
        const core::Result<> done =
            m_around.dependencies.store.transact([&](store::Session &session) -> core::Result<> {
                TRY(const store::Slice slice, session.messages().slice(filter, after, core::limits::batchMembers));
                finished = slice.ids.isEmpty();
                if (finished)
                    return {};
                TRY(const int changed, change(session, command, slice.ids));
                after = slice.end;
                counts->changed += changed;
                left += slice.ids.size() - changed;
                return {};
            });
        m_around.changed();
        if (!done)
            co_return done;
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return {};
}

core::Task<core::Result<api::DecisionCounts>> MessageService::decide(api::DecisionCommand command)
{
    if (isOfUnknown(command) && command.decision == Decision::Restore)
        co_return core::fail(core::ErrorKind::Rejected, Text::tr("Only archived messages can be restored."));
    if (command.decision == Decision::Delete
        && command.filter.status.value_or(deletedStatus(command)) != deletedStatus(command))
        co_return core::fail(core::ErrorKind::Rejected,
                             Text::tr("Only archived and resolved messages can be deleted."));
    CO_TRY(const QList<records::Connection> connections, reached(command.filter));
    records::MessageFilter asked = command.filter;
    asked.status = statusBefore(command);
    const QString sentence = sentenceOf(asked, connections);
    for (const records::Connection &one : connections) {
        const core::Result<> allowed = checkRight(one, rightFor(command.decision));
        if (!allowed) {
            m_around.auditLog.note(command.who, verbOf(command), sentence, allowed);
            co_return core::fail(allowed.error());
        }
    }
    CO_TRY(const Choice choice, co_await m_selectionResolver.choose(command.filter));
    records::MessageFilter filter = choice.filter;
    filter.status = statusBefore(command);
    api::DecisionCounts counts;
    core::Result<> done = co_await decideAll(command, filter, &counts);
    if (done && counts.browsedOnly > 0) {
        const core::Result<QString> why = whyBrowsedOnly(filter);
        counts.browsedOnlyReason = why ? *why : Text::tr("the reason could not be read");
        if (counts.changed == 0)
            done = core::fail(core::ErrorKind::Refused,
                              Text::tr("These messages were browsed only: %1.").arg(counts.browsedOnlyReason));
    }
    if (!done) {
        m_around.auditLog.note(command.who, verbOf(command), sentence, done);
        co_return core::fail(done.error());
    }
    m_around.auditLog.note(command.who, verbOf(command), sentence, messagesText(counts.changed));
    co_return counts;
}

} // namespace engine
