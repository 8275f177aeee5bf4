#include "backend/engine/commands/messageservice.h"

#include "backend/core/limits.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/retry/claimstore.h"

#include <QSet>

namespace engine {

namespace {

using records::MessageStatus;

constexpr int firstRows = 200;
constexpr int fewestRows = 20; // each slice is a commit, which costs as much as several messages

bool isOfUnknown(const api::DecideMessages &command)
{
    return command.statusBefore() == MessageStatus::Unknown;
}

} // namespace

MessageService::MessageService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
    , m_timers(m_context.dependencies.clock)
    , m_size(firstRows, fewestRows, core::limits::batchMembers)
    , m_selectionResolver(m_context.dependencies)
    , m_lastChange(m_context.dependencies.queries)
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
    m_lastChange.cancelAll();
}

core::Result<QString> MessageService::whyBrowsedOnly(const records::MessageFilter &filter)
{
    TRY(const core::ConnectionId id,
        m_context.dependencies.store.read<core::ConnectionId>(
            [&](store::Session &session) { return SelectionResolver::connectionOf(session, filter); }));
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(id));
    return browsedOnlyReason(runtime->connection(), runtime->capabilities());
}

core::Result<qint64> MessageService::newestChange()
{
    return m_context.dependencies.store.read<qint64>([](store::Session &session) { return session.changeNumber(); });
}

core::Result<int> MessageService::changeStatus(store::Session &session, const Work &work,
                                               const QList<core::MessageId> &messages)
{
    const api::DecideMessages &command = work.command;
    const store::Decided decided{m_context.dependencies.clock.now(), work.who};
    if (isOfUnknown(command))
        return session.messages().decide(messages, {MessageStatus::Unknown}, *command.statusAfter(), decided);
    switch (command.decision) {
    case api::Decision::Archive:
    case api::Decision::Restore:
        return session.messages().decide(messages, {command.statusBefore()}, *command.statusAfter(), decided);
    case api::Decision::TakeBack:
        return session.claims().close(messages, {records::ClaimClosing::TakenBack, decided.at, decided.who});
    case api::Decision::Resolve:
        return session.claims().close(messages, {records::ClaimClosing::ResolvedByHand, decided.at, decided.who});
    case api::Decision::Delete:
        return session.retention().removeOf(messages, command.statusBefore());
    }
    Q_UNREACHABLE();
}

core::Result<> MessageService::change(store::Session &session, Work *work, const QList<core::MessageId> &messages)
{
    const bool isOfRetry =
        work->filter.status == MessageStatus::RetryIssued || work->command.decision == api::Decision::Delete;
    if (work->command.decision == api::Decision::TakeBack && work->filter.status == MessageStatus::RetryIssued) {
        TRY(const int held, session.claims().heldByBroker(messages, m_context.dependencies.clock.now()));
        work->counts.atBroker += held;
    }
    TRY(const int changed, changeStatus(session, *work, messages));
    work->counts.changed += changed;
    (isOfRetry ? work->counts.underWay : work->counts.browsedOnly) += messages.size() - changed;
    return {};
}

bool MessageService::isCancelled(Work *work)
{
    work->counts.isCancelled = work->progress->isCancelled;
    return work->counts.isCancelled;
}

core::Result<> MessageService::transact(Work *work, const std::function<core::Result<>(store::Session &)> &slice)
{
    const core::SteadyTime begin = m_context.dependencies.clock.steady();
    const api::DecisionCounts before = work->counts;
    core::Result<> done = m_context.dependencies.store.transact(slice);
    if (!done)
        work->counts = before; // nothing of this slice stays
    m_size.learn(m_context.dependencies.clock.steady() - begin);
    m_context.changed();
    return done;
}

core::Task<core::Result<>> MessageService::decideEach(Work *work)
{
    const bool isSeen = work->command.asOfChange > 0 && !work->command.filter.messages.isEmpty();
    return isSeen ? decideListed(work) : decideAll(work);
}

core::Task<core::Result<>> MessageService::decideAll(Work *work)
{
    store::SliceEnd after;
    bool finished = false;
    while (!finished && !isCancelled(work)) {
        store::Slice slice;
        CO_TRY(transact(work, [&](store::Session &session) -> core::Result<> {
            TRY(slice, session.messages().slice(work->filter, after, m_size.rows()));
            return slice.ids.isEmpty() ? core::Result<>() : change(session, work, slice.ids);
        }));
        after = slice.end;
        finished = slice.ids.isEmpty();
        work->progress->done += slice.ids.size();
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    co_return {};
}

core::Task<core::Result<>> MessageService::decideListed(Work *work)
{
    const QList<core::MessageId> all = work->filter.messages;
    while (work->progress->done < all.size() && !isCancelled(work)) {
        Listed listed{all.mid(work->progress->done, m_size.rows()), work->command.asOfChange};
        for (int retries = 0; retries <= core::limits::conflictRetries && !listed.open.isEmpty(); ++retries) {
            const qsizetype open = listed.open.size();
            CO_TRY(attempt(work, &listed));
            work->progress->done += open - listed.open.size();
            CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
        }
        work->conflicting += listed.open;
        work->progress->done += listed.open.size();
    }
    co_return {};
}

core::Result<> MessageService::attempt(Work *work, Listed *listed)
{
    return transact(work, [&](store::Session &session) -> core::Result<> {
        const api::DecideMessages &command = work->command;
        records::MessageFilter filter = work->filter;
        filter.messages = listed->open;
        TRY(const store::Slice slice, session.messages().slice(filter, {}, int(listed->open.size())));
        TRY(const QList<store::MessageVersion> versions, session.messages().versions(listed->open));
        const QSet<core::MessageId> fitting(slice.ids.cbegin(), slice.ids.cend());
        QSet<core::MessageId> gone(listed->open.cbegin(), listed->open.cend());
        QList<core::MessageId> asSeen;
        Listed next{{}, listed->seen};
        for (const store::MessageVersion &now : versions) {
            gone.remove(now.id);
            const bool isOther = now.status != command.statusBefore() && now.status != command.statusAfter();
            if (fitting.contains(now.id) && now.change <= listed->seen) {
                asSeen.append(now.id);
            } else if (fitting.contains(now.id)) {
                next.open.append(now.id);
                next.seen = std::max(next.seen, now.change);
            } else if (isOther && now.change > command.asOfChange) {
                work->conflicting.append(now.id);
            }
        }
        if (command.statusAfter()) // otherwise they are what the person wanted
            work->conflicting += gone.values();
        *listed = next;
        return asSeen.isEmpty() ? core::Result<>() : change(session, work, asSeen);
    });
}

core::Task<core::Result<>> MessageService::explainRest(Work *work)
{
    api::DecisionCounts &counts = work->counts;
    counts.conflicts = work->conflicting.size();
    if (counts.conflicts > 0) {
        const QString who = co_await m_lastChange.ofMessage(work->conflicting.constFirst());
        counts.conflict = Text::tr("Left unchanged, because somebody changed them after you saw the list: %1. %2")
                              .arg(messagesText(counts.conflicts), who);
        if (counts.changed == 0)
            co_return core::fail(core::ErrorKind::Conflict, counts.conflict);
    }
    if (counts.browsedOnly > 0) {
        const core::Result<QString> why = whyBrowsedOnly(work->filter);
        counts.browsedOnlyReason = why ? *why : Text::tr("the reason could not be read");
        if (counts.changed == 0)
            co_return core::fail(core::ErrorKind::Refused,
                                 Text::tr("These messages were browsed only: %1.").arg(counts.browsedOnlyReason));
    }
    co_return {};
}

QString MessageService::resultOf(const api::DecisionCounts &counts)
{
    QString text = messagesText(counts.changed);
    if (counts.isCancelled)
        text = Text::tr("%1, then cancelled").arg(text);
    return counts.conflict.isEmpty() ? text : Text::tr("%1. %2").arg(text, counts.conflict);
}

core::Task<core::Result<api::DecisionCounts>> MessageService::decide(api::DecideMessages command, CommandCall &call)
{
    if (command.filter.status == MessageStatus::Unknown && command.decision == api::Decision::Restore)
        co_return core::fail(core::ErrorKind::Rejected, Text::tr("Only archived messages can be restored."));
    if (command.decision == api::Decision::Delete
        && command.filter.status.value_or(command.statusBefore()) != command.statusBefore())
        co_return core::fail(core::ErrorKind::Rejected,
                             Text::tr("Only archived and resolved messages can be deleted."));
    CO_TRY(const qint64 newest, newestChange());
    if (command.asOfChange > newest)
        co_return core::fail(core::ErrorKind::Rejected,
                             Text::tr("Change %1 is not of this store, whose newest is %2. Read the list again.")
                                 .arg(QString::number(command.asOfChange), QString::number(newest)));
    const core::LongWorkPtr asked = call.begin(command.ticket);
    CO_TRY(const Choice choice, co_await m_selectionResolver.choose(command.filter));
    Work work{command, call.who(), choice.filter, asked ? asked : std::make_shared<core::LongWork>()};
    work.filter.status = command.statusBefore();
    CO_TRY(work.progress->of,
           m_context.dependencies.store.read<std::optional<qint64>>(
               [&work](store::Session &session) { return session.messages().keptCount(work.filter); }));
    const core::Result<> done = co_await decideEach(&work);
    if (!done && work.counts.changed > 0) // the slices before the error stay
        call.log(call.onWhat(), Text::tr("%1, then: %2").arg(messagesText(work.counts.changed), done.error().message));
    CO_TRY(done);
    CO_TRY(co_await explainRest(&work));
    work.counts.change = newestChange().value_or(newest);
    call.log(call.onWhat(), resultOf(work.counts));
    co_return work.counts;
}

} // namespace engine
