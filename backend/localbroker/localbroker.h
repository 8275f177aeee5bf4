#pragma once

#include "backend/core/result.h"
#include "backend/localbroker/http/sas.h"
#include "backend/localbroker/queueengine.h"

#include <QObject>

#include <memory>

namespace localbroker {

struct BrokerSettings
{
    QString address = QStringLiteral("127.0.0.1");
    quint16 port = 0; // any free one
    QString dataFile; // SQLite
    Keys keys; // empty: no key is needed
    EngineLimits limits;
    QList<QueueSettings> queues; // created if they are missing
    core::Milliseconds sendPace{0}; // for the demo: how long each sent message takes, one after the other
};

// The embedded broker: Service Bus REST over HTTP, stored in a file of its own. A message that it has accepted survives
// kill -9. It lives on one thread with an event loop; BrokerThread gives it one of its own.
class LocalBroker final : public QObject
{
    Q_OBJECT

public:
    explicit LocalBroker(BrokerSettings settings, QObject *parent = nullptr);
    ~LocalBroker() override;

    // Opens the file, listens and returns the port. To be called once. Transient if it cannot listen; for errors of the
    // file see Journal::open().
    [[nodiscard]] core::Result<quint16> start();

private:
    struct LocalBrokerParts;
    BrokerSettings m_settings;
    std::unique_ptr<LocalBrokerParts> m_parts;
};

} // namespace localbroker
