#pragma once

#include "tests/support/brokerrig/brokerrig.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"

namespace support {

// The RabbitMQ of Debian with FailedOrders in it; what is for the queue that does not exist stays.
class RabbitRig final : public BrokerRig
{
public:
    [[nodiscard]] static QString missing() { return RabbitServer::missing(); }
    [[nodiscard]] static bool isInstalled() { return missing().isEmpty(); }
    [[nodiscard]] bool start();
    [[nodiscard]] QString error() const { return m_server.error(); }

    // From the next account() on: one without the rights to hold messages, which takes in small steps.
    void takeInSteps(bool steps) { m_steps = steps; }
    [[nodiscard]] Console::Account account() const override;
    void publish(const QList<int> &numbers) override;
    [[nodiscard]] QList<Copy> drain() override;
    void failAgain(const QList<Copy> &copies) override;
    [[nodiscard]] bool goesBack(int number) const override;
    [[nodiscard]] int numberOf(const records::Envelope &stored) const override;
    [[nodiscard]] bool recognisesReturns() const override { return true; }
    [[nodiscard]] bool doublesNothing() const override { return true; } // a staging queue
    void letTimePass() override {} // what is held lies in a queue of ours

private:
    RabbitServer m_server;
    std::unique_ptr<RabbitAdmin> m_admin;
    bool m_steps = false;
};

} // namespace support
