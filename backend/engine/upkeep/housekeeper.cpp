#include "backend/engine/upkeep/housekeeper.h"

#include "backend/api/starter.h"
#include "backend/core/text/counttext.h"
#include "backend/core/time/durationtext.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/samplestore.h"

#include <QLoggingCategory>

#include <algorithm>

namespace engine {

namespace {
Q_LOGGING_CATEGORY(logHouse, "redrive.engine.house")

constexpr int sweptAtOnce = 2000;
constexpr int removedAtOnce = 100; // takes about 5 ms
constexpr core::Milliseconds breath{10};
constexpr core::Milliseconds listedFor = std::chrono::hours(24); // retries of a policy that had trouble
constexpr core::Milliseconds shortestRetention = std::chrono::hours(1);
constexpr core::Milliseconds shortestQuiet = std::chrono::minutes(1);
constexpr core::Milliseconds longest = std::chrono::hours(24 * 3650);

QString countText(const store::RetentionCounts &counts)
{
    const QString resolved = core::countText(counts.resolved);
    const QString archived = core::countText(counts.archived);
    return Text::tr("%1 resolved, %2 archived, with their headers, bodies and histories").arg(resolved, archived);
}

QString retentionText(const records::RetentionPolicy &retention)
{
    const QString forEver = Text::tr("forever");
    const QString resolved = retention.resolved ? core::durationText(*retention.resolved) : forEver;
    const QString archived = retention.archived ? core::durationText(*retention.archived) : forEver;
    return Text::tr("Retention: resolved messages %1, archived messages %2.").arg(resolved, archived);
}

bool isOutside(std::optional<core::Milliseconds> span, core::Milliseconds least)
{
    return span && (*span < least || *span > longest);
}

core::Result<> check(const api::ChangeSettings &command)
{
    for (const std::optional<records::RetentionPolicy> &retention : {command.retention, command.wouldKeep}) {
        if (retention
            && (isOutside(retention->resolved, shortestRetention) || isOutside(retention->archived, shortestRetention)))
            return core::fail(core::ErrorKind::Rejected,
                              Text::tr("The retention must be between 1 hour and 10 years, or forever."));
    }
    if (command.quiet && isOutside(command.quiet->after, shortestQuiet))
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The quiet period must be between 1 minute and 10 years, or never."));
    return {};
}

} // namespace

Housekeeper::Housekeeper(EngineDependencies &dependencies, AuditLog &auditLog, std::function<void()> changed)
    : m_dependencies(dependencies)
    , m_auditLog(auditLog)
    , m_changed(std::move(changed))
    , m_timers(dependencies.clock)
{
}

core::Task<> Housekeeper::run()
{
    while (true) {
        const core::Result<> slept = co_await m_timers.sleep(interval);
        if (!slept)
            break;
        rollUpSamples();
        dismissPast();
        if (m_dependencies.starter != api::Starter::Program)
            continue;
        core::Result<> done = co_await sweep();
        if (done)
            done = co_await removeExpired();
        if (!done && done.error().kind != core::ErrorKind::Cancelled)
            qCWarning(logHouse) << "messages past their retention could not be removed:" << done.error().message;
    }
}

void Housekeeper::rollUpSamples()
{
    const core::Result<> rolled = m_dependencies.store.transact(
        [this](store::Session &session) { return session.samples().rollUp(m_dependencies.clock.now()); });
    if (!rolled)
        qCWarning(logHouse) << "chart samples could not be condensed:" << rolled.error().message;
}

// Where a policy has trouble for weeks, the list would hold nothing else. The history keeps them.
void Housekeeper::dismissPast()
{
    const core::TimePoint before = m_dependencies.clock.now() - listedFor;
    const core::Result<int> dismissed = m_dependencies.store.transact<int>(
        [before](store::Session &session) { return session.policies().dismissSettled(before); });
    if (!dismissed)
        qCWarning(logHouse) << "past retries of policies could not be dismissed:" << dismissed.error().message;
    else if (*dismissed > 0)
        m_changed();
}

core::Task<core::Result<>> Housekeeper::sweep()
{
    CO_TRY(bool more,
           m_dependencies.store.read<bool>([](store::Session &session) { return session.retention().hasToSweep(); }));
    while (more) {
        CO_TRY(more, m_dependencies.store.transact<bool>([this](store::Session &session) {
            return session.retention().sweep(m_dependencies.clock.now(), sweptAtOnce);
        }));
        CO_TRY(co_await m_timers.sleep(breath));
    }
    co_return core::Result<>{};
}

// Writes the entry before anything is removed, in a transaction of its own. After a crash the next round announces and
// removes the rest.
core::Result<> Housekeeper::announce(store::Session &session, core::TimePoint now, qint64 *due)
{
    TRY(const records::RetentionPolicy retention, session.retention().retention());
    TRY(const store::RetentionCounts counts, session.retention().due(retention, now));
    *due = counts.sum();
    if (*due == 0)
        return {};
    records::Event event;
    event.at = now;
    event.who = AuditLog::engineName();
    event.what = Text::tr("Removing messages past their retention");
    event.onWhat = *due == 1 ? Text::tr("1 message") : Text::tr("%1 messages").arg(core::countText(*due));
    event.result = countText(counts) + QStringLiteral(". ") + retentionText(retention);
    return session.events().append(event);
}

core::Task<core::Result<>> Housekeeper::removeExpired()
{
    const core::TimePoint now = m_dependencies.clock.now();
    CO_TRY(qint64 due, m_dependencies.store.read<qint64>([now](store::Session &session) -> core::Result<qint64> {
        TRY(const records::RetentionPolicy retention, session.retention().retention());
        TRY(const store::RetentionCounts counts, session.retention().due(retention, now));
        return counts.sum();
    }));
    if (due == 0)
        co_return core::Result<>{};
    CO_TRY(m_dependencies.store.transact([&](store::Session &session) { return announce(session, now, &due); }));
    m_auditLog.written();
    while (due > 0) {
        const int atOnce = int(std::min<qint64>(due, removedAtOnce));
        CO_TRY(const qint64 gone,
               m_dependencies.store.transact<qint64>([&](store::Session &session) -> core::Result<qint64> {
                   // The policy may have changed meanwhile.
                   TRY(const records::RetentionPolicy retention, session.retention().retention());
                   TRY(const store::RetentionCounts removed, session.retention().removeDue(retention, now, atOnce));
                   return removed.sum();
               }));
        m_changed();
        if (gone == 0)
            break;
        due -= gone;
        CO_TRY(co_await m_timers.sleep(breath));
    }
    co_return core::Result<>{};
}

core::Result<> Housekeeper::change(store::Session &session, const api::ChangeSettings &command)
{
    if (command.retention)
        TRY(session.retention().setRetention(*command.retention));
    if (!command.quiet)
        return {};
    TRY(const QList<records::Connection> all, session.connections().all());
    const bool known = std::any_of(all.cbegin(), all.cend(),
                                   [&](const records::Connection &one) { return one.id == command.quiet->connection; });
    if (!known)
        return core::fail(core::ErrorKind::NotFound, Text::tr("This connection does not exist."));
    return session.evidence().setQuietRule(*command.quiet);
}

core::Result<api::Settings> Housekeeper::read(store::Session &session, const api::ChangeSettings &command)
{
    api::Settings settings;
    TRY(const records::RetentionPolicy retention, session.retention().retention());
    settings.retention = retention;
    TRY(settings.quiet, session.evidence().quietRules());
    TRY(const store::RetentionCounts due,
        session.retention().due(command.wouldKeep.value_or(retention), m_dependencies.clock.now()));
    settings.resolvedDue = due.resolved;
    settings.archivedDue = due.archived;
    return settings;
}

core::Result<api::Settings> Housekeeper::settings(const api::ChangeSettings &command, CommandCall &call)
{
    const QString retentionName = Text::tr("retention of messages");
    const QString quietName =
        command.quiet ? Text::tr("quiet period of connection %1").arg(command.quiet->connection.value) : QString();
    if (command.retention)
        call.about(retentionName);
    if (command.quiet)
        call.about(quietName);
    TRY(check(command));
    if (command.retention || command.quiet) {
        TRY(m_dependencies.store.transact([&](store::Session &session) { return change(session, command); }));
        m_changed();
    }
    if (command.retention)
        call.log(retentionName, retentionText(*command.retention));
    if (command.quiet)
        call.log(quietName, command.quiet->after ? Text::tr("After %1").arg(core::durationText(*command.quiet->after))
                                                 : Text::tr("Never"));
    return m_dependencies.store.read<api::Settings>([&](store::Session &session) { return read(session, command); });
}

void Housekeeper::addHandlers(CommandTable &table)
{
    table.on(&Engine::housekeeper, &Housekeeper::settings);
}

} // namespace engine
