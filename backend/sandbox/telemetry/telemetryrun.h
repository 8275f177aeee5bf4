#pragma once

#include "backend/broker/messagesettler.h"
#include "backend/sandbox/telemetry/telemetryscript.h"
#include "backend/sandbox/workergroup.h"

#include <QMap>

#include <vector>

namespace sandbox {

// One run of "telemetry": vehicles that send, and consumers that settle in the four ways of Azure Service Bus. A
// consumer that prefetches more than it can process within the lock time works on messages that others have got
// meanwhile: it then finds the lock lost, and the message was processed twice. Counts of its report beside the common
// ones: `locks_lost` with `locks_lost_by` consumer, `processed_twice`, `completed`, `abandoned`, `dead_lettered`,
// `deferred`, `dead_letters` by reason. Contract of scenariorun.h.
class TelemetryRun final : public ScenarioRun
{
public:
    TelemetryRun(TelemetrySettings settings, ScenarioContext context);

    [[nodiscard]] core::Result<> start() override;
    [[nodiscard]] bool isOver() const override { return m_isOver; }
    [[nodiscard]] core::Task<core::Result<QJsonObject>> report() override;
    void stop(std::function<void()> done) override;

private:
    struct Client
    {
        std::shared_ptr<broker::Broker> broker;
        broker::MessageSettler *settler = nullptr; // part of the broker
    };
    struct Buffered // a message in the memory of a consumer
    {
        broker::TakeRequest request;
        broker::ReceivedPage page; // of this one message
        core::TimePoint takenAt;
    };

    [[nodiscard]] core::Task<> begin();
    [[nodiscard]] core::Task<> sendAll(Client client);
    [[nodiscard]] broker::Outgoing reading(int number) const;
    [[nodiscard]] core::Task<> consume(TelemetryConsumer consumer, Client client);
    [[nodiscard]] core::Task<> work(TelemetryConsumer consumer, Client client, Buffered buffered);
    [[nodiscard]] core::Task<> process(TelemetryConsumer consumer, Client client, Buffered buffered);
    [[nodiscard]] core::Task<> fetchDeferred(TelemetryConsumer consumer, Client client, int after);
    [[nodiscard]] core::Task<> watch();
    // The messages in the dead-letter queue, and how many more the queue has.
    struct DeadLetters
    {
        QMap<QString, int> reasons;
        std::vector<bool> isDead; // by number
        qint64 waiting = 0; // in the queue itself
    };
    [[nodiscard]] core::Task<core::Result<DeadLetters>> deadLetters();
    [[nodiscard]] core::Task<> fetchOrphans(DeadLetters dead);
    [[nodiscard]] bool isLate(int number) const;
    void lost(const TelemetryConsumer &consumer, int number, core::TimePoint takenAt);
    [[nodiscard]] int planned() const { return m_context.messages.value_or(m_settings.messages); }

    const TelemetrySettings m_settings;
    const ScenarioContext m_context;
    WorkerGroup m_group;
    const FaultScript m_faults;
    const core::TimePoint m_origin;
    std::vector<Client> m_clients;
    std::vector<int> m_processed; // how often, by number
    QMap<int, QString> m_deferred; // native id of each deferred message, by number
    QMap<QString, int> m_locksLost; // by consumer
    int m_sent = 0;
    int m_completed = 0;
    int m_abandoned = 0;
    int m_deadLettered = 0;
    int m_deferrals = 0;
    bool m_isOver = false;
};

} // namespace sandbox
