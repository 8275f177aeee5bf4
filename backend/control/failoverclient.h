#pragma once

#include "backend/api/client.h"

#include <memory>

namespace control {

// One client for the whole life of a window or command, while the client behind it changes: from this process's engine
// to that of another process and back. It passes every request to the current client and keeps the listener. One thread.
class FailoverClient final : public api::EngineClient
{
public:
    explicit FailoverClient(std::unique_ptr<api::EngineClient> first);
    ~FailoverClient() override;

    // Replaces the current client and destroys it: requests without an answer end with Cancelled. Do not call this from
    // inside a call of the old client.
    void switchTo(std::unique_ptr<api::EngineClient> next);

    void listen(Listener listener) override;
    void send(api::RequestPtr request) override;

private:
    void hear(api::EngineClient &client);

    std::unique_ptr<api::EngineClient> m_current;
    std::shared_ptr<Listener> m_listener; // shared with the function that the clients hold
};

} // namespace control
