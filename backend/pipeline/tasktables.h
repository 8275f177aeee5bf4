#pragma once

#include "backend/pipeline/receivertally.h"
#include "backend/pipeline/statements.h"
#include "backend/pipeline/taskdatabase.h"
#include "backend/records/pipeline.h"

#include <QPair>
#include <QSet>

namespace pipeline {

// Reads TASK and ACTION, and makes a stuck task due again. On the thread of its TaskDatabase, whose errors every call may
// return. A value that is not what its column promises leaves out its row, and unreadable() tells of it.
class TaskTables final
{
public:
    // Reads the names of the columns first. Rejected: a table, or a column that the queries need, is missing; the message
    // names all that are.
    [[nodiscard]] static core::Result<TaskTables> open(TaskDatabase &database, const Columns &columns);

    // `limit`: the most rows.
    [[nodiscard]] core::Result<records::StepTasks> overdue(records::PipelineStep step, int limit);
    struct Actions
    {
        QList<records::PipelineAction> actions; // the newest first
        bool more = false;
    };
    [[nodiscard]] core::Result<Actions> sendActions(int limit);
    struct Retries
    {
        QList<records::SendRetry> retries; // the next one first
        bool more = false;
    };
    [[nodiscard]] core::Result<Retries> sendRetries(int limit);
    [[nodiscard]] core::Result<ReceiverTally::Receivers> receivers(int limit, core::TimePoint now);
    // Why receivers() went on without ReportStream's settings: they are there, but could not be read. Empty: no such reason.
    [[nodiscard]] QString whyNoSettings() const { return m_whyNoSettings; }

    // One clear line that names table, column and row of the first such value, and how many rows there are (each counts
    // once, up to mostUnreadable); empty: none.
    [[nodiscard]] QString unreadable() const;

    // How many texts were longer than records::pipelineCellChars and are cut.
    [[nodiscard]] int cutTexts() const { return m_cutTexts; }

    struct Raised
    {
        records::PipelineTask task; // as it was
        records::PipelineStep step = records::PipelineStep::Receive;
        QVariant before; // its next action time, as the database kept it
        QVariant after; // the new one, likewise
        Columns::Events events = Columns::Events::Json; // how its event is written
    };
    // Makes a task due at `now`, in one transaction. NotFound: there is no such task. Conflict: it waits for no step, it is not
    // overdue by 15 minutes, it was not due at `expected` any more, or the database changed no row or several; the message
    // says which, and nothing is changed then. Rejected: its names cannot be part of an event (queueevent.h). Transient:
    // somebody works on it. Needs Access::Write.
    [[nodiscard]] core::Result<Raised> makeDue(const QString &reportId, std::optional<core::TimePoint> expected,
                                               core::TimePoint now);
    // Undoes makeDue() when no event could be sent. Conflict: the task has moved on (its next action or the time of that
    // is another one), and nothing was changed.
    [[nodiscard]] core::Result<> restore(const Raised &raised);

    // Source: ReportStream, "Useful Process Query".
    static constexpr core::Milliseconds overdueAfter = std::chrono::minutes(15);

private:
    TaskTables(TaskDatabase &database, const Columns &columns);
    // Gives `columns` the names as the table spells them. `types` grows by the columns that should hold times and have
    // another type.
    [[nodiscard]] core::Result<> findColumns(const QString &table, const QList<ColumnField> &fields, Columns &columns,
                                             Statements::OtherTypes &types);
    // The task of a row, or nothing when a value cannot be read.
    [[nodiscard]] std::optional<records::PipelineTask> taskOf(const QSqlQuery &row);
    [[nodiscard]] QString textOf(const QSqlQuery &row, int column);
    [[nodiscard]] core::Result<> findUnreadable(records::PipelineStep step);
    // False: the value is there, but it is not a time.
    bool readTime(const QSqlQuery &row, int column, const QString &name, const QString &reportId,
                  std::optional<core::TimePoint> &time);
    // What ReportStream's own settings say of its receivers, by full name; nothing where the table is not there, or
    // cannot be read and is not named in the column file.
    [[nodiscard]] core::Result<QHash<QString, ReceiverTiming>> settings();
    void unreadableValue(const QString &table, const QString &column, const QString &rowName, const QVariant &value);
    [[nodiscard]] core::Result<Raised> stuckTask(const QString &reportId, std::optional<core::TimePoint> expected,
                                                 core::TimePoint now);
    // Conflict unless the statement changes one row.
    [[nodiscard]] core::Result<> changeOne(const QString &sql, const QVariantList &values, const QString &reportId);
    [[nodiscard]] QVariant timeValue(core::TimePoint time, const QVariant &like) const;

    TaskDatabase *m_database;
    Statements m_statements;
    QSet<QPair<QString, QString>> m_unreadableRows; // table and id
    bool m_moreUnreadable = false;
    int m_cutTexts = 0;
    QString m_firstUnreadable;
    QString m_whyNoSettings;
};

} // namespace pipeline
