#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QStringList>

#include <functional>
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

// The tables TASK, ACTION and SETTING of the pipeline in a SQLite file, with the columns of ReportStream, and the notes of the
// sandbox: which report went which way (sandbox_report), and which items a receiver got (sandbox_delivery). Each step
// is one transaction; BEGIN IMMEDIATE locks its rows, and with them the whole file, until it ends. After a kill the
// file has all of a step or nothing of it. Every call returns StoreFailed if the file cannot be read or written. Used
// on one thread.
class TaskTable final
{
public:
    TaskTable();
    ~TaskTable();
    TaskTable(const TaskTable &) = delete;
    TaskTable &operator=(const TaskTable &) = delete;

    // Empty: in memory.
    [[nodiscard]] core::Result<> open(const QString &path);

    // When the scenario began: now, if the file is new.
    [[nodiscard]] core::Result<core::TimePoint> origin(core::TimePoint now);

    // Writes the settings of the receivers anew.
    [[nodiscard]] core::Result<> know(const QList<KnownReceiver> &receivers);

    // Receive: adds the task of a new report; one that is there stays as it is.
    [[nodiscard]] core::Result<> receive(const Report &report, core::TimePoint now);
    // The sender has its 201.
    [[nodiscard]] core::Result<> acknowledge(const Report &report, core::TimePoint now);
    [[nodiscard]] core::Result<int> acknowledged();

    [[nodiscard]] core::Result<std::optional<PipelineTask>> task(const QString &id);
    // The number of the report with this id; -1: there is none.
    [[nodiscard]] core::Result<int> numberOf(const QString &id);
    // Process: the task of the report is done, and the next one exists. Does nothing if that happened before.
    [[nodiscard]] core::Result<> process(const Report &report, const NewTask &next, core::TimePoint now);
    // Batch: merges the receiver's tasks whose next action is due at `oldest` or later into one task to send. Returns how many: none
    // if there is a task with this id already, and they wait for the next turn.
    [[nodiscard]] core::Result<int> batch(const NewTask &merged, core::TimePoint oldest, core::TimePoint now);
    // How many batches of the receiver there were.
    [[nodiscard]] core::Result<int> batches(const QString &receiver);
    // The ids of the receiver's tasks that wait for their first send.
    [[nodiscard]] core::Result<QStringList> firstSends(const QString &receiver);

    // The three ends of a send, for a task that still has this token. `delivered` are the items that the receiver got.
    struct SendStep
    {
        PipelineTask task;
        QList<int> delivered;
        core::TimePoint now;
    };
    [[nodiscard]] core::Result<> sent(const SendStep &step);
    [[nodiscard]] core::Result<> retryLater(const SendStep &step, const QString &token, core::TimePoint at);
    [[nodiscard]] core::Result<> giveUp(const SendStep &step, const QString &token, const QString &why);

    // The ids of the tasks with this next action.
    [[nodiscard]] core::Result<QStringList> waiting(const QString &nextAction);
    // How many batch tasks of the receiver were due before `oldest`, and no turn takes them any more.
    [[nodiscard]] core::Result<int> ignored(const QString &receiver, core::TimePoint oldest);
    [[nodiscard]] core::Result<int> actions(const QString &name);
    // How many reports are delivered, and how many are in a send that was given up and did not work since.
    [[nodiscard]] core::Result<int> deliveredReports();
    [[nodiscard]] core::Result<int> reportsInSendErrors();
    [[nodiscard]] core::Result<QStringList> sendErrors();
    // Items that a receiver got more than once: never, if the token does its work.
    [[nodiscard]] core::Result<int> deliveredTwice();

    // The time of the newest step in such a file; nothing if there is no file. A simulation that goes on starts there.
    [[nodiscard]] static std::optional<core::TimePoint> lastStepIn(const QString &path);

private:
    using Values = std::initializer_list<QVariant>;

    [[nodiscard]] core::Result<> transact(core::TimePoint now, const std::function<core::Result<>()> &step);
    [[nodiscard]] core::Result<QSqlQuery> run(const QString &sql, Values values = {});
    [[nodiscard]] core::Result<int> number(const QString &sql, Values values = {});
    [[nodiscard]] core::Result<QStringList> texts(const QString &sql, Values values = {});
    // False: there is a task with this id already, and it stays as it is.
    [[nodiscard]] core::Result<bool> add(const NewTask &task, const QString &schema, core::TimePoint now);
    [[nodiscard]] core::Result<> note(const QString &action, const QString &id, const QString &result,
                                      core::TimePoint now);
    [[nodiscard]] core::Result<bool> isCurrent(const PipelineTask &task);
    [[nodiscard]] core::Result<> deliver(const SendStep &step);

    QString m_connectionName;
    QSqlDatabase m_database;
};

} // namespace sandbox
