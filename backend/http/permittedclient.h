#pragma once

#include "backend/http/httpclient.h"

#include <functional>

namespace http {

// Sends a call only while this process may call the broker: an engine that shares its store may have lost it to another one.
// Otherwise the call ends with Cancelled, and nothing was sent. Asked again for every try of a call.
class PermittedClient final : public HttpClient
{
public:
    using MayCall = std::function<bool()>;

    // `inner` must outlive this object. Without a function every call is sent.
    PermittedClient(HttpClient &inner, MayCall mayCall);

    [[nodiscard]] core::Task<core::Result<Response>> send(Request request) override;
    void cancelAll() override { m_inner.cancelAll(); }

private:
    HttpClient &m_inner;
    MayCall m_mayCall;
};

} // namespace http
