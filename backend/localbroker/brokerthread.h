#pragma once

#include "backend/localbroker/localbroker.h"

#include <QThread>

namespace localbroker {

// A LocalBroker on a thread of its own. start() and stop() block until the broker has started or stopped. The errors of
// start() are those of LocalBroker.
class BrokerThread final
{
public:
    BrokerThread();
    ~BrokerThread(); // stops
    BrokerThread(const BrokerThread &) = delete;
    BrokerThread &operator=(const BrokerThread &) = delete;

    [[nodiscard]] core::Result<quint16> start(const BrokerSettings &settings);
    void stop();

private:
    QThread m_thread;
    LocalBroker *m_broker = nullptr; // lives and dies on m_thread
};

} // namespace localbroker
