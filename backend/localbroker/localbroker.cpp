#include "backend/localbroker/localbroker.h"

#include "backend/core/time/systemclock.h"
#include "backend/localbroker/http/restapi.h"
#include "backend/localbroker/http/server.h"
#include "backend/localbroker/text.h"

#include <QHostAddress>

namespace localbroker {

namespace {

// Enough for a message in Base64 with its headers. The server cuts off a longer request.
qint64 largestRequest(const EngineLimits &limits)
{
    return 2 * limits.messageBytes + limits.batchBytes + limits.headerBytes + 65536;
}

} // namespace

struct LocalBroker::LocalBrokerParts
{
    explicit LocalBrokerParts(const BrokerSettings &settings)
        : engine(clock, random, settings.limits)
        , server(
              [this](HttpRequest request, std::function<bool()> isThere, Server::Reply reply) {
                  api->handle({std::move(request), std::move(isThere), std::move(reply)});
              },
              largestRequest(settings.limits))
    {
    }

    core::SystemClock clock;
    core::SystemRandom random;
    QueueEngine engine;
    Journal journal;
    std::unique_ptr<RestApi> api;
    Server server; // destroyed first, because its connections point to the other parts
};

LocalBroker::LocalBroker(BrokerSettings settings, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
{
}

LocalBroker::~LocalBroker()
{
    if (m_parts && m_parts->api)
        m_parts->api->flush();
}

core::Result<quint16> LocalBroker::start()
{
    m_parts = std::make_unique<LocalBrokerParts>(m_settings);
    LocalBrokerParts &parts = *m_parts;
    TRY(parts.journal.open(m_settings.dataFile));
    TRY(parts.journal.load(parts.engine));
    for (const QueueSettings &queue : m_settings.queues) {
        if (!parts.engine.queue(queue.name)) {
            const Outcome<> created = parts.engine.createQueue(queue);
            if (!created)
                return core::fail(core::ErrorKind::Rejected, created.error().text);
        }
    }
    parts.api = std::make_unique<RestApi>(parts.clock, parts.engine, parts.journal, m_settings.keys);
    parts.api->setSendPace(m_settings.sendPace);
    parts.api->flush();
    const quint16 port = parts.server.start(QHostAddress(m_settings.address), m_settings.port);
    if (port == 0) {
        return core::fail(core::ErrorKind::Transient,
                          Text::tr("The broker cannot listen on %1:%2. Check whether another program uses this port.")
                              .arg(m_settings.address, QString::number(m_settings.port)));
    }
    return port;
}

} // namespace localbroker

#include "moc_localbroker.cpp"
