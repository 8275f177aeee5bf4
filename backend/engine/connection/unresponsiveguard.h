#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/engine/connection/taskscope.h"

#include <algorithm>

namespace engine {

// Ends the wait of a person when the broker leaves a call unanswered. The work itself continues with the engine's own
// retries; its result is then dropped. Engine thread.
class UnresponsiveGuard final
{
public:
    // Runs `question` in `scope`. Resolves with its answer, or with the first error given to tell() before that.
    template<typename T>
    [[nodiscard]] core::Task<core::Result<T>> answerOf(TaskScope &scope,
                                                       std::function<core::Task<core::Result<T>>()> question)
    {
        const core::Pending<core::Result<T>> answer;
        std::erase_if(m_waiting, [](const Waiting &one) { return one.isOver(); });
        m_waiting.push_back({[answer] { return answer.isResolved(); },
                             [answer](const core::Error &error) { answer.resolve(core::fail(error)); }});
        scope.spawn([answer, asked = std::move(question)]() -> core::Task<> {
            core::Result<T> result = co_await asked();
            answer.resolve(std::move(result));
        });
        core::Result<T> first = co_await answer;
        co_return first;
    }

    // The broker left a call unanswered: ends all waits.
    void tell(const core::Error &error)
    {
        const std::vector<Waiting> waiting = std::exchange(m_waiting, {}); // who is told may ask again
        for (const Waiting &one : waiting)
            one.end(error);
    }

private:
    struct Waiting
    {
        std::function<bool()> isOver;
        std::function<void(const core::Error &)> end;
    };
    std::vector<Waiting> m_waiting;
};

} // namespace engine
