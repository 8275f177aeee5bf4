#pragma once

#include "backend/retry/selectionfreezer.h"
#include "backend/store/store.h"

#include <QElapsedTimer>

// What the benchmarks of the retry engine share.
namespace bench {

constexpr int bodyBytes = 2'048;

// Notes how long the store kept the engine's thread at a stretch.
class TimedStore final : public store::Store
{
public:
    explicit TimedStore(store::Store &inner)
        : m_inner(inner)
    {
    }
    core::Result<> transact(const Work &work) override
    {
        return timed([&] { return m_inner.transact(work); });
    }
    core::Result<> read(const Work &work) override
    {
        return timed([&] { return m_inner.read(work); });
    }
    QString storeId() const override { return m_inner.storeId(); }
    qint64 fence() const override { return m_inner.fence(); }

    double slowest = 0; // ms
    int calls = 0;

private:
    template<typename Call>
    core::Result<> timed(Call call)
    {
        QElapsedTimer timer;
        timer.start();
        core::Result<> done = call();
        slowest = std::max(slowest, double(timer.nsecsElapsed()) / 1e6);
        ++calls;
        return done;
    }
    store::Store &m_inner;
};

// So many failed messages for three queues, in a connection of their own.
[[nodiscard]] records::Connection fill(store::Store &store, int messages, int bytes = bodyBytes);
// All of them, or the first so many.
[[nodiscard]] retry::FreezeOrder orderOf(store::Store &store, const records::Connection &connection, int messages);

} // namespace bench
