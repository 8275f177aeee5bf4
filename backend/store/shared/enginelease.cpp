#include "backend/store/shared/enginelease.h"

#include "backend/core/time/systemclock.h"
#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLoggingCategory>
#include <QSysInfo>

#include <chrono>

namespace store {

using core::ErrorKind;
using core::Result;

namespace {

Q_LOGGING_CATEGORY(logLease, "redrive.store.lease")

// Only one engine works for a store.
#define ENGINE_SCOPE "'engine'"

constexpr core::Milliseconds pauseBetweenTries{500};
constexpr core::Milliseconds longestSleep{500}; // a machine that wakes up goes on counting here only then
constexpr core::Milliseconds longestTake{10'000};

core::Error heldBy(const std::optional<LeaseHolder> &holder, const QString &place)
{
    return {ErrorKind::Conflict,
            holder ? Text::tr("The store %1 is in use by %2.").arg(place, holder->text())
                   : Text::tr("The store %1 is in use by another program.").arg(place),
            {},
            {}};
}

} // namespace

QString LeaseHolder::text() const
{
    const QString time =
        QDateTime::fromMSecsSinceEpoch(core::toMs(since)).toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    return Text::tr("process %1 of %2 on %3, since %4 UTC").arg(QString::number(pid), who, host, time);
}

LeaseHolder LeaseHolder::self(Kind kind, const QString &id, const QString &who)
{
    return {id,
            QSysInfo::machineHostName(),
            QCoreApplication::applicationPid(),
            QCoreApplication::applicationVersion(),
            kind,
            who};
}

Result<std::optional<LeaseHolder>> leaseHolder(Database &database)
{
    Statement row = database.sql(QStringLiteral(
        "SELECT holder, host, pid, version, kind, who, role, CAST(extract(epoch FROM taken_at) * 1000 AS bigint)"
        " FROM engine_lease WHERE scope = " ENGINE_SCOPE " AND expires_at >= clock_timestamp()"));
    TRY(const bool found, row.step());
    if (!found)
        return std::optional<LeaseHolder>();
    return std::optional<LeaseHolder>(LeaseHolder{row.text(0), row.text(1), row.integer(2), row.text(3),
                                                  row.as<LeaseHolder::Kind>(4), row.text(5), row.text(6),
                                                  core::fromMs(row.integer(7))});
}

EngineLease::EngineLease(records::StoreAddress address, LeaseHolder self, Events events, Terms terms)
    : m_address(std::move(address))
    , m_self(std::move(self))
    , m_events(std::move(events))
    , m_terms(terms)
{
}

Result<std::unique_ptr<EngineLease>> EngineLease::take(const records::StoreAddress &address, LeaseHolder self,
                                                       Events events, Terms terms)
{
    std::unique_ptr<EngineLease> lease(new EngineLease(address, std::move(self), std::move(events), terms));
    TRY(auto database, PostgresDatabase::open(address, Database::Mode::Write));
    database->line().setLimit(longestTake);
    lease->m_database = std::move(database);
    TRY(lease->acquire());
    lease->m_thread = std::thread([raw = lease.get()] { raw->run(); });
    return lease;
}

// First a look that locks nothing: the statement after it waits for the holder's transactions. Of a new store, the fence goes
// on where a store that was copied into it had been.
Result<> EngineLease::acquire()
{
    TRY(const std::optional<LeaseHolder> before, leaseHolder(*m_database));
    if (before) {
        if (m_self.kind == LeaseHolder::Kind::Server && before->kind == LeaseHolder::Kind::Window)
            wish();
        return core::fail(heldBy(before, m_address.text()));
    }
    const core::BootTime asked = core::bootTime();
    Statement row = m_database->sql(QStringLiteral(
        "INSERT INTO engine_lease AS l (scope, holder, fence, expires_at, taken_at, host, pid, version, kind, who)"
        " VALUES (" ENGINE_SCOPE ", ?, 1 + coalesce((SELECT fence FROM store_meta), 0),"
        " clock_timestamp() + CAST(? AS bigint) * interval '1 ms', clock_timestamp(), ?, ?, ?, ?, ?)"
        " ON CONFLICT (scope) DO UPDATE SET holder = excluded.holder,"
        " fence = 1 + greatest(l.fence, (SELECT fence FROM store_meta)),"
        " expires_at = clock_timestamp() + CAST(? AS bigint) * interval '1 ms', taken_at = clock_timestamp(),"
        " host = excluded.host, pid = excluded.pid, version = excluded.version, kind = excluded.kind,"
        " who = excluded.who, role = session_user, wanted_at = NULL"
        // What a window has left to a server, no other window takes.
        " WHERE l.expires_at < clock_timestamp() AND (excluded.kind = ? OR l.wanted_at IS NULL"
        " OR l.wanted_at < clock_timestamp() - interval '10 s') RETURNING fence"));
    const qint64 ttl = m_terms.ttl.count();
    const Result<bool> taken = row.bind(m_self.id, ttl, m_self.host, m_self.pid, m_self.version, m_self.kind,
                                        m_self.who, ttl, LeaseHolder::Kind::Server)
                                   .step();
    if (!taken || !*taken) { // another one was first, or its last transaction does not end
        if (!taken && taken.error().kind != ErrorKind::Transient)
            return core::fail(taken.error());
        const Result<std::optional<LeaseHolder>> now = leaseHolder(*m_database);
        return core::fail(now ? heldBy(*now, m_address.text()) : now.error());
    }
    m_fence = row.integer(0);
    trustFrom(asked);
    return {};
}

void EngineLease::trustFrom(core::BootTime asked)
{
    m_trustedUntil = (asked + m_terms.ttl - m_terms.margin).time_since_epoch().count();
}

bool EngineLease::isTrusted() const
{
    return core::bootTime().time_since_epoch().count() < m_trustedUntil;
}

Result<bool> EngineLease::renew()
{
    if (m_database->isLost())
        TRY(m_database->reconnect());
    Statement row = m_database->sql(
        QStringLiteral("UPDATE engine_lease SET expires_at = clock_timestamp() + CAST(? AS bigint) * interval '1 ms'"
                       " WHERE scope = " ENGINE_SCOPE " AND holder = ? AND fence = ?"
                       " RETURNING coalesce(wanted_at > clock_timestamp() - interval '30 s', FALSE)"));
    TRY(const bool mine, row.bind(qint64(m_terms.ttl.count()), m_self.id, m_fence).step());
    const bool isWanted = mine && row.integer(0) != 0;
    if (isWanted && m_events.wanted) {
        m_events.wanted({ErrorKind::Conflict,
                         Text::tr("A server works for the store %1 from now on.").arg(m_address.text()),
                         {},
                         {}});
    }
    return mine;
}

// Where it fails, the window keeps the lease until it ends.
void EngineLease::wish()
{
    const Result<int> told = m_database->execute(
        QStringLiteral("UPDATE engine_lease SET wanted_at = clock_timestamp() WHERE scope = " ENGINE_SCOPE), {});
    if (!told)
        qCInfo(logLease).noquote() << told.error().message;
}

bool EngineLease::waitUntil(core::BootTime at)
{
    std::unique_lock held(m_mutex);
    while (!m_ends) {
        const core::Milliseconds rest = at - core::bootTime(); // asked again: a machine that slept is late
        if (rest <= core::Milliseconds::zero())
            return true;
        m_wake.wait_for(held, std::min(rest, longestSleep));
    }
    return false;
}

void EngineLease::run()
{
    static_cast<PostgresDatabase &>(*m_database).line().setLimit(m_terms.longestRenewal);
    core::BootTime next = core::bootTime() + m_terms.renewEvery;
    while (waitUntil(next)) {
        const core::BootTime asked = core::bootTime();
        const Result<bool> renewed = renew();
        if (renewed && *renewed && isTrusted()) {
            trustFrom(asked);
            next = asked + m_terms.renewEvery;
        } else if (renewed && *renewed) {
            return lose({ErrorKind::Transient,
                         Text::tr("The lease of the store %1 was not renewed in time.").arg(m_address.text()),
                         {},
                         {}});
        } else if (renewed) {
            const Result<std::optional<LeaseHolder>> now = leaseHolder(*m_database);
            return lose(heldBy(now.value_or(std::nullopt), m_address.text()));
        } else if (!isTrusted()) {
            return lose(renewed.error());
        } else {
            next = core::bootTime() + std::min(pauseBetweenTries, m_terms.renewEvery);
        }
    }
}

void EngineLease::lose(const core::Error &why)
{
    m_trustedUntil = 0;
    m_events.lost(why);
}

// The row stays, so that the fence never goes back. Of another holder nothing changes.
EngineLease::~EngineLease()
{
    {
        const std::lock_guard held(m_mutex);
        m_ends = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
    if (m_fence == 0 || m_database->isLost())
        return;
    const Result<int> given =
        m_database
            ->sql(QStringLiteral("UPDATE engine_lease SET expires_at = '-infinity' WHERE scope = " ENGINE_SCOPE
                                 " AND holder = ? AND fence = ?"))
            .bind(m_self.id, m_fence)
            .run();
    (void)given; // where it fails, the lease ends by itself
}

} // namespace store
