#pragma once

#include "backend/core/result.h"
#include "backend/engine/port.h"

#include <QFuture>
#include <QObject>
#include <QThread>

#include <functional>
#include <memory>

namespace app {

// Everything that lives on the engine's thread. Made there, ended there, destroyed there.
class EngineRoom
{
public:
    EngineRoom() = default;
    EngineRoom(const EngineRoom &) = delete;
    EngineRoom &operator=(const EngineRoom &) = delete;
    virtual ~EngineRoom() = default;

    // Attaches the engine to the port, starts it, and answers how that went.
    [[nodiscard]] virtual core::Result<> open(const std::shared_ptr<engine::Port> &port) = 0;
    // Ends all work, then calls `done`, once; it may be destroyed from the event loop after that.
    virtual void close(std::function<void()> done) = 0;
};

// The thread of the engine: started once, ended once, in order. Belongs to the thread that made it.
class EngineThread final : public QObject
{
    Q_OBJECT

public:
    using MakeRoom = std::function<std::unique_ptr<EngineRoom>()>; // called on the engine's thread

    EngineThread();
    // Ends the engine and waits for its thread: everything under way ends with Cancelled, nothing is lost by it.
    ~EngineThread() override;

    // Once. The future finishes when the engine runs, or says why it does not.
    [[nodiscard]] QFuture<core::Result<>> start(MakeRoom make);
    // Ends the engine as the destructor does, which has nothing left to wait for after ended().
    void beginEnd();
    [[nodiscard]] const std::shared_ptr<engine::Port> &port() const { return m_port; }

Q_SIGNALS:
    void ended();

private:
    std::shared_ptr<engine::Port> m_port;
    std::shared_ptr<std::unique_ptr<EngineRoom>> m_room; // content belongs to the engine's thread
    QThread m_thread;
    QObject *m_there; // lives on the engine's thread
    bool m_ends = false;
};

} // namespace app
