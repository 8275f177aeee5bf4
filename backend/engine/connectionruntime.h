#pragma once

#include "backend/api/commands.h"
#include "backend/api/snapshot.h"
#include "backend/broker/queuemover.h"
#include "backend/core/backoff.h"
#include "backend/core/timers.h"
#include "backend/engine/enginedependencies.h"
#include "backend/engine/health.h"
#include "backend/engine/intakescheduler.h"
#include "backend/engine/silenceresolver.h"
#include "backend/engine/taskscope.h"
#include "backend/engine/unresponsiveguard.h"
#include "backend/retry/processor.h"

#include <QHash>

namespace engine {

class AuditLog;
class ThroughputRecorder;
struct PlanBasis;

// What one connection needs from the engine around it.
struct ConnectionContext
{
    EngineDependencies &dependencies;
    AuditLog &auditLog;
    ThroughputRecorder &recorder;
    std::function<void()> changed; // something that a snapshot shows
    // A connection needs a new broker: its secret could be read, or a login without one was refused.
    std::function<void(core::ConnectionId, bool refused)> reopen = {};
};

// One connection at work: its broker, what is known of its health and queues, its intake and its retries. Engine thread
// only.
class ConnectionRuntime final
{
public:
    // `noSecret`: NotFound when there is none, else why it cannot be read. A broker that refuses the login cannot know that.
    // `reopened`: it was open before in this run of the engine.
    ConnectionRuntime(ConnectionContext surroundings, records::Connection connection,
                      std::shared_ptr<broker::Broker> broker, std::optional<core::Error> noSecret = {},
                      bool reopened = false);
    ~ConnectionRuntime();
    ConnectionRuntime(const ConnectionRuntime &) = delete;
    ConnectionRuntime &operator=(const ConnectionRuntime &) = delete;

    // Looks at the broker at once and then at every poll interval, until stop.
    void start();
    // Begins nothing new. Calls to the broker that are under way may still be answered.
    void beginStop();
    // The same, and waits for it, for answers only a moment: then they end with Cancelled. Afterwards nothing of this
    // object runs.
    [[nodiscard]] core::Task<> stop();

    // Four for a person who waits: of a broker that leaves a call without an answer, that is the answer.

    // Asks the broker now. The state shown afterwards tells how it went, too.
    [[nodiscard]] core::Task<core::Result<>> refresh();

    // Queue empty: every failure queue, one after the other. Limit: in all.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> intake(QString queue, std::optional<qint64> limit,
                                                                         QString who);
    // The same without taking; limit: of each queue.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(QString queue, int limit, QString who);
    // Refused by a broker that moves no queue by itself.
    [[nodiscard]] core::Task<core::Result<broker::MoveOffer>> moveOffer(QString queue);
    [[nodiscard]] core::Result<> subscribe(const QString &queue, bool subscribe);
    // As the store has it.
    [[nodiscard]] core::Result<QStringList> subscribed();
    // Stops following these queues; without an error when that cannot be kept.
    void unfollow(const QStringList &queues);
    // Keeps intake away from these queues until they are let go, and waits for what is under way there.
    [[nodiscard]] core::Task<> holdIntake(QStringList queues) { return m_taker.hold(std::move(queues)); }
    void letGoIntake(const QStringList &queues) { m_taker.letGo(queues); }
    [[nodiscard]] bool isSubscribed(const QString &queue) const { return m_taker.subscribed().contains(queue); }
    // "taking: 1,204 so far", or why a followed queue waits; empty when there is nothing to say.
    [[nodiscard]] QString activity(const QString &queue) const { return m_taker.activity(queue); }
    [[nodiscard]] bool isWatched(const QString &queue) const { return m_taker.isWatched(queue); }

    [[nodiscard]] retry::Processor &processor() { return m_processor; }

    [[nodiscard]] const records::Connection &connection() const { return m_connection; }
    [[nodiscard]] broker::Broker &broker() { return *m_broker; }
    // Null where the broker moves no queue by itself.
    [[nodiscard]] broker::QueueMover *mover() const { return dynamic_cast<broker::QueueMover *>(m_broker.get()); }
    [[nodiscard]] const broker::Capabilities &capabilities() const { return m_capabilities; }
    [[nodiscard]] const broker::Listing &listing() const { return m_listing; }
    [[nodiscard]] const QList<broker::QueueInfo> &queues() const { return m_listing.queues; }
    // It answered: capabilities and queues are those of the broker.
    [[nodiscard]] bool isKnown() const { return m_known; }
    [[nodiscard]] core::TimePoint queuesAsOf() const { return m_asOf; }
    // Queues to take failed messages from: those named by the user and the broker's dead-letter queues.
    [[nodiscard]] QStringList failureQueues() const;
    // A name that a person gave, as the broker spells it: some ignore case, while records of one queue have one name.
    [[nodiscard]] QString spelled(const QString &queue) const;
    [[nodiscard]] api::ConnectionView view() const;
    [[nodiscard]] PlanBasis planBasis() const;
    // A connection that waits for its secret looks for it at once.
    void secretMayBeThere();
    void setSecretNotKept(const QString &words) { m_secretNotKept = words; }

    // How often the broker is asked: 5 s on this machine and for RabbitMQ, 30 s for what is billed by the call.
    [[nodiscard]] static core::Milliseconds pollInterval(const records::Connection &connection);

private:
    [[nodiscard]] core::Task<> watch();
    [[nodiscard]] core::Task<> followLoop();
    [[nodiscard]] core::Task<core::Result<>> takeArrivals();
    [[nodiscard]] core::Task<core::Result<>> arrivalsOf(QString queue);
    [[nodiscard]] core::Task<core::Result<>> ask();
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> lookInto(QString queue, int limit, QString who);
    [[nodiscard]] core::Task<core::Error> lookForSecret(); // why it is not there yet
    [[nodiscard]] core::Error withoutSecret(core::Error error) const; // a refused login says that there was none
    void failed(const core::Error &error);
    [[nodiscard]] QStringList queuesToLookInto() const;
    void countCameBack();
    void watchReturns();
    [[nodiscard]] QStringList watched(const store::Returns &returns) const;
    [[nodiscard]] retry::QueueObservation outlook(const store::Returns &returns) const;
    void sampleDepths();

    ConnectionContext m_around;
    records::Connection m_connection;
    std::shared_ptr<broker::Broker> m_broker;
    std::optional<core::Error> m_noSecret;
    bool m_isBarred = false; // nothing reaches the broker
    QString m_secretNotKept;
    core::Timers m_timers;
    core::Timers m_followTimers;
    core::Backoff m_backoff;
    TaskScope m_scope;
    UnresponsiveGuard m_silence;
    IntakeScheduler m_taker;
    retry::Processor m_processor;
    SilenceResolver m_quiet;
    ConnectionHealth m_health;
    broker::Capabilities m_capabilities;
    bool m_probed = false;
    bool m_known = false;
    core::Clock::Ticket m_patience = 0; // with calls under way, when it stops
    bool m_recovered = false; // of what an intake left half done
    bool m_started = false;
    core::Milliseconds m_wait{0};
    broker::Listing m_listing;
    core::TimePoint m_asOf{}; // of the newest list of queues, to be shown
    std::optional<core::SteadyTime> m_listed; // the same, to be compared with what was sent
    core::TimePoint m_begun{}; // wall-clock time, as the requests of operations are
    QHash<core::OperationId, qint64> m_cameBack; // as counted last
};

} // namespace engine
