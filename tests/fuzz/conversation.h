// A whole broker of ours in conversation with somebody who answers whatever the input says, to its end.
#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"
#include "tests/support/fakeclock.h"

#include <functional>
#include <memory>

namespace fuzz {

// The secret of every account in a conversation, and what is made of it: none may be in an error.
inline constexpr auto secretText = "c2VjcmV0LXNlY3JldC1zZWNyZXQtNDI0Mg==";

// Gives one answer after the other, then Cancelled for ever: what is asked must come to an end by that. Looks at every
// request: it goes to the account and nowhere else, and no answer can write headers into it.
class ScriptedHttp final : public http::HttpClient
{
public:
    // Each answer as fuzz::responseFrom reads it; one that begins with '!' and a digit is no answer but an error.
    ScriptedHttp(QByteArrayList answers, QUrl account);

    [[nodiscard]] core::Task<core::Result<http::Response>> send(http::Request request) override;
    void cancelAll() override { m_answers.clear(); }

    // Any answer so far said that something was done.
    [[nodiscard]] bool everSucceeded() const { return m_everSucceeded; }

private:
    void check(const http::Request &request) const;

    QByteArrayList m_answers;
    const QUrl m_account;
    bool m_everSucceeded = false;
};

using MakeBroker = std::function<std::unique_ptr<broker::Broker>(http::HttpClient &client, core::Clock &clock)>;

// Parts: what is asked, a letter a call (see the table in conversation.cpp), then the answers.
void converse(const QByteArrayList &parts, const QUrl &account, const MakeBroker &make);

} // namespace fuzz
