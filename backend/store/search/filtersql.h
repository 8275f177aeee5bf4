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

// Messages that a search finds by one index, or by reading what no index has reached, in the order of their ids. A page takes
// the first of each and stops there, however many there are.
struct SearchStream
{
    QString from; // a table joined with failed_message m
    QString id; // the column of that table by which it is read
    FilterSql filter;
};

// Together they find what filterSql() finds; a message may be in several. None: nothing can be found. Rejected: as above.
[[nodiscard]] core::Result<QList<SearchStream>> searchStreams(Database &database, const records::MessageFilter &filter);

// The index that lists the filter's messages in the order of last_failed. Its columns before that are the status and
// one group, or the queue, or otherwise the connection.
[[nodiscard]] QString failedIndex(const records::MessageFilter &filter, const FilterSql &sql);

// The FTS5 query that finds every message with `needle` in it, and perhaps some more.
[[nodiscard]] QString trigramQuery(const QString &needle);

} // namespace store
