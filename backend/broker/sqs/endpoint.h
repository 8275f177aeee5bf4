#pragma once

#include "backend/broker/sqs/account.h"
#include "backend/core/async.h"
#include "backend/core/time/clock.h"
#include "backend/http/httpclient.h"

#include <QJsonObject>

namespace broker::sqs {

// Sends calls of one account, always to the address of the connection: the host in a queue's own address is never
// contacted.
class Endpoint final
{
public:
    // Both outlive this object.
    Endpoint(http::HttpClient &client, core::Clock &clock, Account account);

    struct Call
    {
        QByteArray action; // "ListQueues"
        QJsonObject body;
        bool idempotent = true; // false: sent at most once
        core::Milliseconds timeout{30000};
        core::Milliseconds silence{0}; // the call also ends when nothing arrives for so long; 0: it does not
        qint64 longestAnswer = http::smallAnswerBytes;
    };
    // Unauthorized, and nothing is sent: the secret is invalid or expired. Other errors are those of http::HttpClient.
    [[nodiscard]] core::Task<core::Result<http::Response>> call(Call call);
    // Sends a call and returns the JSON object of its answer; `what` starts the message of an error. UnknownOutcome: a
    // call that is not idempotent may have been carried out, with or without an answer.
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

// The JSON object of an answer. Corrupt: it is none.
[[nodiscard]] core::Result<QJsonObject> objectFrom(const http::Response &response, const QString &host);

} // namespace broker::sqs
