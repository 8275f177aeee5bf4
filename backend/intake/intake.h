#pragma once

#include "backend/broker/broker.h"
#include "backend/core/limits.h"
#include "backend/core/random.h"
#include "backend/intake/intakepreconditions.h"
#include "backend/intake/intakerunrepository.h"
#include "backend/intake/pagewriter.h"
#include "backend/records/connection.h"
#include "backend/records/event.h"
#include "backend/store/store.h"

#include <QHash>
#include <QSet>

namespace intake {

struct Order
{
    QString queue;
    std::optional<qint64> limit; // nothing: all there are
    QString who; // for the audit trail
    std::function<void(const records::IntakeCounts &)> progress; // after every page; may be empty
    std::function<bool()> wanted; // before every page: false ends it with what was taken; may be empty
};

// Error queue to store, for one connection: hold, copy, commit, release. Nothing leaves the broker before the commit. What
// a crash leaves behind at any point is in README.md. Engine thread; broker and store outlive it, and it outlives its tasks.
class Intake final
{
public:
    Intake(records::Connection connection, broker::Broker &broker, store::Store &store, core::Clock &clock,
           core::Random &random, DiskSpace freeShare, int page = core::limits::intakePage); // tests use small pages
    Intake(const Intake &) = delete;
    Intake &operator=(const Intake &) = delete;

    // At start, before anything else of the connection: takes over the runs that a crash left open, and finishes them. What
    // is held on the broker comes into the store in any case; the rest only where it may still be taken, else the trail says why not.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> adopt();

    // What adopt() brought from this queue, once: for whoever asks for the messages of it first.
    [[nodiscard]] records::IntakeCounts claimAdopted(const QString &queue) { return m_adopted.take(queue); }

    // What was not there when it was looked for, though a request for it may still have been on its way: looked for again.
    // Nothing to do unless isWaitingForLate().
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> lookAgain();
    [[nodiscard]] bool isWaitingForLate() const { return m_waitsForLate; }

    // Ends with what was taken, or with the error that stopped it; what was committed until then stays, and the rest stays
    // on the broker. Refused: right, capability or queue say no, or the disk is nearly full. Conflict: an intake of this
    // queue is under way.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> take(Order order);

    // Whether an intake of this queue is under way: retries of it switch following off first, and wait for this.
    [[nodiscard]] bool isTaking(const QString &queue) const { return m_busy.contains(queue); }

    // Of a queue that is being taken from: why that takes longer; empty: it goes on.
    void onWaiting(std::function<void(const QString &queue, const QString &reason)> waiting)
    {
        m_waiting = std::move(waiting);
    }

    // Everything under way ends with Cancelled at its next step. The owner cancels the broker's calls.
    void stop() { m_stopped = true; }

private:
    // Nothing: there was none. Empty: that was the last. Lost: the locks were gone before all was removed; it is all in the store.
    enum class Step { GoOn, Empty, Nothing, Lost };

    [[nodiscard]] core::Task<core::Result<>> allow(QString queue);
    [[nodiscard]] core::Task<core::Result<>> probe();
    [[nodiscard]] core::Task<core::Result<>> adoptOne(records::IntakeRun run, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> takeRest(Order rest, records::IntakeRun run,
                                                      records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> settle(records::IntakeRun run, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> settleAbsent(records::IntakeRun run);
    [[nodiscard]] core::Task<core::Result<>> settleQueue(QString queue, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> takePages(Order order, records::IntakeRun run,
                                                       records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> takeOpen(records::IntakeRun &run, Order order,
                                                      records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<>> close(records::IntakeRun run, std::optional<records::IntakeRun> beside,
                                                   bool sawEmpty, records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<Step>> takeInTurns(records::IntakeRun &run,
                                                             std::optional<records::IntakeRun> &beside, Order order,
                                                             records::IntakeCounts &counts);
    [[nodiscard]] core::Task<core::Result<Step>> takePage(records::IntakeRun &run, int limit,
                                                          records::IntakeCounts &counts,
                                                          const records::IntakeRun *before = nullptr);
    [[nodiscard]] bool isDoubtful(const records::IntakeRun &run) const { return m_twice.contains(run.id.value); }
    [[nodiscard]] core::Task<core::Result<qint64>> heldUnder(QString holdingName); // -1: no such queue
    [[nodiscard]] core::Result<records::IntakeCounts> commit(records::IntakeRun &run, const broker::ReceivedPage &page);
    [[nodiscard]] core::Task<core::Result<Step>> release(broker::TakeRequest request, broker::ReceivedPage page);
    [[nodiscard]] core::Error partHidden(const QString &queue, qint64 taken) const;
    [[nodiscard]] core::Result<> mayGoOn() const;
    [[nodiscard]] core::Result<records::IntakeRun> begin(const QString &queue, std::optional<qint64> asked,
                                                         records::IntakeRun *before);
    // Whether a request of ours for it was sent without an answer: by a process that died, or before an error.
    [[nodiscard]] bool isUnanswered(const records::IntakeRun &run) const;
    [[nodiscard]] bool mayStillArrive(const records::IntakeRun &run) const;
    [[nodiscard]] core::Result<> finish(const records::IntakeRun &run, bool sawEmpty);
    [[nodiscard]] core::Task<core::Result<>> forgetGone(QString queue); // it gave nothing more
    void noteAdopted(const Order &order, const records::IntakeCounts &counts);
    void note(const Order &order, const records::IntakeCounts &counts, const QString &what);
    void note(const Order &order, const QString &what, const QString &result, records::Severity severity);
    [[nodiscard]] broker::TakeRequest requestOf(const records::IntakeRun &run, int limit) const;

    records::Connection m_connection;
    broker::Broker &m_broker;
    store::Store &m_store;
    core::Clock &m_clock;
    IntakeRunRepository m_runs;
    DiskSpace m_freeShare;
    const int m_page;
    std::optional<broker::Capabilities> m_capabilities;
    QSet<QString> m_busy;
    QHash<QString, records::IntakeCounts> m_adopted; // not claimed yet
    QSet<qint64> m_twice; // runs whose way into the holding queue was interrupted
    const core::SteadyTime m_since; // no other process has sent anything after that
    QHash<qint64, std::optional<core::SteadyTime>> m_begun; // runs of ours, and when an answer failed to come
    QHash<QString, core::Error> m_hiddenUntil; // by queue: what may have locked messages that the intake did not get
    std::function<void(const QString &queue, const QString &reason)> m_waiting;
    bool m_waitsForLate = false;
    bool m_stopped = false;
};

} // namespace intake
