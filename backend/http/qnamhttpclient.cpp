#include "backend/http/qnamhttpclient.h"

#include "backend/core/time/systemclock.h"
#include "backend/http/exchange.h"
#include "backend/http/text.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QSslCertificate>

#include <algorithm>

namespace http {

using core::ErrorKind;

namespace {

constexpr int connectionsToOneHost = 6; // of one manager, fixed in Qt 6.4

// Means "no proxy" too. If a manager is told NoProxy, Qt 6.4.2 opens plain sockets without a buffer and reads the
// headers of each response with one system call per byte. With DefaultProxy the socket uses the proxy of the
// application, which has none.
class Direct final : public QNetworkProxyFactory
{
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery & /*query*/) override
    {
        QNetworkProxy none(QNetworkProxy::DefaultProxy);
        none.setCapabilities(QNetworkProxy::TunnelingCapability); // host names are looked up on this machine
        return {none};
    }
};

core::Error cancelled()
{
    return core::Error{ErrorKind::Cancelled, Text::tr("Stopped."), {}, {}};
}

} // namespace

QnamHttpClient::QnamHttpClient(const ClientSettings &settings)
    : m_mostIdle(settings.mostIdle)
    , m_longestCall(settings.longestCall)
    , m_tls(QSslConfiguration::defaultConfiguration())
{
    m_tls.setAllowedNextProtocols({QSslConfiguration::NextProtocolHttp1_1});
    if (!settings.caFile.isEmpty()) {
        const QList<QSslCertificate> authorities = QSslCertificate::fromPath(settings.caFile);
        if (authorities.isEmpty())
            m_caProblem = Text::tr("The CA file %1 contains no readable certificate. Choose a PEM file with the "
                                   "certificate of the CA.")
                              .arg(settings.caFile);
        m_tls.setCaCertificates(authorities);
    }
    for (int i = 0; i < std::max(1, settings.managers); ++i) {
        Lane lane;
        lane.manager = std::make_unique<QNetworkAccessManager>();
        lane.manager->setProxyFactory(new Direct); // the manager deletes it
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
        answer.resolve(core::fail(ErrorKind::Rejected, Text::tr("The address is not an http or https URL.")));
        return answer;
    }
    if (!m_caProblem.isEmpty() && scheme == QLatin1String("https")) {
        answer.resolve(core::fail(ErrorKind::Transient, m_caProblem));
        return answer;
    }
    request.timeout = std::min(request.timeout, m_longestCall.value_or(request.timeout));
    const size_t lane = laneFor(request);
    const quint64 id = ++m_lastExchange;
    auto exchange = std::make_unique<Exchange>(std::move(request), [this, id, lane, answer](auto result) {
        leave(m_lanes[lane]);
        const auto node = m_exchanges.extract(id);
        answer.resolve(std::move(result)); // may destroy this client, so it comes last
    });
    enter(m_lanes[lane]);
    Exchange &started = *exchange;
    m_exchanges.emplace(id, std::move(exchange));
    started.start(*m_lanes[lane].manager, m_tls);
    return answer;
}

// The manager with the fewest calls. A manager with calls under way cannot drop its old connections, so a call that is
// not idempotent uses another one, as long as that has a free connection.
size_t QnamHttpClient::laneFor(const Request &request)
{
    const auto cost = [&](const Lane &lane) {
        const bool isRisky = !request.idempotent && lane.inFlight > 0 && mayBeClosed(lane);
        return isRisky ? std::max(connectionsToOneHost, lane.inFlight) : lane.inFlight;
    };
    const auto least = std::min_element(m_lanes.begin(), m_lanes.end(),
                                        [&](const Lane &a, const Lane &b) { return cost(a) < cost(b); });
    if (!request.idempotent && least->inFlight == 0 && mayBeClosed(*least)) {
        least->manager->clearConnectionCache();
        least->widest = 0;
    }
    return size_t(least - m_lanes.begin());
}

bool QnamHttpClient::mayBeClosed(const Lane &lane) const
{
    return lane.widest > 0 && core::bootTime() - lane.widestAt > m_mostIdle;
}

void QnamHttpClient::enter(Lane &lane)
{
    ++lane.inFlight;
    lane.widest = std::max(lane.widest, lane.inFlight);
    if (lane.inFlight == lane.widest)
        lane.widestAt = core::bootTime();
}

void QnamHttpClient::leave(Lane &lane)
{
    if (lane.inFlight == lane.widest)
        lane.widestAt = core::bootTime();
    --lane.inFlight;
}

void QnamHttpClient::cancelAll()
{
    m_cancelled = true;
    while (!m_exchanges.empty())
        m_exchanges.begin()->second->stop(cancelled());
}

} // namespace http
