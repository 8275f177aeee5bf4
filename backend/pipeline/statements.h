// The SQL that a pipeline's database is asked with, in its dialect. Values never become part of a text; names do, quoted
// where they are not those of ReportStream. Source of the conditions: ReportStream, "Useful Process Query", "Useful
// Batch Query" and "Query to find failed Sends". Pure: any thread.
#pragma once

#include "backend/pipeline/columns.h"
#include "backend/pipeline/databaseurl.h"
#include "backend/records/pipeline.h"

namespace pipeline {

inline constexpr int mostUnreadable = 100; // rows whose values cannot be read, and that are counted

class Statements final
{
public:
    using Time = QString Columns::*; // a column that holds times
    // In PostgreSQL: the columns that should be `timestamp with time zone` and are not.
    struct OtherTypes
    {
        QList<Time> text; // a type that is none for times, so each value may be anything
        QList<Time> withoutZone; // `timestamp`: read as UTC, in whatever zone this machine or the session is
    };
    Statements(DatabaseKind kind, Columns columns, OtherTypes types = {});

    // The seven columns of the tasks of a step that are overdue, the oldest first. A limit below 1 is none.
    [[nodiscard]] QString overdue(records::PipelineStep step, int limit) const;
    // Report id, next action time and creation time of tasks whose times cannot be read. SQLite keeps any text in any
    // column, and a comparison would silently leave such a row out. At most mostUnreadable and one more, which tells that
    // there are others. Empty for PostgreSQL where types prevent it.
    [[nodiscard]] QString unreadable(records::PipelineStep step) const;
    // Id, name, parameters, result and time of the failed sends, the newest first.
    [[nodiscard]] QString sendActions(int limit) const;
    // The seven columns and the retry token of tasks that are sent again, the next one first, and of those whose time
    // cannot be read. An overdue one is left out: what Send gave up (send_error) keeps its next action and its token.
    // Empty: there is no such column.
    [[nodiscard]] QString sendRetries(int limit) const;
    // Receiver, report id, next action time and creation time of all batch tasks, ordered by receiver.
    [[nodiscard]] QString batchTasks() const;

    // Organization, name and JSON of the receivers that ReportStream uses now, at most mostReceivers.
    [[nodiscard]] QString receiverSettings() const;

    // The seven columns of the task with the bound report id. `lock`: nobody changes it before the transaction ends.
    [[nodiscard]] QString task(bool lock) const;
    // Sets the next action time (bound first) of the task with a report id (second) and a next action (third).
    [[nodiscard]] QString reschedule() const;
    // The same, if its next action time is still the one that is bound fourth.
    [[nodiscard]] QString changeBack() const;

    [[nodiscard]] QString columnsOf(const QString &table) const; // no row, all columns

    [[nodiscard]] const Columns &columns() const { return m_columns; }

private:
    [[nodiscard]] QString settingTable() const;
    [[nodiscard]] QString seven() const;
    [[nodiscard]] QString time(Time column) const; // comparable; NULL: not a time
    [[nodiscard]] QString value(Time column, const char *as) const; // to be read: as it is, with a zone
    [[nodiscard]] QString broken(Time column) const; // holds something that is not a time
    [[nodiscard]] QString ago(const char *span) const;
    [[nodiscard]] QString optional(const QString &column, const char *as) const;

    DatabaseKind m_kind;
    Columns m_columns;
    OtherTypes m_types;
};

} // namespace pipeline
