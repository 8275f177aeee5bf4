#pragma once

#include "backend/core/result.h"
#include "backend/records/pipeline.h"

#include <QList>

namespace store {

using core::Result;

// Pipelines: where their task tables are and what may be done there. Passwords are never stored here. Removing the
// connection of a pipeline leaves it without one. Each call is part of the caller's transaction (store.h). Engine thread.
class PipelineStore
{
public:
    PipelineStore() = default;
    PipelineStore(const PipelineStore &) = delete;
    PipelineStore &operator=(const PipelineStore &) = delete;
    virtual ~PipelineStore() = default;

    // Conflict: another pipeline has this name.
    [[nodiscard]] virtual Result<core::PipelineId> add(const records::Pipeline &pipeline) = 0;
    // NotFound: it was removed.
    [[nodiscard]] virtual Result<> remove(core::PipelineId id) = 0;
    [[nodiscard]] virtual Result<QList<records::Pipeline>> all() = 0; // ordered by name
};

} // namespace store
