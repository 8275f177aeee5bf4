#pragma once

#include "backend/core/result.h"
#include "backend/engine/enginemailbox.h"

#include <QFuture>
#include <QObject>
#include <QThread>

#include <functional>
#include <memory>

namespace app {

// Everything that lives on the engine's thread. Made there, ended there, destroyed there.
class EngineHost
{
public:
    EngineHost() = default;
    EngineHost(const EngineHost &) = delete;
    EngineHost &operator=(const EngineHost &) = delete;
    virtual ~EngineHost() = default;

    // Attaches the engine to the port, starts it, and answers how that went.
    [[nodiscard]] virtual core::Result<> open(const std::shared_ptr<engine::EngineMailbox> &mailbox) = 0;
    // Ends all work, then calls `done`, once; it may be destroyed from the event loop after that.
    virtual void close(std::function<void()> done) = 0;
};

// The thread of the engine: started once, ended once, in order. Belongs to the thread that made it.
class EngineThread final : public QObject
{
    Q_OBJECT

public:
    using MakeRoom = std::function<std::unique_ptr<EngineHost>()>; // called on the engine's thread

    EngineThread();
    // Ends the engine and waits for its thread: everything under way ends with Cancelled, nothing is lost by it.
    ~EngineThread() override;

    // Once. The future finishes when the engine runs, or says why it does not.
    [[nodiscard]] QFuture<core::Result<>> start(MakeRoom make);
    // Ends the engine as the destructor does, which has nothing left to wait for after ended().
    void beginEnd();
    [[nodiscard]] const std::shared_ptr<engine::EngineMailbox> &mailbox() const { return m_mailbox; }

Q_SIGNALS:
    void ended();

private:
    std::shared_ptr<engine::EngineMailbox> m_mailbox;
    std::shared_ptr<std::unique_ptr<EngineHost>> m_host; // content belongs to the engine's thread
    QThread m_thread;
    QObject *m_there; // lives on the engine's thread
    bool m_ends = false;
};

} // namespace app
