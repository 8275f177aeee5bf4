#pragma once

#include "backend/api/request.h"
#include "backend/broker/servicebus/servicebus.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/engine.h"
#include "backend/sandbox/simulation.h"
#include "backend/store/policies/heldmessagestore.h"
#include "tests/support/store/faultystore.h"

#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <optional>

namespace support {

// A whole engine on the embedded broker, on a simulated clock. It comes and goes, on the same store or on a new one; the broker stays.
// Nothing runs outside runUntil(). Test thread.
class EmbeddedEngine final
{
public:
    explicit EmbeddedEngine(const localbroker::QueueSettings &queue);
    ~EmbeddedEngine(); // stops
    EmbeddedEngine(const EmbeddedEngine &) = delete;
    EmbeddedEngine &operator=(const EmbeddedEngine &) = delete;

    // As on another machine, which has never seen a message. It knows the broker as "shop". The engine is stopped.
    void newStore();
    void start();
    void stop();

    // What works beside the engine; called before each step of the clock. May be null.
    std::function<void()> atEachStep;
    // False: it is not done within that time.
    bool runUntil(const std::function<bool()> &isDone, core::Milliseconds limit);
    void run(core::Milliseconds duration);

    template<api::Request R>
    core::Result<typename R::Answer> ask(R request)
    {
        const auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        const auto answer = asked->reply.future();
        m_engine->carryOut(asked, QStringLiteral("ada@desk"));
        await([&answer] { return answer.isFinished(); });
        return answer.result();
    }
    template<typename T>
    T outcomeOf(core::Task<T> task)
    {
        std::optional<T> value;
        const auto wait = [](core::Task<T> running, std::optional<T> &into) -> core::Task<> {
            T result = co_await running;
            into.emplace(std::move(result));
        };
        const core::Task<> waiting = wait(std::move(task), value);
        await([&value] { return value.has_value(); });
        return std::move(*value);
    }

    // A client of the broker beside the engine, which knows what the broker can do.
    [[nodiscard]] broker::ServiceBus &client();
    [[nodiscard]] core::ConnectionId shop() const { return m_shop; }
    [[nodiscard]] store::Store &store() { return *m_store; }
    [[nodiscard]] FaultyStore &front() { return *m_front; } // as the engine sees the store, since its last start
    [[nodiscard]] core::SimulatedClock &clock() { return m_simulation.clock(); }
    [[nodiscard]] store::HeldCounts held(); // of the first assignment

private:
    struct Connected;

    void await(const std::function<bool()> &isDone); // which must come

    QTemporaryDir m_folder;
    sandbox::Simulation m_simulation;
    std::unique_ptr<Connected> m_client;
    engine::LocalSecrets m_secrets;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<FaultyStore> m_front;
    std::unique_ptr<engine::EngineDependencies> m_dependencies;
    std::unique_ptr<engine::Engine> m_engine;
    core::ConnectionId m_shop;
    int m_stores = 0;
    qint64 m_fence = 0;
};

} // namespace support
