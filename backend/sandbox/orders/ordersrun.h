#pragma once

#include "backend/sandbox/orders/ordersscript.h"
#include "backend/sandbox/queueconsumer.h"

namespace sandbox {

// One run of "orders": a sender, and an endpoint for each service. Counts of its report beside the common ones:
// `bad_json`, the messages whose body cannot be read; `events_received`, of those that handlers publish. Contract of scenariorun.h.
class OrdersRun final : public ScenarioRun
{
public:
    OrdersRun(OrdersSettings settings, ScenarioContext context);

    [[nodiscard]] core::Result<> start() override;
    [[nodiscard]] bool isOver() const override
    {
        return m_ledger.isComplete() && m_eventsReceived >= m_ledger.sentByHandlers();
    }
    [[nodiscard]] core::Task<core::Result<QJsonObject>> report() override;
    void stop(std::function<void()> done) override;

private:
    [[nodiscard]] std::shared_ptr<broker::Broker> newBroker();
    [[nodiscard]] core::Task<> begin();
    [[nodiscard]] core::Task<> sendAll(std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<std::optional<HandlerFailure>> handle(size_t endpoint, Incoming incoming) const;
    [[nodiscard]] size_t endpointOf(int number) const;
    [[nodiscard]] broker::Outgoing message(int number) const;
    [[nodiscard]] broker::Outgoing event(const OrdersEndpoint &endpoint, const Incoming &incoming) const;
    void addInstances(size_t endpoint);
    [[nodiscard]] core::Milliseconds sinceStart() const { return m_context.clock.now() - m_started; }
    [[nodiscard]] int planned() const { return m_context.messages.value_or(m_settings.messages); }

    const OrdersSettings m_settings;
    const ScenarioContext m_context;
    Ledger m_ledger;
    WorkerGroup m_group;
    std::vector<FaultScript> m_faults; // by endpoint
    std::vector<std::unique_ptr<Endpoint>> m_endpoints; // each instance of each endpoint
    std::unique_ptr<QueueConsumer> m_subscriber; // of the events; null: nobody publishes any
    ErrorQueueReturn m_return;
    std::vector<std::shared_ptr<broker::Broker>> m_brokers;
    core::TimePoint m_started;
    int m_eventsReceived = 0;
};

} // namespace sandbox
