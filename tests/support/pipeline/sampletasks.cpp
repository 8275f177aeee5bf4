#include "tests/support/pipeline/sampletasks.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

namespace support {

namespace {

QString timeText(const QDateTime &time)
{
    return time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

QVariant orNull(const QString &text)
{
    return text.isEmpty() ? QVariant(QMetaType(QMetaType::QString)) : QVariant(text);
}

QSqlDatabase sqliteFile(const QString &path)
{
    static int serial = 0;
    QSqlDatabase connection =
        QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("sample-tasks-%1").arg(++serial));
    connection.setDatabaseName(path);
    if (!connection.open())
        qFatal("%s", qPrintable(connection.lastError().text()));
    return connection;
}

} // namespace

QString minutesAgo(int minutes)
{
    return timeText(QDateTime::currentDateTimeUtc().addSecs(-60LL * minutes));
}

QString hoursAgo(int hours)
{
    return minutesAgo(60 * hours);
}

SampleTasks::SampleTasks(QSqlDatabase connection)
    : m_connection(std::move(connection))
{
}

SampleTasks::~SampleTasks()
{
    const QString name = m_connection.connectionName();
    m_connection = {};
    QSqlDatabase::removeDatabase(name);
}

void SampleTasks::exec(const QString &sql)
{
    QSqlQuery query(m_connection);
    if (!query.exec(sql))
        qFatal("%s: %s", qPrintable(sql), qPrintable(query.lastError().text()));
}

QVariant SampleTasks::value(const QString &sql)
{
    QSqlQuery query(m_connection);
    if (!query.exec(sql) || !query.next())
        qFatal("%s: %s", qPrintable(sql), qPrintable(query.lastError().text()));
    return query.value(0);
}

// Source: ReportStream, its first migration and those that add to it.
void SampleTasks::createTables()
{
    const bool isSqlite = m_connection.driverName() == QLatin1String("QSQLITE");
    const QString time = isSqlite ? QStringLiteral("TEXT") : QStringLiteral("TIMESTAMP WITH TIME ZONE");
    const QString action = isSqlite ? QStringLiteral("TEXT") : QStringLiteral("TASK_ACTION");
    if (!isSqlite)
        exec(QStringLiteral("CREATE TYPE TASK_ACTION AS ENUM ('receive', 'process', 'batch', 'send', 'none',"
                            " 'send_warning', 'send_error')"));
    exec(QStringLiteral("CREATE TABLE task (report_id %3 PRIMARY KEY, next_action %2, next_action_at %1,"
                        " schema_name VARCHAR(63) NOT NULL, receiver_name VARCHAR(63), item_count INT,"
                        " created_at %1, retry_token %4)")
             .arg(time, action, isSqlite ? QStringLiteral("TEXT") : QStringLiteral("UUID"),
                  isSqlite ? QStringLiteral("TEXT") : QStringLiteral("JSON")));
    exec(QStringLiteral("CREATE INDEX task_next_action_idx ON task (next_action)"));
    exec(QStringLiteral("CREATE TABLE action (action_id %3 PRIMARY KEY, action_name %2, action_params VARCHAR(2048),"
                        " action_result VARCHAR(2048), created_at %1)")
             .arg(time, action, isSqlite ? QStringLiteral("INTEGER") : QStringLiteral("BIGSERIAL")));
}

// Source: ReportStream, V6__Create_setting_tables.sql.
void SampleTasks::createSettings()
{
    const bool isSqlite = m_connection.driverName() == QLatin1String("QSQLITE");
    if (!isSqlite)
        exec(QStringLiteral("CREATE TYPE SETTING_TYPE AS ENUM ('ORGANIZATION', 'RECEIVER', 'SENDER')"));
    exec(QStringLiteral("CREATE TABLE setting (setting_id %1 PRIMARY KEY, type %2 NOT NULL, name VARCHAR(63) NOT NULL,"
                        " organization_id INT NULL REFERENCES setting(setting_id), \"values\" JSON,"
                        " is_deleted BOOLEAN, is_active BOOLEAN, version INT NOT NULL)")
             .arg(isSqlite ? QStringLiteral("INTEGER") : QStringLiteral("SERIAL"),
                  isSqlite ? QStringLiteral("TEXT") : QStringLiteral("SETTING_TYPE")));
}

void SampleTasks::addReceiver(const QString &organization, const QString &name, const QString &values)
{
    const QString rows = QStringLiteral("INSERT INTO setting (type, name, organization_id, \"values\", is_deleted,"
                                        " is_active, version) VALUES ");
    const QString number = QStringLiteral("(select max(setting_id) from setting where type = 'ORGANIZATION')");
    exec(rows + QStringLiteral("('ORGANIZATION', '%1', null, '{}', false, true, 1)").arg(organization));
    // An older version of the same receiver, as ReportStream keeps them.
    exec(rows
         + QStringLiteral("('RECEIVER', '%1', %2, '{\"timing\": {\"numberPerDay\": 1440}}', false, false, 1)")
               .arg(name, number));
    exec(rows + QStringLiteral("('RECEIVER', '%1', %2, '%3', false, true, 2)").arg(name, number, values));
}

void SampleTasks::addTask(const SampleTask &task)
{
    QSqlQuery query(m_connection);
    query.prepare(QStringLiteral("INSERT INTO task VALUES (?, ?, ?, 'covid-19', ?, 7, ?, ?)"));
    for (const QString &value :
         {task.reportId, task.nextAction, task.nextActionAt, task.receiver, task.createdAt, task.retryToken})
        query.addBindValue(orNull(value));
    if (!query.exec())
        qFatal("%s", qPrintable(query.lastError().text()));
}

void SampleTasks::addAction(const QString &name, const QString &result, const QString &createdAt)
{
    QSqlQuery query(m_connection);
    query.prepare(QStringLiteral("INSERT INTO action (action_name, action_params, action_result, created_at)"
                                 " VALUES (?, 'report', ?, ?)"));
    for (const QString &value : {name, result, createdAt})
        query.addBindValue(orNull(value));
    if (!query.exec())
        qFatal("%s", qPrintable(query.lastError().text()));
}

SampleTaskFile::SampleTaskFile()
    : m_tasks(std::make_unique<SampleTasks>(sqliteFile(path())))
{
    m_tasks->createTables();
}

} // namespace support
