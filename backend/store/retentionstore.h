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

// How long resolved and archived messages are kept. Since when they are either is noted by sweep(), so it is known to the
// interval between two of them, never too early; whatever is written to a message begins it anew. What a retry that has not
// ended holds stays. Every call runs inside one transaction.
class RetentionStore
{
public:
    RetentionStore() = default;
    RetentionStore(const RetentionStore &) = delete;
    RetentionStore &operator=(const RetentionStore &) = delete;
    virtual ~RetentionStore() = default;

    [[nodiscard]] virtual Result<records::RetentionPolicy> keeping() = 0;
    [[nodiscard]] virtual Result<> setRetention(const records::RetentionPolicy &keeping) = 0;
    // Looks at so many messages that changed since the last one; true: there are more.
    [[nodiscard]] virtual Result<bool> sweep(core::TimePoint now, int rows) = 0;
    [[nodiscard]] virtual Result<bool> hasToSweep() = 0;
    // What is due. The same may be asked without writing for times that do not hold.
    [[nodiscard]] virtual Result<RetentionCounts> due(const records::RetentionPolicy &keeping, core::TimePoint now) = 0;
    // Removes the next of these, with all that is kept of them. Entries of the trail stay, counts of retries too.
    [[nodiscard]] virtual Result<RetentionCounts> removeDue(const records::RetentionPolicy &keeping,
                                                            core::TimePoint now, int rows) = 0;
    // The same for these, due or not, as far as they are of the status (Resolved or Archived): how many went.
    [[nodiscard]] virtual Result<int> removeOf(const QList<core::MessageId> &messages,
                                               records::MessageStatus status) = 0;
};

} // namespace store
