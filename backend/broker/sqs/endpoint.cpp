#include "backend/broker/sqs/endpoint.h"

#include "backend/broker/sqs/errormapping.h"
#include "backend/broker/sqs/sigv4.h"
#include "backend/broker/sqs/text.h"
#include "backend/broker/statuserror.h"
#include "backend/core/text/losslessjson.h"
#include "backend/core/time/httpdate.h"

#include <QDateTime>
#include <QJsonDocument>

namespace broker::sqs {

using core::ErrorKind;

namespace {

QByteArray amzDate(core::TimePoint now)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(now), Qt::UTC)
        .toString(QStringLiteral("yyyyMMdd'T'HHmmss'Z'"))
        .toLatin1();
}

} // namespace

Endpoint::Endpoint(http::HttpClient &client, core::Clock &clock, Account account)
    : m_client(client)
    , m_clock(clock)
    , m_account(std::move(account))
{
}

core::Task<core::Result<http::Response>> Endpoint::call(Call call)
{
    if (m_cancelled)
        co_return core::fail(ErrorKind::Cancelled, Text::tr("The request was cancelled before it was sent."));
    if (!m_account.unusable.isEmpty())
        co_return core::fail(ErrorKind::Unauthorized, m_account.unusable);
    if (m_account.ends && *m_account.ends <= m_clock.now()) {
        co_return core::fail(
            ErrorKind::Unauthorized,
            Text::tr("The temporary credentials expired on %1. Create new ones and save the connection.")
                .arg(QString::fromLatin1(core::toHttpDate(*m_account.ends))));
    }
    http::Request request;
    request.verb = "POST";
    request.url = m_account.base;
    request.headers = {{"Content-Type", "application/x-amz-json-1.0"},
                       {"X-Amz-Date", amzDate(m_clock.now())},
                       {"X-Amz-Target", "AmazonSQS." + call.action}};
    if (!m_account.sessionToken.isEmpty())
        request.headers.append(http::HeaderField{"X-Amz-Security-Token", m_account.sessionToken});
    request.body = QJsonDocument(call.body).toJson(QJsonDocument::Compact);
    request.idempotent = call.idempotent;
    request.timeout = call.timeout;
    request.silence = call.silence;
    request.maxResponseBytes = call.longestAnswer;
    if (!m_account.secret.isEmpty()) {
        const SigningKey key{m_account.keyId, m_account.secret, m_account.region};
        request.headers.append(http::HeaderField{"Authorization", authorization(request, key)});
    }
    core::Result<http::Response> result = co_await m_client.send(std::move(request));
    co_return result;
}

core::Task<core::Result<QJsonObject>> Endpoint::ask(Call call, QString what)
{
    const bool onlyOnce = !call.idempotent;
    CO_TRY(const http::Response answer, co_await this->call(std::move(call)));
    if (answer.status != 200) {
        core::Error error = errorOf(answer, what, now());
        if (onlyOnce && verdictOf(answer) == Verdict::Unknown)
            error.kind = ErrorKind::UnknownOutcome;
        co_return core::fail(std::move(error));
    }
    const core::Result<QJsonObject> object = readFrom(answer, objectFrom(answer, name()));
    co_return object;
}

core::Result<QJsonObject> objectFrom(const http::Response &response, const QString &host)
{
    const QJsonDocument document = core::jsonFrom(response.body);
    if (!document.isObject()) {
        return core::fail(
            ErrorKind::Corrupt,
            Text::tr("The answer of %1 is not an SQS answer. Check the address of the connection.").arg(host));
    }
    return document.object();
}

} // namespace broker::sqs
