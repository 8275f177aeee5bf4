#pragma once

#include "backend/core/random.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/engine.h"
#include "backend/recovery/consecutivefailures.h"
#include "backend/rehearsal/standin.h"
#include "backend/sandbox/simulation.h"

#include <functional>
#include <memory>
#include <optional>

namespace rehearsal {

// What an environment is made of, which only the program can name. Called on the thread of the rehearsal.
struct EnvironmentDependencies
{
    // An empty store in memory, so that nothing of a rehearsal is ever on a disk.
    std::function<core::Result<std::unique_ptr<store::Store>>(core::Random &random)> openStore;
    // A client of the broker of this simulation.
    std::function<std::shared_ptr<broker::Broker>(sandbox::Simulation &simulation)> makeBroker;
};

// The throw-away environment of one rehearsal: a whole engine with a store in memory, an embedded broker without sockets, and a
// stand-in for the services, all on one simulated clock. It has no network, so nothing in it can reach a real broker.
// Used on one thread, without an event loop.
class Environment final
{
public:
    Environment(const EnvironmentDependencies &dependencies, engine::RehearsalJob job,
                std::shared_ptr<engine::RehearsalControl> control);
    ~Environment();
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

    // Call once. Blocks until the retry or the policy has ended, some seconds at most for most of them. For the errors see
    // api::Rehearse.
    [[nodiscard]] core::Result<api::RehearsalReport> run();

    static constexpr core::Milliseconds longest = std::chrono::hours(14 * 24); // of simulated time

private:
    [[nodiscard]] core::Result<> open();
    [[nodiscard]] QStringList places() const; // every queue but the error queue
    [[nodiscard]] core::Result<> fill(store::Session &session);
    [[nodiscard]] core::Result<> begin();
    [[nodiscard]] core::Result<> beginPolicy();
    [[nodiscard]] core::Result<> beginRetry();
    [[nodiscard]] core::Result<> live();
    [[nodiscard]] core::Result<bool> hasEnded();
    [[nodiscard]] core::Result<bool> policyHasEnded(store::Session &session);
    void noteProbing(const std::optional<recovery::LimitedSpan> &span);
    [[nodiscard]] bool isDelayed(int copy);
    void stop();

    // Steps the clock until `done`. Cancelled: the control says so. Transient: it does not come.
    [[nodiscard]] core::Result<> runUntil(const std::function<bool()> &done, core::Milliseconds limit);
    template<api::Request R>
    [[nodiscard]] core::Result<typename R::Answer> carryOut(R request);

    const engine::RehearsalJob m_job;
    const std::shared_ptr<engine::RehearsalControl> m_control;
    const EnvironmentDependencies &m_dependencies;
    sandbox::Simulation m_simulation;
    engine::LocalSecrets m_secrets;
    std::unique_ptr<store::Store> m_store;
    QString m_errorQueue;
    QStringList m_served; // queues that the stand-in consumes
    core::ConnectionId m_connection;
    QList<core::MessageId> m_ids; // of the copies
    QList<core::MessageId> m_unplaced; // of these, those whose destination is no queue here
    std::unique_ptr<engine::Engine> m_engine;
    std::unique_ptr<sandbox::WorkerGroup> m_workers;
    std::unique_ptr<StandIn> m_standIn;
    std::shared_ptr<broker::Broker> m_broker; // of the stand-in
    api::PlanPreview m_preview; // of a retry
    core::TimePoint m_begin{};
    bool m_isOver = false;
    QList<api::RehearsalProbing> m_probing;
};

} // namespace rehearsal
