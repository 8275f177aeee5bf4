#include "backend/engine/policies/policyservice.h"

#include "backend/api/rights.h"
#include "backend/broker/brokertraits.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/policies/policyendings.h"
#include "backend/engine/text.h"
#include "backend/records/ledger/operationlife.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"
#include "backend/recovery/files/rulefile.h"
#include "backend/store/messages/groupmarkstore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace engine {

using core::ErrorKind;
using core::fail;
using core::Result;
using Of = recovery::Scope::Of;

PolicyService::PolicyService(ConnectionContext context, ConnectionService &connections, RetryService &retries,
                             const PauseAllService &pausing)
    : m_context(std::move(context))
    , m_connections(connections)
    , m_pausing(pausing)
    , m_scheduler(m_context, connections, retries, pausing)
    , m_views(m_context, connections, m_scheduler)
{
}

void PolicyService::addHandlers(CommandTable &table)
{
    table.on(&Engine::policies, &PolicyService::set);
    table.on(&Engine::policies, &PolicyService::remove);
    table.on(&Engine::policies, &PolicyService::assign);
    table.on(&Engine::policies, &PolicyService::unassign);
    table.on(&Engine::policies, &PolicyService::pause);
    table.on(&Engine::policies, &PolicyService::exclude);
}

Result<> PolicyService::changeRules(const std::function<Result<>(store::Session &)> &work)
{
    TRY(m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(work(session));
        return session.heldMessages().setFollowed(0);
    }));
    m_views.rulesChanged();
    m_scheduler.rulesChanged();
    m_context.changed();
    return {};
}

// A command without a running engine comes before the brokers have answered.
core::Task<> PolicyService::learnWaysBack(recovery::Exhausted ending)
{
    if (ending.what != recovery::Exhausted::Do::DeadLetter)
        co_return;
    const QList<std::shared_ptr<ConnectionRuntime>> all = m_connections.all();
    for (const std::shared_ptr<ConnectionRuntime> &runtime : all) {
        if (runtime->connection().kind == records::BrokerKind::ServiceBus && !runtime->isKnown())
            static_cast<void>(co_await runtime->refresh()); // what does not answer is not refused
    }
}

core::Task<Result<QString>> PolicyService::set(api::SetPolicy command, CommandCall &call)
{
    CO_TRY(const recovery::Policy policy, recovery::policyFrom(command.file));
    call.about(policy.name);
    co_await learnWaysBack(policy.exhausted);
    CO_TRY(changeRules([&](store::Session &session) { return save(session, policy); }));
    call.log(policy.name, recovery::sentenceOf(policy));
    co_return policy.name;
}

Result<> PolicyService::save(store::Session &session, const recovery::Policy &policy) const
{
    TRY(QList<store::StoredAssignment> its, session.policies().assignments());
    its.removeIf([&](const store::StoredAssignment &one) { return one.assignment.policy != policy.name; });
    if (its.isEmpty())
        TRY(checkEndingAnywhere(m_connections, policy));
    for (const store::StoredAssignment &one : std::as_const(its))
        TRY(checkFits(policy, one.assignment.scope));
    TRY(session.policies().save(policy));
    if (policy.rateLimit)
        return {};
    for (const store::StoredAssignment &one : std::as_const(its)) // nothing else ends a limit that was in force
        TRY(session.policies().setLimit(one.assignment.id, {}));
    return {};
}

Result<> PolicyService::remove(const api::RemovePolicy &command, CommandCall &call)
{
    call.about(command.name);
    return changeRules([&](store::Session &session) { return session.policies().remove(command.name); });
}

// Without headers a message that comes back looks like a new one each time, and would be retried for ever.
Result<> PolicyService::checkRecognizes(core::ConnectionId connection) const
{
    TRY(const records::Connection record, m_connections.record(connection));
    if (broker::traitsOf(record.kind).carriesHeaders)
        return {};
    return fail(
        ErrorKind::Refused,
        Text::tr("Messages of %1 have no headers, so those that come back to %2 cannot be recognized, and a policy "
                 "would never end.")
            .arg(records::productName(record.kind), record.name));
}

// The ending, and the counter of the application. Where messages have no headers a policy retries nothing.
Result<> PolicyService::checkFits(const recovery::Policy &policy, const recovery::Scope &scope) const
{
    TRY(checkEnding(m_connections, policy, scope));
    if (policy.counter.isEmpty())
        return {};
    for (const std::shared_ptr<ConnectionRuntime> &runtime : m_connections.all()) {
        const records::Connection &its = runtime->connection();
        const bool isInScope = !scope.connection.isValid() || scope.connection == its.id;
        if (isInScope && broker::traitsOf(its.kind).carriesHeaders && !broker::carriesHeader(its.kind, policy.counter))
            return fail(ErrorKind::Refused, Text::tr("counter: Messages of %1 cannot have a header named %2. Name one "
                                                     "that they can have, or leave the field out.")
                                                .arg(its.name, policy.counter));
    }
    return {};
}

Result<recovery::Scope> PolicyService::checkedScope(store::Session &session, recovery::Scope scope) const
{
    switch (scope.of) {
    case Of::Group: {
        TRY(const store::MarkedGroup group, session.groupMarks().load(scope.group, m_context.dependencies.clock.now()));
        scope.connection = group.connection;
        break;
    }
    case Of::Queue:
        if (scope.queue.trimmed().isEmpty())
            return fail(ErrorKind::Rejected, Text::tr("Name the queue."));
        break;
    case Of::Rule:
        TRY(recovery::checkRule(scope.rule));
        if (!scope.connection.isValid())
            return scope;
        break;
    }
    TRY(checkRecognizes(scope.connection));
    if (scope.of == Of::Queue) {
        TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(scope.connection));
        scope.queue = runtime->spelled(scope.queue);
        TRY(const QList<store::QueueCount> known, session.messages().queueCounts());
        const auto isTheirs = [&](const store::QueueCount &one) {
            return one.connection == scope.connection && one.queue == scope.queue;
        };
        const bool mayExist = !runtime->listing().complete || findQueue(runtime->planBasis(), scope.queue) != nullptr;
        if (runtime->isKnown() && !mayExist && std::none_of(known.cbegin(), known.cend(), isTheirs))
            return fail(ErrorKind::NotFound,
                        Text::tr("%1 has no queue %2.").arg(runtime->connection().name, scope.queue));
    }
    return scope;
}

core::Task<Result<core::AssignmentId>> PolicyService::assign(api::AssignPolicy command, CommandCall &call)
{
    call.about(command.policy);
    CO_TRY(const store::StoredPolicy stored,
           m_context.dependencies.store.read<store::StoredPolicy>(
               [&](store::Session &session) { return session.policies().policy(command.policy); }));
    co_await learnWaysBack(stored.policy.exhausted);
    core::AssignmentId id;
    QString words;
    CO_TRY(changeRules([&](store::Session &session) -> Result<> {
        TRY(const store::StoredPolicy policy, session.policies().policy(command.policy));
        TRY(const recovery::Scope scope, checkedScope(session, command.scope));
        TRY(checkFits(policy.policy, scope));
        TRY(const qint64 now, session.changeNumber());
        TRY(id, session.policies().assign({{}, command.policy, scope, command.existing ? 0 : now}));
        TRY(words, m_views.wordsFor(session, scope));
        return {};
    }));
    call.log(command.policy, command.existing ? Text::tr("%1, also for the messages in the store").arg(words) : words);
    co_return id;
}

Result<> PolicyService::unassign(const api::UnassignPolicy &command, CommandCall &call)
{
    QString policy;
    QString words;
    TRY(changeRules([&](store::Session &session) -> Result<> {
        TRY(const QList<store::StoredAssignment> all, session.policies().assignments());
        const auto found = std::find_if(all.cbegin(), all.cend(), [&](const store::StoredAssignment &one) {
            return one.assignment.id == command.assignment;
        });
        if (found == all.cend())
            return fail(ErrorKind::NotFound, Text::tr("This assignment does not exist."));
        policy = found->assignment.policy;
        TRY(words, m_views.wordsFor(session, found->assignment.scope));
        return session.policies().unassign(command.assignment);
    }));
    call.log(policy, words);
    return {};
}

Result<> PolicyService::pause(const api::PausePolicy &command, CommandCall &call)
{
    call.about(command.name);
    TRY(m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(const store::StoredPolicy stored, session.policies().policy(command.name));
        if (stored.pause.has_value() == command.pause)
            return fail(ErrorKind::Conflict, command.pause
                                                 ? Text::tr("The policy %1 is paused already.").arg(command.name)
                                                 : Text::tr("The policy %1 is not paused.").arg(command.name));
        if (!command.pause)
            return session.policies().setPause(command.name, {});
        return session.policies().setPause(command.name,
                                           store::PolicyPause{call.who(), m_context.dependencies.clock.now(), {}});
    }));
    m_views.rulesChanged();
    m_scheduler.rulesChanged();
    m_context.changed();
    return command.pause ? Result<>() : resumeStopped(command.name, call.who());
}

// Whoever resumes a policy has seen what came back: the stop rule no longer counts it, and its retries go on.
Result<> PolicyService::resumeStopped(const QString &policy, const QString &who)
{
    QList<records::RetryOperation> stopped;
    const bool mayGoOn = !m_pausing.isAllPaused(); // otherwise they wait for their own resume
    TRY(m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(const QList<store::PolicyOperation> unsettled, session.policies().unsettled());
        for (const store::PolicyOperation &one : unsettled) {
            if (one.policy != policy)
                continue;
            TRY(const records::RetryOperation operation, session.retryOperations().load(one.id));
            if (operation.pausedBy == records::PausedBy::StopRule) {
                if (mayGoOn
                    && m_connections.record(operation.connection).and_then([](const records::Connection &connection) {
                           return api::checkRights(connection, records::Right::Retry);
                       })) {
                    TRY(session.heldMessages().forgiveReturnsBesides(one.id));
                    stopped.append(operation);
                }
                continue;
            }
            TRY(session.heldMessages().forgiveReturnsBesides(one.id));
            TRY(session.retryOperations().update(records::forgiven(operation)));
        }
        return {};
    }));
    for (const records::RetryOperation &operation : std::as_const(stopped)) {
        TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(operation.connection));
        TRY(runtime->processor().change(operation.id, retry::StateChange::Resume, who));
    }
    return {};
}

core::Task<Result<qint64>> PolicyService::exclude(api::ExcludeFromPolicy command, CommandCall &call)
{
    qint64 changed = 0;
    const Result<> done = co_await m_scheduler.exclude(command.messages, command.exclude, call.who(), &changed);
    if (changed > 0)
        call.log(messagesText(changed));
    else if (done)
        call.skip();
    m_views.rulesChanged();
    m_context.changed();
    if (!done)
        co_return fail(done.error());
    co_return changed;
}

} // namespace engine
