#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/records/message.h"
#include "backend/records/retentionpolicy.h"

namespace store {

using core::Result;

struct RetentionCounts
{
    qint64 resolved = 0;
    qint64 archived = 0;

    [[nodiscard]] qint64 sum() const { return resolved + archived; }
};

// How long resolved and archived messages are kept, and their removal. Each call is part of the caller's transaction
// (store.h). Engine thread.
//
// Retention starts when sweep() first finds a message resolved or archived. So the start is late by at most the
// interval between two sweeps and never early. Any later write to the message restarts it. Messages that an unfinished
// retry holds are never removed.
class RetentionStore
{
public:
    RetentionStore() = default;
    RetentionStore(const RetentionStore &) = delete;
    RetentionStore &operator=(const RetentionStore &) = delete;
    virtual ~RetentionStore() = default;

    [[nodiscard]] virtual Result<records::RetentionPolicy> retention() = 0;
    [[nodiscard]] virtual Result<> setRetention(const records::RetentionPolicy &retention) = 0;
    // Notes the start of retention for up to `rows` messages that changed since the last sweep. True: more are left.
    [[nodiscard]] virtual Result<bool> sweep(core::TimePoint now, int rows) = 0;
    // Whether messages changed since the last sweep.
    [[nodiscard]] virtual Result<bool> hasToSweep() = 0;
    // How many messages `retention` would remove at `now`. Changes nothing, so it also works for a policy that is not in
    // force.
    [[nodiscard]] virtual Result<RetentionCounts> due(const records::RetentionPolicy &retention,
                                                      core::TimePoint now) = 0;
    // Removes up to `rows` due messages with their content, attempts, claims and retry members, and returns how many.
    // The activity log and the counts of retries stay; a settled retry of a policy goes with the last of its messages.
    [[nodiscard]] virtual Result<RetentionCounts> removeDue(const records::RetentionPolicy &retention,
                                                            core::TimePoint now, int rows) = 0;
    // Removes those of `messages` that have this status (Resolved or Archived), due or not, and returns how many.
    [[nodiscard]] virtual Result<int> removeOf(const QList<core::MessageId> &messages,
                                               records::MessageStatus status) = 0;
};

} // namespace store
