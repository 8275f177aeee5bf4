#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

#include <optional>

namespace store {

using core::Result;

class Database;
class Statement;

// Retry operations: what was asked for, in which state it is, and "Pause all". The steps of a retry, and the rules that
// all its repositories keep, are in session.h. Engine thread.
class RetryOperationStore final
{
public:
    explicit RetryOperationStore(Database &database);
    RetryOperationStore(const RetryOperationStore &) = delete;
    RetryOperationStore &operator=(const RetryOperationStore &) = delete;

    // Adds an operation; id, counts and total in `operation` are ignored. It must be Freezing before messages are
    // frozen into it.
    [[nodiscard]] Result<core::OperationId> add(const records::RetryOperation &operation);
    [[nodiscard]] Result<records::RetryOperation> load(core::OperationId id);
    // Operations that are not dismissed, newest first. Invalid connection: of all connections.
    [[nodiscard]] Result<QList<records::RetryOperation>> listed(core::ConnectionId connection, int limit);
    // Operations with work left: Freezing to Paused, and Cancelled ones that still have unfinished members; oldest
    // first. Invalid connection: of all connections.
    [[nodiscard]] Result<QList<records::RetryOperation>> unfinished(core::ConnectionId connection);
    // Stores state, times, reasons and pause of an operation. Its scope, plan, total and counts are left as they are.
    [[nodiscard]] Result<> update(const records::RetryOperation &operation);
    // Sets the rate, also of a running operation; nothing: no limit. Conflict: the operation has ended.
    [[nodiscard]] Result<> setPerMinute(core::OperationId id, std::optional<qint64> perMinute);
    // "Pause all" stays in force until it is switched off, also over restarts. Whoever starts an operation checks it in
    // the same transaction.
    [[nodiscard]] Result<> setAllPaused(bool paused);
    [[nodiscard]] Result<bool> allPaused();
    // Hides a finished operation from lists: for good, or only from the list above. The history shows an operation that was
    // hidden from that list among the current ones for another day (api::OperationQuery). Conflict: it has not finished.
    enum class Hidden { Everywhere = 1, FromList = 2 };
    [[nodiscard]] Result<> dismiss(core::OperationId id, Hidden where = Hidden::Everywhere);
    [[nodiscard]] Result<qint64> inDoubtTotal();

private:
    [[nodiscard]] Result<QList<records::RetryOperation>> read(Statement &rows);
    [[nodiscard]] Result<records::Edit> editOf(core::OperationId id);

    Database &m_database;
};

} // namespace store
