#include "backend/localbroker/journal.h"

#include "backend/localbroker/text.h"

#include <QCborArray>
#include <QCborValue>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlError>
#include <QUuid>
#include <QVariant>

#include <algorithm>

namespace localbroker {

using core::ErrorKind;
using core::Result;

namespace {

constexpr int applicationId = 0x52445642; // "RDVB"
constexpr int schemaVersion = 1;

QByteArray settingsToCbor(const QueueSettings &settings)
{
    const auto optionalMs = [](const std::optional<core::Milliseconds> &value) {
        return value ? QCborValue(qint64{value->count()}) : QCborValue(QCborValue::Null);
    };
    QCborArray fields{qint64{settings.lockDuration.count()},    settings.maxDeliveryCount,
                      optionalMs(settings.defaultTimeToLive),   settings.deadLetteringOnExpiration,
                      optionalMs(settings.autoDeleteOnIdle),    settings.duplicateDetection,
                      qint64{settings.duplicateWindow.count()}, settings.maxSizeBytes};
    if (settings.kind != EntityKind::Queue || !settings.forwardTo.isEmpty() || !settings.forwardDeadLettersTo.isEmpty())
        fields.append(QCborArray{int(settings.kind), settings.forwardTo, settings.forwardDeadLettersTo});
    return QCborValue(fields).toCbor();
}

QueueSettings settingsFromCbor(const QString &name, const QByteArray &cbor)
{
    const QCborArray fields = QCborValue::fromCbor(cbor).toArray();
    QueueSettings settings;
    settings.name = name;
    if (fields.size() != 8 && fields.size() != 9)
        return settings;
    settings.lockDuration = core::Milliseconds{fields[0].toInteger()};
    settings.maxDeliveryCount = int(fields[1].toInteger());
    if (fields[2].isInteger())
        settings.defaultTimeToLive = core::Milliseconds{fields[2].toInteger()};
    settings.deadLetteringOnExpiration = fields[3].toBool();
    if (fields[4].isInteger())
        settings.autoDeleteOnIdle = core::Milliseconds{fields[4].toInteger()};
    settings.duplicateDetection = fields[5].toBool();
    settings.duplicateWindow = core::Milliseconds{fields[6].toInteger()};
    settings.maxSizeBytes = fields[7].toInteger();
    if (fields.size() == 9) {
        const QCborArray more = fields[8].toArray();
        settings.kind = EntityKind(std::clamp(more[0].toInteger(), qint64{0}, qint64{2}));
        settings.forwardTo = more[1].toString();
        settings.forwardDeadLettersTo = more[2].toString();
    }
    return settings;
}

} // namespace

struct Journal::Statements
{
    explicit Statements(const QSqlDatabase &database)
        : saveQueue(database)
        , dropQueue(database)
        , dropMessages(database)
        , dropSeen(database)
        , addMessage(database)
        , moveMessage(database)
        , removeMessage(database)
        , addSeen(database)
        , removeSeen(database)
        , saveSequence(database)
    {
    }
    QSqlQuery saveQueue, dropQueue, dropMessages, dropSeen, addMessage, moveMessage, removeMessage, addSeen, removeSeen,
        saveSequence;
};

Journal::Journal()
    : m_connectionName(QStringLiteral("localbroker-") + QUuid::createUuid().toString(QUuid::Id128))
{
}

Journal::~Journal()
{
    m_statements.reset();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connectionName);
}

core::Error Journal::failure(const QString &what) const
{
    const QString detail = m_lastError.isEmpty() ? m_database.lastError().text() : m_lastError;
    return core::Error{ErrorKind::StoreFailed,
                       Text::tr("The broker file %1 cannot be %2. Check the disk space and the permissions.")
                           .arg(m_database.databaseName(), what),
                       detail,
                       {}};
}

Result<> Journal::open(const QString &path)
{
    const bool isFile = path != QLatin1String(":memory:"); // which Qt would take for the name of a folder and a file
    const bool isNew = isFile && !QFile::exists(path);
    if (isFile)
        QDir().mkpath(QFileInfo(path).absolutePath());
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connectionName);
    m_database.setDatabaseName(path);
    // A short wait, because another broker keeps the file open all the time.
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=500"));
    if (!m_database.open())
        return core::fail(failure(Text::tr("opened")));
    if (isNew)
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    QSqlQuery query(m_database);
    const auto number = [&](const QString &pragma) {
        return query.exec(QStringLiteral("PRAGMA ") + pragma) && query.next() ? query.value(0).toInt() : -1;
    };
    const int id = number(QStringLiteral("application_id"));
    const int version = number(QStringLiteral("user_version"));
    const bool held = query.lastError().nativeErrorCode() == QLatin1String("5"); // SQLITE_BUSY
    query.finish();
    if (held)
        return core::fail(
            ErrorKind::Conflict,
            Text::tr("The broker file %1 is in use by another program. Close that program, or choose another folder.")
                .arg(path));
    if (id < 0 || (id != applicationId && !(id == 0 && version == 0)) || version > schemaVersion) {
        return core::fail(ErrorKind::StoreFailed,
                          Text::tr("The file %1 does not belong to this broker, or a newer version wrote it. Choose "
                                   "another folder, or update Redrive.")
                              .arg(path));
    }
    return prepare();
}

Result<> Journal::prepare()
{
    const QStringList script{
        QStringLiteral("PRAGMA journal_mode=WAL"),
        QStringLiteral("PRAGMA synchronous=FULL"),
        QStringLiteral("PRAGMA locking_mode=EXCLUSIVE"),
        QStringLiteral("BEGIN IMMEDIATE"),
        QStringLiteral("PRAGMA application_id=%1").arg(applicationId),
        QStringLiteral("PRAGMA user_version=%1").arg(schemaVersion),
        QStringLiteral(
            "CREATE TABLE IF NOT EXISTS queues(name TEXT PRIMARY KEY, settings BLOB NOT NULL) WITHOUT ROWID"),
        QStringLiteral("CREATE TABLE IF NOT EXISTS messages(sequence INTEGER PRIMARY KEY, queue TEXT NOT NULL, "
                       "state INTEGER NOT NULL, dead INTEGER NOT NULL, enqueued INTEGER NOT NULL, "
                       "deliveries INTEGER NOT NULL, reason TEXT, description TEXT, draft BLOB NOT NULL, body BLOB)"),
        QStringLiteral("CREATE TABLE IF NOT EXISTS seen(queue TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, "
                       "PRIMARY KEY(queue, id)) WITHOUT ROWID"),
        QStringLiteral(
            "CREATE TABLE IF NOT EXISTS counter(one INTEGER PRIMARY KEY CHECK(one = 1), last INTEGER NOT NULL)"),
        QStringLiteral("COMMIT"),
    };
    for (const QString &statement : script) {
        QSqlQuery query(m_database);
        if (!query.exec(statement)) {
            m_lastError = query.lastError().text();
            return core::fail(failure(Text::tr("prepared")));
        }
    }
    m_statements = std::make_unique<Statements>(m_database);
    Statements &s = *m_statements;
    const bool prepared =
        s.saveQueue.prepare(QStringLiteral("INSERT OR REPLACE INTO queues VALUES(?,?)"))
        && s.dropQueue.prepare(QStringLiteral("DELETE FROM queues WHERE name=?"))
        && s.dropMessages.prepare(QStringLiteral("DELETE FROM messages WHERE queue=?"))
        && s.dropSeen.prepare(QStringLiteral("DELETE FROM seen WHERE queue=?"))
        && s.addMessage.prepare(QStringLiteral("INSERT INTO messages VALUES(?,?,?,?,?,?,?,?,?,?)"))
        && s.moveMessage.prepare(QStringLiteral(
            "UPDATE messages SET state=?, dead=?, enqueued=?, deliveries=?, reason=?, description=? WHERE sequence=?"))
        && s.removeMessage.prepare(QStringLiteral("DELETE FROM messages WHERE sequence=?"))
        && s.addSeen.prepare(QStringLiteral("INSERT OR REPLACE INTO seen VALUES(?,?,?)"))
        && s.removeSeen.prepare(QStringLiteral("DELETE FROM seen WHERE queue=? AND id=?"))
        && s.saveSequence.prepare(QStringLiteral("INSERT OR REPLACE INTO counter VALUES(1,?)"));
    if (!prepared)
        return core::fail(failure(Text::tr("prepared")));
    return {};
}

Result<> Journal::load(QueueEngine &engine)
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    const auto unreadable = [&] {
        m_lastError = query.lastError().text();
        return core::fail(failure(Text::tr("read")));
    };
    if (!query.exec(QStringLiteral("SELECT name, settings FROM queues")))
        return unreadable();
    while (query.next())
        engine.restoreQueue(settingsFromCbor(query.value(0).toString(), query.value(1).toByteArray()));
    if (!query.exec(QStringLiteral(
            "SELECT queue, sequence, state, dead, enqueued, deliveries, reason, description, draft, body "
            "FROM messages ORDER BY sequence")))
        return unreadable();
    while (query.next()) {
        Message message;
        std::optional<Draft> draft = draftFromCbor(query.value(8).toByteArray(), &message.travel);
        if (!draft)
            return unreadable();
        message.sequence = query.value(1).toLongLong();
        message.state = Message::State(query.value(2).toInt());
        message.deadLetter = query.value(3).toBool();
        message.enqueuedAt = core::fromMs(query.value(4).toLongLong());
        message.deliveryCount = query.value(5).toInt();
        message.deadLetterReason = query.value(6).toString();
        message.deadLetterDescription = query.value(7).toString();
        message.draft = std::move(*draft);
        message.draft.body = query.value(9).toByteArray();
        engine.restoreMessage(query.value(0).toString(), std::move(message));
    }
    if (!query.exec(QStringLiteral("SELECT queue, id, at FROM seen ORDER BY at")))
        return unreadable();
    while (query.next())
        engine.restoreSeen(query.value(0).toString(), query.value(1).toString(),
                           core::fromMs(query.value(2).toLongLong()));
    if (!query.exec(QStringLiteral("SELECT last FROM counter")))
        return unreadable();
    if (query.next())
        engine.restoreSequence(query.value(0).toLongLong());
    return {};
}

Result<std::optional<core::TimePoint>> Journal::newestArrival()
{
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("SELECT max(enqueued) FROM messages WHERE state <> ?"));
    if (!run(query, {int(Message::State::Scheduled)}) || !query.next())
        return core::fail(failure(Text::tr("read")));
    if (query.isNull(0))
        return std::nullopt;
    return core::fromMs(query.value(0).toLongLong());
}

bool Journal::run(QSqlQuery &query, std::initializer_list<QVariant> values)
{
    int at = 0;
    for (const QVariant &value : values)
        query.bindValue(at++, value);
    if (query.exec())
        return true;
    m_lastError = query.lastError().text();
    return false;
}

bool Journal::write(const Change &change)
{
    Statements &s = *m_statements;
    if (const auto *saved = std::get_if<QueueSaved>(&change))
        return run(s.saveQueue, {saved->settings.name, settingsToCbor(saved->settings)});
    if (const auto *dropped = std::get_if<QueueDropped>(&change))
        return run(s.dropMessages, {dropped->name}) && run(s.dropSeen, {dropped->name})
               && run(s.dropQueue, {dropped->name});
    if (const auto *added = std::get_if<MessageAdded>(&change)) {
        const Message &m = added->message;
        return run(s.addMessage,
                   {m.sequence, added->queue, int(m.state), m.deadLetter, core::toMs(m.enqueuedAt), m.deliveryCount,
                    m.deadLetterReason, m.deadLetterDescription, draftToCbor(m.draft, m.travel), m.draft.body});
    }
    if (const auto *moved = std::get_if<MessageMoved>(&change)) {
        const Message &m = moved->message;
        return run(s.moveMessage, {int(m.state), m.deadLetter, core::toMs(m.enqueuedAt), m.deliveryCount,
                                   m.deadLetterReason, m.deadLetterDescription, m.sequence});
    }
    if (const auto *gone = std::get_if<MessageGone>(&change))
        return run(s.removeMessage, {gone->sequence});
    if (const auto *forgotten = std::get_if<IdForgotten>(&change))
        return run(s.removeSeen, {forgotten->queue, forgotten->messageId});
    const auto &seen = std::get<IdSeen>(change);
    return run(s.addSeen, {seen.queue, seen.messageId, core::toMs(seen.at)});
}

Result<> Journal::apply(const QList<Change> &changes, qint64 lastSequence)
{
    const QString written = Text::tr("written");
    if (m_failed)
        return core::fail(failure(written));
    m_lastError.clear();
    bool ok = m_database.transaction();
    for (auto change = changes.cbegin(); ok && change != changes.cend(); ++change)
        ok = write(*change);
    ok = ok && run(m_statements->saveSequence, {lastSequence}) && m_database.commit();
    if (ok)
        return {};
    m_failed = true;
    core::Error error = failure(written);
    m_database.rollback();
    return core::fail(std::move(error));
}

} // namespace localbroker
