#pragma once

#include "backend/broker/broker.h"
#include "backend/core/timers.h"
#include "backend/sandbox/scenario.h"

#include <QHash>

#include <atomic>
#include <memory>
#include <vector>

namespace sandbox {

// The consumers of the demo shop, one per work queue. Each receives messages, processes them as the scenario decides,
// and sends a message that fails again to the error queue. Used on one thread; MakeBroker is called once per consumer.
// `processed` counts the messages that succeeded or failed again, and may be read on any thread.
class Shop final
{
public:
    using MakeBroker = std::function<std::shared_ptr<broker::Broker>()>;

    Shop(const Scenario &scenario, core::Clock &clock, const MakeBroker &make,
         std::shared_ptr<std::atomic<qint64>> processed);
    ~Shop();

    void start();
    // Stops the consumers and calls `done` from the event loop when all of them have ended.
    void stop(std::function<void()> done);

private:
    [[nodiscard]] core::Task<> consume(QString queue, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<bool> work(QString queue, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<bool> handOn(std::shared_ptr<broker::Broker> broker, QList<broker::Outgoing> failures);
    void leave();

    const Scenario &m_scenario;
    core::Clock &m_clock;
    core::Timers m_timers;
    std::vector<std::shared_ptr<broker::Broker>> m_brokers;
    int m_running = 0;
    std::function<void()> m_done;
    std::shared_ptr<std::atomic<qint64>> m_processed;
};

} // namespace sandbox
