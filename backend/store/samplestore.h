#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/core/result.h"

#include <optional>

namespace store {

using core::Result;

// What happened in one second of one operation: what its chart draws.
struct Sample
{
    core::OperationId operation;
    core::TimePoint at{}; // any moment of that second
    int staged = 0;
    int sent = 0;
    int cameBack = 0;
    std::optional<qint64> depth; // of the destinations, when it was asked for
};

class SampleStore
{
public:
    SampleStore() = default;
    SampleStore(const SampleStore &) = delete;
    SampleStore &operator=(const SampleStore &) = delete;
    virtual ~SampleStore() = default;

    // Added to what is there for that second; the newest depth stays.
    [[nodiscard]] virtual Result<> add(const Sample &sample) = 0;
    // Seconds older than limits::samplesBySecond become minutes, minutes older than limits::samplesKept go. Call it now and
    // then (each minute); what it does is bounded by what grew old since.
    [[nodiscard]] virtual Result<> rollUp(core::TimePoint now) = 0;
};

} // namespace store
