#pragma once

#include "app/localenginehost.h"

#include "backend/control/failoverclient.h"
#include "backend/control/remoteclient.h"
#include "backend/engine/queryingclient.h"
#include "backend/engine/reply.h"

#include <QObject>

#include <memory>

namespace app {

// The way to one store: the engine of this process when the store is free, else that of the process that holds it. When
// that one has gone, this process becomes the holder, and begins what the other had not. What the other may have begun and
// did not answer ends with an error. GUI or command line thread.
class StoreAccess final : public QObject
{
    Q_OBJECT

public:
    enum class WaitLimit {
        OfACommand, // gives up on a store that is held and a holder that does not answer
        OfAWindow, // shows what can be read and goes on trying
    };

    // How long a command waits for a holder that says nothing at all, whether it is stopped or stuck.
    struct Silence
    {
        core::Milliseconds toGreet{14000};
        core::Milliseconds later{30000}; // it may be at a long step of its work
    };

    using MakeRoom = std::function<std::unique_ptr<EngineHost>(const EngineHostSettings &settings)>;

    StoreAccess(EngineHostSettings settings, WaitLimit waitLimit);
    StoreAccess(EngineHostSettings settings, WaitLimit waitLimit, Silence silence, MakeRoom makeRoom = localEngineHost);
    ~StoreAccess() override;

    // Once. Waits for the engine to open the store, which takes no longer than the store's own recovery.
    [[nodiscard]] core::Result<> open();

    // For a store that refuses writes: ends the engine of this process and opens the store anew, which is also its recovery.
    // What is under way ends with Cancelled. The answer comes later: ending may wait for brokers, opening for the disk, and the
    // caller's thread for neither. Refused where another process holds the store, Conflict while it is being reopened.
    [[nodiscard]] QFuture<core::Result<>> reopen();

    [[nodiscard]] api::EngineClient &client() { return *m_client; }
    [[nodiscard]] bool isInProcess() const { return m_thread != nullptr; }
    // Who holds the store, where that is a command that ends: nobody follows a queue then, until this process holds it.
    [[nodiscard]] QString passingHolder() const;
    // Why this process does not hold the store: who does.
    [[nodiscard]] const core::Error &whyHeld() const { return m_whyHeld; }
    // A command's patience has ended: called once, from the event loop, with the reason.
    void onLost(std::function<void(const core::Error &)> lost) { m_onLost = std::move(lost); }

private:
    [[nodiscard]] static std::unique_ptr<EngineHost> localEngineHost(const EngineHostSettings &settings);
    [[nodiscard]] QFuture<core::Result<>> start(EngineThread &thread) const;
    void openAnew(const engine::Reply<> &reply);
    [[nodiscard]] std::unique_ptr<api::EngineClient> local();
    [[nodiscard]] std::unique_ptr<api::EngineClient> remote();
    void lost(bool wasReached, bool isSilent);
    void refuse(const core::Error &danger);
    [[nodiscard]] core::Error noAnswer(bool mayBeDone) const;
    void tryAgain();
    void giveUp(const core::Error &reason);
    void dropUnheard();
    using MakeClient = std::function<std::unique_ptr<api::EngineClient>()>;
    void switchTo(const MakeClient &make);
    void tried(const core::Result<> &held);
    void take(std::unique_ptr<EngineThread> thread, const core::Result<> &held);

    EngineHostSettings m_settings;
    WaitLimit m_patience;
    Silence m_silence;
    MakeRoom m_makeRoom;
    int m_attempts = 0; // since the holder was last reached
    engine::QueriesPtr m_queries;
    std::unique_ptr<control::FailoverClient> m_client;
    control::RemoteClient *m_remote = nullptr; // what m_client leads to, where that is another process
    core::Error m_whyHeld; // of the last try
    bool m_holds = false; // or would, if the store could be opened
    std::unique_ptr<EngineThread> m_thread; // ended before the client: its last answers are heard
    std::unique_ptr<EngineThread> m_trying; // takes over, perhaps
    bool m_reopens = false;
    std::function<void(const core::Error &)> m_onLost;
};

} // namespace app
