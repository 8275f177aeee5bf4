// What SQL the databases do not share, for the statements of the repositories and queries; what is not here is standard
// SQL. The pieces are macros because they stand inside string literals: the text of a statement is one constant, and
// putting it together costs nothing when it runs. backend/store/README.md says what else a second database supplies.
#pragma once

#include "backend/core/ids.h"

#include <QList>
#include <QString>
#include <QStringList>

// A list of numbers of any length as one bound value, listOf(): a table with the columns key (the position) and value, to be
// named, and the set of its values.
#define SQL_LIST "json_each(?)"
#define SQL_LIST_VALUES "(SELECT value FROM json_each(?))"
// The same for a list of texts.
#define SQL_TEXTS "json_each(?, '$')"
#define SQL_TEXT_VALUES "(SELECT value FROM json_each(?, '$'))"

// After the name of a table: read it through this index, or through none. Without statistics the planner would choose
// others (README, "Lists").
#define SQL_USING_INDEX(name) "INDEXED BY " name
#define SQL_USING_NO_INDEX "NOT INDEXED"
// A join, always with ON, whose left side is read first.
#define SQL_JOIN_IN_ORDER "CROSS JOIN"

// The greater and the lesser of two values; NULL if one of them is NULL.
#define SQL_GREATEST(a, b) "max(" a ", " b ")"
#define SQL_LEAST(a, b) "min(" a ", " b ")"
// A line break between two texts.
#define SQL_NEWLINE "char(10)"
// After a text: compared without the case of ASCII letters.
#define SQL_IGNORING_CASE "COLLATE NOCASE"

// The highest number that a table ever gave to a row, though the row may be gone. No row: it never gave one.
#define SQL_GIVEN_NUMBERS "sqlite_sequence"
#define SQL_LAST_GIVEN_NUMBER(table) "SELECT seq FROM " SQL_GIVEN_NUMBERS " WHERE name = '" table "'"

// Conditions on message_text and content_text, whose rows have the number of their message as rowid: the row has all pieces,
// or all words, of the value (TextSearch).
#define SQL_HAS_PIECES "message_text MATCH ?"
#define SQL_HAS_WORDS "content_text MATCH redrive_word_query(?)"

namespace store {

// The value to bind for a list.
[[nodiscard]] QString listOf(const QList<qint64> &numbers);
[[nodiscard]] QString listOf(const QStringList &texts);

template<typename Tag>
[[nodiscard]] QString listOf(const QList<core::Id<Tag>> &ids)
{
    QList<qint64> numbers;
    numbers.reserve(ids.size());
    for (const core::Id<Tag> id : ids)
        numbers.append(id.value);
    return listOf(numbers);
}

} // namespace store
