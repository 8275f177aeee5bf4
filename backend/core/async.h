// Asynchronous code is written as coroutines, so that it reads from top to bottom. Each rule below prevents a bug that
// was measured:
//  - A transaction is one synchronous function that is passed to store.transact. It contains no co_await.
//  - Engine code awaits only Pending values, and Tasks that are made of them.
//  - Whoever hands out a Pending resolves it, with ErrorKind::Cancelled at the latest. Otherwise the waiting coroutine
//    never resumes and its memory leaks.
//  - Build a value first; then co_await it in a statement of its own.
//  - Do not write `co_return m_member`: GCC 12 has been seen to move the member away. Return a local copy.
//  - Do not use QCoro::sleepFor, because it bypasses the Clock. Use Timers.
// Not thread-safe: a Pending and its copies stay on one thread.
#pragma once

#include <QCoro/QCoroTask>

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace core {

// What a coroutine returns. The coroutine starts at once and runs up to its first wait.
template<typename T = void>
using Task = QCoro::Task<T>;

// A value that arrives later: one side calls resolve(), the other side awaits it. Copies share the same value. One
// coroutine may await it, once, because co_await moves the value out.
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

    // Sets the value and resumes the waiting coroutine before it returns. Returns false, and drops the value, if there
    // is one already. The resumed coroutine may destroy this object.
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

    // Stays true after the value was taken.
    [[nodiscard]] bool isResolved() const { return m_state->resolved; }

    Awaiter operator co_await() const { return Awaiter{m_state}; }

private:
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

// Runs step(0) to step(count - 1), at most `limit` of them at the same time. Finishes when all have finished. With a
// limit of 0 it runs none.
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
