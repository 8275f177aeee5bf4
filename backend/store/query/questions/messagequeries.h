#pragma once

#include "backend/core/result.h"

namespace store {

class Database;
class QueryTable;

void addMessageQueries(QueryTable &table);

[[nodiscard]] core::Result<qint64> readChangeNumber(Database &database);

} // namespace store
