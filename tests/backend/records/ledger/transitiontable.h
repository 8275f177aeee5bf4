// The transitions of a member in words, for people.
#pragma once

#include "backend/records/ledger/transitions.h"

#include <QString>

namespace test {

// As in the table: "came back".
[[nodiscard]] QString wordsOf(records::MemberEvent event);
// All that the fate says, on one line: for a test that fails.
[[nodiscard]] QString wordsOf(const records::Fate &fate);
// One row of Markdown for each transition, in their order. Part of backend/retry/README.md.
[[nodiscard]] QString transitionTable();

} // namespace test
