#pragma once

#include "backend/api/client.h"
#include "backend/store/query/queryservice.h"

#include <memory>

namespace engine {

using QueriesPtr = std::shared_ptr<store::QueryService>;

// A client whose queries are answered from the store by read-only connections of this process, wherever its commands
// go. With a null QueriesPtr it is for commands only, and every query ends with Refused.
class QueryingClient : public api::EngineClient
{
public:
    explicit QueryingClient(QueriesPtr queries);
    ~QueryingClient() override;

    void send(api::RequestPtr request) final;

private:
    virtual void sendCommand(api::RequestPtr command) = 0;

    QueriesPtr m_queries;
};

} // namespace engine
