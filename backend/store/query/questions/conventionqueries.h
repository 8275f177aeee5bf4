#pragma once

namespace store {

class QueryTable;

void addConventionQueries(QueryTable &table);

} // namespace store
