// The names of the tables and columns of a pipeline, and the file that says where they differ from ReportStream's:
//   { "task": {"table": "jobs.task", "report_id": "id", "next_action_at": "due"},
//     "action": {"table": "log", "action_name": "what"},
//     "setting": {"table": "jobs.setting"},
//     "receivers": {"hospital.daily": {"number_per_day": 4, "initial_time": "06:00"}, "lab.elr": "24h"},
//     "backstop": "created_at", "events": "text" }
// "task" can name report_id, next_action, next_action_at, schema_name, receiver_name, item_count, created_at and
// retry_token, "action" action_id, action_name, action_params, action_result and created_at. What is left out has the
// name of ReportStream. "setting" is ReportStream's table of receivers; it may be missing. "receivers" says how often those
// get their batches that it does not know. "backstop" is the column whose age ends the retries of a batch: "next_action_at",
// as ReportStream has it since 2021-12-31, or "created_at", as before.
// "events" is how events are written: "json", as ReportStream reads them since 2023-12-21, or "text", as before.
#pragma once

#include "backend/core/result.h"
#include "backend/pipeline/receivertiming.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>

namespace pipeline {

inline constexpr int mostReceivers = 10000; // in the file, and of those in `setting` that are read

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

    QString settingTable; // empty: `setting`, beside the table of tasks, if it is there
    QHash<QString, ReceiverTiming> timings; // by receiver
    enum class Backstop { NextActionAt, CreatedAt };
    Backstop backstop = Backstop::NextActionAt;
    enum class Events { Json, Text };
    Events events = Events::Json;

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
