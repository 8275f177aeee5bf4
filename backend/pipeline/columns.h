// The names of the tables and columns of a pipeline, and the file that says where they differ from ReportStream's:
//   { "task": {"table": "jobs.task", "report_id": "id", "next_action_at": "due"},
//     "action": {"table": "log", "action_name": "what"},
//     "receivers": {"hospital.daily": "24h"} }
// "task" can name report_id, next_action, next_action_at, schema_name, receiver_name, item_count, created_at and
// retry_token, "action" action_id, action_name, action_params, action_result and created_at. What is left out has the
// name of ReportStream. "receivers" says how often a receiver gets its batch.
#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>

namespace pipeline {

struct Columns
{
    QString taskTable = QStringLiteral("task"); // may be "SCHEMA.TABLE"
    QString reportId = QStringLiteral("report_id");
    QString nextAction = QStringLiteral("next_action");
    QString nextActionAt = QStringLiteral("next_action_at");
    QString schemaName = QStringLiteral("schema_name");
    QString receiverName = QStringLiteral("receiver_name");
    QString itemCount = QStringLiteral("item_count");
    QString createdAt = QStringLiteral("created_at");
    QString retryToken = QStringLiteral("retry_token"); // empty: the table has none

    QString actionTable = QStringLiteral("action");
    QString actionName = QStringLiteral("action_name");
    QString actionCreatedAt = QStringLiteral("created_at");
    QString actionId = QStringLiteral("action_id"); // empty: the table has none, like the next two
    QString actionParameters = QStringLiteral("action_params");
    QString actionResult = QStringLiteral("action_result");

    QHash<QString, core::Milliseconds> cadences; // by receiver

    friend bool operator==(const Columns &, const Columns &) = default;
};

// One column: its name in the file and in ReportStream, its place in Columns, and whether its table may lack it.
struct ColumnField
{
    const char *name;
    QString Columns::*column;
    bool isOptional;
};
[[nodiscard]] const QList<ColumnField> &taskFields(); // the seven of the queries come first, in their order
[[nodiscard]] const QList<ColumnField> &actionFields();

inline constexpr qsizetype longestColumnFile = 256 * 1024; // bytes

// Reads the file; an empty one means the names of ReportStream. Rejected: the message names the field with its path, or
// line and character of what is not JSON. Any thread.
[[nodiscard]] core::Result<Columns> columnsFrom(const QByteArray &file);

} // namespace pipeline
