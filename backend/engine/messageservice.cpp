#include "backend/engine/messageservice.h"

#include "backend/core/limits.h"
#include "backend/engine/commandtable.h"
#include "backend/engine/filterdescription.h"
#include "backend/engine/planrules.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"
#include "backend/store/retentionstore.h"
#include "backend/store/retrystore.h"

namespace engine {

namespace {

using api::Decision;
using records::MessageStatus;

bool isOfUnknown(const api::DecideMessages &command)
{
    return command.statusBefore() == MessageStatus::Unknown;
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

void MessageService::addHandlers(CommandTable &table)
{
    table.on(&Engine::messages, &MessageService::decide);
}

void MessageService::cancelAll()
{
    m_timers.cancelAll();
    m_selectionResolver.cancelAll();
}

core::Result<QString> MessageService::whyBrowsedOnly(const records::MessageFilter &filter)
{
    TRY(const core::ConnectionId id, m_around.dependencies.store.read<core::ConnectionId>([&](store::Session &session) {
        return SelectionResolver::connectionOf(session, filter);
    }));
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(id));
    return browsedOnlyReason(runtime->connection(), runtime->capabilities());
}

core::Result<int> MessageService::change(store::Session &session, const api::DecideMessages &command,
                                         const QString &who, const QList<core::MessageId> &messages)
{
    const store::Decided decided{m_around.dependencies.clock.now(), who};
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
        return session.retention().removeOf(messages, command.statusBefore());
    }
    Q_UNREACHABLE();
}

core::Task<core::Result<>> MessageService::decideAll(api::DecideMessages command, QString who,
                                                     records::MessageFilter filter, api::DecisionCounts *counts)
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
                TRY(const int changed, change(session, command, who, slice.ids));
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

core::Task<core::Result<api::DecisionCounts>> MessageService::decide(api::DecideMessages command, CommandCall &call)
{
    if (command.filter.status == MessageStatus::Unknown && command.decision == Decision::Restore)
        co_return core::fail(core::ErrorKind::Rejected, Text::tr("Only archived messages can be restored."));
    if (command.decision == Decision::Delete
        && command.filter.status.value_or(command.statusBefore()) != command.statusBefore())
        co_return core::fail(core::ErrorKind::Rejected,
                             Text::tr("Only archived and resolved messages can be deleted."));
    CO_TRY(const Choice choice, co_await m_selectionResolver.choose(command.filter));
    records::MessageFilter filter = choice.filter;
    filter.status = command.statusBefore();
    api::DecisionCounts counts;
    CO_TRY(co_await decideAll(command, call.who(), filter, &counts));
    if (counts.browsedOnly > 0) {
        const core::Result<QString> why = whyBrowsedOnly(filter);
        counts.browsedOnlyReason = why ? *why : Text::tr("the reason could not be read");
        if (counts.changed == 0)
            co_return core::fail(core::ErrorKind::Refused,
                                 Text::tr("These messages were browsed only: %1.").arg(counts.browsedOnlyReason));
    }
    call.log(call.onWhat(), messagesText(counts.changed));
    co_return counts;
}

} // namespace engine
