#pragma once

#include "backend/http/httpclient.h"
#include "backend/localbroker/http/restapi.h"

#include <map>
#include <memory>

namespace sandbox {

// HTTP without sockets: gives each request to the REST API of an embedded broker on the same thread and clock. Requests
// and answers are those of the wire, and an answer takes a millisecond of that clock. So a simulation runs a whole day
// of traffic in seconds and always in the same order.
class LoopbackClient final : public http::HttpClient
{
public:
    // Both outlive this object.
    LoopbackClient(localbroker::RestApi &api, core::Clock &clock);
    ~LoopbackClient() override; // like cancelAll()

    [[nodiscard]] core::Task<core::Result<http::Response>> send(http::Request request) override;
    void cancelAll() override;

private:
    using Answer = core::Pending<core::Result<http::Response>>;

    [[nodiscard]] Answer start(http::Request request);
    void finish(quint64 id, http::Response response);

    localbroker::RestApi &m_api;
    core::Clock &m_clock;
    std::map<quint64, Answer> m_open;
    quint64 m_last = 0;
    bool m_cancelled = false;
    std::shared_ptr<LoopbackClient *> m_self; // null once this object is gone
};

} // namespace sandbox
