#pragma once

#include "backend/http/httpclient.h"

#include <QSslConfiguration>

#include <map>
#include <memory>
#include <vector>

class QNetworkAccessManager;

namespace http {

class Exchange;

struct ClientSettings
{
    // Six connections to one host per manager are fixed in Qt 6.4; further calls wait inside the manager.
    int managers = 4;
    QString caFile; // PEM; trusted in place of the system's authorities. Empty: the system's
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
    struct Lane
    {
        std::unique_ptr<QNetworkAccessManager> manager;
        int inFlight = 0;
    };
    using Answer = core::Pending<core::Result<Response>>;

    [[nodiscard]] Answer start(Request request);
    [[nodiscard]] size_t leastLoaded() const;

    QSslConfiguration m_tls;
    QString m_caProblem;
    std::vector<Lane> m_lanes;
    std::map<quint64, std::unique_ptr<Exchange>> m_exchanges;
    quint64 m_lastExchange = 0;
    bool m_cancelled = false;
};

} // namespace http
