#pragma once

#include "backend/broker/brokerstate.h"
#include "backend/core/limits.h"
#include "backend/core/random.h"
#include "backend/intake/deliverybudget.h"
#include "backend/intake/intakepreconditions.h"
#include "backend/intake/intakerunrepository.h"
#include "backend/intake/pages/pagewriter.h"
#include "backend/intake/steps/steppedintake.h"
#include "backend/records/connection.h"
#include "backend/records/event.h"
#include "backend/store/store.h"

#include <QHash>
#include <QSet>

namespace intake {

struct Order
{
    QString queue;
    std::optional<qint64> limit; // nothing: all messages of the queue
    QString who; // for the activity log
    std::function<void(const records::IntakeCounts &)> progress; // called after every page; may be empty
    std::function<bool()> wanted; // asked before every page: false ends the intake with what was taken; may be empty
    std::function<core::Task<>()> pause; // awaited between two pages, so that others get their turn; may be empty
};

// Takes failed messages from the error queues of one connection into the store. For each page: hold the messages on the
// broker, store them in one transaction, then remove them from the broker. No message leaves the broker before it is in
// the store.
//  - Thread: engine thread. `brokerState` and `store` outlive this object, and it outlives its tasks. One intake of a queue
//    at a time.
//  - Crash: every intake is an intake run that is committed before the broker is touched. Killed at any instruction,
//    recover() of the next start finishes the open runs; README.md has the table of what each moment leaves.
//  - Errors: an error ends the task and loses no message. What was committed stays in the store, the rest stays on the
//    broker, and the next intake of that queue first settles what is still held.
class Intake final
{
public:
    Intake(records::Connection connection, broker::BrokerState &brokerState, store::Store &store, core::Clock &clock,
           core::Random &random, DiskSpace freeShare, int page = core::limits::intakePage); // tests use small pages
    Intake(const Intake &) = delete;
    Intake &operator=(const Intake &) = delete;

    // To be called at start, before anything else of the connection: finishes the runs that a crash left open. Messages
    // that are held on the broker are stored in any case. The rest of a queue is taken only if that is still allowed;
    // otherwise an entry in the activity log says why not. Trouble with one queue does not stop the others; the first
    // error is returned at the end.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> recover();

    // What recover() took from this queue. It is handed out once, to the first caller who asks for this queue.
    [[nodiscard]] records::IntakeCounts claimAdopted(const QString &queue) { return m_adopted.take(queue); }

    // Checks again for holding queues that a request of an earlier, unanswered call may have created late, and takes or
    // removes them. Does nothing unless isWaitingForLate().
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> checkAgain();
    [[nodiscard]] bool isWaitingForLate() const { return m_waitsForLate; }

    // Takes messages as the order says and returns the counts. On an error, messages that were committed stay in the
    // store and the others on the broker. Refused: rights, the account or the queue do not allow it, or the disk of the
    // store is nearly full. NotFound: there is no such queue, or locks expired again and again. Conflict: an
    // intake of this queue is in progress. Cancelled: stop() was called. UnknownOutcome, Corrupt: all that could be
    // read was taken; other messages stay hidden or unreadable at the moment.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> take(Order order);

    // Whether an intake of this queue is in progress.
    [[nodiscard]] bool isTaking(const QString &queue) const { return m_busy.contains(queue); }

    // Sets the callback that says why taking from a queue is delayed; an empty reason: it continues.
    void onWaiting(std::function<void(const QString &queue, const QString &reason)> waiting)
    {
        m_waiting = std::move(waiting);
    }

    // Running tasks end with Cancelled at their next step. The owner cancels the calls to the broker.
    void stop()
    {
        m_stopped = true;
        m_steps.stop();
    }

private:
    // Nothing: there was no page. Empty: that was the last page. Withheld: there was no page, and the queue is not known to be
    // empty. Fruitless: nothing was new, and nothing could be removed.
    enum class Step { GoOn, Empty, Nothing, Withheld, Fruitless };
    // Late: what a crash or an error left, in any order.
    enum class Turn { InOrder, Late };

    [[nodiscard]] core::Task<core::Result<>> allow(QString queue);
    [[nodiscard]] const broker::Capabilities &capabilities() const { return m_brokerState.capabilities(); }
    [[nodiscard]] core::Task<core::Result<>> recoverOne(records::IntakeRun run, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> takeRest(Order rest, records::IntakeRun run,
                                                      records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> settle(records::IntakeRun run, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> settleAbsent(records::IntakeRun run, bool wasThere);
    [[nodiscard]] core::Task<core::Result<>> settleQueue(QString queue, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> takeOpen(records::IntakeRun run, Order order,
                                                      records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<Step>> takeStep(records::IntakeRun &run,
                                                          std::optional<records::IntakeRun> &beside, Order order,
                                                          records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<Step>> passPage(records::IntakeRun &run, int limit,
                                                          records::IntakeCounts &counts);
    [[nodiscard]] core::Task<> leave(records::IntakeRun run, std::optional<records::IntakeRun> beside,
                                     core::ErrorKind why, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> close(records::IntakeRun run, std::optional<records::IntakeRun> beside,
                                                   bool sawEmpty, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<Step>> takeInTurns(records::IntakeRun &run,
                                                             std::optional<records::IntakeRun> &beside, Order order,
                                                             records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<Step>> takePage(records::IntakeRun &run, int limit,
                                                          records::IntakeCounts &counts,
                                                          const records::IntakeRun *before = nullptr,
                                                          Turn turn = Turn::InOrder);
    [[nodiscard]] bool isDoubtful(const records::IntakeRun &run) const { return m_twice.contains(run.id.value); }
    // message count, or -1: no such queue
    [[nodiscard]] core::Task<core::Result<qint64>> heldUnder(QString holdingName);
    [[nodiscard]] core::Result<records::IntakeCounts> commit(records::IntakeRun &run,
                                                             const QList<broker::ReceivedMessage> &messages);
    [[nodiscard]] core::Error partHidden(const QString &queue, qint64 taken) const;
    [[nodiscard]] core::Task<core::Result<>> takeInSteps(records::IntakeRun run, Order order,
                                                         records::IntakeCounts &counts);
    [[nodiscard]] core::Result<> mayGoOn() const;
    [[nodiscard]] core::Result<records::IntakeRun> begin(const QString &queue, std::optional<qint64> asked,
                                                         records::IntakeRun *before);
    // Whether a request for this run may be without an answer: from a process that died, or before an error.
    [[nodiscard]] bool isUnanswered(const records::IntakeRun &run) const;
    [[nodiscard]] bool mayStillArrive(const records::IntakeRun &run) const;
    [[nodiscard]] core::Result<> finish(const records::IntakeRun &run, bool sawEmpty);
    [[nodiscard]] core::Task<core::Result<>> forgetGone(QString queue); // the queue was emptied
    [[nodiscard]] core::Task<core::Result<>> forgetDeliveries(QString queue); // the same
    void noteLost(const QString &queue, const core::Error &lost);
    [[nodiscard]] core::Task<> noteWithheld(Order order);
    void noteAdopted(const Order &order, const records::IntakeCounts &counts);
    void note(const Order &order, const records::IntakeCounts &counts, const QString &what);
    void note(const Order &order, const QString &what, const QString &result, records::Severity severity);
    [[nodiscard]] broker::TakeRequest requestOf(const records::IntakeRun &run, int limit);
    [[nodiscard]] core::Result<> acceptRisk(const records::IntakeRun &run, records::DeliveryLimit limit, qint64 inHand);
    [[nodiscard]] core::Result<> nothingIsUnderWay(const QString &queue);
    [[nodiscard]] core::Result<> countDeliveries(const records::IntakeRun &run, const broker::ReceivedPage &page,
                                                 Turn turn);
    [[nodiscard]] QString riskOf(const QString &queue) const;
    [[nodiscard]] core::Error withRisk(const records::IntakeRun &run, core::Error error) const;

    records::Connection m_connection;
    broker::BrokerState &m_brokerState;
    broker::Broker &m_broker;
    store::Store &m_store;
    core::Clock &m_clock;
    IntakeRunRepository m_runs;
    DeliveryBudget m_budget;
    DiskSpace m_freeShare;
    const int m_page;
    QSet<QString> m_busy;
    QHash<QString, records::IntakeCounts> m_adopted; // not handed out yet
    QSet<qint64> m_twice; // runs whose holding queue was filled with an interruption: it may hold a message twice
    const core::SteadyTime m_since; // no other process has sent a request after this moment
    // runs of this process, with the time at which an answer failed to come
    QHash<qint64, std::optional<core::SteadyTime>> m_begun;
    QSet<qint64> m_atRisk; // runs of this process whose page was begun and counts deliveries
    QSet<QString> m_mayHaveRest; // queues whose last page was interrupted: nobody saw them empty
    // by queue: the error that may have locked messages without delivering them
    QHash<QString, core::Error> m_hidingErrors;
    std::function<void(const QString &queue, const QString &reason)> m_waiting;
    SteppedIntake m_steps;
    bool m_waitsForLate = false;
    bool m_stopped = false;
};

} // namespace intake
