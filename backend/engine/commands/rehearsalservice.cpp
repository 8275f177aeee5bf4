#include "backend/engine/commands/rehearsalservice.h"

#include "backend/api/whendone.h"
#include "backend/core/limits.h"
#include "backend/dialect/sentat.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/text.h"
#include "backend/records/rules/failurelatency.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"

#include <QScopeGuard>

namespace engine {

using core::ErrorKind;
using core::fail;
using core::Result;

namespace {

constexpr int copiedAtOnce = 50; // takes a few milliseconds
constexpr qint64 mostCopiedBytes = 64LL * 1024 * 1024; // of bodies: they are in memory

Result<> checkRequest(const api::Rehearse &request)
{
    if (request.atMost < 1 || request.atMost > api::Rehearse::most)
        return fail(ErrorKind::Rejected,
                    Text::tr("A rehearsal has between 1 and %1 messages.").arg(api::Rehearse::most));
    if (request.seed < 0)
        return fail(ErrorKind::Rejected, Text::tr("The seed must be 0 or more."));
    if (request.retry.kind != records::OperationKind::Retry)
        return fail(ErrorKind::Rejected, Text::tr("Only a retry or a policy can be rehearsed."));
    const api::RehearsalFaults &faults = request.faults;
    if (faults.share && (*faults.share < 1 || *faults.share > api::RehearsalFaults::wholeShare))
        return fail(ErrorKind::Rejected, Text::tr("The share that fails must be between 0.01 % and 100 %."));
    if (faults.lasting && faults.lasting->count() <= 0)
        return fail(ErrorKind::Rejected, Text::tr("The time for which it fails must be longer than 0."));
    return {};
}

core::Error cancelledRehearsal()
{
    return {ErrorKind::Cancelled, Text::tr("The rehearsal was cancelled."), {}, {}};
}

tl::unexpected<core::Error> noRehearsal()
{
    return fail(ErrorKind::NotFound, Text::tr("This rehearsal is not running any more."));
}

} // namespace

struct RehearsalService::Collected
{
    records::BrokerKind broker{};
    QList<store::NewMessage> copies;
    qint64 selected = 0;
    qint64 browsedOnly = 0;
    qint64 beyondLimit = 0;
    api::Unreadable unreadable;
    qint64 bytes = 0;
    QHash<core::GroupId, QString> titles;
};

RehearsalService::RehearsalService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
    , m_timers(m_context.dependencies.clock)
    , m_selectionResolver(m_context.dependencies)
{
}

void RehearsalService::addHandlers(CommandTable &table)
{
    table.on(&Engine::rehearsals, &RehearsalService::rehearse);
    table.on(&Engine::rehearsals, &RehearsalService::progress);
}

void RehearsalService::cancelAll()
{
    m_timers.cancelAll();
    m_selectionResolver.cancelAll();
    if (!m_running)
        return;
    m_running->control->isCancelled = true;
    if (m_running->giveUp)
        std::exchange(m_running->giveUp, nullptr)(cancelledRehearsal());
}

Result<api::RehearsalProgress> RehearsalService::progress(const api::AskRehearsal &request)
{
    if (!m_running || m_running->ticket != request.ticket)
        return noRehearsal();
    const RehearsalControl &control = *m_running->control;
    return api::RehearsalProgress{m_running->copied, control.sent.load(), control.processed.load(),
                                  core::Milliseconds{control.simulatedMs.load()}};
}

core::Task<Result<api::RehearsalReport>> RehearsalService::rehearse(api::Rehearse request, CommandCall &call)
{
    CO_TRY(checkRequest(request));
    if (m_context.dependencies.rehearser == nullptr)
        co_return fail(ErrorKind::Refused, Text::tr("This program cannot rehearse."));
    if (m_running)
        co_return fail(ErrorKind::Conflict,
                       Text::tr("Another rehearsal is running. Wait until it has ended, or cancel it."));
    m_running.emplace();
    m_running->ticket = request.ticket;
    const core::LongWorkPtr work = call.begin(request.ticket);
    if (work)
        work->onCancel = [control = m_running->control] { control->isCancelled = true; };
    const auto over = qScopeGuard([this] { m_running.reset(); });
    CO_TRY(RehearsalJob job, co_await prepare(request));
    m_running->copied = job.copies.size();
    if (m_running->control->isCancelled)
        co_return fail(cancelledRehearsal());
    const core::Pending<Result<api::RehearsalReport>> running = run(std::move(job));
    const Result<api::RehearsalReport> report = co_await running;
    if (report)
        call.log(call.onWhat(), Text::tr("%1: %2").arg(messagesText(report->copied), api::textOf(*report).sentence));
    co_return report;
}

core::Pending<Result<api::RehearsalReport>> RehearsalService::run(RehearsalJob job)
{
    const core::Pending<Result<api::RehearsalReport>> answer;
    m_running->giveUp = [answer](const core::Error &error) { answer.resolve(fail(error)); };
    api::whenDone(&m_guard, m_context.dependencies.rehearser->start(std::move(job), m_running->control),
                  [answer](const Result<api::RehearsalReport> &report) { answer.resolve(report); });
    return answer;
}

Result<std::optional<recovery::Policy>> RehearsalService::policyOf(const api::Rehearse &request)
{
    if (!request.policyFile.isEmpty()) {
        TRY(recovery::Policy policy, recovery::policyFrom(request.policyFile));
        return std::optional(std::move(policy));
    }
    if (request.policy.isEmpty())
        return std::optional<recovery::Policy>();
    TRY(const store::StoredPolicy stored,
        m_context.dependencies.store.read<store::StoredPolicy>(
            [&request](store::Session &session) { return session.policies().policy(request.policy); }));
    return std::optional(stored.policy);
}

core::Task<Result<RehearsalJob>> RehearsalService::prepare(api::Rehearse request)
{
    RehearsalJob job;
    CO_TRY(job.policy, policyOf(request));
    CO_TRY(const Choice choice, co_await m_selectionResolver.choose(request.retry.filter));
    records::MessageFilter filter = choice.filter;
    if (!filter.status)
        filter.status = records::MessageStatus::Unresolved;
    CO_TRY(m_context.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(filter.connection, SelectionResolver::connectionOf(session, filter));
        TRY(job.standing, session.connections().redirects(filter.connection));
        TRY(job.conventions, session.conventions().all());
        return {};
    }));
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(filter.connection));
    Collected collected;
    collected.broker = runtime->connection().kind;
    CO_TRY(co_await collect(filter, request.atMost, &collected));
    if (collected.selected == 0)
        co_return fail(ErrorKind::NotFound, Text::tr("No unresolved message matches this selection. Select others."));
    if (collected.copies.isEmpty() && collected.unreadable.count > 0)
        co_return fail(ErrorKind::Corrupt,
                       Text::tr("These messages cannot be read: %1").arg(collected.unreadable.text()));
    if (collected.copies.isEmpty())
        co_return fail(ErrorKind::Refused,
                       Text::tr("These messages are browsed only: their originals are still in their queues. "
                                "Take them first."));
    job.begun.policy = job.policy ? job.policy->name : QString();
    job.begun.selected = collected.selected;
    job.begun.copied = collected.copies.size();
    job.begun.browsedOnly = collected.browsedOnly;
    job.begun.beyondLimit = collected.beyondLimit;
    job.begun.unreadable = collected.unreadable;
    job.begun.seed = request.seed;
    job.begun.masked = request.mask;
    job.copies = std::move(collected.copies);
    job.plan = request.retry.plan;
    job.doublesAllowed = runtime->connection().doublesAllowed;
    job.pollInterval = records::pollInterval(runtime->connection());
    job.existing = existingQueues(runtime->planBasis());
    job.faults = request.faults;
    job.mask = request.mask;
    job.now = m_context.dependencies.clock.now();
    co_return job;
}

// All messages are counted, and the first ones copied.
core::Task<Result<>> RehearsalService::collect(records::MessageFilter filter, int atMost, Collected *into)
{
    store::SliceEnd after;
    bool finished = false;
    while (!finished && !m_running->control->isCancelled) {
        CO_TRY(m_context.dependencies.store.read([&](store::Session &session) -> Result<> {
            const bool isFull = into->copies.size() >= atMost || into->bytes >= mostCopiedBytes;
            TRY(const store::Slice slice,
                session.messages().slice(filter, after, isFull ? core::limits::batchMembers : copiedAtOnce));
            finished = slice.ids.isEmpty();
            after = slice.end;
            into->selected += slice.ids.size();
            if (!isFull)
                return copy(session, slice.ids, atMost, into);
            into->beyondLimit += slice.ids.size();
            return {};
        }));
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return Result<>{};
}

Result<> RehearsalService::copy(store::Session &session, const QList<core::MessageId> &ids, int atMost, Collected *into)
{
    TRY(const QList<store::PolicyCandidate> groups, session.heldMessages().candidates(ids));
    for (const store::PolicyCandidate &candidate : groups) {
        store::NewMessage one;
        TRY(one.message, session.messages().load(candidate.message.id));
        if (one.message.flags.testFlag(records::MessageFlag::BrowsedOnly)) {
            ++into->browsedOnly;
            continue;
        }
        if (into->copies.size() >= atMost || into->bytes >= mostCopiedBytes) {
            ++into->beyondLimit;
            continue;
        }
        const Result<records::Envelope> envelope = session.messages().loadEnvelope(candidate.message.id);
        if (!envelope && api::Unreadable::isAbout(envelope.error())) {
            into->unreadable.add(candidate.message.id, envelope.error());
            continue;
        }
        TRY(one.envelope, envelope);
        for (size_t place = 0; place < candidate.groups.size(); ++place) {
            const core::GroupId group = candidate.groups.at(place);
            if (!into->titles.contains(group)) {
                TRY(const QStringList titles, session.messages().groupTitles({group}));
                into->titles.insert(group, titles.value(0));
            }
            one.titles.at(place) = into->titles.value(group);
        }
        const dialect::Arrival arrival{into->broker, one.message.queue, {}, one.envelope, {}, {}};
        one.took = records::timeToFail(dialect::sentAt(arrival, one.envelope), one.message.failure.at);
        into->bytes += one.envelope.body.size();
        into->copies.append(std::move(one));
    }
    return {};
}

} // namespace engine
