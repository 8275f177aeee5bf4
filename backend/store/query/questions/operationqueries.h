#pragma once

namespace store {

class QueryTable;

void addOperationQueries(QueryTable &table);

} // namespace store
