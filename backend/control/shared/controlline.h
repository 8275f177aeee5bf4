#pragma once

#include "backend/core/time/clock.h"
#include "backend/store/shared/controltables.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

class QTimer;

namespace control {

inline constexpr qint64 bytesPerSecond = 250'000; // at least, of a long request

// What one side of a shared store does with the control tables, on the thread of its line, which may wait for the database.
// The side itself lives on the thread that creates it and never waits: it leaves work here and is told the results.
class ControlWork
{
public:
    ControlWork();
    virtual ~ControlWork();
    ControlWork(const ControlWork &) = delete;
    ControlWork &operator=(const ControlWork &) = delete;

    // ---- on the thread of the line. An error: the connection is closed, and begin() follows on a new one. ----
    [[nodiscard]] virtual core::Result<> begin(store::ControlTables &tables) = 0;
    [[nodiscard]] virtual core::Result<> look(store::ControlTables &tables) = 0; // once a second, and after each wake
    [[nodiscard]] virtual core::Milliseconds pause() = 0; // until the next look, if nothing wakes
    virtual void failed(const core::Error &error) = 0; // also of connecting
    virtual void leave(store::ControlTables &tables) = 0; // the last call, if there is a connection then

protected:
    // Runs this on the thread of whoever created this object, from its event loop, unless he has gone.
    void tell(std::function<void()> what);
    // So many bytes cross next: the line waits longer for them before it takes the connection for dead.
    void expectBytes(qint64 bytes);

private:
    friend class ControlLine;
    std::mutex m_mutex;
    std::unique_ptr<QObject> m_owner; // lives on the creator's thread; null: he has gone
    std::atomic<qint64> m_bytes{0};
};

// A thread with a connection to the control tables, which is opened again one second after it broke. A connection on which
// nothing comes back in time (longer for long requests) is given up: the database may be frozen, or the network gone without
// a word. Create, use and destroy it on one thread with an event loop; nothing but finish() waits.
class ControlLine final
{
public:
    static constexpr core::Milliseconds usualPatience{20000};

    ControlLine(store::OpenControlTables open, std::shared_ptr<ControlWork> work,
                core::Milliseconds patience = usualPatience);
    // Does not wait for the thread: it may hang until its connection times out. It owns what it uses.
    ~ControlLine();
    ControlLine(const ControlLine &) = delete;
    ControlLine &operator=(const ControlLine &) = delete;

    void wake(); // any thread
    // Waits until leave() has returned, at most this long. Nothing is done after it.
    void finish(core::Milliseconds longest);

private:
    struct Shared;
    void watch();

    std::shared_ptr<ControlWork> m_work;
    std::shared_ptr<Shared> m_shared;
    core::Milliseconds m_patience;
    quint64 m_calls = 0; // of the connection, when watch() looked last
    qint64 m_movedAt = 0; // when they changed, or it was idle
    std::unique_ptr<QTimer> m_watch;
};

} // namespace control
