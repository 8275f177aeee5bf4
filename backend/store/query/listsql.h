#pragma once

#include "backend/api/queries.h"
#include "backend/store/query/listcursor.h"

#include <QVariantList>

namespace store {

class Database;

// The statement that walks one list. A list in the order of an index is a merge of streams, one for each connection and
// status that the filter leaves open; each stream stops at the limit, so a page costs what a page holds.
struct ListSql
{
    QString text; // columns: id, key
    QVariantList values;
    bool byId = false; // searches: newest record first, the id is the order
};

// Rejected for a cursor that is not ours or a search that is too short.
[[nodiscard]] core::Result<ListSql> listSql(Database &database, const api::MessageQuery &query,
                                            std::optional<int> limit);

} // namespace store
