#pragma once

#include "backend/api/snapshot.h"
#include "backend/broker/brokerload.h"
#include "backend/broker/brokerstate.h"
#include "backend/broker/exchangeroutes.h"
#include "backend/broker/queuemover.h"
#include "backend/core/time/timers.h"
#include "backend/engine/connection/health.h"
#include "backend/engine/connection/intakescheduler.h"
#include "backend/engine/connection/silenceresolver.h"
#include "backend/engine/connection/taskscope.h"
#include "backend/engine/connection/unresponsiveguard.h"
#include "backend/engine/enginedependencies.h"
#include "backend/recovery/backoff.h"
#include "backend/retry/processor.h"

#include <QHash>

namespace engine {

class AuditLog;
class ThroughputRecorder;
struct PlanBasis;

// What a connection needs from the engine.
struct ConnectionContext
{
    EngineDependencies &dependencies;
    AuditLog &auditLog;
    ThroughputRecorder &recorder;
    std::function<void()> changed; // something in the snapshot changed
    // The connection needs a new broker object: its secret is readable now, or a login without one was refused.
    std::function<void(core::ConnectionId, bool refused)> reopen = {};
};

// One open connection: its broker, its health, its queues, its intake and its retries. After a broker error it tries
// again with back-off up to limits::backoffCap. All lasting state is in the store; start() continues what a crash
// interrupted. Engine thread.
class ConnectionRuntime final
{
public:
    // `noSecret`: NotFound when there is no secret, else why it cannot be read; its text then replaces that of a
    // refused login. `reopened`: the connection was already open in this run of the engine.
    ConnectionRuntime(ConnectionContext context, records::Connection connection, std::shared_ptr<broker::Broker> broker,
                      std::optional<core::Error> noSecret = {}, bool reopened = false);
    ~ConnectionRuntime();
    ConnectionRuntime(const ConnectionRuntime &) = delete;
    ConnectionRuntime &operator=(const ConnectionRuntime &) = delete;

    // Lists the queues at once and then at every poll interval, and starts intake and retries.
    void start();
    // Starts nothing new. Calls in progress may still be answered.
    void beginStop();
    // Likewise, and waits until nothing of this object runs. Sends in progress get two seconds to be answered; all
    // other calls end with Cancelled.
    [[nodiscard]] core::Task<> stop();

    // A person waits for the next four: if the broker leaves a call unanswered, the wait ends with that error.

    // Lists the queues now; the health shows the result, too.
    [[nodiscard]] core::Task<core::Result<>> refresh();

    // Takes messages into the store. Queue empty: all failureQueues(), one after the other. Limit: of all together.
    // `work`: see IntakeScheduler::take.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> intake(QString queue, std::optional<qint64> limit,
                                                                         QString who, core::LongWorkPtr work = {});
    // Stores copies as browsed only. Limit: per queue.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(QString queue, int limit, QString who,
                                                                         bool acceptsDelivery);
    // Refused: the broker cannot move whole queues.
    [[nodiscard]] core::Task<core::Result<broker::MoveOffer>> moveOffer(QString queue);
    // Where the exchange leads now. Transient: no answer within a few seconds, because a plan waits for it. Other errors:
    // those of broker::ExchangeRoutes.
    [[nodiscard]] core::Task<core::Result<broker::Routes>> routesOf(QString exchange, QStringList keys);
    [[nodiscard]] core::Result<> subscribe(const QString &queue, bool subscribe);
    // As stored.
    [[nodiscard]] core::Result<QStringList> subscribed();
    // Unsubscribes these queues and ignores errors.
    void unsubscribe(const QStringList &queues);
    // Stops intake from these queues until letGoIntake, and waits for an intake in progress there.
    [[nodiscard]] core::Task<> holdIntake(QStringList queues) { return m_taker.hold(std::move(queues)); }
    void letGoIntake(const QStringList &queues) { m_taker.letGo(queues); }
    [[nodiscard]] bool isSubscribed(const QString &queue) const { return m_taker.subscribed().contains(queue); }
    // "taking: 1,204 of about 5,000", or why a subscribed queue waits; empty: idle.
    [[nodiscard]] QString activity(const QString &queue) const { return m_taker.activity(queue); }
    [[nodiscard]] bool isWatched(const QString &queue) const { return m_taker.isWatched(queue); }

    [[nodiscard]] retry::Processor &processor() { return m_processor; }

    [[nodiscard]] const records::Connection &connection() const { return m_connection; }
    [[nodiscard]] broker::Broker &broker() { return *m_broker; }
    // Null: the broker cannot move whole queues.
    [[nodiscard]] broker::QueueMover *mover() const { return dynamic_cast<broker::QueueMover *>(m_broker.get()); }
    // Null: the broker has no exchanges.
    [[nodiscard]] broker::ExchangeRoutes *exchanges() const
    {
        return dynamic_cast<broker::ExchangeRoutes *>(m_broker.get());
    }
    [[nodiscard]] const broker::Capabilities &capabilities() const { return m_state.capabilities(); }
    [[nodiscard]] const broker::Listing &listing() const { return m_state.listing(); }
    [[nodiscard]] const QList<broker::QueueInfo> &queues() const { return m_state.listing().queues; }
    // The last call was answered: capabilities and queues are current.
    [[nodiscard]] bool isKnown() const { return m_known; }
    [[nodiscard]] core::TimePoint queuesAsOf() const { return m_state.asOf(); }
    // Queues to take failed messages from: those that the connection names, and those in which only the broker can put
    // messages (QueueRole::DeadLetter). No candidate is among them.
    [[nodiscard]] QStringList failureQueues() const;
    // The broker's spelling of a name that a person gave: some brokers ignore case, but the store has one name per
    // queue.
    [[nodiscard]] QString spelled(const QString &queue) const;
    [[nodiscard]] api::ConnectionView view() const;
    [[nodiscard]] PlanBasis planBasis() const;
    // Whether every message of a retry that failed again before `until` is in the store by now: each of their error queues was
    // seen empty, or taken whole, since then, and no destination holds messages that nobody consumes.
    [[nodiscard]] bool hasSeenReturns(const store::Returns &returns, core::SteadyTime until) const;
    // Call this when a secret may have become readable: a connection that waits for its secret reads it at once.
    void secretMayBeThere();
    void setSecretNotKept(const QString &words) { m_secretNotKept = words; }

private:
    [[nodiscard]] core::Task<> watch();
    [[nodiscard]] core::Task<> followLoop();
    [[nodiscard]] core::Task<core::Result<>> takeArrivals();
    [[nodiscard]] core::Task<core::Result<>> arrivalsOf(QString queue);
    [[nodiscard]] core::Task<core::Result<>> ask();
    [[nodiscard]] core::Task<core::Result<>> list();
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> lookInto(QString queue, int limit, QString who,
                                                                           bool acceptsDelivery);
    [[nodiscard]] core::Task<core::Error> lookForSecret(); // why there is still none
    [[nodiscard]] core::Error withoutSecret(core::Error error) const; // a refused login names the missing secret
    void failed(const core::Error &error);
    void breakerChanged();
    [[nodiscard]] records::CircuitBreaker breaker() const;
    [[nodiscard]] QStringList queuesToBrowse() const;
    void countCameBack();
    void wakeForAnswers(const core::Result<records::IntakeCounts> &taken);
    void watchReturns();
    [[nodiscard]] QStringList watched(const store::Returns &returns) const;
    [[nodiscard]] QString whyUnseen(const QString &name) const;
    [[nodiscard]] retry::QueueObservation observe(const store::Returns &returns) const;
    void sampleDepths();

    ConnectionContext m_context;
    records::Connection m_connection;
    std::shared_ptr<broker::Broker> m_broker;
    broker::BrokerState m_state;
    std::optional<core::Error> m_noSecret;
    bool m_isBarred = false; // a RefusingBroker stands in: nothing reaches the broker
    QString m_secretNotKept;
    core::Timers m_timers;
    core::Timers m_followTimers;
    recovery::Backoff m_backoff;
    TaskScope m_scope;
    UnresponsiveGuard m_silence;
    IntakeScheduler m_taker;
    retry::Processor m_processor;
    SilenceResolver m_quiet;
    ConnectionHealth m_health;
    bool m_known = false;
    core::Clock::Ticket m_grace = 0; // ends the wait for calls in progress while stopping
    bool m_recovered = false; // interrupted intakes are finished
    bool m_started = false;
    int m_asking = 0; // listings under way
    core::Milliseconds m_wait{0};
    core::SteadyTime
        m_notBefore{}; // the broker asked to wait until then (Retry-After): no loop of this object calls it before
    core::TimePoint m_begun{}; // wall-clock time, as in RetryOperation::requested
    QHash<core::OperationId, qint64> m_cameBack; // last counts
    QHash<QString, core::SteadyTime> m_seenWhole; // when each queue was last seen empty, or taken whole
};

} // namespace engine
