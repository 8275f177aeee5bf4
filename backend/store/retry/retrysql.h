// Pieces of SQL that the parts of the retry store share.
#pragma once

#include "backend/records/ledger/fate.h"
#include "backend/records/retries/retry.h"
#include "backend/store/database/statement.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

namespace store {

// The columns of the counts, in the order of records::Outcome, then the two flags.
[[nodiscard]] QString countColumns();
[[nodiscard]] records::OutcomeCounts countsFrom(const Statement &row, int firstColumn);
[[nodiscard]] QVariantList valuesOf(const records::OutcomeCounts &counts);
[[nodiscard]] records::OutcomeCounts sum(const records::OutcomeCounts &a, const records::OutcomeCounts &b);
[[nodiscard]] records::OutcomeCounts difference(const records::OutcomeCounts &after,
                                                const records::OutcomeCounts &before);
// What one member adds to the counts.
[[nodiscard]] records::OutcomeCounts countsOf(const records::Fate &fate);

// "SELECT ... WHERE " of retry_member, to be completed with a condition and GROUP BY outcome; countsByOutcome reads the
// result.
[[nodiscard]] QString countMembers();
[[nodiscard]] Result<records::OutcomeCounts> countsByOutcome(Statement &rows);

// The redirects of a plan in one column. Entries that cannot be read are left out.
[[nodiscard]] QByteArray redirectsToCbor(const QList<records::Redirect> &redirects);
[[nodiscard]] QList<records::Redirect> redirectsFromCbor(const QByteArray &cbor);

// "SELECT ..." of a retry_member named `m` with its message `f`, in the order that readMembers expects.
[[nodiscard]] QString memberColumns();
// "FROM ... WHERE ...": the members `e` that sent a copy which nobody accounts for: a person took it back, and it was not seen
// again. To be completed with "AND e.message ...".
[[nodiscard]] QString takenBackCopies();
// "EXISTS ...": after the end of the operation `o`, only the answers of its endpoints are waited for (AnswerRules).
[[nodiscard]] QString waitsOnlyForAnswers();

} // namespace store
