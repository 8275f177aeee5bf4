#include "backend/engine/connection/silenceresolver.h"

#include "backend/broker/brokertraits.h"
#include "backend/core/text/counttext.h"
#include "backend/core/time/durationtext.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/text.h"
#include "backend/records/activitywords.h"
#include "backend/store/eventstore.h"
#include "backend/store/retry/evidencestore.h"

#include <QLoggingCategory>

#include <algorithm>

namespace engine {

namespace {
Q_LOGGING_CATEGORY(logQuiet, "redrive.engine.quiet")

// Nobody consumes these messages, so that none comes back proves nothing.
QStringList withoutConsumers(const QList<broker::QueueInfo> &queues)
{
    QStringList names;
    for (const broker::QueueInfo &queue : queues) {
        if (queue.consumers == 0 && queue.depth != 0)
            names.append(queue.name);
    }
    return names;
}

} // namespace

SilenceResolver::SilenceResolver(EngineDependencies &dependencies, AuditLog &auditLog,
                                 const records::Connection &connection, Where where)
    : m_dependencies(dependencies)
    , m_auditLog(auditLog)
    , m_connection(connection)
    , m_where(std::move(where))
{
}

bool SilenceResolver::watched(const QStringList &seen, const QList<broker::QueueInfo> &queues)
{
    const core::TimePoint now = m_dependencies.clock.now();
    m_stretches.removeIf([&](const QHash<QString, Stretch>::iterator &entry) { return !seen.contains(entry.key()); });
    for (const QString &queue : seen) {
        const auto known = m_stretches.find(queue);
        const bool goesOn = known != m_stretches.end() && now >= known->until && now - known->until <= longestGap;
        if (goesOn)
            known->until = now;
        else
            m_stretches.insert(queue, {now, now});
    }
    if (m_looked && m_dependencies.clock.steady() - *m_looked < interval)
        return false;
    m_looked = m_dependencies.clock.steady();
    if (m_stretches.isEmpty())
        return false;
    const core::Result<bool> resolved = check(queues);
    if (!resolved)
        qCWarning(logQuiet) << "the quiet period is not checked at the moment:" << resolved.error().message;
    return resolved && *resolved;
}

core::Result<bool> SilenceResolver::check(const QList<broker::QueueInfo> &queues)
{
    if (!broker::traitsOf(m_connection.kind).carriesHeaders)
        return false; // those that come back cannot be recognized
    std::optional<core::TimePoint> oldest;
    std::optional<core::Milliseconds> after;
    TRY(m_dependencies.store.read([&](store::Session &session) -> core::Result<> {
        TRY(oldest, session.evidence().oldestUnsettled(m_connection.id));
        TRY(after, session.evidence().quietAfter(m_connection.id));
        return {};
    }));
    if (!oldest || !after)
        return false; // no sent message waits to be resolved: write nothing
    TRY(m_dependencies.store.transact([&](store::Session &session) { return keep(session, *oldest); }));
    bool some = false;
    TRY(resolve(queues, *after, &some));
    return some;
}

core::Result<> SilenceResolver::keep(store::Session &session, core::TimePoint oldest)
{
    QHash<core::TimePoint::rep, QStringList> bySince;
    QHash<core::TimePoint::rep, core::TimePoint> until;
    for (auto entry = m_stretches.cbegin(); entry != m_stretches.cend(); ++entry) {
        bySince[core::toMs(entry->since)].append(entry.key());
        until.insert(core::toMs(entry->since), entry->until);
    }
    for (auto entry = bySince.cbegin(); entry != bySince.cend(); ++entry)
        TRY(session.evidence().watched(m_connection.id, *entry, core::fromMs(entry.key()), until.value(entry.key())));
    return session.evidence().forgetWatched(m_connection.id, oldest);
}

// The shortest watched time of its queues. All of them must be watched now, too.
core::Result<core::Milliseconds> SilenceResolver::quietFor(store::Session &session, const store::QuietBatch &batch,
                                                           QHash<core::OperationId, QStringList> &places) const
{
    if (!places.contains(batch.operation)) {
        TRY(const store::Returns back, session.evidence().whereBack(batch.operation));
        // Sets frozen before schema 11 may not say where their messages came from: never resolved by the quiet period.
        places.insert(batch.operation, back.sources.isEmpty() ? QStringList() : m_where(back));
    }
    const QStringList queues = places.value(batch.operation);
    std::optional<core::Milliseconds> shortest;
    for (const QString &queue : queues) {
        if (!m_stretches.contains(queue))
            return core::Milliseconds{0};
        TRY(const core::Milliseconds one, session.evidence().watchedFor(m_connection.id, queue, batch.sentUntil));
        shortest = std::min(shortest.value_or(one), one);
    }
    return shortest.value_or(core::Milliseconds{0});
}

// One transaction per batch (at most limits::batchMembers messages), including its entry in the activity log.
core::Result<> SilenceResolver::resolve(const QList<broker::QueueInfo> &queues, core::Milliseconds after, bool *some)
{
    const core::TimePoint now = m_dependencies.clock.now();
    const QStringList unattended = withoutConsumers(queues);
    TRY(const QList<store::QuietBatch> due,
        m_dependencies.store.read<QList<store::QuietBatch>>([&](store::Session &session) {
            return session.evidence().batchesToSettle(m_connection.id, now - after, m_after, batchesAtOnce);
        }));
    QHash<core::OperationId, QStringList> places;
    m_after = due.size() < batchesAtOnce ? core::BatchId{} : due.last().id;
    for (const store::QuietBatch &batch : due) {
        TRY(m_dependencies.store.transact([&](store::Session &session) -> core::Result<> {
            TRY(const core::Milliseconds quiet, quietFor(session, batch, places));
            if (quiet < after)
                return {};
            TRY(const int resolved, session.evidence().resolveQuiet(batch.id, unattended, now, quiet));
            *some = *some || resolved > 0;
            return resolved > 0 ? note(session, batch.operation, resolved, after) : core::Result<>{};
        }));
    }
    if (*some)
        m_auditLog.written();
    return {};
}

core::Result<> SilenceResolver::note(store::Session &session, core::OperationId operation, int resolved,
                                     core::Milliseconds after) const
{
    records::Event event;
    event.at = m_dependencies.clock.now();
    event.who = AuditLog::engineName();
    event.what = Text::tr("Resolved after the quiet period");
    event.onWhat = records::operationTarget(operation);
    event.result =
        Text::tr("%1 did not come back for %2 while the error queues were watched.")
            .arg(resolved == 1 ? Text::tr("1 message") : Text::tr("%1 messages").arg(core::countText(resolved)),
                 core::durationText(after));
    return session.events().append(event);
}

} // namespace engine
