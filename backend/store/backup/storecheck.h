#pragma once

#include "backend/core/clock.h"
#include "backend/core/result.h"

#include <QString>

#include <optional>

namespace store {

class Database;

// What a file holds, for whoever has to decide about it.
struct StoreFacts
{
    QString storeId;
    qint64 messages = 0;
    qint64 unsettled = 0; // of them, neither Resolved nor Archived, nor only looked at
    qint64 openOperations = 0;
    std::optional<core::TimePoint> lastEntry; // of its activity log: how old it is
    qint64 bytes = 0;
};

[[nodiscard]] core::Result<StoreFacts> factsOf(Database &database);

// Every page, every reference and the seals of the activity log. Corrupt says what is wrong with it.
[[nodiscard]] core::Result<> checkWhole(Database &database, const QString &name);

} // namespace store
