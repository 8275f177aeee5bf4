#pragma once

#include "backend/sandbox/scenariorun.h"
#include "backend/sandbox/shop/scenario.h"
#include "backend/sandbox/workergroup.h"

#include <QHash>

#include <atomic>
#include <memory>
#include <vector>

namespace sandbox {

// The consumers of the demo shop, one per work queue. Each receives messages, processes them as the scenario decides,
// and sends a message that fails again to the error queue. `processed` counts the messages that succeeded or failed
// again, and may be read on any thread. The scenario outlives it. Contract of scenariorun.h.
class Shop final : public ScenarioRun
{
public:
    Shop(const Scenario &scenario, ScenarioContext context, std::shared_ptr<std::atomic<qint64>> processed);

    [[nodiscard]] core::Result<> start() override;
    [[nodiscard]] bool isOver() const override { return false; } // it waits for messages that somebody retries
    [[nodiscard]] core::Task<core::Result<QJsonObject>> report() override;
    void stop(std::function<void()> done) override;

private:
    [[nodiscard]] core::Task<> consume(QString queue, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<bool> work(QString queue, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<bool> handOn(std::shared_ptr<broker::Broker> broker, QList<broker::Outgoing> failures);

    const Scenario &m_scenario;
    const ScenarioContext m_context;
    WorkerGroup m_group;
    std::vector<std::shared_ptr<broker::Broker>> m_brokers;
    std::shared_ptr<std::atomic<qint64>> m_processed;
};

} // namespace sandbox
