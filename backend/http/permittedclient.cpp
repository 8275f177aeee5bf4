#include "backend/http/permittedclient.h"

#include "backend/http/text.h"

namespace http {

PermittedClient::PermittedClient(HttpClient &inner, MayCall mayCall)
    : m_inner(inner)
    , m_mayCall(std::move(mayCall))
{
}

core::Task<core::Result<Response>> PermittedClient::send(Request request)
{
    if (m_mayCall && !m_mayCall()) {
        co_return core::fail(core::ErrorKind::Cancelled,
                             Text::tr("Nothing was sent: another program may work for this store now."));
    }
    co_return co_await m_inner.send(std::move(request));
}

} // namespace http
