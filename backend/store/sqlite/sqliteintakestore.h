#pragma once

#include "backend/store/intakestore.h"

namespace store {

class Database;

class SqliteIntakeStore final : public IntakeStore
{
public:
    explicit SqliteIntakeStore(Database &database);

    [[nodiscard]] Result<core::IntakeRunId> begin(const records::IntakeRun &run) override;
    [[nodiscard]] Result<> update(const records::IntakeRun &run) override;
    [[nodiscard]] Result<QList<records::IntakeRun>> open(core::ConnectionId connection) override;
    [[nodiscard]] Result<> setSubscribed(core::ConnectionId connection, const QString &queue, bool subscribed) override;
    [[nodiscard]] Result<QStringList> subscribed(core::ConnectionId connection) override;
    [[nodiscard]] Result<QStringList> formerStores() override;

private:
    Database &m_database;
};

} // namespace store
