#include "backend/sandbox/loopbackclient.h"

#include "backend/sandbox/text.h"

namespace sandbox {

namespace {

constexpr core::Milliseconds latency{1};

localbroker::HttpRequest asReceived(const http::Request &request)
{
    localbroker::HttpRequest received;
    received.verb = request.verb;
    received.path = request.url.path(QUrl::FullyEncoded).toLatin1();
    received.query = QUrlQuery(request.url);
    for (const http::HeaderField &field : request.headers)
        received.headers.append({field.name, field.value});
    received.headers.append({"Host", request.url.authority(QUrl::FullyEncoded).toLatin1()});
    received.body = request.body;
    return received;
}

http::Response asAnswered(const http::Request &request, const localbroker::HttpAnswer &answer)
{
    http::Response response;
    response.status = answer.status;
    for (const auto &[name, value] : answer.headers)
        response.headers.append({name, value});
    response.body = answer.body;
    response.verb = request.verb;
    response.url = request.url;
    return response;
}

core::Error stopped()
{
    return {core::ErrorKind::Cancelled, Text::tr("The simulation was stopped."), {}, {}};
}

} // namespace

LoopbackClient::LoopbackClient(localbroker::RestApi &api, core::Clock &clock)
    : m_api(api)
    , m_clock(clock)
    , m_self(std::make_shared<LoopbackClient *>(this))
{
}

LoopbackClient::~LoopbackClient()
{
    *m_self = nullptr;
    LoopbackClient::cancelAll();
}

core::Task<core::Result<http::Response>> LoopbackClient::send(http::Request request)
{
    const Answer answer = start(std::move(request));
    core::Result<http::Response> response = co_await answer;
    co_return response;
}

LoopbackClient::Answer LoopbackClient::start(http::Request request)
{
    Answer answer;
    if (m_cancelled) {
        answer.resolve(core::fail(stopped()));
        return answer;
    }
    const quint64 id = ++m_last;
    m_open.emplace(id, answer);
    localbroker::Call call;
    call.request = asReceived(request);
    call.isThere = [self = m_self, id] { return *self && (*self)->m_open.contains(id); };
    call.answer = [self = m_self, id, request](const localbroker::HttpAnswer &got) {
        if (!*self)
            return;
        // From the clock, and not from inside the broker, which may be in the middle of its work.
        (*self)->m_clock.after(latency, [self, id, response = asAnswered(request, got)] {
            if (*self)
                (*self)->finish(id, response);
        });
    };
    m_api.handle(std::move(call));
    return answer;
}

void LoopbackClient::finish(quint64 id, http::Response response)
{
    const auto open = m_open.extract(id);
    if (!open.empty())
        open.mapped().resolve(std::move(response));
}

void LoopbackClient::cancelAll()
{
    m_cancelled = true;
    for (const auto &[id, answer] : std::exchange(m_open, {}))
        answer.resolve(core::fail(stopped()));
}

} // namespace sandbox
