// The SQL that a pipeline's database is asked with, in its dialect. Values never become part of a text; names do, quoted
// where they are not those of ReportStream. Source of the conditions: 001, "Useful Process Query", "Useful Batch Query"
// and "Query to find failed Sends". Pure: any thread.
#pragma once

#include "backend/pipeline/columns.h"
#include "backend/pipeline/databaseurl.h"
#include "backend/records/pipeline.h"

namespace pipeline {

class Statements final
{
public:
    using Time = QString Columns::*; // a column that holds times
    // `textTimes`: in PostgreSQL these columns have a type that is none for times, so each value may be anything.
    Statements(DatabaseKind kind, Columns columns, QList<Time> textTimes = {});

    // The seven columns of the tasks of a step that are overdue, the oldest first. A limit below 1 is none.
    [[nodiscard]] QString overdue(records::PipelineStep step, int limit) const;
    // Report id, next action time and creation time of tasks whose times cannot be read. SQLite keeps any text in any
    // column, and a comparison would silently leave such a row out. Empty for PostgreSQL where types prevent it.
    [[nodiscard]] QString unreadable(records::PipelineStep step) const;
    // Id, name, parameters, result and time of the failed sends, the newest first.
    [[nodiscard]] QString sendActions(int limit) const;
    // The seven columns and the retry token of tasks that are sent again, the next one first. Empty: there is no such
    // column.
    [[nodiscard]] QString sendRetries(int limit) const;
    // Receiver, report id, next action time and creation time of all batch tasks.
    [[nodiscard]] QString batchTasks() const;

    // The seven columns of the task with the bound report id. `lock`: nobody changes it before the transaction ends.
    [[nodiscard]] QString task(bool lock) const;
    // Sets the next action time (bound) of a task (bound) if it is the expected one (bound).
    [[nodiscard]] QString reschedule() const;

    [[nodiscard]] QString columnsOf(const QString &table) const; // no row, all columns

    [[nodiscard]] const Columns &columns() const { return m_columns; }

private:
    [[nodiscard]] QString seven() const;
    [[nodiscard]] QString time(Time column) const; // comparable; NULL: not a time
    [[nodiscard]] QString ago(const char *span) const;
    [[nodiscard]] QString optional(const QString &column, const char *as) const;

    DatabaseKind m_kind;
    Columns m_columns;
    QList<Time> m_textTimes;
};

} // namespace pipeline
