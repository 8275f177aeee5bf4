#pragma once

#include "backend/broker/servicebus/account.h"
#include "backend/core/async.h"
#include "backend/core/time/clock.h"
#include "backend/http/httpclient.h"

namespace broker {

// Sends calls to one account: builds the addresses and signs the requests. Errors are those of http::HttpClient; an
// answer of any status is no error.
class Endpoint final
{
public:
    // Both outlive this object.
    Endpoint(http::HttpClient &client, core::Clock &clock, ServiceBusAccount account);

    struct Call
    {
        QByteArray verb = "GET";
        QByteArray path; // percent-encoded, from the root of the host, with its query
        QList<http::HeaderField> headers;
        QByteArray body;
        bool idempotent = true; // false: sent at most once
        core::Milliseconds timeout{30000};
        core::Milliseconds silence{0}; // the call also ends when nothing arrives for so long; 0: it does not
        qint64 longestAnswer = http::smallAnswerBytes;
    };
    [[nodiscard]] core::Task<core::Result<http::Response>> call(Call call);

    // "/team/orders/$DeadLetterQueue" + tail.
    [[nodiscard]] static QByteArray queuePath(const QString &queue, const QByteArray &tail = {});
    [[nodiscard]] QString host() const { return m_account.base.host(); }
    [[nodiscard]] core::TimePoint now() const { return m_clock.now(); }

private:
    [[nodiscard]] QByteArray authorization();

    http::HttpClient &m_client;
    core::Clock &m_clock;
    ServiceBusAccount m_account;
    QByteArray m_token;
    core::TimePoint m_tokenUntil{};
};

} // namespace broker
