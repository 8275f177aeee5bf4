#pragma once

#include "backend/api/requests/queries.h"
#include "backend/store/query/listcursor.h"

#include <QVariantList>

namespace store {

class Database;

// The statement that reads one list. A list in the order of an index merges streams, one for each connection and status
// that the filter leaves open; each stream stops at the limit, so a page costs no more than its rows.
struct ListSql
{
    QString text; // columns: id, key
    QVariantList values;
    bool byId = false; // searches: sorted by id, newest record first
};

// Rejected: the cursor is invalid, or the search is too short.
[[nodiscard]] core::Result<ListSql> listSql(Database &database, const api::MessageQuery &query,
                                            std::optional<int> limit);

} // namespace store
