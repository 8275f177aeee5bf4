#pragma once

#include "backend/pipeline/statements.h"
#include "backend/pipeline/taskdatabase.h"
#include "backend/records/pipeline.h"

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
    [[nodiscard]] core::Result<QList<records::SendRetry>> sendRetries(int limit);
    [[nodiscard]] core::Result<QList<records::PipelineReceiver>> receivers(core::TimePoint now);

    // One clear line that names table, column and row of the first such value, and how many rows there are; empty: none.
    [[nodiscard]] QString unreadable() const;

    struct Raised
    {
        records::PipelineTask task; // as it was
        records::PipelineStep step = records::PipelineStep::Receive;
        QVariant before; // its next action time, as the database kept it
    };
    // Makes a task due at `now`, in one transaction. NotFound: there is no such task. Conflict: it is not stuck (its step
    // has no tasks, or it is not overdue by 15 minutes), or it was not due at `expected` any more. Transient: somebody
    // works on it. Needs Access::Write.
    [[nodiscard]] core::Result<Raised> makeDue(const QString &reportId, std::optional<core::TimePoint> expected,
                                               core::TimePoint now);
    // Undoes makeDue() when no event could be sent. Does nothing if the task has moved on.
    [[nodiscard]] core::Result<> restore(const Raised &raised);

    // Source: 001, "Useful Process Query".
    static constexpr core::Milliseconds overdueAfter = std::chrono::minutes(15);

private:
    TaskTables(TaskDatabase &database, const Columns &columns);
    // `textTimes` grows by the columns that should hold times and have another type.
    [[nodiscard]] core::Result<> findColumns(const QString &table, const QList<ColumnField> &fields, Columns &columns,
                                             QList<Statements::Time> &textTimes);
    // The task of a row, or nothing when a value cannot be read.
    [[nodiscard]] std::optional<records::PipelineTask> taskOf(const QSqlQuery &row);
    [[nodiscard]] core::Result<> findUnreadable(records::PipelineStep step);
    // False: the value is there, but it is not a time.
    bool readTime(const QSqlQuery &row, int column, const QString &name, const QString &reportId,
                  std::optional<core::TimePoint> &time);
    void unreadableValue(const QString &table, const QString &column, const QString &rowName, const QVariant &value);
    [[nodiscard]] QVariant timeValue(core::TimePoint time, const QVariant &like) const;

    TaskDatabase *m_database;
    Statements m_statements;
    int m_unreadableRows = 0;
    QString m_firstUnreadable;
};

} // namespace pipeline
