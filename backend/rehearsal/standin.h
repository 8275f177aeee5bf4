#pragma once

#include "backend/engine/commands/rehearser.h"
#include "backend/records/conventions/glob.h"
#include "backend/sandbox/queueconsumer.h"

#include <QHash>

#include <vector>

namespace rehearsal {

// A copy that reached the stand-in.
struct Delivery
{
    int copy = 0; // its place in the job
    int retry = 1; // the number of this retry of the message, from 1
    bool delayed = false; // by a policy
    core::TimePoint at{};
    bool failed = false;
};

// Takes the place of the services of all destinations: removes each copy from its queue, or moves it to the error queue
// with the failure that it had in reality, as the faults of the rehearsal say. Used on the thread of the clock.
class StandIn final
{
public:
    struct Around
    {
        core::Clock &clock;
        engine::RehearsalControl &control;
        QString errorQueue;
        // Whether the policy of this rehearsal has sent the copy as a delayed retry; null: there is none.
        std::function<bool(int copy)> isDelayed;
    };
    // The job outlives this object.
    StandIn(const engine::RehearsalJob &job, Around around);

    // One consumer for each queue.
    void start(sandbox::WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker, const QStringList &queues);

    [[nodiscard]] const std::vector<Delivery> &deliveries() const { return m_deliveries; } // in their order

private:
    using Settle = sandbox::QueueConsumer::Settle;
    [[nodiscard]] core::Task<> open(sandbox::WorkerGroup *group, std::shared_ptr<broker::Broker> broker,
                                    QStringList queues);
    [[nodiscard]] core::Task<Settle> handle(std::shared_ptr<broker::Broker> broker, QString queue,
                                            broker::ReceivedMessage held);
    [[nodiscard]] bool fails(int copy) const;
    [[nodiscard]] records::Envelope failed(int copy, const QString &queue, records::Envelope envelope) const;
    void note(const Delivery &delivery);

    const engine::RehearsalJob &m_job;
    Around m_context;
    const core::TimePoint m_begin;
    const records::Glob m_cause;
    QHash<QString, int> m_copies; // by unique id
    std::vector<std::unique_ptr<sandbox::QueueConsumer>> m_consumers;
    std::vector<Delivery> m_deliveries;
    std::vector<bool> m_processed; // by copy
};

} // namespace rehearsal
