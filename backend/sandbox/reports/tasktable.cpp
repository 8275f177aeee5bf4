#include "backend/sandbox/reports/tasktable.h"

#include "backend/sandbox/text.h"

#include <QDateTime>
#include <QFile>
#include <QSqlError>
#include <QUuid>
#include <QVariant>

namespace sandbox {

using core::Result;

namespace {

// As ReportStream's own tables in SQLite: times are UTC in a form that SQLite's date functions read and that sorts.
constexpr const char *schemaOfTasks[] = {
    "CREATE TABLE IF NOT EXISTS task (report_id TEXT PRIMARY KEY, next_action TEXT, next_action_at TEXT,"
    " schema_name TEXT NOT NULL, receiver_name TEXT, item_count INTEGER, created_at TEXT, retry_token TEXT)",
    "CREATE INDEX IF NOT EXISTS task_next_action ON task (next_action, receiver_name)",
    "CREATE TABLE IF NOT EXISTS action (action_id INTEGER PRIMARY KEY, action_name TEXT, action_params TEXT,"
    " action_result TEXT, created_at TEXT)",
    "CREATE TABLE IF NOT EXISTS setting (setting_id INTEGER PRIMARY KEY, type TEXT NOT NULL, name TEXT NOT NULL,"
    " organization_id INTEGER, \"values\" TEXT, is_deleted INTEGER, is_active INTEGER, version INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS sandbox_report (number INTEGER PRIMARY KEY, report_id TEXT UNIQUE, sent_as TEXT,"
    " is_acknowledged INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS sandbox_report_sent ON sandbox_report (sent_as)",
    "CREATE TABLE IF NOT EXISTS sandbox_delivery (report_id TEXT NOT NULL, item INTEGER NOT NULL, times INTEGER NOT "
    "NULL,"
    " PRIMARY KEY (report_id, item))",
    "CREATE TABLE IF NOT EXISTS sandbox_clock (which INTEGER PRIMARY KEY, ms INTEGER NOT NULL)",
};

constexpr int originRow = 1; // of sandbox_clock
constexpr int newestRow = 2;

const QString timeForm = QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz");

QString sqlTime(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC).toString(timeForm);
}

core::TimePoint timeOf(const QString &text)
{
    QDateTime time = QDateTime::fromString(text, timeForm);
    time.setTimeSpec(Qt::UTC);
    return time.isValid() ? core::fromMs(time.toMSecsSinceEpoch()) : core::TimePoint{};
}

} // namespace

TaskTable::TaskTable()
    : m_connectionName(QStringLiteral("sandbox-") + QUuid::createUuid().toString(QUuid::Id128))
{
}

TaskTable::~TaskTable()
{
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connectionName);
}

Result<> TaskTable::open(const QString &path)
{
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connectionName);
    m_database.setDatabaseName(path.isEmpty() ? QStringLiteral(":memory:") : path);
    if (!m_database.open()) {
        return core::fail(core::ErrorKind::StoreFailed,
                          Text::tr("The task table %1 cannot be opened: %2").arg(path, m_database.lastError().text()));
    }
    for (const char *statement : schemaOfTasks)
        TRY(run(QString::fromLatin1(statement)));
    return {};
}

Result<QSqlQuery> TaskTable::run(const QString &sql, Values values)
{
    QSqlQuery query(m_database);
    bool good = query.prepare(sql);
    for (const QVariant &value : values)
        query.addBindValue(value);
    good = good && query.exec();
    if (!good) {
        return core::fail(core::ErrorKind::StoreFailed, Text::tr("The task table %1 cannot be read or written: %2")
                                                            .arg(m_database.databaseName(), query.lastError().text()));
    }
    return query;
}

Result<int> TaskTable::number(const QString &sql, Values values)
{
    TRY(QSqlQuery query, run(sql, values));
    return query.next() ? query.value(0).toInt() : 0;
}

Result<QStringList> TaskTable::texts(const QString &sql, Values values)
{
    TRY(QSqlQuery query, run(sql, values));
    QStringList found;
    while (query.next())
        found.append(query.value(0).toString());
    return found;
}

Result<> TaskTable::transact(core::TimePoint now, const std::function<Result<>()> &step)
{
    TRY(run(QStringLiteral("BEGIN IMMEDIATE")));
    const auto whole = [&]() -> Result<> {
        TRY(step());
        TRY(run(QStringLiteral("INSERT OR REPLACE INTO sandbox_clock VALUES (?, ?)"),
                {newestRow, qint64{core::toMs(now)}}));
        TRY(run(QStringLiteral("COMMIT")));
        return {};
    };
    const Result<> done = whole();
    if (!done) {
        const Result<QSqlQuery> back = run(QStringLiteral("ROLLBACK"));
        Q_UNUSED(back) // the first error says what is wrong
    }
    return done;
}

Result<bool> TaskTable::add(const NewTask &task, const QString &schema, core::TimePoint now)
{
    TRY(const QSqlQuery query,
        run(QStringLiteral("INSERT OR IGNORE INTO task VALUES (?, ?, ?, ?, ?, ?, ?, NULL)"),
            {task.id, task.nextAction, sqlTime(task.at), schema,
             task.receiver.isEmpty() ? QVariant(QMetaType(QMetaType::QString)) : QVariant(task.receiver), task.items,
             sqlTime(now)}));
    return query.numRowsAffected() > 0;
}

Result<> TaskTable::note(const QString &action, const QString &id, const QString &result, core::TimePoint now)
{
    TRY(run(QStringLiteral(
                "INSERT INTO action (action_name, action_params, action_result, created_at) VALUES (?, ?, ?, ?)"),
            {action, id, result, sqlTime(now)}));
    return {};
}

Result<core::TimePoint> TaskTable::origin(core::TimePoint now)
{
    TRY(run(QStringLiteral("INSERT OR IGNORE INTO sandbox_clock VALUES (?, ?)"), {originRow, qint64{core::toMs(now)}}));
    TRY(QSqlQuery query, run(QStringLiteral("SELECT ms FROM sandbox_clock WHERE which = ?"), {originRow}));
    return query.next() ? core::fromMs(query.value(0).toLongLong()) : now;
}

Result<> TaskTable::know(const QList<KnownReceiver> &receivers)
{
    const QString row = QStringLiteral("INSERT INTO setting VALUES (?, ?, ?, ?, ?, 0, 1, 1)");
    TRY(run(QStringLiteral("DELETE FROM setting")));
    int number = 0;
    for (const KnownReceiver &one : receivers) {
        const int organization = ++number;
        TRY(run(row, {organization, QStringLiteral("ORGANIZATION"), one.organization,
                      QVariant(QMetaType(QMetaType::Int)), QStringLiteral("{}")}));
        TRY(run(row, {++number, QStringLiteral("RECEIVER"), one.name, organization, QString::fromUtf8(one.values)}));
    }
    return {};
}

Result<> TaskTable::receive(const Report &report, core::TimePoint now)
{
    return transact(now, [&]() -> Result<> {
        TRY(const bool isNew, add({report.id, QStringLiteral("process"), now, {}, report.items}, report.schema, now));
        if (!isNew)
            return {};
        TRY(run(QStringLiteral("INSERT OR IGNORE INTO sandbox_report VALUES (?, ?, ?, 0)"),
                {report.number, report.id, report.id}));
        return note(QStringLiteral("receive"), report.id, QStringLiteral("201"), now);
    });
}

Result<> TaskTable::acknowledge(const Report &report, core::TimePoint now)
{
    return transact(now, [&]() -> Result<> {
        TRY(run(QStringLiteral("UPDATE sandbox_report SET is_acknowledged = 1 WHERE number = ?"), {report.number}));
        return {};
    });
}

Result<int> TaskTable::acknowledged()
{
    return number(QStringLiteral("SELECT count(*) FROM sandbox_report WHERE is_acknowledged = 1"));
}

Result<std::optional<PipelineTask>> TaskTable::task(const QString &id)
{
    TRY(QSqlQuery query, run(QStringLiteral("SELECT report_id, next_action, receiver_name, item_count, retry_token,"
                                            " next_action_at FROM task WHERE report_id = ?"),
                             {id}));
    if (!query.next())
        return std::nullopt;
    return PipelineTask{query.value(0).toString(), query.value(1).toString(), query.value(2).toString(),
                        query.value(3).toInt(),    query.value(4).toString(), timeOf(query.value(5).toString())};
}

Result<int> TaskTable::numberOf(const QString &id)
{
    return number(QStringLiteral("SELECT coalesce(max(number), -1) FROM sandbox_report WHERE report_id = ?"), {id});
}

Result<> TaskTable::process(const Report &report, const NewTask &next, core::TimePoint now)
{
    return transact(now, [&]() -> Result<> {
        TRY(const std::optional<PipelineTask> current, task(report.id));
        if (!current || current->nextAction != QLatin1String("process"))
            return {};
        TRY(add(next, report.schema, now));
        TRY(run(QStringLiteral("UPDATE task SET next_action = 'none' WHERE report_id = ?"), {report.id}));
        TRY(run(QStringLiteral("UPDATE sandbox_report SET sent_as = ? WHERE number = ?"), {next.id, report.number}));
        return note(QStringLiteral("process"), report.id, next.receiver, now);
    });
}

Result<int> TaskTable::batch(const NewTask &merged, core::TimePoint oldest, core::TimePoint now)
{
    int count = 0;
    const Result<> done = transact(now, [&]() -> Result<> {
        const QString which = QStringLiteral(" FROM task WHERE next_action = 'batch' AND receiver_name = ?"
                                             " AND next_action_at >= ?");
        const QString since = sqlTime(oldest);
        TRY(count, number(QStringLiteral("SELECT count(*)") + which, {merged.receiver, since}));
        if (count == 0)
            return {};
        NewTask sum = merged;
        TRY(sum.items, number(QStringLiteral("SELECT sum(item_count)") + which, {merged.receiver, since}));
        TRY(const bool isNew, add(sum, QStringLiteral("merged"), now));
        if (!isNew) { // its event may be sent already, so nothing must join it
            count = 0;
            return {};
        }
        TRY(run(QStringLiteral("UPDATE sandbox_report SET sent_as = ? WHERE sent_as IN (SELECT report_id") + which
                    + QLatin1Char(')'),
                {merged.id, merged.receiver, since}));
        TRY(run(QStringLiteral("UPDATE task SET next_action = 'none' WHERE report_id IN (SELECT report_id") + which
                    + QLatin1Char(')'),
                {merged.receiver, since}));
        return note(QStringLiteral("batch"), merged.id, QString::number(count), now);
    });
    if (!done)
        return core::fail(done.error());
    return count;
}

Result<int> TaskTable::batches(const QString &receiver)
{
    return number(QStringLiteral("SELECT count(*) FROM task WHERE schema_name = 'merged' AND receiver_name = ?"),
                  {receiver});
}

Result<QStringList> TaskTable::firstSends(const QString &receiver)
{
    return texts(QStringLiteral("SELECT report_id FROM task WHERE next_action = 'send' AND receiver_name = ?"
                                " AND retry_token IS NULL ORDER BY report_id"),
                 {receiver});
}

Result<bool> TaskTable::isCurrent(const PipelineTask &task)
{
    TRY(const std::optional<PipelineTask> current, this->task(task.id));
    return current && current->nextAction == QLatin1String("send") && current->retryToken == task.retryToken;
}

Result<> TaskTable::deliver(const SendStep &step)
{
    for (const int item : step.delivered) {
        TRY(run(QStringLiteral("INSERT INTO sandbox_delivery VALUES (?, ?, 1)"
                               " ON CONFLICT (report_id, item) DO UPDATE SET times = times + 1"),
                {step.task.id, item}));
    }
    return {};
}

Result<> TaskTable::sent(const SendStep &step)
{
    return transact(step.now, [&]() -> Result<> {
        TRY(const bool current, isCurrent(step.task));
        if (!current)
            return {};
        TRY(deliver(step));
        TRY(run(QStringLiteral("UPDATE task SET next_action = 'none', retry_token = NULL WHERE report_id = ?"),
                {step.task.id}));
        return note(QStringLiteral("send"), step.task.id, QStringLiteral("sent"), step.now);
    });
}

Result<> TaskTable::retryLater(const SendStep &step, const QString &token, core::TimePoint at)
{
    return transact(step.now, [&]() -> Result<> {
        TRY(const bool current, isCurrent(step.task));
        if (!current)
            return {};
        TRY(deliver(step));
        TRY(run(QStringLiteral("UPDATE task SET retry_token = ?, next_action_at = ? WHERE report_id = ?"),
                {token, sqlTime(at), step.task.id}));
        return note(QStringLiteral("send_warning"), step.task.id, token, step.now);
    });
}

Result<> TaskTable::giveUp(const SendStep &step, const QString &token, const QString &why)
{
    return transact(step.now, [&]() -> Result<> {
        TRY(const bool current, isCurrent(step.task));
        const QString error = QStringLiteral("send_error");
        TRY(const int before,
            number(QStringLiteral("SELECT count(*) FROM action WHERE action_name = ? AND action_params = ?"),
                   {error, step.task.id}));
        if (!current)
            return {};
        TRY(deliver(step));
        TRY(run(QStringLiteral("UPDATE task SET retry_token = ? WHERE report_id = ?"), {token, step.task.id}));
        return before > 0 ? Result<>() : note(error, step.task.id, why, step.now);
    });
}

Result<QStringList> TaskTable::waiting(const QString &nextAction)
{
    return texts(QStringLiteral("SELECT report_id FROM task WHERE next_action = ?"), {nextAction});
}

Result<int> TaskTable::ignored(const QString &receiver, core::TimePoint oldest)
{
    return number(QStringLiteral("SELECT count(*) FROM task WHERE next_action = 'batch' AND receiver_name = ?"
                                 " AND next_action_at < ?"),
                  {receiver, sqlTime(oldest)});
}

Result<int> TaskTable::actions(const QString &name)
{
    return number(QStringLiteral("SELECT count(*) FROM action WHERE action_name = ?"), {name});
}

Result<int> TaskTable::deliveredReports()
{
    return number(QStringLiteral("SELECT count(*) FROM sandbox_report JOIN action ON action_params = sent_as"
                                 " WHERE action_name = 'send'"));
}

Result<int> TaskTable::reportsInSendErrors()
{
    return number(QStringLiteral("SELECT count(*) FROM sandbox_report JOIN task ON task.report_id = sent_as"
                                 " JOIN action ON action_params = sent_as"
                                 " WHERE next_action = 'send' AND action_name = 'send_error'"));
}

Result<QStringList> TaskTable::sendErrors()
{
    return texts(QStringLiteral("SELECT action_params FROM action WHERE action_name = 'send_error'"));
}

Result<int> TaskTable::deliveredTwice()
{
    return number(QStringLiteral("SELECT count(*) FROM sandbox_delivery WHERE times > 1"));
}

std::optional<core::TimePoint> TaskTable::lastStepIn(const QString &path)
{
    if (!QFile::exists(path))
        return std::nullopt;
    TaskTable table;
    if (!table.open(path))
        return std::nullopt;
    Result<QSqlQuery> query = table.run(QStringLiteral("SELECT ms FROM sandbox_clock WHERE which = ?"), {newestRow});
    if (!query || !query->next())
        return std::nullopt;
    return core::fromMs(query->value(0).toLongLong());
}

} // namespace sandbox
