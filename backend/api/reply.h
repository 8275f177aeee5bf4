#pragma once

#include "backend/api/text.h"
#include "backend/core/result.h"

#include <QFuture>
#include <QPromise>

#include <atomic>
#include <memory>

namespace api {

// The answer that another thread waits for. Copies share one answer. When the last copy is destroyed unanswered,
// because the engine ended or dropped the work, it answers Cancelled: every future finishes with a value.
template<typename T = void>
class Reply final
{
public:
    Reply()
        : m_state(std::make_shared<State>())
    {
        m_state->promise.start();
    }

    [[nodiscard]] QFuture<core::Result<T>> future() const { return m_state->promise.future(); }

    // Only the first answer counts.
    void answer(core::Result<T> result) const
    {
        if (m_state->answered.exchange(true))
            return;
        m_state->promise.addResult(std::move(result));
        m_state->promise.finish();
    }

private:
    struct State
    {
        State() = default;
        State(const State &) = delete;
        State &operator=(const State &) = delete;
        ~State()
        {
            if (answered)
                return;
            core::Result<T> cancelled =
                core::fail(core::ErrorKind::Cancelled, Text::tr("The engine stopped before it could finish this."));
            promise.addResult(std::move(cancelled));
            promise.finish();
        }

        QPromise<core::Result<T>> promise;
        std::atomic_bool answered = false;
    };
    std::shared_ptr<State> m_state;
};

} // namespace api
