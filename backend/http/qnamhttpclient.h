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
    // Six connections to one host per manager are fixed in Qt 6.4; further calls wait inside the manager.
    int managers = 4;
    QString caFile; // PEM; trusted in place of the system's authorities. Empty: the system's
    // What is not idempotent goes over no connection that was unused for longer, as long as a manager has no call under way:
    // many servers close one after 5 s (Node's keepAliveTimeout, Cowboy's request_timeout), and what arrives at that moment
    // leaves without an answer.
    core::Milliseconds mostIdle{3000};
    std::optional<core::Milliseconds> longestCall{}; // whatever time a call asks for
};

// HttpClient over QNetworkAccessManager, HTTP/1.1. The time limit counts from send() to the last byte of the answer.
// Certificate errors end the call, always. To be made, used and destroyed on one thread with an event loop.
class QnamHttpClient final : public HttpClient
{
public:
    explicit QnamHttpClient(const ClientSettings &settings = {});
    ~QnamHttpClient() override; // as cancelAll

    [[nodiscard]] core::Task<core::Result<Response>> send(Request request) override;
    void cancelAll() override;

private:
    struct Lane // with one host
    {
        std::unique_ptr<QNetworkAccessManager> manager;
        int inFlight = 0;
        // Which connection Qt takes cannot be told: all count as used when as many calls as ever were under way at once.
        int widest = 0;
        core::BootTime widestAt{}; // the server's patience goes on while this machine sleeps
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
