#pragma once

#include "backend/core/result.h"
#include "backend/records/pipeline.h"

#include <QList>

namespace store {

using core::Result;

class Database;

// Pipelines: where their task tables are and what may be done there. Passwords are never stored here. Removing the
// connection of a pipeline leaves it without one. Each call is part of the caller's transaction (store.h). Engine thread.
class PipelineStore final
{
public:
    explicit PipelineStore(Database &database);
    PipelineStore(const PipelineStore &) = delete;
    PipelineStore &operator=(const PipelineStore &) = delete;

    // Conflict: another pipeline has this name.
    [[nodiscard]] Result<core::PipelineId> add(const records::Pipeline &pipeline);
    // NotFound: it was removed.
    [[nodiscard]] Result<> remove(core::PipelineId id);
    [[nodiscard]] Result<QList<records::Pipeline>> all(); // ordered by name

private:
    Database &m_database;
};

} // namespace store
