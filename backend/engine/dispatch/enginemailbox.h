#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace engine {

class Engine;

// The only way from other threads to the engine. Work posted before the engine exists waits for it. Work posted after
// the engine is gone, or not run by then, is dropped; a Reply inside it then answers Cancelled.
class EngineMailbox final
{
public:
    using Work = std::function<void(Engine &)>;

    EngineMailbox() = default;
    EngineMailbox(const EngineMailbox &) = delete;
    EngineMailbox &operator=(const EngineMailbox &) = delete;

    // Engine thread, once. From now on work runs there, from the event loop.
    void attach(Engine &engine);
    // Engine thread, before the engine is destroyed; or any thread, if there will never be an engine.
    void close();

    // Any thread; returns at once.
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
