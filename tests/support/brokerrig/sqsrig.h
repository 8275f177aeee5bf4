#pragma once

#include "tests/support/brokerrig/brokerrig.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/sqs/sqstools.h"

#include <optional>

namespace support {

// SQS on fauxqs. Of ten in a row: two that the service moved into a dead-letter queue itself, one it moved into a FIFO one, six of
// frameworks in an error queue (NServiceBus wrapped and raw, Rebus, Wolverine, Symfony, Brighter), and one of SNS, which stays, or
// of an EventBridge rule with a queue as its target.
class SqsRig final : public BrokerRig
{
public:
    [[nodiscard]] bool isInstalled() const { return m_server.isInstalled(); }
    [[nodiscard]] bool start();
    [[nodiscard]] QString error() const { return m_server.error(); }

    [[nodiscard]] Console::Account account() const override;
    void publish(const QList<int> &numbers) override;
    [[nodiscard]] QList<Copy> drain() override;
    void failAgain(const QList<Copy> &copies) override;
    [[nodiscard]] bool goesBack(int number) const override;
    [[nodiscard]] int numberOf(const records::Envelope &stored) const override;
    [[nodiscard]] bool recognisesReturns() const override { return true; }
    void letTimePass() override;

private:
    void publish(QMap<QString, QList<QJsonObject>> messages);

    NodeServer m_server{fauxqs()};
    std::optional<SqsTools> m_tools;
};

} // namespace support
