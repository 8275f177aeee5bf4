#pragma once

#include "app/host/localenginehost.h"

#include "backend/api/reply.h"
#include "backend/control/failoverclient.h"
#include "backend/control/remoteclient.h"
#include "backend/engine/dispatch/queryingclient.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace app {

// Access to one store: through the engine of this process when the store is free, else through the process that holds
// it. When that process ends, this one becomes the holder and repeats requests that the other had not started. Requests
// that it may have started without an answer end with an error. When another process takes a shared store over, this one
// stops its engine and becomes one of the others. Use it on the thread that created it (GUI or main thread).
class StoreAccess final : public QObject
{
    Q_OBJECT

public:
    enum class WaitLimit {
        OfACommand, // gives up when the holder of the store does not answer
        OfAWindow, // shows what it can read and keeps trying
    };

    // How long a command waits for a holder that sends nothing, because it is stopped or stuck.
    struct Silence
    {
        core::Milliseconds toGreet{14000}; // after connecting
        core::Milliseconds later{30000}; // longer, because a step of its work can take time
    };

    using MakeHost = std::function<std::unique_ptr<EngineHost>(const EngineHostSettings &settings)>;

    StoreAccess(EngineHostSettings settings, WaitLimit waitLimit);
    StoreAccess(EngineHostSettings settings, WaitLimit waitLimit, Silence silence, MakeHost makeHost = localEngineHost);
    ~StoreAccess() override;

    // Call once. Blocks until the engine has opened the store, including its recovery. Succeeds also when another
    // process holds the store. Other errors come from opening the store.
    [[nodiscard]] core::Result<> open();

    // For a store that refuses writes: stops the engine of this process and opens the store again, which also recovers
    // it. Calls in progress end with Cancelled. Does not block; the future finishes later, because stopping can wait
    // for brokers and opening for the disk. Refused: another process holds the store. Conflict: it is already being
    // reopened.
    [[nodiscard]] QFuture<core::Result<>> reopen();

    // The client of whichever engine serves the store now; stays valid when that changes. Only after open().
    [[nodiscard]] api::EngineClient &client() { return *m_client; }
    [[nodiscard]] bool isInProcess() const { return m_thread != nullptr; }
    // The holder of the store when it is a short command, which does not keep taking messages; else empty.
    [[nodiscard]] QString passingHolder() const;
    // The Conflict error of the last try to hold the store; its message names the holder.
    [[nodiscard]] const core::Error &whyHeld() const { return m_whyHeld; }
    // Sets the function that says whether the engine of this process could end now without harm: a server that wants to work
    // for a shared store then gets it. Without a function, or false, it waits.
    void onWanted(std::function<bool()> mayYield) { m_mayYield = std::move(mayYield); }
    // Sets the function that is called once, from the event loop, when a command gives up; it gets the reason.
    void onLost(std::function<void(const core::Error &)> lost) { m_onLost = std::move(lost); }

private:
    [[nodiscard]] static std::unique_ptr<EngineHost> localEngineHost(const EngineHostSettings &settings);
    [[nodiscard]] std::unique_ptr<EngineThread> newThread();
    [[nodiscard]] QFuture<core::Result<>> start(EngineThread &thread) const;
    void openAnew(const api::Reply<> &reply);
    [[nodiscard]] std::unique_ptr<api::EngineClient> local();
    [[nodiscard]] std::unique_ptr<api::EngineClient> remote();
    void lost(bool wasReached, bool isSilent);
    void refuse(const core::Error &danger);
    void standBack(const core::Error &why);
    void askForStore();
    [[nodiscard]] QString holderText() const; // empty: unknown
    [[nodiscard]] QString noAnswerOfAFile() const;
    [[nodiscard]] std::unique_ptr<control::HolderClient> wayToHolder() const;
    // Another process works for the store, or has to: this role of the database may only ask.
    [[nodiscard]] bool isForAnother(const core::Error &error);
    [[nodiscard]] bool isOutOfReach(const core::Error &error) const;
    [[nodiscard]] core::Error noAnswer(bool mayBeDone) const;
    void tryAgain();
    void giveUp(const core::Error &reason);
    void dropUnheard();
    using MakeClient = std::function<std::unique_ptr<api::EngineClient>()>;
    void switchTo(const MakeClient &make);
    void tried(const core::Result<> &held);
    void take(std::unique_ptr<EngineThread> thread, const core::Result<> &held);

    EngineHostSettings m_settings;
    WaitLimit m_waitLimit;
    Silence m_silence;
    MakeHost m_makeHost;
    int m_attempts = 0; // since the holder was last reached
    engine::QueriesPtr m_queries;
    std::unique_ptr<control::FailoverClient> m_client;
    control::HolderClient *m_remote = nullptr; // the target of m_client when it is another process
    core::Error m_whyHeld; // from the last try
    bool m_mayHold = true; // this user may work for the store
    bool m_holds = false; // stays true when reopening the store fails
    std::unique_ptr<EngineThread> m_thread; // declared after m_client, so it ends first and its last answers arrive
    std::unique_ptr<EngineThread> m_trying; // tries to become the holder
    bool m_reopens = false;
    std::function<void(const core::Error &)> m_onLost;
    std::function<bool()> m_mayYield;
    QTimer m_asking; // of a server
};

} // namespace app
