#pragma once

namespace store {

class QueryTable;

void addAssignmentQueries(QueryTable &table);

} // namespace store
