#include "backend/broker/azurequeue/endpoint.h"

#include "backend/broker/azurequeue/sharedkey.h"
#include "backend/broker/azurequeue/text.h"
#include "backend/core/time/httpdate.h"

#include <QUuid>

namespace broker::azurequeue {

namespace {

constexpr auto serviceVersion = "2024-11-04";
constexpr auto callId = "x-ms-client-request-id";

// The service repeats the id of the request, so an answer with another id belongs to another request. A proxy may drop
// the id.
bool isOfAnother(const http::Response &answer, const QByteArray &id)
{
    const QByteArray answered = answer.header(callId).trimmed();
    return !answered.isEmpty() && answered.compare(id, Qt::CaseInsensitive) != 0;
}

} // namespace

Endpoint::Endpoint(http::HttpClient &client, core::Clock &clock, Account account)
    : m_client(client)
    , m_clock(clock)
    , m_account(std::move(account))
    , m_rights(rightsOf(m_account.sas))
{
}

core::Task<core::Result<http::Response>> Endpoint::call(Call call)
{
    if (!m_account.unusable.isEmpty())
        co_return core::fail(core::ErrorKind::Unauthorized, m_account.unusable);
    if (m_rights.ends && *m_rights.ends <= m_clock.now()) {
        co_return core::fail(core::ErrorKind::Unauthorized,
                             Text::tr("The SAS token for %1 expired on %2. Create a new one and save the connection.")
                                 .arg(accountName(), QString::fromLatin1(core::toHttpDate(*m_rights.ends))));
    }
    QByteArray address = m_account.base.toEncoded() + call.path;
    if (!call.query.isEmpty())
        address += '?' + call.query;
    if (!m_account.sas.isEmpty())
        address += (call.query.isEmpty() ? '?' : '&') + m_account.sas;
    http::Request request;
    request.verb = std::move(call.verb);
    request.url = QUrl::fromEncoded(address, QUrl::StrictMode);
    const QByteArray id = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    request.headers = {{"x-ms-version", serviceVersion}, {"x-ms-date", core::toHttpDate(m_clock.now())}, {callId, id}};
    if (request.verb == "PUT" || request.verb == "POST") // otherwise the client adds a type that was not signed
        request.headers.append(http::HeaderField{"Content-Type", "application/xml"});
    request.body = std::move(call.body);
    request.idempotent = call.idempotent;
    request.timeout = call.timeout;
    request.silence = call.silence;
    request.maxResponseBytes = call.longestAnswer;
    if (!m_account.key.isEmpty())
        request.headers.append(
            {"Authorization", sharedKey(m_account.name, m_account.key, stringToSign(request, m_account.name))});
    core::Result<http::Response> result = co_await m_client.send(std::move(request));
    if (result && isOfAnother(*result, id)) {
        co_return core::fail(call.idempotent ? core::ErrorKind::Transient : core::ErrorKind::UnknownOutcome,
                             Text::tr("%1 answered another request instead of this one.").arg(accountName()));
    }
    co_return result;
}

QByteArray Endpoint::messagesPath(const QString &queue, const QString &id)
{
    const QByteArray path = QUrl::toPercentEncoding(queue) + "/messages";
    return id.isEmpty() ? path : path + '/' + QUrl::toPercentEncoding(id);
}

} // namespace broker::azurequeue
