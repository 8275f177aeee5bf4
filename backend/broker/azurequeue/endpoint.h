#pragma once

#include "backend/broker/azurequeue/account.h"
#include "backend/broker/azurequeue/rights.h"
#include "backend/core/async.h"
#include "backend/core/time/clock.h"
#include "backend/http/httpclient.h"

namespace broker::azurequeue {

// Sends calls to one account: builds the addresses, signs the requests or adds the SAS token.
class Endpoint final
{
public:
    // Both outlive this object.
    Endpoint(http::HttpClient &client, core::Clock &clock, Account account);

    struct Call
    {
        QByteArray verb = "GET";
        QByteArray path; // percent-encoded, below the account: "orders/messages"
        QByteArray query; // percent-encoded, without '?'
        QByteArray body;
        bool idempotent = true; // false: sent at most once
        core::Milliseconds timeout{30000};
        core::Milliseconds silence{0}; // the call also ends when nothing arrives for so long; 0: it does not
        qint64 longestAnswer = http::smallAnswerBytes;
    };
    // Unauthorized, and nothing is sent: the secret is invalid or expired. Other errors are those of http::HttpClient.
    [[nodiscard]] core::Task<core::Result<http::Response>> call(Call call);

    // "orders/messages", "orders/messages/ID".
    [[nodiscard]] static QByteArray messagesPath(const QString &queue, const QString &id = {});
    [[nodiscard]] QString accountName() const { return QString::fromUtf8(m_account.name); }
    [[nodiscard]] core::TimePoint now() const { return m_clock.now(); }
    [[nodiscard]] const Rights &rights() const { return m_rights; }

private:
    http::HttpClient &m_client;
    core::Clock &m_clock;
    Account m_account;
    Rights m_rights;
};

} // namespace broker::azurequeue
