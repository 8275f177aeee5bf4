#pragma once

#include "app/localroom.h"

#include "backend/control/switchclient.h"
#include "backend/engine/queryingclient.h"

#include <QObject>

#include <memory>

namespace app {

// The way to one store: the engine of this process when the store is free, else that of the process that holds it. With
// takeOver, this process becomes the holder as soon as the other has gone. GUI or command line thread.
class StoreAccess final : public QObject
{
    Q_OBJECT

public:
    enum class TakeOver { No, Yes };

    StoreAccess(RoomSettings settings, TakeOver takeOver);
    ~StoreAccess() override;

    // Once. Waits for the engine to open the store, which takes no longer than the store's own recovery.
    [[nodiscard]] core::Result<> open();

    // For a store that refuses writes: ends the engine of this process and opens the store anew, which is also its recovery.
    // What is under way ends with Cancelled. Refused where another process holds the store.
    [[nodiscard]] core::Result<> reopen();

    [[nodiscard]] api::EngineClient &client() { return *m_client; }
    [[nodiscard]] bool isInProcess() const { return m_thread != nullptr; }
    // Without takeOver: called once, from the event loop, when the holder has gone or cannot be reached.
    void onLost(std::function<void()> lost) { m_onLost = std::move(lost); }

private:
    [[nodiscard]] static QFuture<core::Result<>> start(EngineThread &thread, const RoomSettings &settings);
    [[nodiscard]] std::unique_ptr<api::EngineClient> remote();
    void lost();
    void tryAgain();
    void tried(const core::Result<> &held);
    void take(std::unique_ptr<EngineThread> thread, const core::Result<> &held);

    RoomSettings m_settings;
    TakeOver m_takeOver;
    engine::QueriesPtr m_queries;
    std::unique_ptr<control::SwitchClient> m_client;
    bool m_holds = false; // or would, if the store could be opened
    std::unique_ptr<EngineThread> m_thread; // ended before the client: its last answers are heard
    std::unique_ptr<EngineThread> m_trying; // takes over, perhaps
    std::function<void()> m_onLost;
};

} // namespace app
