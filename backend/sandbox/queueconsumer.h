#pragma once

#include "backend/broker/broker.h"
#include "backend/sandbox/workergroup.h"

#include <functional>
#include <memory>

namespace sandbox {

// Takes messages from a queue one by one, and removes each or puts it back, as the work with it says. A queue that stays
// empty, or whose messages are put back, is looked at less and less often. Used on the thread of the clock.
class QueueConsumer final
{
public:
    enum class Settle { Remove, PutBack };
    using Work = std::function<core::Task<Settle>(broker::ReceivedMessage)>;

    QueueConsumer(QString queue, core::Milliseconds longestPause, Work work);

    void start(WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker);

private:
    [[nodiscard]] core::Task<> consume(WorkerGroup *group, std::shared_ptr<broker::Broker> broker) const;
    [[nodiscard]] core::Task<bool> workOnNext(std::shared_ptr<broker::Broker> broker) const;

    const QString m_queue;
    const core::Milliseconds m_longestPause;
    const Work m_work;
};

// Sends one message. False: the broker did not confirm it, so it may or may not have it.
[[nodiscard]] core::Task<bool> sendOne(std::shared_ptr<broker::Broker> broker, QString queue,
                                       records::Envelope envelope);
// Asks the broker what it can do, until it answers. False: the group was stopped first.
[[nodiscard]] core::Task<bool> probeUntilReady(WorkerGroup *group, std::shared_ptr<broker::Broker> broker);

} // namespace sandbox
