#pragma once

#include "backend/core/result.h"
#include "backend/localbroker/queueengine.h"
#include "backend/localbroker/sas.h"

#include <QObject>

#include <memory>

namespace localbroker {

struct BrokerSettings
{
    QString address = QStringLiteral("127.0.0.1");
    quint16 port = 0; // any free one
    QString dataFile; // SQLite
    Keys keys; // none: everybody may call
    EngineLimits limits;
    QList<QueueSettings> queues; // made when missing
    core::Milliseconds sendPace{0}; // for demonstrations: what each message that is sent takes, one after the other
};

// The embedded broker: Service Bus REST over HTTP, durable in a file of its own. What it has accepted survives kill -9.
// Lives on one thread with an event loop; see BrokerThread for a thread of its own.
class LocalBroker final : public QObject
{
    Q_OBJECT

public:
    explicit LocalBroker(BrokerSettings settings, QObject *parent = nullptr);
    ~LocalBroker() override;

    // Opens the file and listens; the port. Once.
    [[nodiscard]] core::Result<quint16> start();

private:
    struct LocalBrokerParts;
    BrokerSettings m_settings;
    std::unique_ptr<LocalBrokerParts> m_parts;
};

} // namespace localbroker
