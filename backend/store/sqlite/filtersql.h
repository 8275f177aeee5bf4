#pragma once

#include "backend/records/filter.h"

#include "backend/core/result.h"

#include <QVariantList>

namespace store {

class Database;

// A filter as a condition on failed_message m. One translation for lists, counts, frozen sets and archiving, so that what
// is shown is what is acted on.
struct FilterSql
{
    QString where; // never empty
    QVariantList values;
    int groupColumn = -1; // the filter asks for one group, a member of this column

    void add(const QString &condition, const QVariantList &more = {});
};

enum class WithStatus { Yes, No };
// Whether a search reads the headers and bodies that the text index has not reached, one by one.
enum class Unindexed { Read, LeaveOut };

// Rejected when the search is shorter than limits::searchMinChars.
[[nodiscard]] core::Result<FilterSql> filterSql(Database &database, const records::MessageFilter &filter,
                                                WithStatus withStatus = WithStatus::Yes,
                                                Unindexed unindexed = Unindexed::Read);

// The index that has what the filter takes in the order of last_failed; its columns before that are the status and one group,
// the queue or, where neither is asked for, the connection.
[[nodiscard]] QString failedIndex(const records::MessageFilter &filter, const FilterSql &sql);

// What FTS5 is asked for, so that every message with `needle` in it is found (and maybe some more).
[[nodiscard]] QString trigramQuery(const QString &needle);

} // namespace store
