#pragma once

#include "backend/store/database/database.h"

namespace test {

// Kept counts against the messages themselves: empty when they agree, else the first row that does not.
[[nodiscard]] QString countDifference(store::Database &database);

// Rows of all tables of the store, to see that nothing was written. One number for each table.
[[nodiscard]] QList<qint64> rowCounts(store::Database &database);

} // namespace test
