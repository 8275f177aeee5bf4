#pragma once

#include "backend/http/httpclient.h"

#include <QSslConfiguration>

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QNetworkAccessManager;

namespace http {

class Exchange;

struct ClientSettings
{
    // Qt 6.4 opens at most six connections to one host per manager. Further calls wait inside the manager.
    int managers = 4;
    QString caFile; // PEM file; its CAs are trusted instead of those of the system. Empty: those of the system
    // A call that is not idempotent avoids a connection that was unused for longer than this, if a manager without
    // calls under way is free. Many servers close an unused connection after 5 s (Node's keepAliveTimeout, Cowboy's
    // request_timeout), and a request that arrives at that moment gets no response.
    core::Milliseconds mostIdle{3000};
    std::optional<core::Milliseconds> longestCall{}; // shortens the time limit of every call
};

// HttpClient on QNetworkAccessManager with HTTP/1.1. A certificate error always ends the call. It is made, used and
// destroyed on one thread with an event loop.
class QnamHttpClient final : public HttpClient
{
public:
    explicit QnamHttpClient(const ClientSettings &settings = {});
    ~QnamHttpClient() override; // like cancelAll()

    [[nodiscard]] core::Task<core::Result<Response>> send(Request request) override;
    void cancelAll() override;

private:
    struct Lane // one manager and its use
    {
        std::unique_ptr<QNetworkAccessManager> manager;
        int inFlight = 0;
        // Qt does not tell which connection a call uses. All of them are in use when the number of calls under way
        // reaches its maximum again.
        int widest = 0;
        core::BootTime widestAt{}; // boot time, because the server's timeout goes on while this machine sleeps
    };
    using Answer = core::Pending<core::Result<Response>>;

    [[nodiscard]] Answer start(Request request);
    [[nodiscard]] size_t laneFor(const Request &request);
    [[nodiscard]] bool mayBeClosed(const Lane &lane) const;
    static void enter(Lane &lane);
    static void leave(Lane &lane);

    const core::Milliseconds m_mostIdle;
    const std::optional<core::Milliseconds> m_longestCall;
    QSslConfiguration m_tls;
    QString m_caProblem;
    std::vector<Lane> m_lanes;
    std::map<quint64, std::unique_ptr<Exchange>> m_exchanges;
    quint64 m_lastExchange = 0;
    bool m_cancelled = false;
};

} // namespace http
