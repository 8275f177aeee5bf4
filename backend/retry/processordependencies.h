#pragma once

#include "backend/broker/broker.h"
#include "backend/core/clock.h"
#include "backend/core/limits.h"
#include "backend/core/random.h"
#include "backend/retry/progress.h"
#include "backend/store/retryrecords.h"
#include "backend/store/store.h"

#include <algorithm>
#include <functional>

namespace retry {

using core::Result;
using core::Task;

// Takes the new arrivals of every error queue of the connection that can be taken, once.
using IntakeOnce = std::function<Task<Result<>>()>;

// What is known of the broker's queues at the moment, and whether what comes back to some of them is seen.
struct QueueObservation
{
    QList<broker::QueueInfo> queues{}; // as listed last
    std::optional<core::SteadyTime> asOf{}; // when; nothing: never yet
    QString blind{}; // why what comes back is not seen, for people; empty: it is

    [[nodiscard]] const broker::QueueInfo *find(const QString &name) const
    {
        const auto found =
            std::find_if(queues.cbegin(), queues.cend(), [&](const auto &queue) { return queue.name == name; });
        return found == queues.cend() ? nullptr : &*found;
    }
};

// What a processor works with; all of it outlives the processor and belongs to its thread.
struct ProcessorDependencies
{
    store::Store &store;
    broker::Broker &broker;
    core::Clock &clock;
    core::Random &random;
    Progress &progress;
    IntakeOnce intakeOnce; // before open intents of a crash are sent again
    QString session; // names this run of the engine
    int batchMembers = core::limits::batchMembers; // simulations use small batches
    // What is known here and not by the broker about an error of its, such as that there is no secret; may be empty.
    std::function<core::Error(core::Error)> explain = {};
    // Sets that are being frozen are of a run before, which never confirmed them whole. False: they may be of this run.
    bool freezingIsStale = true;
    // For guarded operations whose messages may show up there again; none: nothing is known, and what comes back is seen.
    std::function<QueueObservation(const store::Returns &returns)> observe = {};
};

} // namespace retry
