#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/retries/throughput.h"

namespace store {

using core::Result;

class Database;

// The samples behind the progress charts. Each call is part of the caller's transaction (store.h). Engine thread.
class SampleStore final
{
public:
    explicit SampleStore(Database &database);
    SampleStore(const SampleStore &) = delete;
    SampleStore &operator=(const SampleStore &) = delete;

    // Adds the counts to those of the same second, which `sample.at` lies in; the newest depth replaces the older one.
    [[nodiscard]] Result<> add(core::OperationId operation, const records::RunSample &sample);
    // Merges samples older than limits::samplesBySecond into minutes, and removes minutes older than
    // limits::samplesKept. Call it about once a minute: the work is bounded by what became old since the last call.
    [[nodiscard]] Result<> rollUp(core::TimePoint now);

private:
    Database &m_database;
};

} // namespace store
