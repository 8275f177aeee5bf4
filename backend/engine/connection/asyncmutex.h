#pragma once

#include "backend/core/async.h"

#include <deque>

namespace engine {

// A mutex for coroutines of one thread; waiting callers enter in order of arrival. enter() resolves with true when it is
// the caller's turn, and every turn needs one leave(). A caller that waits no longer resolves its turn with false.
class AsyncMutex final
{
public:
    [[nodiscard]] core::Pending<bool> enter()
    {
        core::Pending<bool> turn;
        if (std::exchange(m_taken, true))
            m_waiting.push_back(turn);
        else
            turn.resolve(true);
        return turn;
    }
    void leave()
    {
        while (!m_waiting.empty()) {
            const core::Pending<bool> next = m_waiting.front();
            m_waiting.pop_front();
            if (next.resolve(true))
                return;
        }
        m_taken = false;
    }

private:
    bool m_taken = false;
    std::deque<core::Pending<bool>> m_waiting;
};

} // namespace engine
