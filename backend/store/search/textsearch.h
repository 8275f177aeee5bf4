#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"

#include <QString>

namespace store {

class Database;

// What the databases do not share in finding texts. Both have the tables message_text (pieces of the list's texts) and
// content_text (words of headers and bodies), and a row number of a message in each row; the conditions SQL_HAS_PIECES and
// SQL_HAS_WORDS (sqldialect.h) find rows in them.
class TextSearch
{
public:
    TextSearch() = default;
    virtual ~TextSearch() = default;
    TextSearch(const TextSearch &) = delete;
    TextSearch &operator=(const TextSearch &) = delete;

    // The value for SQL_HAS_PIECES: every message with `needle` in its texts, and perhaps some more.
    [[nodiscard]] virtual QString piecesQuery(const QString &needle) const = 0;
    // The value for SQL_HAS_WORDS.
    [[nodiscard]] virtual QString wordsQuery(const QString &search) const = 0;
    // Whether both indexes find exactly what a search means, so that no hit is checked against the message itself. Then a
    // message is indexed in the transaction that adds it, too.
    [[nodiscard]] virtual bool isExact() const = 0;

    // A message in content_text. To be removed with the text that it was added with.
    [[nodiscard]] virtual core::Result<> addWords(Database &database, core::MessageId id,
                                                  const QString &text) const = 0;
    [[nodiscard]] virtual core::Result<> removeWords(Database &database, core::MessageId id,
                                                     const QString &text) const = 0;
};

[[nodiscard]] const TextSearch &sqliteSearch();
[[nodiscard]] const TextSearch &postgresSearch();

} // namespace store
