#pragma once

#include "backend/records/messages/filter.h"

#include "backend/core/result.h"

#include <QVariantList>

namespace store {

class Database;

// A filter as a condition on failed_message m. Lists, counts, frozen sets and archiving all use this one translation,
// so people act on exactly what they see.
struct FilterSql
{
    QString where; // never empty
    QVariantList values;
    int groupColumn = -1; // the filter asks for one group, whose members are in this column

    void add(const QString &condition, const QVariantList &more = {});
};

enum class WithStatus { Yes, No };
// Whether a search reads, one by one, the headers and bodies that the text index has not reached.
enum class Unindexed { Read, LeaveOut };

// Rejected: the search is shorter than limits::searchMinChars.
[[nodiscard]] core::Result<FilterSql> filterSql(Database &database, const records::MessageFilter &filter,
                                                WithStatus withStatus = WithStatus::Yes,
                                                Unindexed unindexed = Unindexed::Read);

// The index that lists the filter's messages in the order of last_failed. Its columns before that are the status and
// one group, or the queue, or otherwise the connection.
[[nodiscard]] QString failedIndex(const records::MessageFilter &filter, const FilterSql &sql);

// The FTS5 query that finds every message with `needle` in it, and perhaps some more.
[[nodiscard]] QString trigramQuery(const QString &needle);

} // namespace store
