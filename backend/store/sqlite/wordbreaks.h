#pragma once

#include "backend/core/result.h"
#include "backend/records/headers.h"

#include <QString>

struct sqlite3;

namespace store {

// What a search reads of headers and body: names and values, and the first limits::bodyPreviewBytes of a body that is text.
// The index takes words out again by the text that they came from: a store whose index was made by other rules than these
// must be indexed anew.
[[nodiscard]] QString searchedText(const records::Envelope &envelope);

// Adds to a connection, both with the words that FTS5 itself makes of a text:
// redrive_word_query(search): what content_text is asked for, so that all words of the search are found. The last one may be
// the beginning of a word. A search without a word in it finds nothing.
// redrive_has_words(headers, body, search): the same question to one message that the index has not reached.
[[nodiscard]] core::Result<> addWordFunctions(sqlite3 *handle);

} // namespace store
