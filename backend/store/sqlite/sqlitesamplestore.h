#pragma once

#include "backend/store/samplestore.h"

namespace store {

class Database;

class SqliteSampleStore final : public SampleStore
{
public:
    explicit SqliteSampleStore(Database &database);

    [[nodiscard]] Result<> add(core::OperationId operation, const records::RunSample &sample) override;
    [[nodiscard]] Result<> rollUp(core::TimePoint now) override;

private:
    Database &m_database;
};

} // namespace store
