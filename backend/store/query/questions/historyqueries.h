#pragma once

namespace store {

class QueryTable;

void addHistoryQueries(QueryTable &table);

} // namespace store
