#include "backend/pipeline/tasktables.h"

#include "backend/core/time/durationtext.h"
#include "backend/pipeline/celltext.h"
#include "backend/pipeline/queueevent.h"
#include "backend/pipeline/text.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSqlField>

#include <algorithm>
#include <array>

namespace pipeline {

using core::ErrorKind;
using core::Result;
using records::PipelineStep;
using records::PipelineTask;

namespace {

constexpr int shownChars = 60; // of a value or a name in an error
constexpr int atColumn = 2; // of the seven columns: next_action_at
constexpr int receiverColumn = 4;
constexpr int createdColumn = 6;

QString shown(const QVariant &value)
{
    return cleanText(value.toString(), shownChars);
}

// The token of ReportStream is {"retryCount": 2, "items": ["*"]}; others write only the number.
std::optional<int> retriesOf(const QVariant &token)
{
    const QString text = token.toString().left(records::pipelineCellChars);
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (isNumber)
        return number;
    const QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
    const QJsonValue count = object.value(QStringLiteral("retryCount"));
    return count.isDouble() ? std::optional(count.toInt()) : std::nullopt;
}

std::optional<qint64> numberOf(const QSqlQuery &row, int column)
{
    bool isNumber = false;
    const qint64 number = row.value(column).toLongLong(&isNumber);
    return isNumber && !row.isNull(column) ? std::optional(number) : std::nullopt;
}

// A name in other capitals is found, too: people write names as SQL takes them without quotes, and statements quote them.
// QSqlRecord::indexOf() takes "a.b" for the column b of a table.
int indexOf(const QSqlRecord &columns, const QString &name)
{
    for (const Qt::CaseSensitivity sensitivity : {Qt::CaseSensitive, Qt::CaseInsensitive}) {
        for (int i = 0; i < columns.count(); ++i) {
            if (columns.fieldName(i).compare(name, sensitivity) == 0)
                return i;
        }
    }
    return -1;
}

void noteType(DatabaseKind kind, const QSqlField &field, Statements::Time column, Statements::OtherTypes &types)
{
    static const QList<Statements::Time> times{&Columns::nextActionAt, &Columns::createdAt, &Columns::actionCreatedAt};
    constexpr int timestamp = 1114; // PostgreSQL, pg_type.dat: the oid of "timestamp without time zone"
    if (!times.contains(column))
        return;
    if (field.metaType().id() != QMetaType::QDateTime)
        types.text.append(column);
    else if (kind == DatabaseKind::PostgreSql && field.typeID() == timestamp)
        types.withoutZone.append(column);
}

bool isMissingTable(const core::Error &error)
{
    const bool ofPostgres = error.detail.startsWith(QLatin1String("42P01"));
    return ofPostgres || (error.kind == ErrorKind::Rejected && error.detail.contains(QLatin1String("no such table")));
}

// What the driver makes of "-infinity" cannot be written back.
QVariant atValue(const QSqlQuery &row, const std::optional<PipelineTask> &task)
{
    const bool isEndless = task && task->nextActionAt && records::isEndless(*task->nextActionAt);
    return isEndless ? QVariant(records::endlessText(*task->nextActionAt)) : row.value(atColumn);
}

QString timeText(core::TimePoint time)
{
    return records::isEndless(time) ? records::endlessText(time)
                                    : QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC)
                                          .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"));
}

core::Error noSuchTask(const QString &reportId)
{
    return {ErrorKind::NotFound, Text::tr("There is no task with the report id %1.").arg(shown(reportId)), {}, {}};
}

} // namespace

TaskTables::TaskTables(TaskDatabase &database, const Columns &columns)
    : m_database(&database)
    , m_statements(database.url().kind, columns)
{
}

Result<TaskTables> TaskTables::open(TaskDatabase &database, const Columns &columns)
{
    TaskTables tables(database, columns);
    Columns found = columns;
    Statements::OtherTypes types;
    TRY(tables.findColumns(columns.taskTable, taskFields(), found, types));
    TRY(tables.findColumns(columns.actionTable, actionFields(), found, types));
    tables.m_statements = Statements(database.url().kind, found, types);
    return tables;
}

// An optional column that is missing gets an empty name. SQLite reads a quoted name that it does not know as a text, so
// no statement may name a column before this.
Result<> TaskTables::findColumns(const QString &table, const QList<ColumnField> &fields, Columns &columns,
                                 Statements::OtherTypes &types)
{
    const Result<QSqlRecord> there = m_database->columnsOf(m_statements.columnsOf(table));
    if (!there && isMissingTable(there.error()))
        return core::fail(ErrorKind::Rejected,
                          Text::tr("%1 has no table %2. Name the right table in the file of --columns.")
                              .arg(m_database->url().place(), shown(table)),
                          there.error().detail);
    if (!there)
        return core::fail(there.error());
    QStringList missing;
    for (const ColumnField &field : fields) {
        const int place = indexOf(*there, columns.*field.column);
        if (place >= 0)
            noteType(m_database->url().kind, there->field(place), field.column, types);
        else if (!field.isOptional)
            missing.append(shown(columns.*field.column));
        columns.*field.column = place >= 0 ? there->fieldName(place) : QString();
    }
    if (missing.isEmpty())
        return {};
    const QString text =
        missing.size() == 1
            ? Text::tr("The table %1 of %2 has no column %3. Name the right column in the file of --columns.")
            : Text::tr("The table %1 of %2 has no columns %3. Name the right columns in the file of --columns.");
    return core::fail(ErrorKind::Rejected,
                      text.arg(shown(table), m_database->url().place(), missing.join(QStringLiteral(", "))));
}

void TaskTables::unreadableValue(const QString &table, const QString &column, const QString &rowName,
                                 const QVariant &value)
{
    if (m_unreadableRows.isEmpty())
        m_firstUnreadable = Text::tr("%1.%2 is not a time in the row %3: it holds \"%4\".")
                                .arg(shown(table), shown(column), shown(rowName), shown(value));
    const QString unnamed = QStringLiteral(" %1").arg(m_unreadableRows.size()); // no column has its id: another row
    const QPair<QString, QString> row(table, rowName.isEmpty() ? unnamed : rowName);
    if (m_unreadableRows.size() < mostUnreadable)
        m_unreadableRows.insert(row);
    else if (!m_unreadableRows.contains(row))
        m_moreUnreadable = true;
}

QString TaskTables::unreadable() const
{
    const int rows = int(m_unreadableRows.size());
    if (rows < 2)
        return m_firstUnreadable;
    return m_moreUnreadable ? Text::tr("%1 There are at least %n such rows.", nullptr, rows).arg(m_firstUnreadable)
                            : Text::tr("%1 There are %n such rows.", nullptr, rows).arg(m_firstUnreadable);
}

bool TaskTables::readTime(const QSqlQuery &row, int column, const QString &name, const QString &reportId,
                          std::optional<core::TimePoint> &time)
{
    if (row.isNull(column))
        return true;
    time = cellTime(row.value(column));
    if (!time)
        time = m_database->endlessTime(row, column);
    if (!time)
        unreadableValue(m_statements.columns().taskTable, name, reportId, row.value(column));
    return time.has_value();
}

QString TaskTables::textOf(const QSqlQuery &row, int column)
{
    const QString text = cellText(row.value(column));
    m_cutTexts += text.size() > records::pipelineCellChars ? 1 : 0;
    return text;
}

std::optional<PipelineTask> TaskTables::taskOf(const QSqlQuery &row)
{
    PipelineTask task;
    task.reportId = textOf(row, 0);
    task.nextAction = textOf(row, 1);
    task.schemaName = textOf(row, 3);
    task.receiverName = textOf(row, 4);
    task.itemCount = numberOf(row, 5);
    const Columns &columns = m_statements.columns();
    const bool isReadable = readTime(row, atColumn, columns.nextActionAt, task.reportId, task.nextActionAt)
                            && readTime(row, createdColumn, columns.createdAt, task.reportId, task.createdAt);
    return isReadable ? std::optional(task) : std::nullopt;
}

Result<> TaskTables::findUnreadable(PipelineStep step)
{
    const QString sql = m_statements.unreadable(step);
    if (sql.isEmpty())
        return {};
    return m_database->each(sql, {}, [this](const QSqlQuery &row) -> Result<> {
        std::optional<core::TimePoint> time;
        const Columns &columns = m_statements.columns();
        const QString reportId = cellText(row.value(0));
        if (readTime(row, 1, columns.nextActionAt, reportId, time))
            readTime(row, 2, columns.createdAt, reportId, time);
        return {};
    });
}

Result<records::StepTasks> TaskTables::overdue(PipelineStep step, int limit)
{
    records::StepTasks found;
    found.step = step;
    found.sql = m_statements.overdue(step, limit + 1); // one more tells whether there are others
    TRY(findUnreadable(step));
    TRY(m_database->each(found.sql, {}, [&](const QSqlQuery &row) -> Result<> {
        found.more = found.tasks.size() == limit;
        const std::optional<PipelineTask> task = found.more ? std::nullopt : taskOf(row);
        if (task)
            found.tasks.append(*task);
        return {};
    }));
    return found;
}

Result<TaskTables::Actions> TaskTables::sendActions(int limit)
{
    Actions found;
    TRY(m_database->each(m_statements.sendActions(limit + 1), {}, [&](const QSqlQuery &row) -> Result<> {
        found.more = found.actions.size() == limit;
        if (found.more)
            return {};
        records::PipelineAction action{textOf(row, 0), textOf(row, 1), textOf(row, 2), textOf(row, 3), {}};
        if (!row.isNull(4)) {
            const Columns &columns = m_statements.columns();
            action.createdAt = cellTime(row.value(4));
            if (!action.createdAt)
                action.createdAt = m_database->endlessTime(row, 4);
            if (!action.createdAt)
                unreadableValue(columns.actionTable, columns.actionCreatedAt, action.id, row.value(4));
        }
        found.actions.append(action);
        return {};
    }));
    return found;
}

Result<TaskTables::Retries> TaskTables::sendRetries(int limit)
{
    Retries found;
    const QString sql = m_statements.sendRetries(limit + 1);
    if (sql.isEmpty())
        return found;
    int rows = 0;
    TRY(m_database->each(sql, {}, [&](const QSqlQuery &row) -> Result<> {
        found.more = ++rows > limit;
        const std::optional<PipelineTask> task = found.more ? std::nullopt : taskOf(row);
        if (task)
            found.retries.append({*task, retriesOf(row.value(createdColumn + 1))});
        return {};
    }));
    return found;
}

// Only a table that the column file names has to be there: others may have a table `setting` of their own. What keeps that
// one from being read keeps nobody from reading the tasks.
Result<QHash<QString, ReceiverTiming>> TaskTables::settings()
{
    QHash<QString, ReceiverTiming> found;
    const Result<> read =
        m_database->each(m_statements.receiverSettings(), {}, [&found](const QSqlQuery &row) -> Result<> {
            const QString name = cellText(row.value(0)) + QLatin1Char('.') + cellText(row.value(1));
            if (const std::optional<ReceiverTiming> timing = timingOfSetting(row.value(2).toString().toUtf8()))
                found.insert(name, *timing);
            return {};
        });
    m_whyNoSettings.clear();
    if (read)
        return found;
    constexpr std::array passedOver{ErrorKind::Rejected, ErrorKind::Unauthorized, ErrorKind::Transient};
    const bool isOptional = m_statements.columns().settingTable.isEmpty();
    if (!isOptional || std::find(passedOver.begin(), passedOver.end(), read.error().kind) == passedOver.end())
        return core::fail(read.error());
    if (!isMissingTable(read.error()))
        m_whyNoSettings = read.error().message;
    return QHash<QString, ReceiverTiming>();
}

Result<ReceiverTally::Receivers> TaskTables::receivers(int limit, core::TimePoint now)
{
    TRY(const auto ofSettings, settings());
    ReceiverTally tally(limit, m_statements.columns().backstop);
    TRY(m_database->each(m_statements.batchTasks(), {}, [&](const QSqlQuery &row) -> Result<> {
        const Columns &columns = m_statements.columns();
        const QString report = cellText(row.value(1));
        std::optional<core::TimePoint> turn;
        std::optional<core::TimePoint> created;
        if (readTime(row, 2, columns.nextActionAt, report, turn)
            && readTime(row, 3, columns.createdAt, report, created))
            tally.add(cellText(row.value(0)), report, turn, created);
        return {};
    }));
    return tally.receivers({ofSettings, m_statements.columns().timings}, now);
}

// A time that is kept as text: the new one looks like the old one.
QVariant TaskTables::timeValue(core::TimePoint time, const QVariant &like) const
{
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC);
    if (like.metaType().id() == QMetaType::QDateTime)
        return utc;
    return like.toString().contains(QLatin1Char('T')) ? utc.toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.zzzZ"))
                                                      : utc.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

// Nothing: it is stuck, and as a person saw it.
static QString notStuck(const PipelineTask &task, std::optional<core::TimePoint> expected, core::TimePoint now)
{
    const QString report = shown(task.reportId);
    const std::optional<PipelineStep> step = records::pipelineStepFrom(task.nextAction);
    if (!step || *step == PipelineStep::Receive)
        return Text::tr("The task %1 waits for no step: its next action is \"%2\". Nothing was done.")
            .arg(report, shown(task.nextAction));
    if (!task.nextActionAt)
        return Text::tr("The task %1 is not overdue: it has no time for %2. Nothing was done.")
            .arg(report, task.nextAction);
    if (*task.nextActionAt >= now - TaskTables::overdueAfter)
        return Text::tr("The task %1 is not overdue: it is due for %2 at %3, and overdue %4 later. Nothing was done.")
            .arg(report, task.nextAction, timeText(*task.nextActionAt), core::durationText(TaskTables::overdueAfter));
    if (expected && *expected != *task.nextActionAt)
        return Text::tr("The task %1 is due for %2 at %3, no longer as it was shown. Nothing was done.")
            .arg(report, task.nextAction, timeText(*task.nextActionAt));
    return {};
}

// The task of a report id, locked, if it is stuck.
Result<TaskTables::Raised> TaskTables::stuckTask(const QString &reportId, std::optional<core::TimePoint> expected,
                                                 core::TimePoint now)
{
    Raised raised;
    QStringList names; // report id and receiver, as they are
    std::optional<PipelineTask> task;
    const Result<> asked = m_database->each(m_statements.task(true), {reportId}, [&](const QSqlQuery &row) -> Result<> {
        task = taskOf(row);
        raised.before = atValue(row, task);
        names = {row.value(0).toString(), row.value(receiverColumn).toString()};
        return {};
    });
    if (!asked && asked.error().detail.startsWith(QLatin1String("22P02"))) // not a UUID
        return core::fail(noSuchTask(reportId));
    TRY(asked);
    if (!task && !unreadable().isEmpty())
        return core::fail(ErrorKind::Conflict, unreadable());
    if (!task)
        return core::fail(noSuchTask(reportId));
    if (const QString reason = notStuck(*task, expected, now); !reason.isEmpty())
        return core::fail(ErrorKind::Conflict, reason);
    raised.task = *task;
    raised.step = *records::pipelineStepFrom(task->nextAction);
    raised.events = m_statements.columns().events;
    TRY(checkEventName(names.first(), raised.events));
    if (raised.step == PipelineStep::Batch) {
        TRY(checkEventName(names.last(), raised.events));
    }
    return raised;
}

Result<> TaskTables::changeOne(const QString &sql, const QVariantList &values, const QString &reportId)
{
    TRY(const int changed, m_database->change(sql, values));
    if (changed == 1)
        return {};
    return core::fail(
        ErrorKind::Conflict,
        changed < 1
            ? Text::tr("The task %1 has moved on. Nothing was done.").arg(shown(reportId))
            : Text::tr("%n tasks have the report id %1. Nothing was done.", nullptr, changed).arg(shown(reportId)));
}

// The new time is read back: the column may keep it less exactly.
Result<TaskTables::Raised> TaskTables::makeDue(const QString &reportId, std::optional<core::TimePoint> expected,
                                               core::TimePoint now)
{
    Raised raised;
    TRY(m_database->transact([&]() -> Result<> {
        TRY(raised, stuckTask(reportId, expected, now));
        const QVariantList values{timeValue(now, raised.before), reportId, records::toString(raised.step)};
        TRY(changeOne(m_statements.reschedule(), values, reportId));
        return m_database->each(m_statements.task(false), {reportId}, [&raised](const QSqlQuery &row) -> Result<> {
            raised.after = row.value(atColumn);
            return {};
        });
    }));
    return raised;
}

Result<> TaskTables::restore(const Raised &raised)
{
    const QString reportId = raised.task.reportId;
    const QVariantList values{raised.before, reportId, records::toString(raised.step), raised.after};
    return m_database->transact([&] { return changeOne(m_statements.changeBack(), values, reportId); });
}

} // namespace pipeline
