#pragma once

#include "backend/broker/brokerstate.h"
#include "backend/core/limits.h"
#include "backend/core/random.h"
#include "backend/core/time/clock.h"
#include "backend/retry/progress.h"
#include "backend/store/retry/retryrecords.h"
#include "backend/store/store.h"

#include <algorithm>
#include <functional>

namespace retry {

using core::Result;
using core::Task;

// Takes the messages of every error queue of the connection that allows it, once.
using IntakeOnce = std::function<Task<Result<>>()>;

// What is known about the broker's queues, and whether Redrive sees what comes back to some of them.
struct QueueObservation
{
    QList<broker::QueueInfo> queues{}; // as last listed
    std::optional<core::SteadyTime> asOf{}; // when; nothing: never listed
    QString blind{}; // why messages that come back are not seen, for people; empty: they are seen

    [[nodiscard]] const broker::QueueInfo *find(const QString &name) const
    {
        const auto found =
            std::find_if(queues.cbegin(), queues.cend(), [&](const auto &queue) { return queue.name == name; });
        return found == queues.cend() ? nullptr : &*found;
    }
    // Whether some queue must not get more than it holds.
    [[nodiscard]] bool hasDropping() const
    {
        return std::any_of(queues.cbegin(), queues.cend(),
                           [](const auto &queue) { return queue.limits.mayNotOverflow(); });
    }
};

// What a processor works with. All of it outlives the processor and belongs to the engine thread.
struct ProcessorDependencies
{
    store::Store &store;
    broker::BrokerState &brokerState;
    core::Clock &clock;
    core::Random &random;
    Progress &progress;
    IntakeOnce intakeOnce; // runs before open intents of a crash are settled
    QString session; // names this run of the engine
    int batchMembers = core::limits::batchMembers; // simulations use smaller ones
    // Adds what the engine knows about an error of the broker, for example that no secret is stored; may be empty.
    std::function<core::Error(core::Error)> explain = {};
    // Operations in Freezing belong to an earlier run and were never confirmed completely, so they are discarded.
    // False: they may belong to this run.
    bool freezingIsStale = true;
    // For guarded operations: the state of the queues where their messages may come back. Empty: nothing is known, and
    // returns count as seen.
    std::function<QueueObservation(const store::Returns &returns)> observe = {};
};

} // namespace retry
