#include "backend/engine/commands/retryservice.h"

#include "backend/api/requests/retries.h"
#include "backend/broker/brokertraits.h"
#include "backend/core/limits.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/dropforecasts.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/planning/planpreviewbuilder.h"
#include "backend/engine/planning/redirectrules.h"
#include "backend/engine/text.h"
#include "backend/records/activitywords.h"
#include "backend/records/address/connectionurl.h"
#include "backend/retry/copies.h"
#include "backend/retry/outgoing.h"
#include "backend/retry/statechange.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <QScopeGuard>

#include <algorithm>

namespace engine {

using core::Result;
using core::Task;
using records::LeftOut;

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

RetryService::RetryService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
    , m_timers(m_context.dependencies.clock)
    , m_selectionResolver(m_context.dependencies)
    , m_lastChange(m_context.dependencies.queries)
    , m_routes(m_context.dependencies.store, m_context.dependencies.clock)
    , m_freezer(m_context.dependencies.store, m_context.dependencies.clock, m_timers, m_context.dependencies.patience)
{
}

void RetryService::addHandlers(CommandTable &table)
{
    table.on(&Engine::retries, &RetryService::preview);
    table.on(&Engine::retries, &RetryService::previewEdit);
    table.on(&Engine::retries, &RetryService::confirm);
    table.on(&Engine::retries, &RetryService::change);
    table.on(&Engine::retries, &RetryService::setRate);
    table.on(&Engine::retries, &RetryService::settle);
}

void RetryService::cancelAll()
{
    m_timers.cancelAll();
    m_selectionResolver.cancelAll();
    m_lastChange.cancelAll();
}

core::Result<RetryService::Scope> RetryService::resolve(const api::RetryDraft &draft, const Choice &choice)
{
    Scope scope;
    retry::FreezeOrder &order = scope.order;
    order.filter = choice.filter;
    if (!order.filter.status)
        order.filter.status = records::MessageStatus::Unresolved;
    ScopeNames names;
    QStringList sources; // a broker that does not list its queues may have them all the same
    TRY(m_context.dependencies.store.read([&](store::Session &session) -> core::Result<> {
        TRY(const core::ConnectionId connection, SelectionResolver::connectionOf(session, order.filter));
        order.filter.connection = connection; // an operation has exactly one connection
        TRY(const qint64 change, session.changeNumber());
        order.asOfChange = draft.asOfChange.value_or(choice.change.value_or(change));
        TRY(names.groups, session.messages().groupTitles(order.filter.groups.mid(0, 1)));
        TRY(order.standing, session.connections().redirects(connection));
        TRY(const QList<store::QueueCount> counts, session.messages().queueCounts());
        for (const store::QueueCount &one : counts) {
            if (one.connection == connection)
                sources << one.queue;
        }
        return {};
    }));
    TRY(scope.runtime, m_connections.find(order.filter.connection));
    names.connection = scope.runtime->connection().name;
    const PlanBasis basis = scope.runtime->planBasis();
    order.existing = existingQueues(basis, draft.kind);
    order.closed = closedQueues(basis, draft.kind, sources);
    order.namesIgnoreCase = broker::traitsOf(scope.runtime->connection().kind).nameCase == Qt::CaseInsensitive;
    order.answerQueues = retry::answerQueues(scope.runtime->connection());
    order.broker = scope.runtime->connection().kind;
    order.largestBody = scope.runtime->capabilities().largestBody;
    order.decimalsAreDoubles = !records::mayCarryDecimals(scope.runtime->connection());
    order.operation.connection = order.filter.connection;
    order.operation.kind = draft.kind;
    order.operation.handOver = scope.runtime->capabilities().handOver;
    order.operation.scope = scopeSentence(asked(draft.filter, order.filter), names)
                            + redirectsPart(draft.plan.redirects) + editPart(draft.plan.edit);
    order.operation.plan = draft.plan;
    order.operation.requested = m_context.dependencies.clock.now();
    return scope;
}

// Lists the queues first if they are unknown: a plan depends on what the broker can do.
core::Task<core::Result<RetryService::Scope>> RetryService::resolveKnown(api::RetryDraft draft)
{
    CO_TRY(const Choice choice, co_await m_selectionResolver.choose(draft.filter));
    core::Result<Scope> scope = resolve(draft, choice);
    if (!scope || scope->runtime->isKnown())
        co_return scope;
    const std::shared_ptr<ConnectionRuntime> runtime = scope->runtime;
    const core::Result<> asked = co_await runtime->refresh();
    if (!asked)
        co_return scope; // the preview then says why
    co_return resolve(draft, choice);
}

core::Task<core::Result<api::PlanPreview>> RetryService::preview(api::PreviewRetry request, CommandCall &call)
{
    const core::LongWorkPtr work = call.begin(request.ticket);
    CO_TRY(const Scope scope, co_await resolveKnown(request.draft));
    const PlanBasis basis = scope.runtime->planBasis();
    retry::FreezeOrder order = scope.order;
    order.work = work;
    // An invalid or forbidden edit is refused by the preview, and not tried on messages.
    if (!cannotEdit(basis.connection).isEmpty()
        || !checkPlanEdit(basis, order.operation.kind, order.operation.plan.edit))
        order.operation.plan.edit = {};
    retry::EditTally edits;
    CO_TRY(const store::FreezeTally evaluated, co_await m_freezer.evaluate(order, &edits));
    const core::TimePoint now = m_context.dependencies.clock.now();
    api::PlanPreview preview = previewOf(scope.runtime->planBasis(), scope.order, evaluated, now, edits);
    if (scope.order.operation.kind == records::OperationKind::Retry)
        co_await m_routes.addTo(&preview, scope.runtime);
    co_return preview;
}

core::Task<core::Result<api::EditSample>> RetryService::previewEdit(api::PreviewEdit request, CommandCall &call)
{
    const core::LongWorkPtr work = call.begin(request.ticket);
    api::RetryDraft draft;
    draft.filter = request.filter;
    if (request.message.isValid()) { // one message, whatever the filter
        draft.filter = {};
        draft.filter.messages = {request.message};
    }
    CO_TRY(Scope scope, co_await resolveKnown(draft));
    scope.order.work = work;
    const PlanBasis basis = scope.runtime->planBasis();
    const QString refusal = cannotEdit(basis.connection);
    CO_TRY(refusal.isEmpty() ? checkPlanEdit(basis, records::OperationKind::Retry, request.edit) : core::Result<>());
    core::Result<api::EditSample> sample = co_await findSample(basis.connection, scope.order, request);
    if (sample)
        sample->cannotEdit = refusal;
    co_return sample;
}

static bool isChanged(const api::EditSample &sample)
{
    return sample.message.isValid() && sample.misfit.isEmpty() && sample.after != sample.before;
}

namespace {

// The sample to show: of a message that the edit changes; or else, if slow messages ended the search, of the first of them
// that the edit does not fit; or else of the first message.
class BestSample final
{
public:
    void keep(const api::EditSample &sample)
    {
        if (isChanged(sample) || !m_best.message.isValid())
            m_best = sample;
    }
    // It took longer than a moment.
    void keepSlow(const api::EditSample &sample)
    {
        keep(sample);
        ++m_slow;
        if (!sample.misfit.isEmpty() && !m_slowMisfit)
            m_slowMisfit = sample;
    }
    [[nodiscard]] bool isFound() const { return isChanged(m_best); }
    [[nodiscard]] bool isKnown() const { return m_best.message.isValid(); }
    [[nodiscard]] bool takesTooLong() const { return m_slow >= mostSlow; }
    [[nodiscard]] api::EditSample take() const
    {
        return takesTooLong() && !isFound() && m_slowMisfit ? *m_slowMisfit : m_best;
    }

private:
    static constexpr int mostSlow = 3; // others wait for the thread meanwhile

    api::EditSample m_best;
    std::optional<api::EditSample> m_slowMisfit;
    int m_slow = 0;
};

} // namespace

// Looks among the first 1,000 messages.
core::Task<core::Result<api::EditSample>> RetryService::findSample(records::Connection connection,
                                                                   retry::FreezeOrder order, api::PreviewEdit request)
{
    constexpr int mostTried = 1000;
    constexpr int atOnce = 20;
    QList<core::MessageId> ids; // to be tried next
    if (request.message.isValid())
        ids.append(request.message);
    store::SliceEnd after;
    OwnRules rules;
    BestSample best;
    int tried = 0;
    for (bool isEnd = false; !isEnd;) {
        std::optional<SlowSample> slow;
        CO_TRY(m_context.dependencies.store.read([&](store::Session &session) -> core::Result<> {
            const core::SteadyTime begin = m_context.dependencies.clock.steady(); // an edit may take its time
            TRY(rules.conventions, session.conventions().all());
            TRY(rules.counters, session.policies().counters());
            if (ids.isEmpty()) {
                TRY(store::Slice next, session.messages().slice(order.filter, after, atOnce));
                ids = std::move(next.ids);
                after = next.end;
                isEnd = ids.isEmpty();
            }
            while (!ids.isEmpty() && m_context.dependencies.clock.steady() - begin <= core::limits::transactionSlice) {
                const core::MessageId id = ids.takeFirst();
                ++tried;
                const core::Result<store::Original> original = session.messages().loadOriginal(id);
                if (!original && request.message.isValid())
                    return core::fail(original.error());
                if (!original)
                    continue;
                TRY(const bool isStale, retry::hasStaleRequest(session, original->envelope));
                const ConfirmationRequest confirmation{request.askEndpoints, isStale};
                const core::Result<records::Envelope> edited =
                    editedContent(order.broker, *original, rules, request.edit, sampleLimit());
                if (m_context.dependencies.patience != nullptr && !edited
                    && edited.error().kind == core::ErrorKind::Refused) {
                    slow = SlowSample{id, *original, rules, confirmation};
                    return {};
                }
                best.keep(sampleOf(connection, id, *original, rules, confirmation, edited));
                if (best.isFound())
                    return {};
            }
            return {};
        }));
        if (slow) {
            CO_TRY(const api::EditSample sample, co_await sampleSlowly(connection, *slow, request, order.work));
            best.keepSlow(sample);
        }
        const bool enough =
            request.edit.isEmpty() || request.message.isValid() || tried >= mostTried || best.takesTooLong();
        if (best.isFound() || (enough && best.isKnown()))
            break;
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
        if (order.work && order.work->isCancelled)
            co_return core::fail(core::ErrorKind::Cancelled, Text::tr("This was cancelled."));
    }
    co_return best.take();
}

// A moment, if there is another thread for what takes longer.
records::EditLimit RetryService::sampleLimit() const
{
    using records::TextPattern;
    return {m_context.dependencies.patience == nullptr ? TextPattern::longestTrial : TextPattern::moment};
}

core::Task<core::Result<api::EditSample>> RetryService::sampleSlowly(records::Connection connection, SlowSample slow,
                                                                     api::PreviewEdit request, core::LongWorkPtr wanted)
{
    const auto edited = std::make_shared<core::Result<records::Envelope>>(records::Envelope());
    const core::WorkThread::JobPtr job = m_context.dependencies.patience->start(
        [edited, slow, edit = request.edit, broker = connection.kind](const auto &self) {
            const records::EditLimit limit{records::TextPattern::longestTrial, &self.isCancelled};
            *edited = editedContent(broker, slow.original, slow.rules, edit, limit);
        });
    CO_TRY(co_await core::WorkThread::end(job, &m_timers, wanted));
    co_return sampleOf(connection, slow.message, slow.original, slow.rules, slow.confirmation, *edited);
}

core::Result<> RetryService::checkConfirmed(const Scope &scope, const api::ConfirmRetry &command) const
{
    const records::Plan &plan = command.draft.plan;
    const records::Connection &connection = scope.runtime->connection();
    const PlanBasis basis = scope.runtime->planBasis();
    TRY(checkPlan(basis, command.draft.kind, plan, command.expectedCount));
    TRY(checkDoubles(connection, plan));
    TRY(checkBegin(plan.notBefore, m_context.dependencies.clock.now()));
    TRY(checkWatchBack(basis, command));
    TRY(checkStandingShown(scope, command));
    TRY(rememberedRedirects(scope.order.standing, plan.redirects, command.remember,
                            broker::traitsOf(connection.kind).nameCase));
    return checkConfirmation(connection.environment, command);
}

// The limits of the queues are not the store's: they are compared with the set as it is now. So are those who can be asked.
core::Task<core::Result<>> RetryService::checkSetOf(Scope scope)
{
    const records::Plan &plan = scope.order.operation.plan;
    const PlanBasis basis = scope.runtime->planBasis();
    const bool limited =
        std::any_of(basis.listing.queues.cbegin(), basis.listing.queues.cend(), [](const broker::QueueInfo &queue) {
            const records::QueueLimits &limits = queue.limits; // only these can lose messages for certain
            return !limits.deadLetters
                   && (limits.dropsOldest() || (limits.keeps && *limits.keeps <= records::shortestStay));
        });
    const bool mayDrop = limited && !plan.acceptDrops;
    if (!mayDrop && !plan.askEndpoints)
        co_return core::Result<>();
    CO_TRY(const store::FreezeTally tally, co_await m_freezer.evaluate(scope.order));
    CO_TRY(checkAsked(plan, tally));
    co_return mayDrop ? checkDrops(dropsOf(basis, tally.shares), plan) : core::Result<>();
}

core::Task<core::Result<core::OperationId>> RetryService::confirm(api::ConfirmRetry command, CommandCall &call)
{
    const core::LongWorkPtr work = call.begin(command.ticket);
    CO_TRY(Scope scope, co_await resolveKnown(command.draft));
    const std::shared_ptr<ConnectionRuntime> runtime = scope.runtime;
    scope.order.work = work;
    call.about(runtime->connection().name);
    CO_TRY(checkConfirmed(scope, command));
    CO_TRY(co_await checkSetOf(scope));
    scope.order.operation.who = call.who();
    scope.order.expected = command.expectedCount;
    scope.order.watchBack = command.watchBack;
    if (!command.remember.isEmpty())
        scope.order.atEnd = remembering(runtime->connection(), command);
    const QString sentence = scope.order.operation.scope;
    CO_TRY(const retry::FrozenSet frozen, co_await freeze(scope));
    QString result = Text::tr("%1 frozen: %2").arg(messagesText(command.expectedCount), sentence);
    if (const QString redirected = redirectedText(frozen.tally.shares); !redirected.isEmpty())
        result = Text::tr("%1. %2").arg(result, redirected);
    const Qt::CaseSensitivity sensitivity = broker::traitsOf(runtime->connection().kind).nameCase;
    const QString remembered = rememberedText(command.draft.plan.redirects, command.remember, sensitivity);
    if (!remembered.isEmpty())
        result = Text::tr("%1. %2").arg(result, remembered);
    if (!command.draft.plan.reason.isEmpty())
        result = Text::tr("%1 (reason: %2)").arg(result, command.draft.plan.reason);
    call.log(records::operationTarget(frozen.operation), result);
    runtime->processor().wake();
    m_context.changed();
    co_return frozen.operation;
}

// The standing redirects are read again, because somebody may have changed them since the check.
std::function<core::Result<>(store::Session &, core::OperationId)> RetryService::remembering(
    const records::Connection &connection, const api::ConfirmRetry &command)
{
    return [id = connection.id, sensitivity = broker::traitsOf(connection.kind).nameCase,
            ofPlan = command.draft.plan.redirects,
            queues = command.remember](store::Session &session, core::OperationId) -> core::Result<> {
        store::ConnectionStore &connections = session.connections();
        TRY(const QList<records::Redirect> standing, connections.redirects(id));
        TRY(const RememberedRedirects changes, rememberedRedirects(standing, ofPlan, queues, sensitivity));
        for (const records::Redirect &one : changes.gone)
            TRY(connections.removeRedirect(id, one.from));
        for (const records::Redirect &one : changes.added)
            TRY(connections.addRedirect(id, one));
        return {};
    };
}

// The same count can go to other queues when the standing redirects changed.
core::Result<> RetryService::checkStandingShown(const Scope &scope, const api::ConfirmRetry &command)
{
    const bool release = command.draft.kind == records::OperationKind::Release;
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
    // A policy goes on with what still comes; it gives each message back only once.
    if (scope.order.operation.kind == records::OperationKind::Release && scope.order.operation.policy.isEmpty()) {
        CO_TRY(const store::FreezeTally evaluated, co_await m_freezer.evaluate(scope.order));
        for (const records::FrozenShare &share : evaluated.shares)
            queues.append(share.destination.queue);
        co_await scope.runtime->holdIntake(queues);
    }
    const core::Result<retry::FrozenSet> frozen = co_await m_freezer.freeze(scope.order);
    if (frozen)
        scope.runtime->unsubscribe(queues);
    scope.runtime->letGoIntake(queues);
    co_return frozen;
}

core::Result<std::shared_ptr<ConnectionRuntime>> RetryService::runtimeOf(core::OperationId id,
                                                                         records::RetryOperation *operation)
{
    TRY(*operation, m_context.dependencies.store.read<records::RetryOperation>(
                        [id](store::Session &session) { return session.retryOperations().load(id); }));
    return m_connections.find(operation->connection);
}

core::Result<> RetryService::dismiss(core::OperationId id)
{
    return m_context.dependencies.store.transact(
        [id](store::Session &session) { return session.retryOperations().dismiss(id); });
}

core::Result<> RetryService::change(const api::ChangeOperation &command, CommandCall &call)
{
    records::RetryOperation operation;
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, runtimeOf(command.operation, &operation));
    const auto changed = qScopeGuard([this] { m_context.changed(); });
    switch (command.action) {
    case api::OperationAction::Pause:
        return runtime->processor().change(command.operation, retry::StateChange::Pause, call.who());
    case api::OperationAction::Resume:
        return runtime->processor().change(command.operation, retry::StateChange::Resume, call.who());
    case api::OperationAction::Cancel:
        return runtime->processor().change(command.operation, retry::StateChange::Cancel, call.who());
    case api::OperationAction::Dismiss:
        return dismiss(command.operation);
    }
    Q_UNREACHABLE();
}

core::Result<> RetryService::setRate(const api::SetRate &command)
{
    records::RetryOperation operation;
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, runtimeOf(command.operation, &operation));
    TRY(checkRate(command.perMinute));
    TRY(runtime->processor().setPerMinute(command.operation, command.perMinute));
    m_context.changed();
    return {};
}

core::Task<core::Result<qint64>> RetryService::settle(api::SettleInDoubt command, CommandCall &call)
{
    records::RetryOperation operation;
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, runtimeOf(command.operation, &operation));
    const qint64 before = operation.counts.inDoubt;
    const bool again = command.settlement == api::Settlement::SendAgain;
    const core::Result<> done = again ? runtime->processor().sendAgain(command.operation, command.ordinals)
                                      : runtime->processor().assumeSent(command.operation, command.ordinals);
    m_context.changed();
    CO_TRY(done);
    CO_TRY(runtimeOf(command.operation, &operation));
    const qint64 settled = before - operation.counts.inDoubt;
    if (settled == 0 && !command.ordinals.isEmpty())
        CO_TRY(co_await checkSettled(command, call.onWhat()));
    call.log(call.onWhat(), messagesText(settled));
    co_return settled;
}

core::Task<core::Result<>> RetryService::checkSettled(api::SettleInDoubt command, QString onWhat)
{
    const auto isOneInDoubt =
        m_context.dependencies.store.read<bool>([&](store::Session &session) -> core::Result<bool> {
            for (const qint64 ordinal : std::as_const(command.ordinals)) {
                TRY(const QList<store::RetryMember> members,
                    session.retryBatches().members(command.operation, records::Outcome::InDoubt, ordinal - 1, 1));
                if (!members.isEmpty() && members.constFirst().ordinal == ordinal)
                    return true;
            }
            return false;
        });
    CO_TRY(isOneInDoubt);
    if (*isOneInDoubt) // it cannot be sent again, because its message is archived
        co_return {};
    QStringList activities;
    for (const api::Settlement settlement : {api::Settlement::AssumeSent, api::Settlement::SendAgain})
        activities.append(api::SettleInDoubt{command.operation, {}, settlement}.activity());
    const QString who = co_await m_lastChange.entryAbout(onWhat, activities);
    const QString what =
        Text::tr("None of these messages of operation %1 is in doubt any more.").arg(command.operation.value);
    co_return core::fail(core::ErrorKind::Conflict, who.isEmpty() ? what : Text::tr("%1 %2.").arg(what, who));
}

// ---- retries that a recovery policy begins ----

namespace {

// Longer than the quiet period of every set (records::FailureLatency), so that its end is seen.
constexpr core::Milliseconds watchBack = records::FailureLatency::longest + std::chrono::minutes(5);

// Why one message is not in a set. Nothing: it could be, so it changed meanwhile.
RetryService::LeftOutMessage reasonFor(core::MessageId message, std::optional<LeftOut> why)
{
    switch (why.value_or(LeftOut::Changed)) {
    case LeftOut::NoDestination:
        return {message, Text::tr("Its destination is unknown, or only the tool of its framework can return it."),
                true};
    case LeftOut::NotFaithful:
        return {message, Text::tr("The HTTP interface of this broker cannot send its headers back unchanged."), true};
    case LeftOut::TooLarge:
        return {message, Text::tr("It is too large for the HTTP interface of this broker."), true};
    case LeftOut::PossibleDuplicate:
        return {message, Text::tr("It may be a duplicate, so a person must decide first."), true};
    case LeftOut::HeldElsewhere:
        return {message, Text::tr("Another retry has it."), false};
    case LeftOut::Arrived:
    case LeftOut::Changed:
    case LeftOut::BrowsedOnly:
    case LeftOut::Looped: // a policy includes them
    case LeftOut::NoSuchQueue: // held back: RetryService::MissingQueue
    case LeftOut::EditMisfit: // a policy edits nothing
    case LeftOut::BeyondLimit: // and has no limit
        break;
    }
    return {message, Text::tr("It has changed."), false};
}

// The destinations of a set are known when it is weighed, because a redirect may lead elsewhere.
bool canHoldBack(const broker::Broker &broker, const store::FreezeTally &tally, core::Milliseconds delay)
{
    return std::all_of(tally.shares.cbegin(), tally.shares.cend(), [&](const records::FrozenShare &share) {
        return broker.longestDelay(share.destination.queue) >= delay;
    });
}

api::RetryDraft draftOf(const RetryService::PolicyOrder &order)
{
    api::RetryDraft draft;
    draft.kind = order.kind;
    draft.filter.connection = order.connection;
    draft.filter.messages = order.messages;
    draft.plan = order.plan;
    return draft;
}

QList<RetryService::MissingQueue> missingIn(const store::FreezeTally &tally, const PlanBasis &basis)
{
    QList<RetryService::MissingQueue> missing;
    for (const records::FrozenShare &share : tally.missing)
        missing.append({share.origin(), share.destination.queue, whyHeldBack(basis, share.destination.queue)});
    return missing;
}

} // namespace

Task<Result<RetryService::PolicyRetry>> RetryService::issue(PolicyOrder order)
{
    const api::RetryDraft draft = draftOf(order);
    CO_TRY(Scope scope, co_await resolveKnown(draft));
    const PlanBasis basis = scope.runtime->planBasis();
    scope.order.existing = keepingQueues(basis, order.kind);
    scope.order.operation.plan.onUnknown = onUnknownDefault(basis.connection);
    CO_TRY(checkPlan(basis, order.kind, order.plan, order.messages.size()));
    const core::TimePoint now = m_context.dependencies.clock.now();
    const core::Milliseconds delay =
        std::max<core::Milliseconds>(order.deliversUntil.value_or(now) - now, core::Milliseconds{0});
    if (!order.isEnding) {
        api::ConfirmRetry watched;
        watched.draft = draft;
        watched.watchBack = watchBack;
        CO_TRY(checkWatchBack(basis, watched));
        scope.order.watchBack = watchBack + delay;
    }
    scope.order.operation.policy = order.assignment.policy;
    scope.order.operation.assignment = order.assignment.id;
    scope.order.operation.who = Text::tr("policy %1").arg(order.assignment.policy);

    // What a person changed since these messages became due counts: the set is discarded then.
    scope.order.atEnd = [this, order](store::Session &session, core::OperationId operation) -> Result<> {
        TRY(const store::StoredPolicy policy, session.policies().policy(order.assignment.policy));
        if (policy.pause || policy.version != order.version)
            return core::fail(core::ErrorKind::Conflict, Text::tr("The policy has changed."));
        return session.heldMessages().entered(operation, order.assignment.id, m_context.dependencies.clock.now());
    };
    PolicyRetry issued;
    CO_TRY(const store::FreezeTally expected, co_await m_freezer.evaluate(scope.order));
    issued.mustWait = delay.count() > 0 && !canHoldBack(scope.runtime->broker(), expected, delay);
    if (issued.mustWait)
        co_return issued;
    if (expected.frozen > 0) {
        scope.order.expected = expected.frozen;
        CO_TRY(const retry::FrozenSet frozen, co_await freeze(scope));
        issued.operation = frozen.operation;
        issued.count = frozen.tally.frozen;
        m_context.auditLog.note(scope.order.operation.who, Text::tr("Retry requested"),
                                records::operationTarget(frozen.operation),
                                Text::tr("%1 frozen: %2").arg(messagesText(issued.count), scope.order.operation.scope));
        scope.runtime->processor().wake();
        m_context.changed();
    }
    issued.missing = missingIn(expected, basis);
    if (issued.count + expected.leftOut[LeftOut::NoSuchQueue] < order.messages.size()) {
        CO_TRY(issued.leftOut, co_await whyLeftOut(scope.order, order.messages, issued.missing));
    }
    co_return issued;
}

Task<Result<bool>> RetryService::isQueueMissing(PolicyOrder order)
{
    const api::RetryDraft draft = draftOf(order);
    CO_TRY(Scope scope, co_await resolveKnown(draft));
    scope.order.existing = keepingQueues(scope.runtime->planBasis(), order.kind);
    CO_TRY(const store::FreezeTally tally, co_await m_freezer.evaluate(scope.order));
    co_return tally.leftOut[LeftOut::NoSuchQueue] > 0;
}

// One by one, because the rules count sets.
Task<Result<QList<RetryService::LeftOutMessage>>> RetryService::whyLeftOut(retry::FreezeOrder order,
                                                                           QList<core::MessageId> messages,
                                                                           QList<MissingQueue> missing)
{
    const bool isRelease = order.operation.kind == records::OperationKind::Release;

    QList<LeftOutMessage> all;
    CO_TRY(QList<store::PolicyCandidate> candidates,
           m_context.dependencies.store.read<QList<store::PolicyCandidate>>(
               [&](store::Session &session) { return session.heldMessages().candidates(messages); }));
    for (const store::PolicyCandidate &candidate : candidates) {
        const bool isDue = candidate.held && recovery::isScheduled(candidate.held->state);
        if (!isDue)
            continue; // it is in the set
        const records::FailedMessage &message = candidate.message;
        const QString named = isRelease ? message.queue : message.destination.queue;
        if (std::any_of(missing.cbegin(), missing.cend(), [&](const MissingQueue &one) { return one.named == named; }))
            continue;
        order.filter.messages = {candidate.message.id};
        CO_TRY(const store::FreezeTally tally, co_await m_freezer.evaluate(order));
        all.append(reasonFor(candidate.message.id, tally.leftOut.first()));
    }
    co_return all;
}

} // namespace engine
