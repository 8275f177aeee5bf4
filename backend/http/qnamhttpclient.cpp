#include "backend/http/qnamhttpclient.h"

#include "backend/http/exchange.h"

#include <QCoreApplication>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QSslCertificate>

#include <algorithm>

namespace http {

using core::ErrorKind;

namespace {

core::Error cancelled()
{
    return core::Error{ErrorKind::Cancelled, QCoreApplication::translate("http", "Stopped."), {}, {}};
}

} // namespace

QnamHttpClient::QnamHttpClient(const ClientSettings &settings)
    : m_tls(QSslConfiguration::defaultConfiguration())
{
    m_tls.setAllowedNextProtocols({QSslConfiguration::NextProtocolHttp1_1});
    if (!settings.caFile.isEmpty()) {
        const QList<QSslCertificate> authorities = QSslCertificate::fromPath(settings.caFile);
        if (authorities.isEmpty())
            m_caProblem = QCoreApplication::translate("http", "The CA file %1 holds no readable certificate.")
                              .arg(settings.caFile);
        m_tls.setCaCertificates(authorities);
    }
    for (int i = 0; i < std::max(1, settings.managers); ++i) {
        Lane lane;
        lane.manager = std::make_unique<QNetworkAccessManager>();
        lane.manager->setProxy(QNetworkProxy::NoProxy);
        m_lanes.push_back(std::move(lane));
    }
}

QnamHttpClient::~QnamHttpClient()
{
    cancelAll();
}

core::Task<core::Result<Response>> QnamHttpClient::send(Request request)
{
    const Answer answer = start(std::move(request));
    core::Result<Response> result = co_await answer;
    co_return result;
}

QnamHttpClient::Answer QnamHttpClient::start(Request request)
{
    Answer answer;
    if (m_cancelled) {
        answer.resolve(core::fail(cancelled()));
        return answer;
    }
    const QString scheme = request.url.scheme();
    if (request.url.host().isEmpty() || (scheme != QLatin1String("http") && scheme != QLatin1String("https"))) {
        answer.resolve(core::fail(ErrorKind::Rejected,
                                  QCoreApplication::translate("http", "The address is not an http or https URL.")));
        return answer;
    }
    if (!m_caProblem.isEmpty() && scheme == QLatin1String("https")) {
        answer.resolve(core::fail(ErrorKind::Transient, m_caProblem));
        return answer;
    }
    const size_t lane = leastLoaded();
    const quint64 id = ++m_lastExchange;
    auto exchange = std::make_unique<Exchange>(std::move(request), [this, id, lane, answer](auto result) {
        --m_lanes[lane].inFlight;
        const auto node = m_exchanges.extract(id);
        answer.resolve(std::move(result)); // may destroy this client: nothing of it is touched afterwards
    });
    ++m_lanes[lane].inFlight;
    Exchange &started = *exchange;
    m_exchanges.emplace(id, std::move(exchange));
    started.start(*m_lanes[lane].manager, m_tls);
    return answer;
}

size_t QnamHttpClient::leastLoaded() const
{
    const auto least = std::min_element(m_lanes.cbegin(), m_lanes.cend(),
                                        [](const Lane &a, const Lane &b) { return a.inFlight < b.inFlight; });
    return size_t(least - m_lanes.cbegin());
}

void QnamHttpClient::cancelAll()
{
    m_cancelled = true;
    while (!m_exchanges.empty())
        m_exchanges.begin()->second->stop(cancelled());
}

} // namespace http
