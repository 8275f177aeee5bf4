#pragma once

#include "backend/core/time/clock.h"
#include "backend/store/store.h"

#include <functional>

namespace engine {

// Adds headers and bodies of new messages to the text index, in short transactions with pauses, so that intake and
// retries on the same thread come first. After a crash it continues; until then searches read the missing messages.
// Engine thread.
class TextIndexer final
{
public:
    TextIndexer(store::Store &store, core::Clock &clock, std::function<void()> changed);
    ~TextIndexer();
    TextIndexer(const TextIndexer &) = delete;
    TextIndexer &operator=(const TextIndexer &) = delete;

    // Call when there may be new messages.
    void wake();
    // Cannot be undone.
    void stop();

private:
    void step();
    void wait(core::Milliseconds pause);

    store::Store &m_store;
    core::Clock &m_clock;
    std::function<void()> m_changed;
    core::Clock::Ticket m_ticket = 0;
    bool m_stopped = false;
};

} // namespace engine
