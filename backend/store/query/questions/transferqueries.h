#pragma once

namespace store {

class QueryTable;

void addTransferQueries(QueryTable &table);

} // namespace store
