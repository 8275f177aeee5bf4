#pragma once

#include "backend/broker/sqs/account.h"
#include "backend/core/async.h"
#include "backend/core/clock.h"
#include "backend/http/httpclient.h"

#include <QJsonObject>

namespace broker::sqs {

// Calls on one account, always to the address of the connection: what a queue's own address names as host is never asked.
class Endpoint final
{
public:
    // Both outlive this object.
    Endpoint(http::HttpClient &client, core::Clock &clock, Account account);

    struct Call
    {
        QByteArray action; // "ListQueues"
        QJsonObject body;
        bool idempotent = true;
        core::Milliseconds timeout{30000};
        qint64 longestAnswer = http::smallAnswerBytes;
    };
    [[nodiscard]] core::Task<core::Result<http::Response>> call(Call call);
    // The answer of a call that succeeds with an object; `what` begins the sentence of an error. UnknownOutcome: of one that is not
    // idempotent and may have been carried out, whether or not it was answered.
    [[nodiscard]] core::Task<core::Result<QJsonObject>> ask(Call call, QString what);

    [[nodiscard]] QString name() const { return m_account.base.host(); }
    [[nodiscard]] core::TimePoint now() const { return m_clock.now(); }
    void cancelAll() { m_cancelled = true; }
    [[nodiscard]] bool isCancelled() const { return m_cancelled; }

private:
    http::HttpClient &m_client;
    core::Clock &m_clock;
    Account m_account;
    bool m_cancelled = false;
};

// Corrupt: no JSON object.
[[nodiscard]] core::Result<QJsonObject> objectFrom(const http::Response &response, const QString &host);

} // namespace broker::sqs
