#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QString>

#include <optional>

namespace store {

class Database;

// What a store file contains, for the person who decides about it.
struct StoreFacts
{
    QString storeId;
    qint64 messages = 0;
    qint64 unsettled = 0; // of these, neither Resolved, Archived nor browsed only
    qint64 openOperations = 0;
    std::optional<core::TimePoint> lastEntry; // the newest entry of its activity log: how old the file is
    qint64 bytes = 0;
};

[[nodiscard]] core::Result<StoreFacts> factsOf(Database &database);

// Checks every page, every reference and the hash chain of the activity log. Corrupt: Error::detail says what is wrong.
// May take long; Cancelled: the database was interrupted.
[[nodiscard]] core::Result<> checkWhole(Database &database, const QString &name);

} // namespace store
