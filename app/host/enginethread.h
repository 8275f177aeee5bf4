#pragma once

#include "backend/core/result.h"
#include "backend/engine/dispatch/enginemailbox.h"

#include <QFuture>
#include <QObject>
#include <QThread>

#include <functional>
#include <memory>

namespace app {

// Owns everything that lives on the engine thread. It is created, used, closed and destroyed on that thread.
class EngineHost
{
public:
    EngineHost() = default;
    EngineHost(const EngineHost &) = delete;
    EngineHost &operator=(const EngineHost &) = delete;
    virtual ~EngineHost() = default;

    // Called on any thread, before the host is destroyed. `why` is for people.
    struct Events
    {
        // Once: another process works for the store now, or may. This host is to be closed.
        std::function<void(const core::Error &why)> superseded;
        // Another process should work for the store: this host is to be closed when that harms nothing.
        std::function<void(const core::Error &why)> wanted;
    };

    // Opens the store, starts the engine and attaches it to the mailbox. Conflict: another process holds the store.
    [[nodiscard]] virtual core::Result<> open(const std::shared_ptr<engine::EngineMailbox> &mailbox, Events events) = 0;
    // Stops all work, then calls `done` once. The host may be destroyed from the event loop after that.
    virtual void close(std::function<void()> done) = 0;
};

// The thread of the engine. It starts and ends once. Use it on the thread that created it.
class EngineThread final : public QObject
{
    Q_OBJECT

public:
    using MakeHost = std::function<std::unique_ptr<EngineHost>()>; // called on the engine thread

    EngineThread();
    // Stops the engine and waits for its thread. Calls in progress end with Cancelled; nothing is lost.
    ~EngineThread() override;

    // Call once. The future finishes when the engine runs, or with the error of EngineHost::open.
    [[nodiscard]] QFuture<core::Result<>> start(MakeHost make);
    // Stops the engine without waiting. After the signal ended() the destructor does not block.
    void beginEnd();
    [[nodiscard]] const std::shared_ptr<engine::EngineMailbox> &mailbox() const { return m_mailbox; }

Q_SIGNALS:
    void superseded(const core::Error &why); // see EngineHost::Events
    void wanted(const core::Error &why);
    void ended(); // the engine thread has finished

private:
    [[nodiscard]] EngineHost::Events events();

    std::shared_ptr<engine::EngineMailbox> m_mailbox;
    std::shared_ptr<std::unique_ptr<EngineHost>> m_host; // its content lives on the engine thread
    QThread m_thread;
    QObject *m_there; // lives on the engine thread
    bool m_ends = false;
};

} // namespace app
