#include "backend/engine/dispatch/queryingclient.h"

#include "backend/engine/text.h"

namespace engine {

QueryingClient::QueryingClient(QueriesPtr queries)
    : m_queries(std::move(queries))
{
}

QueryingClient::~QueryingClient() = default;

void QueryingClient::send(api::RequestPtr request)
{
    if (request->rules().from == api::AskedFrom::AnyProcess)
        sendCommand(std::move(request));
    else if (m_queries)
        m_queries->send(std::move(request));
    else
        request->fail({core::ErrorKind::Refused, Text::tr("This client cannot answer queries."), {}, {}});
}

} // namespace engine
