// Which redirects are allowed. Pure functions, so that each rule is tested alone.
#pragma once

#include "backend/engine/planning/planrules.h"
#include "backend/store/retry/retryrecords.h"

namespace engine {

// Whether messages can be redirected to this queue. Rejected: an invalid name, an error queue (messages would come
// straight back), or a queue of Redrive itself. Refused: it takes no messages. NotFound: the broker has no such queue.
[[nodiscard]] core::Result<> checkRedirectTarget(const PlanBasis &basis, const QString &to);
// Why it is unknown whether a queue exists; empty: the broker lists all its queues.
[[nodiscard]] QString targetNotKnown(const PlanBasis &basis);
// The listed queues that a redirect can lead to, sorted.
[[nodiscard]] QStringList redirectTargets(const PlanBasis &basis);
// Whether a new standing redirect fits with the existing ones. Conflict: its queue is redirected already, or the two
// would form a chain; redirects are not chained. Rejected: it leads to itself. Refused: there are too many.
[[nodiscard]] core::Result<> checkStanding(const QList<records::Redirect> &standing, const records::Redirect &fresh,
                                           Qt::CaseSensitivity sensitivity);
// Without the right, which checkPlan checks. Refused: too many. Rejected: two redirects for the same messages. Otherwise
// as checkRedirectTarget, for each. Those of a release name the queues that its messages came from.
[[nodiscard]] core::Result<> checkPlanRedirects(const PlanBasis &basis, const QList<records::Redirect> &redirects);
// How the standing redirects change when a plan is remembered.
struct RememberedRedirects
{
    QList<records::Redirect> gone; // standing ones from the same queues
    QList<records::Redirect> added;
};
// What it takes to make the plan's redirects from these queues standing ones. A redirect to its own queue, which cancels a
// standing redirect for the plan, removes that one. Rejected: the plan does not redirect such a queue. Otherwise as
// checkStanding.
[[nodiscard]] core::Result<RememberedRedirects> rememberedRedirects(const QList<records::Redirect> &standing,
                                                                    const QList<records::Redirect> &ofPlan,
                                                                    const QStringList &queues,
                                                                    Qt::CaseSensitivity sensitivity);
// "Remembered: “orders” to “orders-2”.", for the activity log; empty: nothing is remembered.
[[nodiscard]] QString rememberedText(const QList<records::Redirect> &ofPlan, const QStringList &queues,
                                     Qt::CaseSensitivity sensitivity);
// The redirects in the sentence of a plan: ", those for “orders” sent to “orders-2”"; empty without redirects.
[[nodiscard]] QString redirectsPart(const QList<records::Redirect> &redirects);
// "Redirected: “orders” to “orders-2” (12).", for the activity log; empty: none is redirected.
[[nodiscard]] QString redirectedText(const QList<records::FrozenShare> &shares);
// How many messages are redirected.
[[nodiscard]] qint64 redirectedOf(const QList<records::FrozenShare> &shares);

} // namespace engine
