#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/headers.h"

#include <QString>

struct sqlite3;

namespace store {

// The text that a search reads: names and values of headers, and the first limits::bodyPreviewBytes of a text body. The
// index removes words by the text they came from, so a store whose index was built by other rules must be indexed
// again.
[[nodiscard]] QString searchedText(const records::Envelope &envelope);

// Adds two functions to a connection. Both use the words that FTS5 itself makes of a text.
//  - redrive_word_query(search): the query for content_text that finds all words of the search. The last word may be
//    incomplete. A search without a word finds nothing.
//  - redrive_has_words(headers, body, search): the same question for one message that the index has not reached.
[[nodiscard]] core::Result<> addWordFunctions(sqlite3 *handle);

// The same words for another database: of a text with their places, as the text of a tsvector, and of a search, as that of a
// tsquery. A word is cut after 1,000 bytes, and of a text beyond what a tsvector holds the rest is left out. Any thread.
[[nodiscard]] QString wordsAsVector(const QString &text);
[[nodiscard]] QString wordsAsQuery(const QString &search);

} // namespace store
