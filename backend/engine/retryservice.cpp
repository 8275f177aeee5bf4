#include "backend/engine/retryservice.h"

#include "backend/core/limits.h"
#include "backend/engine/auditlog.h"
#include "backend/engine/editrules.h"
#include "backend/engine/filterdescription.h"
#include "backend/engine/planpreviewbuilder.h"
#include "backend/engine/redirectrules.h"
#include "backend/engine/rights.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"
#include "backend/store/retrystore.h"

namespace engine {

namespace {

// The filter as the person chose it, for the sentence; a search in it may be a list of messages by now.
records::MessageFilter asked(const records::MessageFilter &request, const records::MessageFilter &resolved)
{
    records::MessageFilter filter = request;
    filter.connection = resolved.connection;
    filter.status = resolved.status;
    return filter;
}

} // namespace

RetryService::RetryService(ConnectionContext surroundings, ConnectionService &connections)
    : m_around(std::move(surroundings))
    , m_connections(connections)
    , m_timers(m_around.dependencies.clock)
    , m_selectionResolver(m_around.dependencies)
    , m_freezer(m_around.dependencies.store, m_around.dependencies.clock, m_timers)
{
}

void RetryService::cancelAll()
{
    m_timers.cancelAll();
    m_selectionResolver.cancelAll();
}

core::Result<RetryService::Scope> RetryService::resolve(const api::RetryRequest &request, const Choice &choice)
{
    Scope scope;
    retry::FreezeOrder &order = scope.order;
    order.filter = choice.filter;
    if (!order.filter.status)
        order.filter.status = records::MessageStatus::Unresolved;
    ScopeNames names;
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> core::Result<> {
        TRY(const core::ConnectionId connection, SelectionResolver::connectionOf(session, order.filter));
        order.filter.connection = connection; // an operation has exactly one connection
        TRY(const qint64 change, session.changeNumber());
        order.asOfChange = request.asOfChange.value_or(choice.change.value_or(change));
        TRY(names.groups, session.messages().groupTitles(order.filter.groups.mid(0, 1)));
        TRY(order.standing, session.connections().redirects(connection));
        return {};
    }));
    TRY(scope.runtime, m_connections.find(order.filter.connection));
    names.connection = scope.runtime->connection().name;
    order.existing = existingQueues(scope.runtime->planBasis());
    order.namesIgnoreCase = namesIgnoreCase(scope.runtime->connection().kind);
    order.broker = scope.runtime->connection().kind;
    order.operation.connection = order.filter.connection;
    order.operation.kind = request.kind;
    order.operation.handOver = scope.runtime->capabilities().handOver;
    order.operation.scope = scopeSentence(asked(request.filter, order.filter), names)
                            + redirectsPart(request.plan.redirects) + editPart(request.plan.edit);
    order.operation.who = request.who;
    order.operation.plan = request.plan;
    order.operation.requested = m_around.dependencies.clock.now();
    return scope;
}

// Lists the queues first if they are unknown: a plan depends on what the broker can do.
core::Task<core::Result<RetryService::Scope>> RetryService::resolveKnown(api::RetryRequest request)
{
    CO_TRY(const Choice choice, co_await m_selectionResolver.choose(request.filter));
    core::Result<Scope> scope = resolve(request, choice);
    if (!scope || scope->runtime->isKnown())
        co_return scope;
    const std::shared_ptr<ConnectionRuntime> runtime = scope->runtime;
    const core::Result<> asked = co_await runtime->refresh();
    if (!asked)
        co_return scope; // the preview then says why
    co_return resolve(request, choice);
}

core::Task<core::Result<api::PlanPreview>> RetryService::preview(api::RetryRequest request)
{
    CO_TRY(const Scope scope, co_await resolveKnown(std::move(request)));
    const PlanBasis basis = scope.runtime->planBasis();
    retry::FreezeOrder order = scope.order;
    // An invalid or forbidden edit is refused by the preview, and not tried on messages.
    if (!checkPlanEdit(basis, order.operation.kind, order.operation.plan.edit))
        order.operation.plan.edit = {};
    retry::EditTally edits;
    CO_TRY(const store::FreezeTally evaluated, co_await m_freezer.evaluate(order, &edits));
    co_return previewOf(scope.runtime->planBasis(), scope.order, evaluated, m_around.dependencies.clock.now(), edits);
}

core::Task<core::Result<api::EditSample>> RetryService::editSample(api::EditQuestion question)
{
    api::RetryRequest request;
    request.filter = question.filter;
    if (question.message.isValid()) { // one message, whatever the filter
        request.filter = {};
        request.filter.messages = {question.message};
    }
    CO_TRY(const Scope scope, co_await resolveKnown(request));
    const PlanBasis basis = scope.runtime->planBasis();
    const QString refusal = cannotEdit(basis.connection);
    CO_TRY(refusal.isEmpty() ? checkPlanEdit(basis, records::OperationKind::Retry, question.edit) : core::Result<>());
    core::Result<api::EditSample> sample = co_await findSample(scope.order, question);
    if (sample)
        sample->cannotEdit = refusal;
    co_return sample;
}

// The first message that the edit changes, among the first 1,000; otherwise the first one.
core::Task<core::Result<api::EditSample>> RetryService::findSample(retry::FreezeOrder order, api::EditQuestion question)
{
    constexpr int mostTried = 1000;
    constexpr int atOnce = 20;
    QList<core::MessageId> ids{question.message};
    store::SliceEnd after;
    api::EditSample first;
    int tried = 0;
    while (!ids.isEmpty()) {
        CO_TRY(m_around.dependencies.store.read([&](store::Session &session) -> core::Result<> {
            if (!question.message.isValid()) {
                TRY(store::Slice next, session.messages().slice(order.filter, after, atOnce));
                ids = std::move(next.ids);
                after = next.end;
            }
            for (const core::MessageId id : std::as_const(ids)) {
                const core::Result<store::Original> original = session.messages().loadOriginal(id);
                if (!original && question.message.isValid())
                    return core::fail(original.error());
                if (!original)
                    continue;
                const api::EditSample sample = sampleOf(order.broker, id, *original, question.edit);
                const bool changed = sample.misfit.isEmpty() && sample.after != sample.before;
                if (changed || !first.message.isValid())
                    first = sample;
                if (changed)
                    return {};
            }
            return {};
        }));
        tried += int(ids.size());
        const bool found = first.message.isValid() && first.misfit.isEmpty() && first.after != first.before;
        const bool enough = question.edit.isEmpty() || question.message.isValid() || tried >= mostTried;
        if (found || (enough && first.message.isValid()))
            break;
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return first;
}

core::Task<core::Result<core::OperationId>> RetryService::retry(api::RetryCommand command)
{
    CO_TRY(Scope scope, co_await resolveKnown(command.request));
    const std::shared_ptr<ConnectionRuntime> runtime = scope.runtime;
    const records::Connection connection = runtime->connection();
    const QString verb = command.request.kind == records::OperationKind::Release ? Text::tr("Release requested")
                                                                                 : Text::tr("Retry requested");
    const PlanBasis basis = runtime->planBasis();
    core::Result<> allowed = checkSending(basis);
    if (allowed)
        allowed = checkDoubles(connection, command.request.plan);
    if (allowed)
        allowed = checkRate(command.request.plan.perMinute);
    if (allowed)
        allowed = checkBegin(command.request.plan.notBefore, m_around.dependencies.clock.now());
    if (allowed)
        allowed = checkGuards(basis, command.request.kind, command.request.plan);
    if (allowed)
        allowed = checkWatchBack(basis, command);
    if (allowed)
        allowed = checkMostWaiting(basis, command.request.plan);
    if (allowed)
        allowed = checkPlanRedirects(basis, command.request.kind, command.request.plan.redirects);
    if (allowed)
        allowed = checkPlanEdit(basis, command.request.kind, command.request.plan.edit);
    if (allowed)
        allowed = checkWholeBody(command.request.plan.edit, command.expectedCount);
    if (allowed)
        allowed = checkStandingShown(scope, command);
    if (allowed)
        allowed = checkConfirmation(connection.environment, command);
    if (!allowed) {
        m_around.auditLog.note(command.request.who, verb, connection.name, allowed);
        co_return core::fail(allowed.error());
    }
    scope.order.expected = command.expectedCount;
    scope.order.watchBack = command.watchBack;
    const QString sentence = scope.order.operation.scope;
    const core::Result<retry::FrozenSet> frozen = co_await freeze(scope);
    if (!frozen) {
        m_around.auditLog.note(command.request.who, verb, connection.name, core::Result<>(core::fail(frozen.error())));
        co_return core::fail(frozen.error());
    }
    const core::OperationId id = frozen->operation;
    QString result = Text::tr("%1 frozen: %2").arg(messagesText(command.expectedCount), sentence);
    if (const QString redirected = redirectedText(frozen->tally.shares); !redirected.isEmpty())
        result = Text::tr("%1. %2").arg(result, redirected);
    if (!command.request.plan.reason.isEmpty())
        result = Text::tr("%1 (reason: %2)").arg(result, command.request.plan.reason);
    m_around.auditLog.note(command.request.who, verb, operationName(id), result);
    runtime->processor().wake();
    m_around.changed();
    co_return id;
}

// The same count can go to other queues when the standing redirects changed.
core::Result<> RetryService::checkStandingShown(const Scope &scope, const api::RetryCommand &command)
{
    const bool release = command.request.kind == records::OperationKind::Release;
    if (release || !command.standingShown || *command.standingShown == scope.order.standing)
        return {};
    return core::fail(core::ErrorKind::Conflict,
                      Text::tr("The redirects of this connection have changed. Check the plan again."));
}

// Released messages must not be taken again at once, so their queues are unsubscribed; only after freezing succeeded,
// and meanwhile the intake is held.
core::Task<core::Result<retry::FrozenSet>> RetryService::freeze(Scope scope)
{
    QStringList queues;
    if (scope.order.operation.kind == records::OperationKind::Release) {
        CO_TRY(const store::FreezeTally evaluated, co_await m_freezer.evaluate(scope.order));
        for (const store::FreezeShare &share : evaluated.shares)
            queues.append(share.destination.queue);
        co_await scope.runtime->holdIntake(queues);
    }
    const core::Result<retry::FrozenSet> frozen = co_await m_freezer.freeze(scope.order);
    if (frozen)
        scope.runtime->unsubscribe(queues);
    scope.runtime->letGoIntake(queues);
    co_return frozen;
}

QString RetryService::operationName(core::OperationId id) const
{
    return Text::tr("operation %1").arg(id.value);
}

core::Result<std::shared_ptr<ConnectionRuntime>> RetryService::runtimeOf(core::OperationId id,
                                                                         records::RetryOperation *operation)
{
    TRY(*operation, m_around.dependencies.store.read<records::RetryOperation>(
                        [id](store::Session &session) { return session.retries().operation(id); }));
    return m_connections.find(operation->connection);
}

core::Result<> RetryService::dismiss(core::OperationId id)
{
    return m_around.dependencies.store.transact(
        [id](store::Session &session) { return session.retries().dismiss(id); });
}

core::Result<> RetryService::act(core::OperationId id, api::OperationAction action, const QString &who)
{
    records::RetryOperation operation;
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, runtimeOf(id, &operation));
    core::Result<> done;
    QString verb;
    switch (action) {
    case api::OperationAction::Pause:
        verb = Text::tr("Paused");
        done = runtime->processor().change(id, retry::StateChange::Pause, who);
        break;
    case api::OperationAction::Resume:
        verb = Text::tr("Resumed");
        done = checkRight(runtime->connection(), records::Right::Retry);
        if (done)
            done = runtime->processor().change(id, retry::StateChange::Resume, who);
        break;
    case api::OperationAction::Cancel:
        verb = Text::tr("Cancelled");
        done = runtime->processor().change(id, retry::StateChange::Cancel, who);
        break;
    case api::OperationAction::Dismiss:
        verb = Text::tr("Dismissed");
        done = dismiss(id);
        break;
    }
    m_around.auditLog.note(who, verb, operationName(id), done);
    m_around.changed();
    return done;
}

core::Result<> RetryService::setRate(const api::RateCommand &command)
{
    records::RetryOperation operation;
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, runtimeOf(command.operation, &operation));
    core::Result<> done = checkRight(runtime->connection(), records::Right::Retry);
    if (done)
        done = checkRate(command.perMinute);
    if (done)
        done = runtime->processor().setPerMinute(command.operation, command.perMinute);
    const QString verb = command.perMinute ? Text::tr("Rate limited to %1 per minute").arg(*command.perMinute)
                                           : Text::tr("Rate limit removed");
    m_around.auditLog.note(command.who, verb, operationName(command.operation), done);
    m_around.changed();
    return done;
}

core::Result<qint64> RetryService::settle(const api::SettleCommand &command)
{
    records::RetryOperation operation;
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, runtimeOf(command.operation, &operation));
    core::Result<> done = checkRight(runtime->connection(), records::Right::Retry);
    const qint64 before = operation.counts.inDoubt;
    const bool again = command.settlement == api::Settlement::SendAgain;
    if (done)
        done = again ? runtime->processor().sendAgain(command.operation, command.ordinals)
                     : runtime->processor().assumeSent(command.operation, command.ordinals);
    m_around.auditLog.note(command.who,
                           again ? Text::tr("In doubt: sent again") : Text::tr("In doubt: settled as sent"),
                           operationName(command.operation), done);
    m_around.changed();
    if (!done)
        return core::fail(done.error());
    TRY(runtimeOf(command.operation, &operation));
    return before - operation.counts.inDoubt;
}

} // namespace engine
