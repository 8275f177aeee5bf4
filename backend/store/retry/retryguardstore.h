#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QMap>

namespace store {

using core::Result;

class Database;

// Guarded operations (Plan::isGuarded): what ramps and stop rules need to know. Part of the caller's transaction
// (session.h). Engine thread.
class RetryGuardStore final
{
public:
    explicit RetryGuardStore(Database &database);
    RetryGuardStore(const RetryGuardStore &) = delete;
    RetryGuardStore &operator=(const RetryGuardStore &) = delete;

    // Where messages of unfinished guarded operations with a frozen set may come back. Invalid operation: of all
    // operations of the connection.
    [[nodiscard]] Result<Returns> returns(core::ConnectionId connection, core::OperationId operation);
    [[nodiscard]] Result<StepState> stepState(core::OperationId id);
    // Stores the message counts of destinations before a step sends to them; counts that are already stored stay.
    [[nodiscard]] Result<> keepDepths(core::OperationId id, const QMap<QString, qint64> &depths);
    // The current step has its evidence: counts it as proved and clears the stored message counts for the next step.
    [[nodiscard]] Result<> proveStep(core::OperationId id);

private:
    Database &m_database;
};

} // namespace store
