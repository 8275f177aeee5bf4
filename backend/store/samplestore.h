#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/core/result.h"

#include <optional>

namespace store {

using core::Result;

// What happened in one second of one operation; its chart is drawn from these.
struct Sample
{
    core::OperationId operation;
    core::TimePoint at{}; // any time within that second
    int staged = 0;
    int sent = 0;
    int cameBack = 0;
    std::optional<qint64> depth; // message count of the destinations, if known
};

// The samples behind the progress charts. Each call is part of the caller's transaction (store.h). Engine thread.
class SampleStore
{
public:
    SampleStore() = default;
    SampleStore(const SampleStore &) = delete;
    SampleStore &operator=(const SampleStore &) = delete;
    virtual ~SampleStore() = default;

    // Adds the counts to those of the same second; the newest depth replaces the older one.
    [[nodiscard]] virtual Result<> add(const Sample &sample) = 0;
    // Merges samples older than limits::samplesBySecond into minutes, and removes minutes older than
    // limits::samplesKept. Call it about once a minute: the work is bounded by what became old since the last call.
    [[nodiscard]] virtual Result<> rollUp(core::TimePoint now) = 0;
};

} // namespace store
