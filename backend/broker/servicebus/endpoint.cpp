#include "backend/broker/servicebus/endpoint.h"

#include "backend/broker/servicebus/sastoken.h"

namespace broker {

using namespace std::chrono_literals;

namespace {

constexpr core::Milliseconds tokenLife = 1h;
constexpr core::Milliseconds tokenReserve = 20min;

} // namespace

Endpoint::Endpoint(http::HttpClient &client, core::Clock &clock, ServiceBusAccount account)
    : m_client(client)
    , m_clock(clock)
    , m_account(std::move(account))
{
}

core::Task<core::Result<http::Response>> Endpoint::call(Call call)
{
    http::Request request;
    request.verb = std::move(call.verb);
    QByteArray root =
        m_account.base.adjusted(QUrl::RemovePath | QUrl::RemoveQuery | QUrl::RemoveFragment | QUrl::RemoveUserInfo)
            .toEncoded();
    while (root.endsWith('/'))
        root.chop(1);
    request.url = QUrl::fromEncoded(root + call.path, QUrl::StrictMode);
    request.headers = std::move(call.headers);
    if (!m_account.key.isEmpty())
        request.headers.append({"Authorization", authorization()});
    request.body = std::move(call.body);
    request.idempotent = call.idempotent;
    request.timeout = call.timeout;
    request.silence = call.silence;
    request.maxResponseBytes = call.longestAnswer;
    core::Result<http::Response> result = co_await m_client.send(std::move(request));
    co_return result;
}

QByteArray Endpoint::queuePath(const QString &queue, const QByteArray &tail)
{
    return '/' + QUrl::toPercentEncoding(queue, "/$") + tail;
}

QByteArray Endpoint::authorization()
{
    if (m_token.isEmpty() || m_clock.now() >= m_tokenUntil - tokenReserve) {
        m_tokenUntil = m_clock.now() + tokenLife;
        const QString uri =
            m_account.base.adjusted(QUrl::RemoveUserInfo | QUrl::RemoveQuery).toString(QUrl::FullyEncoded);
        m_token = sasToken(uri, m_account.keyName, m_account.key, core::toMs(m_tokenUntil) / 1000);
    }
    return m_token;
}

} // namespace broker
