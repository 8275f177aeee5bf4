#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace engine {

class Engine;

// The one way from other threads to the engine. Work posted before the engine is there waits for it; work posted after it
// has gone, or not yet run when it goes, is dropped, and the Reply in it answers Cancelled.
class EngineMailbox final
{
public:
    using Work = std::function<void(Engine &)>;

    EngineMailbox() = default;
    EngineMailbox(const EngineMailbox &) = delete;
    EngineMailbox &operator=(const EngineMailbox &) = delete;

    // On the engine's thread, once. Work runs there from now on, each piece from the event loop.
    void attach(Engine &engine);
    // On the engine's thread before the engine is destroyed, or on any thread when it will never come.
    void close();

    // On any thread; returns at once.
    void post(Work work);

private:
    enum class State { Early, Open, Closed };
    static void deliver(Engine &engine, Work work);

    std::mutex m_mutex;
    State m_state = State::Early;
    Engine *m_engine = nullptr;
    std::vector<Work> m_early;
};

} // namespace engine
