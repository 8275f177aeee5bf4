#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/steptaker.h"
#include "backend/core/random.h"
#include "backend/core/time/timers.h"
#include "backend/intake/intakerunrepository.h"
#include "backend/intake/pages/pagewriter.h"
#include "backend/intake/steps/stepmatch.h"
#include "backend/records/connection.h"
#include "backend/records/event.h"

#include <QHash>
#include <QSet>

namespace intake {

struct Order;

// Takes messages where nothing can hold them on the broker (records/takinginsteps.h has the guarantee): each step reads twice as
// many as it takes, stores these copies with its run, removes the first of them, and makes records of what the answer
// names, in one transaction. Without an answer it waits until the request cannot arrive any more, and looks again.
//  - Thread: engine thread. What is passed to it outlives this object, and it outlives its tasks.
//  - Crash: README.md has the table. The copies are in the store before the request is sent.
class SteppedIntake final
{
public:
    // What the intake does for its steps.
    struct Host
    {
        std::function<core::Result<>()> mayGoOn;
        std::function<void(const Order &, const QString &what, const QString &result, records::Severity)> note;
        std::function<void(const QString &queue, const QString &reason)> waiting;
    };

    SteppedIntake(const records::Connection &connection, broker::Broker &broker, store::Store &store,
                  core::Clock &clock, core::Random &random, IntakeRunRepository &runs, Host host);

    // Whether this run takes, or took, in steps. Only of brokers without locks.
    [[nodiscard]] static bool isStepped(const records::IntakeRun &run) { return run.holdingName.isEmpty(); }

    // Takes as the order says, and ends the run. True: the queue was seen empty. Refused: steps are not safe in this queue, or
    // somebody else took from it. Other errors: those of the broker and the store; nothing is lost.
    [[nodiscard]] core::Task<core::Result<bool>> take(records::IntakeRun run, Order order,
                                                      records::IntakeCounts &counts);
    // Finishes what a process that died, or a call without an answer, left open.
    [[nodiscard]] core::Task<core::Result<>> settle(records::IntakeRun run, records::IntakeCounts &counts);
    // Waits end with Cancelled.
    void stop() { m_timers.cancelAll(); }

private:
    enum class Step { GoOn, Empty };
    // One run. Of what was removed, a restart of the broker may bring some back.
    struct Taking
    {
        records::IntakeRun run;
        records::IntakeStep step;
        QStringList removed; // entries of pages since the nodes of `step` run, of this run and those before
        QSet<QString> doubtful; // digests of what a restart may have brought back
        QList<records::IntakeRun> earlier; // runs before this one whose removals may not be written yet
        int failures = 0; // requests without an answer, in a row
    };

    [[nodiscard]] core::Task<core::Result<Step>> takeStep(Taking &now, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<broker::QueueHead>> look(QString queue, qsizetype limit,
                                                                   int *tries = nullptr);
    [[nodiscard]] core::Task<core::Result<>> awaitLook(QString queue);
    [[nodiscard]] core::Result<QList<broker::ReceivedMessage>> noteStep(Taking &now, const broker::QueueHead &head);
    [[nodiscard]] core::Task<core::Result<>> keepAnswer(Taking &now, QList<broker::ReceivedMessage> noted,
                                                        broker::QueueHead answer, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> reconcile(Taking &now, records::IntakeCounts &counts);
    [[nodiscard]] core::Result<> noteLook(Taking &now, const QList<broker::ReceivedMessage> &noted);
    [[nodiscard]] core::Task<core::Result<>> awaitLate(QString queue, core::SteadyTime since, QString why);
    [[nodiscard]] core::Task<core::Result<>> sleep(QString queue, core::Milliseconds time, QString why);
    [[nodiscard]] core::Result<> commit(Taking &now, const QList<broker::ReceivedMessage> &messages, bool isDoubtful,
                                        records::IntakeCounts &counts);
    [[nodiscard]] core::Result<> clearNote(Taking &now);
    [[nodiscard]] core::Result<> noteRuns(Taking &now, const QString &runs);
    [[nodiscard]] core::Result<> recall(Taking &now);
    [[nodiscard]] core::Result<> beginPage(Taking &now, const QString &runs);
    [[nodiscard]] core::Task<core::Result<>> letThemBeWritten(QString queue);
    [[nodiscard]] core::Result<> closeEarlier(Taking &now);
    [[nodiscard]] core::Result<> end(Taking &now, bool sawEmpty, bool goesOn);
    [[nodiscard]] core::Result<std::optional<records::IntakeStep>> stepOf(core::IntakeRunId run) const;
    [[nodiscard]] core::Error othersTook(const Taking &now) const;
    void note(const Taking &now, const QString &what, const QString &result) const;

    const records::Connection &m_connection;
    broker::StepTaker *const m_taker; // null: this broker has none
    store::Store &m_store;
    core::Clock &m_clock;
    core::Random &m_random;
    IntakeRunRepository &m_runs;
    const Host m_host;
    core::Timers m_timers;
    const core::SteadyTime m_since; // no other process has sent a request after this moment
    QHash<qint64, core::SteadyTime> m_unanswered; // by run: since when an answer is missing
    QHash<QString, core::SteadyTime> m_looks; // by queue: since when the answer of a look is missing
    QHash<QString, core::SteadyTime> m_touched; // by queue: the last removal of this process
};

} // namespace intake
