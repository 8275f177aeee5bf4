#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/sandbox/scenariorun.h"
#include "backend/sandbox/sqlconnection.h"

#include <QStringList>

#include <optional>

namespace sandbox {

// A report as its sender has it.
struct Report
{
    int number = 0;
    QString id;
    QString schema;
    int items = 1;
};

// One row of TASK.
struct PipelineTask
{
    QString id;
    QString nextAction; // process, batch, send or none
    QString receiver; // empty before Process
    int items = 0;
    QString retryToken; // of a send that failed in part; empty: none
    core::TimePoint at{}; // next_action_at
};

// A row that a step adds.
struct NewTask
{
    QString id;
    QString nextAction;
    core::TimePoint at; // next_action_at
    QString receiver;
    int items = 0;
};

// A receiver as the table of settings has it.
struct KnownReceiver
{
    QString organization;
    QString name;
    QByteArray values; // its JSON
};

// One connection to the tables TASK, ACTION and SETTING of the pipeline, with the columns of ReportStream, and the notes
// of the sandbox: which report went which way (sandbox_report, sandbox_part), and which items a receiver got
// (sandbox_delivery). Each worker has its own. A step is one transaction: begin(), calls, commit() or abort(); after a kill
// the tables have all of it or nothing. PostgreSQL locks the rows of lock() and lockBatch(); SQLite locks the whole file in
// begin(). No call waits for a lock, because whoever has it works on the same thread (lockwait.h waits). Every call returns
// StoreFailed if the tables cannot be read or written. Used on one thread.
class TaskTable final
{
public:
    TaskTable();
    ~TaskTable(); // aborts
    TaskTable(const TaskTable &) = delete;
    TaskTable &operator=(const TaskTable &) = delete;

    // Makes the tables that are missing. Refused: the database has tables of another program.
    [[nodiscard]] core::Result<> open(const TablePlace &place);

    // False: another one has the lock.
    [[nodiscard]] core::Result<bool> begin();
    [[nodiscard]] core::Result<> commit(core::TimePoint now);
    void abort(); // does nothing without a transaction

    // The rest needs a transaction.

    // When the scenario began: now, if the tables are new.
    [[nodiscard]] core::Result<core::TimePoint> origin(core::TimePoint now);
    // Writes the settings of the receivers anew.
    [[nodiscard]] core::Result<> know(const QList<KnownReceiver> &receivers);

    // Receive: adds the task of a new report; one that is there stays as it is.
    [[nodiscard]] core::Result<> receive(const Report &report, core::TimePoint now);
    // The sender has its 201.
    [[nodiscard]] core::Result<> acknowledge(const Report &report);
    [[nodiscard]] core::Result<int> acknowledged();

    // The task with this id, locked until the transaction ends.
    struct Locked
    {
        bool isElsewhere = false; // another worker has it; the transaction is aborted
        std::optional<PipelineTask> task; // nothing: there is none
    };
    [[nodiscard]] core::Result<Locked> lock(const QString &id);
    // The receiver's batch tasks whose next action is due at `oldest` or later, the oldest first: at most so many, without
    // those that another worker has, and locked.
    [[nodiscard]] core::Result<QList<PipelineTask>> lockBatch(const QString &receiver, core::TimePoint oldest,
                                                              int most);
    // How many of them there are.
    [[nodiscard]] core::Result<int> batchable(const QString &receiver, core::TimePoint oldest);
    // The number of the report with this id; -1: there is none.
    [[nodiscard]] core::Result<int> numberOf(const QString &id);

    // Process: the locked task of the report is done, and the next one exists.
    [[nodiscard]] core::Result<> process(const Report &report, const NewTask &next, core::TimePoint now);
    // Batch: the locked tasks are done, and their items are in the next ones. All of them in one task, or each task in several.
    [[nodiscard]] core::Result<> merge(const QList<PipelineTask> &tasks, const NewTask &merged, core::TimePoint now);
    [[nodiscard]] core::Result<> split(const PipelineTask &task, const QList<NewTask> &parts, core::TimePoint now);
    // The ids of the receiver's tasks that wait for their first send; not those whose send was given up as a whole.
    [[nodiscard]] core::Result<QStringList> firstSends(const QString &receiver);

    // The ends of a send of a locked task. `delivered` are the items that the receiver got.
    struct SendStep
    {
        PipelineTask task;
        QList<int> delivered;
        core::TimePoint now;
    };
    [[nodiscard]] core::Result<> sent(const SendStep &step);
    [[nodiscard]] core::Result<> retryLater(const SendStep &step, const QString &token, core::TimePoint at);
    [[nodiscard]] core::Result<> giveUp(const SendStep &step, const QString &token, const QString &why);
    // The function itself failed: the task is as it was.
    [[nodiscard]] core::Result<> noteSendError(const QString &id, const QString &why, core::TimePoint now);

    // The ids of the tasks with this next action.
    [[nodiscard]] core::Result<QStringList> waiting(const QString &nextAction);
    // How many batch tasks of the receiver were due before `oldest`, and no turn takes them any more.
    [[nodiscard]] core::Result<int> ignored(const QString &receiver, core::TimePoint oldest);
    [[nodiscard]] core::Result<int> actions(const QString &name);
    // How many reports are delivered as a whole, and of how many a send was given up and did not work since.
    [[nodiscard]] core::Result<int> deliveredReports();
    [[nodiscard]] core::Result<int> reportsInSendErrors();
    [[nodiscard]] core::Result<QStringList> sendErrors();
    // Items that a receiver got more than once: never, if the token does its work.
    [[nodiscard]] core::Result<int> deliveredTwice();

    // The time of the newest step in such tables; nothing if there are none. A simulation that goes on starts there.
    [[nodiscard]] static std::optional<core::TimePoint> lastStepIn(const TablePlace &place);

private:
    [[nodiscard]] bool isPostgres() const { return m_place.postgres.has_value(); }
    [[nodiscard]] core::Result<> refuseOthers();
    [[nodiscard]] core::Result<> makeTables();
    // One that is there stays: somebody has made the task before it due again.
    [[nodiscard]] core::Result<> add(const NewTask &task, const QString &schema, core::TimePoint now);
    [[nodiscard]] core::Result<> finish(const QString &id); // nothing is to be done with the task any more
    [[nodiscard]] core::Result<> note(const QString &action, const QString &id, const QString &result,
                                      core::TimePoint now);
    [[nodiscard]] core::Result<> deliver(const SendStep &step);

    TablePlace m_place;
    SqlConnection m_sql;
    bool m_isOpen = false; // a transaction
};

} // namespace sandbox
