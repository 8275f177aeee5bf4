#pragma once

#include "backend/core/async.h"

#include <deque>

namespace engine {

// A mutex for coroutines of one thread; waiting callers enter in order of arrival. enter() resolves when it is the
// caller's turn, and every enter() needs one leave().
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
        if (m_waiting.empty()) {
            m_taken = false;
            return;
        }
        const core::Pending<bool> next = m_waiting.front();
        m_waiting.pop_front();
        next.resolve(true);
    }

private:
    bool m_taken = false;
    std::deque<core::Pending<bool>> m_waiting;
};

} // namespace engine
