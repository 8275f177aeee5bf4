// What may be redirected where: pure, so that each rule is tested by itself.
#pragma once

#include "backend/engine/planrules.h"
#include "backend/store/retryrecords.h"

namespace engine {

// Whether a person may send messages to this queue. Rejected: no name of a queue, one that holds failed messages (from where
// they would come back), or one of our own. NotFound: the broker has no such queue.
[[nodiscard]] core::Result<> checkRedirectTarget(const PlanBasis &basis, const QString &to);
// Why nobody can say whether there is such a queue; empty: there is.
[[nodiscard]] QString targetNotKnown(const PlanBasis &basis);
// Queues that a redirect may lead to, as far as the broker tells.
[[nodiscard]] QStringList redirectTargets(const PlanBasis &basis);
// Whether a standing redirect fits beside those there are. Conflict names the one that is in the way: none may go on from where
// another ends, because what one gives is not looked up again.
[[nodiscard]] core::Result<> checkStanding(const QList<records::Redirect> &standing, const records::Redirect &fresh,
                                           Qt::CaseSensitivity sensitivity);
// Refused: without the right, or on the way back. Else as checkRedirectTarget, for each.
[[nodiscard]] core::Result<> checkPlanRedirects(const PlanBasis &basis, records::OperationKind kind,
                                                const QList<records::Redirect> &redirects);
// ", those for \"orders\" sent to \"orders-2\"": the end of a sentence about a set; empty without redirects.
[[nodiscard]] QString redirectsPart(const QList<records::Redirect> &redirects);
// "12 of them redirected: orders to orders-2 (12)": for the trail; empty when none is.
[[nodiscard]] QString redirectedText(const QList<store::FreezeShare> &shares);
[[nodiscard]] qint64 redirectedOf(const QList<store::FreezeShare> &shares);

} // namespace engine
