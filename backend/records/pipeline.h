// A pipeline: a system that keeps its work in two tables of a database, TASK (what is to be done next, and when) and
// ACTION (what was done), and moves it by events in queues. Source of the tables, the steps and their retries:
// ReportStream (backend/pipeline/README.md). Values for any thread.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "backend/records/connection.h"

#include <QByteArray>
#include <QList>

#include <array>
#include <optional>

namespace records {

// Receive has no tasks: whoever sends a report sends it again until it is accepted.
enum class PipelineStep { Receive, Process, Batch, Send };
constexpr PipelineStep lastOf(PipelineStep)
{
    return PipelineStep::Send;
}
inline constexpr std::array taskSteps{PipelineStep::Process, PipelineStep::Batch, PipelineStep::Send};

// "receive", "process", "batch", "send": the name of the step on the command line, in TASK and of its queue.
[[nodiscard]] QString toString(PipelineStep step);
// Nothing for any other word.
[[nodiscard]] std::optional<PipelineStep> pipelineStepFrom(QStringView text);

inline constexpr Rights pipelineRights = Rights(Right::See) | Right::Retry; // of a new pipeline, and the only ones

// Where the tables are, and what may be done there. The password is not a part of it; core::Secrets keeps that.
struct Pipeline
{
    core::PipelineId id;
    QString name; // unique among pipelines and connections
    QString url; // "postgresql://USER@HOST[:PORT]/DB" or "sqlite:/ABSOLUTE/PATH"
    Rights rights = pipelineRights; // without Retry the database is only read
    QByteArray columns; // the column file, as given; empty: the names of ReportStream
    core::ConnectionId connection; // the broker with the queues of the steps; none: events are not sent

    REDRIVE_FIELDS(id, name, url, rights, columns, connection)
    friend bool operator==(const Pipeline &, const Pipeline &) = default;
};

// A URL as a person types it, taken apart: without its password, and with an absolute path for SQLite. The result may
// still be wrong; pipeline::databaseUrlFrom() checks it.
struct PipelineUrl
{
    QString url;
    std::optional<QString> secret;
};
[[nodiscard]] PipelineUrl pipelineUrlFrom(const QString &typed);

// "-infinity" and "infinity" of PostgreSQL, as times of a task.
inline constexpr core::TimePoint beforeAllTimes = core::TimePoint::min();
inline constexpr core::TimePoint afterAllTimes = core::TimePoint::max();
[[nodiscard]] constexpr bool isEndless(core::TimePoint time)
{
    return time == beforeAllTimes || time == afterAllTimes;
}
// "-infinity" or "infinity".
[[nodiscard]] QString endlessText(core::TimePoint time);

// One row of TASK. Texts are at most pipelineCellChars long and without control characters.
struct PipelineTask
{
    QString reportId;
    QString nextAction;
    std::optional<core::TimePoint> nextActionAt; // nothing: NULL
    QString schemaName;
    QString receiverName;
    std::optional<qint64> itemCount;
    std::optional<core::TimePoint> createdAt;

    REDRIVE_FIELDS(reportId, nextAction, nextActionAt, schemaName, receiverName, itemCount, createdAt)
    friend bool operator==(const PipelineTask &, const PipelineTask &) = default;
};
inline constexpr int pipelineCellChars = 1000;

// The overdue tasks of one step.
struct StepTasks
{
    PipelineStep step = PipelineStep::Process;
    QList<PipelineTask> tasks; // the oldest first
    bool more = false; // there are others than these
    QString sql; // the statement that found them

    REDRIVE_FIELDS(step, tasks, more, sql)
    friend bool operator==(const StepTasks &, const StepTasks &) = default;
};

// A task whose sending failed and is tried again later.
struct SendRetry
{
    PipelineTask task; // nextActionAt: the next try
    std::optional<int> retries; // so far; nothing: the retry token does not say

    REDRIVE_FIELDS(task, retries)
    friend bool operator==(const SendRetry &, const SendRetry &) = default;
};

// One row of ACTION that tells of a failed send.
struct PipelineAction
{
    QString id; // empty where ACTION has no such column, like the next two
    QString name; // "send_error": given up; "send_warning": tried again
    QString parameters;
    QString result;
    std::optional<core::TimePoint> createdAt;

    REDRIVE_FIELDS(id, name, parameters, result, createdAt)
    friend bool operator==(const PipelineAction &, const PipelineAction &) = default;
};

// The waiting batch tasks of one receiver.
struct PipelineReceiver
{
    enum class CadenceFrom {
        Unknown,
        Settings, // ReportStream's table `setting`
        File, // the column file
    };
    friend constexpr CadenceFrom lastOf(CadenceFrom) { return CadenceFrom::File; }

    QString receiver;
    std::optional<core::Milliseconds> cadence; // time between two batches; nothing: unknown
    CadenceFrom cadenceFrom = CadenceFrom::Unknown;
    std::optional<int> numberPerDay; // batches; nothing: not said, like the next two
    QString initialTime; // of day, of the first batch
    QString timeZone; // of that time, as the settings name it
    qint64 waiting = 0; // batch tasks
    std::optional<core::TimePoint> oldestTask; // when the one was created that is ignored first
    QString oldestReport; // its report id
    std::optional<core::TimePoint> backstopAt; // from then on that task is ignored; nothing: no cadence
    std::optional<qint64> ignoredPastBackstop; // tasks that are ignored already; nothing: no cadence, so nobody knows

    REDRIVE_FIELDS(receiver, cadence, cadenceFrom, numberPerDay, initialTime, timeZone, waiting, oldestTask,
                   oldestReport, backstopAt, ignoredPastBackstop)
    friend bool operator==(const PipelineReceiver &, const PipelineReceiver &) = default;
};

} // namespace records
