#pragma once

namespace store {

class QueryTable;

void addGroupQueries(QueryTable &table);

} // namespace store
