#pragma once

#include "backend/recovery/decision.h"
#include "backend/sandbox/queueconsumer.h"
#include "backend/sandbox/reports/lockwait.h"
#include "backend/sandbox/reports/pipelineevent.h"
#include "backend/sandbox/reports/reportsscript.h"

#include <QHash>

namespace sandbox {

// The four steps of the pipeline (ReportStream). Process, Batch and Send lock their rows of TASK in a transaction, write what
// they have to, work for a moment, and only then fail: the abort undoes it, and the row is as it was. Several workers of a
// step work side by side, each with a connection of its own to the tables. A step that is killed anywhere is repeated by its
// message, or by the sender, and finds in TASK what is done already:
//  - Receive answers 201 when the task is stored and its event is in the queue. The sender repeats everything else.
//  - Process, Batch: the transaction comes first, then the event for Send. If the event is lost, the message of the step
//    comes again and sends it; an event that comes twice finds the task sent, or waiting for its next try.
//  - Send, after a failure in part: the message for later is sent before the transaction with the token and the time of
//    the next try ends. If that is lost, the old message comes again and does the same once more. Before that time no
//    message does anything with the task; an event that somebody raises again finds it due. What the function itself
//    throws is swallowed: its transaction is aborted, and ACTION says send_error.
// An event that cannot be read, or whose task or receiver is not there, goes to the poison queue. Used on the thread of the clock.
class PipelineSteps final
{
public:
    using Settle = QueueConsumer::Settle;

    // Everything outlives this object. `origin` is when the scenario began.
    PipelineSteps(const ReportsSettings &settings, const ScenarioContext &context, core::Timers &timers,
                  core::TimePoint origin, std::shared_ptr<broker::Broker> broker);

    // `table` is the connection of whoever calls, and without a transaction.

    // The status of an answer over HTTP; `attempt` counts those of the sender, from 1.
    [[nodiscard]] core::Task<int> receive(TaskTable *table, Report report, int attempt);
    [[nodiscard]] core::Task<Settle> process(TaskTable *table, broker::ReceivedMessage held);
    [[nodiscard]] core::Task<Settle> batch(TaskTable *table, broker::ReceivedMessage held);
    [[nodiscard]] core::Task<Settle> send(TaskTable *table, broker::ReceivedMessage held);
    // BatchDecider: puts one or more events into the queue for each receiver whose turn came after `before`, up to `now`:
    // as many as its waiting tasks need.
    [[nodiscard]] core::Task<> decideBatches(TaskTable *table, core::TimePoint before, core::TimePoint now);

    [[nodiscard]] Report reportOf(int number) const;
    // Batch tasks of the receiver that were created before are too old for every turn.
    [[nodiscard]] core::TimePoint oldestFor(const ReportReceiver &receiver, core::TimePoint now) const;

    // Since this object was made.
    struct Counts
    {
        int processRetries = 0;
        int toPoison = 0;
        int batchAborts = 0;
        int sendAborts = 0;
        int refusedReceives = 0;
    };
    [[nodiscard]] const Counts &counts() const { return m_counts; }

private:
    [[nodiscard]] core::TimePoint now() const { return m_context.clock.now(); }
    // A line of the log: when, which step, of which report or receiver, and what happened.
    void log(PipelineEvent::Step step, const QString &subject, const QString &what) const;
    void log(const QString &step, const QString &subject, const QString &what) const;
    [[nodiscard]] core::Milliseconds sinceStart() const { return now() - m_origin; }
    [[nodiscard]] int receiverOf(int number) const;
    [[nodiscard]] std::optional<int> placeOf(const QString &receiver) const; // in the settings
    [[nodiscard]] NewTask afterProcess(const Report &report) const;
    // The attempts of Process: the deliveries without those in which the tables could not be read or written.
    [[nodiscard]] int attemptOf(const broker::ReceivedMessage &held) const;
    [[nodiscard]] Settle putBackUncounted(const broker::ReceivedMessage &held);
    // The steps up to the end of their transaction, which is still open after a failure.
    [[nodiscard]] core::Task<Settle> processLocked(TaskTable *table, broker::ReceivedMessage held);
    [[nodiscard]] core::Task<Settle> batchLocked(TaskTable *table, broker::ReceivedMessage held, int receiver);
    [[nodiscard]] core::Task<Settle> sendLocked(TaskTable *table, broker::ReceivedMessage held);
    [[nodiscard]] core::Task<core::Result<int>> eventsFor(TaskTable *table, const ReportReceiver *receiver,
                                                          core::TimePoint now);
    // Writes the tasks to send that the locked ones become. Returns how many.
    [[nodiscard]] core::Result<int> writeBatch(TaskTable *table, const ReportReceiver &receiver,
                                               const QList<PipelineTask> &tasks) const;
    [[nodiscard]] core::Task<bool> sendFirst(TaskTable *table, QString receiver);
    [[nodiscard]] core::Task<Settle> poison(broker::ReceivedMessage held);
    [[nodiscard]] core::Task<Settle> recoverProcess(broker::ReceivedMessage held, HandlerFailure failure);
    [[nodiscard]] core::Task<Settle> recoverSend(TaskTable *table, TaskTable::SendStep step, QList<int> failed,
                                                 HandlerFailure failure);
    [[nodiscard]] core::Task<Settle> swallow(TaskTable *table, QString id, HandlerFailure failure);

    const ReportsSettings &m_settings;
    const ScenarioContext &m_context;
    core::Timers &m_timers;
    const core::TimePoint m_origin;
    const std::shared_ptr<broker::Broker> m_broker;
    const recovery::Decider m_processDecider;
    const recovery::Decider m_sendDecider;
    const FaultScript m_receiveFaults;
    const FaultScript m_processFaults;
    const FaultScript m_sendFaults;
    std::vector<FaultScript> m_batchFaults; // by receiver
    std::vector<FaultScript> m_itemFaults; // by receiver
    QHash<QString, int> m_uncounted; // deliveries that are no attempt, by the native id of the message
    Counts m_counts;
};

} // namespace sandbox
