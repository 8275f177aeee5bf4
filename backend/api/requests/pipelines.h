// Requests about pipelines (records/pipeline.h). All go to the process that holds the store, reading included, because
// only it knows the passwords. A question to a database ends within 15 s.
// Errors of the database: Transient (not reachable, locked, too slow), Unauthorized (login or right), Refused (no
// driver), NotFound (no such file), Rejected (a table or column is missing), Corrupt.
#pragma once

#include "backend/api/request.h"
#include "backend/api/snapshot.h"
#include "backend/records/pipeline.h"

#include <optional>

namespace api {

struct PipelineAdded
{
    core::PipelineId id;
    QString secretNotKept; // the password is known for this run only, and what to do; empty: no such problem

    REDRIVE_FIELDS(id, secretNotKept)
};

// Opens the database, checks tables and columns, and stores the pipeline; stores nothing on an error. Rejected: name, URL
// or columns are wrong. Conflict: the name is taken, or too similar to another one for its secret.
struct AddPipeline
{
    using Answer = PipelineAdded;
    static constexpr RequestRules rules{"AddPipeline", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return Text::tr("Pipeline added"); }

    records::Pipeline pipeline; // without id
    std::optional<QString> secret; // nothing: the one that is known under this name, if there is one

    REDRIVE_FIELDS(pipeline, secret)
};

// Removes the pipeline and its password. The database is not touched.
struct RemovePipeline
{
    using Answer = void;
    static constexpr RequestRules rules{"RemovePipeline", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {{}, pipeline}; } // none
    [[nodiscard]] QString activity() const { return Text::tr("Pipeline removed"); }

    core::PipelineId pipeline;

    REDRIVE_FIELDS(pipeline)
};

// Ordered by name.
struct ListPipelines
{
    using Answer = QList<records::Pipeline>;
    static constexpr RequestRules rules{"ListPipelines", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    REDRIVE_FIELDS()
};

// What the database says now. Parts that nobody asked for are empty.
struct PipelineReading
{
    QList<records::StepTasks> overdue; // one for each step asked for, in their order
    QList<records::PipelineAction> sendActions; // the newest first
    bool moreSendActions = false; // there are others than these
    QList<records::SendRetry> sendRetries; // the next one first; without those that are overdue
    bool moreSendRetries = false; // likewise
    QList<records::PipelineReceiver> receivers; // by name
    bool moreReceivers = false; // likewise
    int cutTexts = 0; // texts that are longer than records::pipelineCellChars
    QString unreadable; // one line: table, column and row of a value that is no time, and how many rows; empty: none
    core::TimePoint asOf{};
    QString whyNoSettings{}; // ReportStream's table of receivers is there but could not be read; empty: no such reason

    REDRIVE_FIELDS(overdue, sendActions, moreSendActions, sendRetries, moreSendRetries, receivers, moreReceivers,
                   cutTexts, unreadable, asOf, whyNoSettings)
};

// Reads the task tables. Rejected: a limit below 1 or over `longest`.
struct ReadPipeline
{
    using Answer = PipelineReading;
    static constexpr RequestRules rules{"ReadPipeline", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::See, pipeline}; }
    [[nodiscard]] QString activity() const { return {}; }

    static constexpr int longest = 10000;

    core::PipelineId pipeline;
    QList<records::PipelineStep> steps; // whose overdue tasks to list; Receive has none
    bool sends = false; // failed sends, and those that are tried again
    bool receivers = false;
    int limit = 1000; // the most rows of each list

    REDRIVE_FIELDS(pipeline, steps, sends, receivers, limit)
};

struct RaisedEvent
{
    records::PipelineTask task; // as it was
    records::PipelineStep step = records::PipelineStep::Process;
    QString queue; // where the event is now; empty: none was sent, because the pipeline has no connection
    core::TimePoint nextActionAt{}; // of the task now

    REDRIVE_FIELDS(task, step, queue, nextActionAt)
};

// Makes a stuck task due now and puts its event into the queue of its step again. NotFound: no such task or queue.
// Conflict: the task is not overdue, or no longer as it was shown. Refused: the connection does not grant "retry". When
// the event certainly was not sent, the task is as before, unless the message says otherwise. UnknownOutcome: the event may
// have been sent, or the database did not say whether it changed the task; the message says which.
struct RaiseEvent
{
    using Answer = RaisedEvent;
    static constexpr RequestRules rules{"RaiseEvent", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, pipeline}; }
    [[nodiscard]] QString activity() const { return Text::tr("Event raised again"); }
    [[nodiscard]] QString detail() const { return reportId; }

    core::PipelineId pipeline;
    QString reportId;
    std::optional<core::TimePoint> shown; // its next action time when a person confirmed; nothing: any

    REDRIVE_FIELDS(pipeline, reportId, shown)
};

// The queues of a step, as the engine last listed them.
struct StepQueues
{
    std::optional<qint64> depth; // messages in the step's queue; nothing: no such queue, or unknown
    std::optional<qint64> poison; // messages in its poison queue; likewise
    qint64 poisonTaken = 0; // unresolved messages that were taken from the poison queue into the store
    QString poisonQueue; // "process-poison" or "process_poison"; empty: there is none
    core::ConnectionId poisonConnection;
};

// Looks at the queues of the pipeline's connection, or of all connections if it has none. A poison queue of Azure
// Functions is called "STEP-poison", the one that ReportStream documents "STEP_poison".
[[nodiscard]] StepQueues stepQueues(const Snapshot &snapshot, const records::Pipeline &pipeline,
                                    records::PipelineStep step);

} // namespace api
