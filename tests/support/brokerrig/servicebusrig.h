#pragma once

#include "backend/broker/broker.h"
#include "backend/localbroker/brokerthread.h"
#include "tests/support/brokerrig/brokerrig.h"

#include <QTemporaryDir>

namespace support {

// Queues of the Service Bus protocol on an embedded broker. Of ten in a row: three of NServiceBus (one with an empty body, one with a
// binary one), two each of MassTransit, Rebus and Brighter, and one of nobody's dialect, which stays.
class ServiceBusRig final : public BrokerRig
{
public:
    [[nodiscard]] bool start();

    [[nodiscard]] Console::Account account() const override;
    void publish(const QList<int> &numbers) override;
    [[nodiscard]] QList<Copy> drain() override;
    void failAgain(const QList<Copy> &copies) override;
    [[nodiscard]] bool goesBack(int number) const override;
    [[nodiscard]] int numberOf(const records::Envelope &stored) const override;
    [[nodiscard]] bool recognisesReturns() const override { return true; }
    void letTimePass() override {} // its locks are short

private:
    void send(const QList<broker::Outgoing> &messages);

    QTemporaryDir m_folder;
    localbroker::BrokerThread m_broker;
    quint16 m_port = 0;
};

} // namespace support
