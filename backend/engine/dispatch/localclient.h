#pragma once

#include "backend/api/request.h"
#include "backend/engine/dispatch/enginemailbox.h"
#include "backend/engine/dispatch/queryingclient.h"

#include <memory>

namespace engine {

// The client of the engine in this process. Create and use it on one thread, any thread; snapshots arrive on that
// thread. Every command is posted through the mailbox. It may outlive the engine: requests then end with Cancelled.
class LocalClient final : public QueryingClient
{
public:
    // `who`: the person in the activity log for every command of this client; empty: the engine itself.
    LocalClient(std::shared_ptr<EngineMailbox> mailbox, QueriesPtr queries, QString who = {});
    ~LocalClient() override;

    void listen(Listener listener) override;

private:
    struct Ear; // the listener and the object that receives its snapshots
    void sendCommand(api::RequestPtr command) override;

    std::shared_ptr<EngineMailbox> m_mailbox;
    QString m_who;
    std::shared_ptr<Ear> m_ear;
};

} // namespace engine
