#pragma once

#include "tests/support/brokerrig/brokerrig.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/storagequeue/storagequeuetools.h"

#include <optional>

namespace support {

// Storage Queues on azurite. Of ten in a row: seven in poison queues (JSON, plain or in base64, binary in base64, text with all
// sorts of characters, empty, 40 KB, an envelope of NServiceBus), one of Dapr in an error queue, one of nobody's dialect and one of
// a blob trigger, which stay.
class AzureQueueRig final : public BrokerRig
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
    [[nodiscard]] int countedAs(int number) const override;
    [[nodiscard]] int numberOf(const records::Envelope &stored) const override;
    [[nodiscard]] bool recognisesReturns() const override { return false; } // nothing of ours travels with a text
    void letTimePass() override { m_server.letTimePass(); }

private:
    NodeServer m_server{azurite()};
    std::optional<StorageQueueTools> m_tools;
};

} // namespace support
