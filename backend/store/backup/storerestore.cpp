#include "backend/store/backup/storerestore.h"

#include "backend/core/files/storefiles.h"
#include "backend/records/connection.h"
#include "backend/store/connectionstore.h"
#include "backend/store/database/sqlitedatabase.h"
#include "backend/store/database/storefile.h"
#include "backend/store/database/transactioncounters.h"
#include "backend/store/eventstore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/sqlite/filehome.h"
#include "backend/store/sqlite/storelock.h"
#include "backend/store/store.h"
#include "backend/store/text.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QTimeZone>

namespace store {

using core::ErrorKind;

namespace {

QString moment(core::TimePoint at, const QString &format)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(at), QTimeZone::utc()).toString(format);
}

// "redrive.before-restore-20261123-023300.db"
QString keptName(const QString &store, core::TimePoint now)
{
    const QFileInfo file(store);
    const QString suffix = file.suffix().isEmpty() ? QString() : QLatin1Char('.') + file.suffix();
    return file.absolutePath() + QLatin1Char('/') + file.completeBaseName() + QStringLiteral(".before-restore-")
           + moment(now, QStringLiteral("yyyyMMdd-HHmmss")) + suffix;
}

Result<> checkFile(const StoreRestore::Request &request)
{
    const QString &file = request.backup;
    const QFileInfo info(file);
    if (!info.exists())
        return core::fail(ErrorKind::NotFound, Text::tr("There is no backup at %1.").arg(file));
    if (core::StoreFiles(request.store).contain(file))
        return core::fail(ErrorKind::Refused, Text::tr("%1 is the store itself, not a backup of it.").arg(file));
    if (!info.isFile() || info.size() == 0 || !bearsOurMark(file))
        return core::fail(ErrorKind::Corrupt, Text::tr("%1 is not a backup of a Redrive store.").arg(file));
    if (const std::optional<Holder> holder = StoreLock::holder(file))
        return core::fail(ErrorKind::Refused,
                          Text::tr("%1 is a store in use by %2. Make a backup of it first, then restore that backup.")
                              .arg(file, holder->text()));
    if (QFileInfo(file + QStringLiteral("-wal")).size() > 0) // a part of the store is in it
        return core::fail(
            ErrorKind::Refused,
            Text::tr(
                "%1 is a store that was not closed, not a backup. Make a backup of it first, then restore that backup.")
                .arg(file));
    return {};
}

// Errors name the copy, which nobody knows: they must name the backup.
core::Error named(core::Error error, const QString &part, const StoreRestore::Request &request)
{
    if (error.kind == ErrorKind::Cancelled)
        error.message = Text::tr("The restore was stopped. Nothing has changed.");
    else if (error.kind == ErrorKind::Transient && core::hasLessRoomThan(part, 1024 * 1024))
        error.message = Text::tr("There is not enough space beside %1 to restore the backup. Nothing has changed.")
                            .arg(request.store);
    else
        error.message.replace(part, request.backup);
    return error;
}

Result<> checkRights(Database &database)
{
    Session session(database);
    TRY(const QList<records::Connection> all, session.connections().all());
    for (const records::Connection &connection : all) {
        if (!connection.rights.testFlag(records::Right::Archive))
            return core::fail(ErrorKind::Refused,
                              Text::tr("Restoring a backup sets the current store aside, which needs the right to "
                                       "archive on every connection. The connection %1 does not have it.")
                                  .arg(connection.name));
    }
    return {};
}

// Writes everything into the one file and removes the files beside it, because a log that is left would be read into
// the restored store. A store that cannot be opened is set aside as it is, with the files beside it.
Result<> gather(const QString &store, const QString &kept)
{
    const QString log = store + QStringLiteral("-wal");
    bool isReadable = false;
    { // closing it writes its log into the file
        const Result<std::unique_ptr<SqliteDatabase>> opened = SqliteDatabase::open(store, Database::Mode::Write);
        isReadable = opened.has_value();
        const Result<> allowed = opened ? checkRights(**opened) : Result<>{};
        if (!allowed && allowed.error().kind == ErrorKind::Refused)
            return allowed;
    }
    if (isReadable && QFileInfo(log).size() > 0)
        return core::fail(ErrorKind::Conflict,
                          Text::tr("Another program is reading the store %1. Close that program first.").arg(store));
    if (!isReadable && QFileInfo(log).size() > 0 && !QFile::copy(log, kept + QStringLiteral("-wal")))
        return core::fail(ErrorKind::Transient,
                          Text::tr("The store %1 cannot be set aside. Check the disk that holds it.").arg(store));
    QFile::remove(log);
    QFile::remove(store + QStringLiteral("-shm"));
    return {};
}

} // namespace

StoreRestore::StoreRestore(Request request, PartFile part)
    : m_request(std::move(request))
    , m_part(std::move(part))
{
}

Result<StoreRestore> StoreRestore::prepare(const Request &request, core::Random &random, const std::stop_token &stop)
{
    TRY(checkFile(request));
    Request asked = request;
    // The target of a link: the file is exchanged, not the link.
    const QString real = QFileInfo(request.store).canonicalFilePath();
    asked.store = real.isEmpty() ? QFileInfo(request.store).absoluteFilePath() : real;
    TRY(PartFile part, PartFile::beside(asked.store));
    StoreRestore restore(asked, std::move(part));
    Result<> done = restore.m_part.copyFrom(request.backup, stop);
    if (done)
        done = restore.lookAtPresent();
    if (done)
        done = restore.makeOwn(random, stop);
    if (done)
        done = restore.m_part.sync();
    if (!done)
        return core::fail(named(done.error(), restore.m_part.path(), asked));
    return restore;
}

// For the person who decides. An unreadable store is no reason not to restore.
Result<> StoreRestore::lookAtPresent()
{
    if (!QFileInfo::exists(m_request.store))
        return {};
    m_kept = keptName(m_request.store, m_request.now);
    const Result<std::unique_ptr<SqliteDatabase>> present =
        SqliteDatabase::open(m_request.store, Database::Mode::ReadOnly);
    const Result<StoreFacts> facts = present ? factsOf(**present) : core::fail(present.error());
    if (facts)
        m_facts.present = *facts;
    return {};
}

Result<> StoreRestore::makeOwn(core::Random &random, const std::stop_token &stop)
{
    TRY(const std::unique_ptr<SqliteDatabase> opened, SqliteDatabase::open(m_part.path(), Database::Mode::Write));
    Database &database = *opened;
    const std::stop_callback stopped(stop, [&database] { database.interrupt(); });
    TRY(checkWhole(database, m_request.backup));
    TRY(m_facts.backup, factsOf(database));
    m_facts.backup.bytes = QFileInfo(m_request.backup).size();
    TRY(database.begin());
    TRY(become(database, random, stop));
    return database.commit();
}

Result<> StoreRestore::become(Database &database, core::Random &random, const std::stop_token &stop)
{
    Session session(database);
    TRY(session.counters().load());
    TRY(const RestoreCounts counts, makeUnknown(session, m_request.now, stop));
    m_facts.counts = counts;
    // No batch continues, so no claim stays alive.
    TRY(session.claims().endAll());
    TRY(database.sql(QStringLiteral("INSERT INTO former_store (store_id, until) SELECT store_id, ? FROM store_meta"))
            .bind(m_request.now)
            .run());
    TRY(database.sql(QStringLiteral("UPDATE store_meta SET store_id = ?, home = ?"))
            .bind(random.hexId(), homeOfFile(m_request.store).text())
            .run());
    const QString last = m_facts.backup.lastEntry
                             ? moment(*m_facts.backup.lastEntry, QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"))
                             : Text::tr("unknown");
    const QString kept = m_kept.isEmpty() ? Text::tr("none") : m_kept;
    records::Event event;
    event.at = m_request.now;
    event.severity = records::Severity::Warning;
    event.who = m_request.who;
    event.what = Text::tr("Store restored");
    event.onWhat = m_request.store;
    event.result =
        Text::tr("From %1, last entry: %2. Messages in an unknown state since then: %3. Operations ended: %4. No queue "
                 "is subscribed. Previous store: %5.")
            .arg(m_request.backup, last, QString::number(counts.unknown), QString::number(counts.ended), kept);
    TRY(session.events().append(event));
    return session.counters().flush();
}

Result<> StoreRestore::install()
{
    const QString &store = m_request.store;
    if (m_kept.isEmpty() && !QFileInfo::exists(store))
        return m_part.moveTo(store, PartFile::Replace::No);
    if (m_kept.isEmpty())
        m_kept = keptName(store, m_request.now); // it was created meanwhile
    TRY(const std::unique_ptr<StoreLock> lock, StoreLock::take(store)); // held until the end of this function
    if (QFileInfo::exists(m_kept))
        return core::fail(ErrorKind::Refused, Text::tr("%1 already exists.").arg(m_kept));
    TRY(gather(store, m_kept));
    return m_part.exchangeWith(store, m_kept);
}

} // namespace store
