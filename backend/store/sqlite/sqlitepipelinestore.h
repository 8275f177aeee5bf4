#pragma once

#include "backend/store/pipelinestore.h"

namespace store {

class Database;

class SqlitePipelineStore final : public PipelineStore
{
public:
    explicit SqlitePipelineStore(Database &database);

    [[nodiscard]] Result<core::PipelineId> add(const records::Pipeline &pipeline) override;
    [[nodiscard]] Result<> remove(core::PipelineId id) override;
    [[nodiscard]] Result<QList<records::Pipeline>> all() override;

private:
    Database &m_database;
};

} // namespace store
