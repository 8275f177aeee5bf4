#include "backend/sandbox/reports/tasktable.h"

#include "backend/sandbox/text.h"

#include <QDateTime>
#include <QFile>
#include <QUuid>

namespace sandbox {

using core::Result;

namespace {

const QStringList tableNames{QStringLiteral("task"),         QStringLiteral("action"),
                             QStringLiteral("setting"),      QStringLiteral("sandbox_report"),
                             QStringLiteral("sandbox_part"), QStringLiteral("sandbox_delivery"),
                             QStringLiteral("sandbox_clock")};

// ReportStream's own tables. In SQLite times are UTC in a form that its date functions read and that sorts. %1: a time,
// %2: an action, %3: a report id, %4: JSON, %5: a number that counts up, %6: yes or no, %7: the type of a setting.
const QStringList schema{
    QStringLiteral("CREATE TABLE IF NOT EXISTS task (report_id %3 PRIMARY KEY, next_action %2, next_action_at %1,"
                   " schema_name VARCHAR(63) NOT NULL, receiver_name VARCHAR(63), item_count INTEGER, created_at %1,"
                   " retry_token %4)"),
    QStringLiteral("CREATE INDEX IF NOT EXISTS task_next_action ON task (next_action, receiver_name)"),
    QStringLiteral("CREATE TABLE IF NOT EXISTS action (action_id %5 PRIMARY KEY, action_name %2,"
                   " action_params VARCHAR(2048), action_result VARCHAR(2048), created_at %1)"),
    QStringLiteral("CREATE TABLE IF NOT EXISTS setting (setting_id INTEGER PRIMARY KEY, type %7 NOT NULL,"
                   " name VARCHAR(63) NOT NULL, organization_id INTEGER, \"values\" %4, is_deleted %6, is_active %6,"
                   " version INTEGER NOT NULL)"),
    QStringLiteral("CREATE TABLE IF NOT EXISTS sandbox_report (number INTEGER PRIMARY KEY, report_id TEXT UNIQUE,"
                   " is_acknowledged INTEGER NOT NULL)"),
    // The tasks that the items of a report are in now.
    QStringLiteral("CREATE TABLE IF NOT EXISTS sandbox_part (number INTEGER NOT NULL, sent_as TEXT NOT NULL)"),
    QStringLiteral("CREATE INDEX IF NOT EXISTS sandbox_part_sent ON sandbox_part (sent_as)"),
    QStringLiteral("CREATE TABLE IF NOT EXISTS sandbox_delivery (report_id TEXT NOT NULL, item INTEGER NOT NULL,"
                   " times INTEGER NOT NULL, PRIMARY KEY (report_id, item))"),
    QStringLiteral("CREATE TABLE IF NOT EXISTS sandbox_clock (which INTEGER PRIMARY KEY, ms BIGINT NOT NULL)"),
};

// Source: ReportStream, V1 to V8 of its migrations; and V6 for those of settings.
const QStringList postgresTypes{
    QStringLiteral(
        "DO $$ BEGIN CREATE TYPE TASK_ACTION AS ENUM ('receive', 'process', 'process_warning', 'process_error',"
        " 'batch', 'batch_error', 'send', 'send_warning', 'send_error', 'none');"
        " EXCEPTION WHEN duplicate_object THEN null; END $$"),
    QStringLiteral("DO $$ BEGIN CREATE TYPE SETTING_TYPE AS ENUM ('ORGANIZATION', 'RECEIVER', 'SENDER');"
                   " EXCEPTION WHEN duplicate_object THEN null; END $$"),
};

constexpr int originRow = 1; // of sandbox_clock
constexpr int newestRow = 2;
constexpr int busy = 5; // SQLITE_BUSY, with more in the bytes above

const QString timeForm = QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz");

QString sqlTime(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC).toString(timeForm);
}

core::TimePoint timeOf(const QVariant &value)
{
    if (value.metaType().id() == QMetaType::QDateTime)
        return core::fromMs(value.toDateTime().toMSecsSinceEpoch());
    QDateTime time = QDateTime::fromString(value.toString(), timeForm);
    time.setTimeSpec(Qt::UTC);
    return time.isValid() ? core::fromMs(time.toMSecsSinceEpoch()) : core::TimePoint{};
}

QVariant orNull(const QString &text)
{
    return text.isEmpty() ? QVariant(QMetaType(QMetaType::QString)) : QVariant(text);
}

PipelineTask taskOf(const QSqlQuery &query)
{
    return {query.value(0).toString(), query.value(1).toString(), query.value(2).toString(),
            query.value(3).toInt(),    query.value(4).toString(), timeOf(query.value(5))};
}

const QString taskColumns =
    QStringLiteral("SELECT report_id, next_action, receiver_name, item_count, retry_token, next_action_at FROM task");
const QString batchCondition =
    QStringLiteral(" WHERE next_action = 'batch' AND receiver_name = ? AND next_action_at >= ?");

} // namespace

TaskTable::TaskTable()
    : m_sql(Text::tr("The task tables in %1 cannot be read or written: %2"))
{
}

TaskTable::~TaskTable()
{
    abort();
}

// The scenario writes only into tables that it made itself.
Result<> TaskTable::refuseOthers()
{
    if (!isPostgres())
        return {};
    const QString count =
        QStringLiteral("select count(*) from unnest(array['%1']) one where to_regclass(one) is not null");
    TRY(const int own, m_sql.number(count.arg(tableNames.last())));
    TRY(const int all, m_sql.number(count.arg(tableNames.join(QStringLiteral("','")))));
    if (own > 0 || all == 0)
        return {};
    return core::fail(
        core::ErrorKind::Refused,
        Text::tr("The database %1 has tables of another program. Name an empty one.").arg(m_place.postgres->database));
}

Result<> TaskTable::makeTables()
{
    if (isPostgres() && m_place.postgres->startsAnew) {
        TRY(m_sql.run(QStringLiteral("DROP TABLE IF EXISTS ") + tableNames.join(QStringLiteral(", "))));
        m_place.postgres->startsAnew = false;
    }
    if (isPostgres()) {
        for (const QString &type : postgresTypes)
            TRY(m_sql.run(type));
    }
    const bool pg = isPostgres();
    const QString text = QStringLiteral("TEXT");
    for (QString statement : schema) {
        statement.replace(QLatin1String("%1"), pg ? QStringLiteral("TIMESTAMP WITH TIME ZONE") : text);
        statement.replace(QLatin1String("%2"), pg ? QStringLiteral("TASK_ACTION") : text);
        statement.replace(QLatin1String("%3"), pg ? QStringLiteral("UUID") : text);
        statement.replace(QLatin1String("%4"), pg ? QStringLiteral("JSON") : text);
        statement.replace(QLatin1String("%5"), pg ? QStringLiteral("BIGSERIAL") : QStringLiteral("INTEGER"));
        statement.replace(QLatin1String("%6"), QStringLiteral("BOOLEAN"));
        statement.replace(QLatin1String("%7"), pg ? QStringLiteral("SETTING_TYPE") : text);
        TRY(m_sql.run(statement));
    }
    return {};
}

Result<> TaskTable::open(const TablePlace &place)
{
    m_place = place;
    TRY(isPostgres() ? m_sql.openServer(*m_place.postgres) : m_sql.openFile(m_place.file));
    TRY(refuseOthers());
    return makeTables();
}

// SQLite must not wait here: whoever has the lock goes on only after this has returned.
Result<bool> TaskTable::begin()
{
    if (isPostgres()) {
        TRY(m_sql.run(QStringLiteral("BEGIN")));
        m_isOpen = true;
        return true;
    }
    TRY(m_sql.run(QStringLiteral("PRAGMA busy_timeout = 0")));
    const Result<QSqlQuery> begun = m_sql.run(QStringLiteral("BEGIN IMMEDIATE"));
    TRY(m_sql.run(QStringLiteral("PRAGMA busy_timeout = 5000"))); // a commit waits for readers of other programs
    m_isOpen = begun.has_value();
    if (begun)
        return true;
    if ((begun.error().detail.toInt() & 0xff) == busy)
        return false;
    return core::fail(begun.error());
}

Result<> TaskTable::commit(core::TimePoint now)
{
    const auto whole = [&]() -> Result<> {
        TRY(m_sql.run(QStringLiteral(
                          "INSERT INTO sandbox_clock VALUES (?, ?) ON CONFLICT (which) DO UPDATE SET ms = excluded.ms"),
                      {newestRow, qint64{core::toMs(now)}}));
        TRY(m_sql.run(QStringLiteral("COMMIT")));
        m_isOpen = false;
        return {};
    };
    const Result<> done = whole();
    abort();
    return done;
}

void TaskTable::abort()
{
    if (!m_isOpen)
        return;
    m_isOpen = false;
    const Result<QSqlQuery> back = m_sql.run(QStringLiteral("ROLLBACK"));
    Q_UNUSED(back) // a lost connection rolls back, too
}

Result<> TaskTable::add(const NewTask &task, const QString &schemaName, core::TimePoint now)
{
    TRY(m_sql.run(
        QStringLiteral("INSERT INTO task VALUES (?, ?, ?, ?, ?, ?, ?, NULL) ON CONFLICT (report_id) DO NOTHING"),
        {task.id, task.nextAction, sqlTime(task.at), schemaName, orNull(task.receiver), task.items, sqlTime(now)}));
    return {};
}

Result<> TaskTable::finish(const QString &id)
{
    TRY(m_sql.run(QStringLiteral("UPDATE task SET next_action = 'none', retry_token = NULL WHERE report_id = ?"),
                  {id}));
    return {};
}

Result<> TaskTable::note(const QString &action, const QString &id, const QString &result, core::TimePoint now)
{
    TRY(m_sql.run(QStringLiteral(
                      "INSERT INTO action (action_name, action_params, action_result, created_at) VALUES (?, ?, ?, ?)"),
                  {action, id, result, sqlTime(now)}));
    return {};
}

Result<core::TimePoint> TaskTable::origin(core::TimePoint now)
{
    TRY(m_sql.run(QStringLiteral("INSERT INTO sandbox_clock VALUES (?, ?) ON CONFLICT DO NOTHING"),
                  {originRow, qint64{core::toMs(now)}}));
    TRY(QSqlQuery query, m_sql.run(QStringLiteral("SELECT ms FROM sandbox_clock WHERE which = ?"), {originRow}));
    return query.next() ? core::fromMs(query.value(0).toLongLong()) : now;
}

Result<> TaskTable::know(const QList<KnownReceiver> &receivers)
{
    const QString row = QStringLiteral("INSERT INTO setting VALUES (?, ?, ?, ?, ?, false, true, 1)");
    TRY(m_sql.run(QStringLiteral("DELETE FROM setting")));
    int number = 0;
    for (const KnownReceiver &one : receivers) {
        const int organization = ++number;
        TRY(m_sql.run(row, {organization, QStringLiteral("ORGANIZATION"), one.organization,
                            QVariant(QMetaType(QMetaType::Int)), QStringLiteral("{}")}));
        TRY(m_sql.run(row,
                      {++number, QStringLiteral("RECEIVER"), one.name, organization, QString::fromUtf8(one.values)}));
    }
    return {};
}

Result<> TaskTable::receive(const Report &report, core::TimePoint now)
{
    TRY(const int known, numberOf(report.id));
    if (known >= 0)
        return {};
    TRY(add({report.id, QStringLiteral("process"), now, {}, report.items}, report.schema, now));
    TRY(m_sql.run(QStringLiteral("INSERT INTO sandbox_report VALUES (?, ?, 0)"), {report.number, report.id}));
    TRY(m_sql.run(QStringLiteral("INSERT INTO sandbox_part VALUES (?, ?)"), {report.number, report.id}));
    return note(QStringLiteral("receive"), report.id, QStringLiteral("201"), now);
}

Result<> TaskTable::acknowledge(const Report &report)
{
    TRY(m_sql.run(QStringLiteral("UPDATE sandbox_report SET is_acknowledged = 1 WHERE number = ?"), {report.number}));
    return {};
}

Result<int> TaskTable::acknowledged()
{
    return m_sql.number(QStringLiteral("SELECT count(*) FROM sandbox_report WHERE is_acknowledged = 1"));
}

Result<TaskTable::Locked> TaskTable::lock(const QString &id)
{
    constexpr const char *lockNotAvailable = "55P03";
    if (isPostgres() && QUuid::fromString(id).isNull()) // PostgreSQL would not compare it
        return Locked{};
    const QString how = isPostgres() ? QStringLiteral(" FOR UPDATE NOWAIT") : QString();
    Result<QSqlQuery> query = m_sql.run(taskColumns + QStringLiteral(" WHERE report_id = ?") + how, {id});
    if (!query && query.error().detail == QLatin1String(lockNotAvailable)) {
        abort();
        return Locked{true, {}};
    }
    if (!query)
        return core::fail(query.error());
    return query->next() ? Locked{false, taskOf(*query)} : Locked{};
}

Result<QList<PipelineTask>> TaskTable::lockBatch(const QString &receiver, core::TimePoint oldest, int most)
{
    const QString how = isPostgres() ? QStringLiteral(" FOR UPDATE SKIP LOCKED") : QString();
    TRY(QSqlQuery query, m_sql.run(taskColumns + batchCondition
                                       + QStringLiteral(" ORDER BY created_at, report_id LIMIT %1").arg(most) + how,
                                   {receiver, sqlTime(oldest)}));
    QList<PipelineTask> found;
    while (query.next())
        found.append(taskOf(query));
    return found;
}

Result<int> TaskTable::batchable(const QString &receiver, core::TimePoint oldest)
{
    return m_sql.number(QStringLiteral("SELECT count(*) FROM task") + batchCondition, {receiver, sqlTime(oldest)});
}

Result<int> TaskTable::numberOf(const QString &id)
{
    return m_sql.number(QStringLiteral("SELECT coalesce(max(number), -1) FROM sandbox_report WHERE report_id = ?"),
                        {id});
}

Result<> TaskTable::process(const Report &report, const NewTask &next, core::TimePoint now)
{
    TRY(add(next, report.schema, now));
    TRY(finish(report.id));
    TRY(m_sql.run(QStringLiteral("UPDATE sandbox_part SET sent_as = ? WHERE number = ?"), {next.id, report.number}));
    return note(QStringLiteral("process"), report.id, next.receiver, now);
}

Result<> TaskTable::merge(const QList<PipelineTask> &tasks, const NewTask &merged, core::TimePoint now)
{
    TRY(add(merged, QStringLiteral("merged"), now));
    for (const PipelineTask &task : tasks) {
        TRY(finish(task.id));
        TRY(m_sql.run(QStringLiteral("UPDATE sandbox_part SET sent_as = ? WHERE sent_as = ?"), {merged.id, task.id}));
    }
    return note(QStringLiteral("batch"), merged.id, QString::number(tasks.size()), now);
}

Result<> TaskTable::split(const PipelineTask &task, const QList<NewTask> &parts, core::TimePoint now)
{
    TRY(const int report, m_sql.number(QStringLiteral("SELECT number FROM sandbox_part WHERE sent_as = ?"), {task.id}));
    TRY(m_sql.run(QStringLiteral("DELETE FROM sandbox_part WHERE sent_as = ?"), {task.id}));
    TRY(finish(task.id));
    for (const NewTask &part : parts) {
        TRY(add(part, QStringLiteral("split"), now));
        TRY(m_sql.run(QStringLiteral("INSERT INTO sandbox_part VALUES (?, ?)"), {report, part.id}));
    }
    return note(QStringLiteral("batch"), task.id, QString::number(parts.size()), now);
}

Result<QStringList> TaskTable::firstSends(const QString &receiver)
{
    return m_sql.texts(QStringLiteral("SELECT report_id FROM task WHERE next_action = 'send' AND receiver_name = ?"
                                      " AND retry_token IS NULL AND NOT EXISTS (SELECT 1 FROM action"
                                      " WHERE action_name = 'send_error' AND action_params = CAST(report_id AS TEXT))"
                                      " ORDER BY report_id"),
                       {receiver});
}

Result<> TaskTable::deliver(const SendStep &step)
{
    for (const int item : step.delivered) {
        TRY(m_sql.run(QStringLiteral("INSERT INTO sandbox_delivery VALUES (?, ?, 1)"
                                     " ON CONFLICT (report_id, item) DO UPDATE SET times = sandbox_delivery.times + 1"),
                      {step.task.id, item}));
    }
    return {};
}

Result<> TaskTable::sent(const SendStep &step)
{
    TRY(deliver(step));
    TRY(finish(step.task.id));
    return note(QStringLiteral("send"), step.task.id, QStringLiteral("sent"), step.now);
}

Result<> TaskTable::retryLater(const SendStep &step, const QString &token, core::TimePoint at)
{
    TRY(deliver(step));
    TRY(m_sql.run(QStringLiteral("UPDATE task SET retry_token = ?, next_action_at = ? WHERE report_id = ?"),
                  {token, sqlTime(at), step.task.id}));
    return note(QStringLiteral("send_warning"), step.task.id, token, step.now);
}

Result<> TaskTable::giveUp(const SendStep &step, const QString &token, const QString &why)
{
    TRY(deliver(step));
    TRY(m_sql.run(QStringLiteral("UPDATE task SET retry_token = ? WHERE report_id = ?"), {token, step.task.id}));
    return noteSendError(step.task.id, why, step.now);
}

Result<> TaskTable::noteSendError(const QString &id, const QString &why, core::TimePoint now)
{
    const QString error = QStringLiteral("send_error");
    TRY(const int before,
        m_sql.number(QStringLiteral("SELECT count(*) FROM action WHERE action_name = ? AND action_params = ?"),
                     {error, id}));
    return before > 0 ? Result<>() : note(error, id, why, now);
}

Result<QStringList> TaskTable::waiting(const QString &nextAction)
{
    return m_sql.texts(QStringLiteral("SELECT report_id FROM task WHERE next_action = ?"), {nextAction});
}

Result<int> TaskTable::ignored(const QString &receiver, core::TimePoint oldest)
{
    return m_sql.number(QStringLiteral("SELECT count(*) FROM task WHERE next_action = 'batch' AND receiver_name = ?"
                                       " AND next_action_at < ?"),
                        {receiver, sqlTime(oldest)});
}

Result<int> TaskTable::actions(const QString &name)
{
    return m_sql.number(QStringLiteral("SELECT count(*) FROM action WHERE action_name = ?"), {name});
}

Result<int> TaskTable::deliveredReports()
{
    return m_sql.number(QStringLiteral(
        "SELECT count(*) FROM (SELECT number FROM sandbox_part LEFT JOIN action ON action_params = sent_as"
        " AND action_name = 'send' GROUP BY number HAVING count(*) = count(action_id)) AS whole"));
}

Result<int> TaskTable::reportsInSendErrors()
{
    return m_sql.number(QStringLiteral("SELECT count(DISTINCT number) FROM sandbox_part"
                                       " JOIN task ON CAST(task.report_id AS TEXT) = sent_as"
                                       " JOIN action ON action_params = sent_as"
                                       " WHERE next_action = 'send' AND action_name = 'send_error'"));
}

Result<QStringList> TaskTable::sendErrors()
{
    return m_sql.texts(QStringLiteral("SELECT action_params FROM action WHERE action_name = 'send_error'"));
}

Result<int> TaskTable::deliveredTwice()
{
    return m_sql.number(QStringLiteral("SELECT count(*) FROM sandbox_delivery WHERE times > 1"));
}

std::optional<core::TimePoint> TaskTable::lastStepIn(const TablePlace &place)
{
    const bool isNew = place.postgres ? place.postgres->startsAnew : !QFile::exists(place.file);
    TaskTable table;
    if (isNew || !table.open(place))
        return std::nullopt;
    Result<QSqlQuery> query =
        table.m_sql.run(QStringLiteral("SELECT ms FROM sandbox_clock WHERE which = ?"), {newestRow});
    if (!query || !query->next())
        return std::nullopt;
    return core::fromMs(query->value(0).toLongLong());
}

} // namespace sandbox
