#pragma once

#include "backend/broker/broker.h"
#include "backend/core/timers.h"
#include "backend/sandbox/scenario.h"

#include <QHash>

#include <atomic>
#include <memory>
#include <vector>

namespace sandbox {

// The consumers of the demo shop: one per work queue. Each takes what arrives, processes it as the scenario decides, and
// moves what fails again to the error queue. One thread; the brokers are made for it. `processed` counts the messages that
// were finished with, one way or the other, for any thread.
class Shop final
{
public:
    using MakeBroker = std::function<std::shared_ptr<broker::Broker>()>;

    Shop(const Scenario &scenario, core::Clock &clock, const MakeBroker &make,
         std::shared_ptr<std::atomic<qint64>> processed);
    ~Shop();

    void start();
    // Ends the consumers; `done` is called from the event loop when none of them runs.
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
