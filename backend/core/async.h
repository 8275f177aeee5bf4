// Asynchronous code reads top to bottom with coroutines. Rules (each from a measured bug):
//  - a transaction is one synchronous function given to store.transact, never a co_await inside;
//  - engine code awaits only Pending values and Tasks made of them; whoever hands out a Pending resolves it, with
//    ErrorKind::Cancelled at the latest (a dropped coroutine never resumes and leaks);
//  - values are built first and awaited alone on their line;
//  - no QCoro::sleepFor: it bypasses the Clock. Use Timers.
// Not thread safe: a Pending lives on one thread.
#pragma once

#include <QCoro/QCoroTask>

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace core {

template<typename T = void>
using Task = QCoro::Task<T>;

// A value that somebody will supply later. Copies share one state; at most one coroutine awaits it.
template<typename T>
class Pending
{
    struct State
    {
        std::optional<T> value;
        std::coroutine_handle<> waiter;
        bool resolved = false;
    };

public:
    class Awaiter
    {
    public:
        explicit Awaiter(std::shared_ptr<State> state)
            : m_state(std::move(state))
        {
        }
        [[nodiscard]] bool await_ready() const noexcept { return m_state->value.has_value(); }
        void await_suspend(std::coroutine_handle<> waiter) noexcept { m_state->waiter = waiter; }
        T await_resume() { return std::move(*m_state->value); }

    private:
        std::shared_ptr<State> m_state;
    };

    // The first value wins; later ones are dropped. Resumes the awaiting coroutine before it returns.
    bool resolve(T value) const
    {
        const std::shared_ptr<State> state = m_state; // the resumed coroutine may destroy *this
        if (state->resolved)
            return false;
        state->resolved = true;
        state->value.emplace(std::move(value));
        if (state->waiter)
            std::exchange(state->waiter, nullptr).resume();
        return true;
    }

    [[nodiscard]] bool isResolved() const { return m_state->resolved; }

    Awaiter operator co_await() const { return Awaiter{m_state}; }

private:
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

// Runs step(0) .. step(count - 1), at most `limit` of them at a time, and ends when all have ended.
inline Task<> forEachLimited(size_t count, size_t limit, std::function<Task<>(size_t)> step)
{
    size_t next = 0;
    auto worker = [](size_t &shared, size_t end, const std::function<Task<>(size_t)> &run) -> Task<> {
        while (shared < end) {
            const size_t mine = shared++;
            co_await run(mine);
        }
    };
    std::vector<Task<>> workers;
    for (size_t i = 0; i < std::min(limit, count); ++i)
        workers.push_back(worker(next, count, step));
    for (Task<> &one : workers)
        co_await one;
}

} // namespace core
