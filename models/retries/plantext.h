// The texts of a retry plan, separate from the dialog that shows them. Pure functions.
#pragma once

#include "backend/api/requests/retryplan.h"
#include "models/common/formatters.h"

#include <QCoreApplication>

namespace models {

class PlanText final
{
    Q_DECLARE_TR_FUNCTIONS(PlanText)

public:
    // "Retry 14,207 messages", also the text of the button: the messages that will be sent, and whether they are
    // edited.
    [[nodiscard]] static QString title(records::OperationKind kind, qint64 count, bool edited = false);
    [[nodiscard]] static QString title(records::OperationKind kind); // while the messages are being counted
    // "03:02:11 UTC · 2 groups · 14,207 messages"
    [[nodiscard]] static QString frozen(const api::PlanPreview &preview, TimeZone zone);
    // One line for each reason why messages are left out; empty when none are.
    [[nodiscard]] static QStringList leftOut(const api::PlanPreview &preview, const records::Plan &plan);
    // Those about missing queues.
    [[nodiscard]] static QStringList noSuchQueue(const api::PlanPreview &preview);
    // One line for each warning before the start; empty when there is none.
    [[nodiscard]] static QStringList warnings(const api::PlanPreview &preview);
    // One line for each destination that would drop messages by its own limits; empty when none would. `accepted`: a person
    // lets it drop them.
    [[nodiscard]] static QStringList drops(const api::PlanPreview &preview, bool accepted);
    // "Known from x-death: … Exchange orders-x routes …": how one destination is known; empty when nothing is known.
    [[nodiscard]] static QString evidence(const api::PlannedDestination &planned);
    // The same for the first destinations of a plan, one line each; empty for a release.
    [[nodiscard]] static QStringList evidence(const api::PlanPreview &preview);
    // "From now on, retries to orders go to orders-2": a redirect to be remembered.
    [[nodiscard]] static QString remember(const records::Redirect &redirect);
    // "3 go to another queue than their original destination"; empty when none do.
    [[nodiscard]] static QString redirected(const api::PlanPreview &preview);
    // "Fits 998 of 1,000 messages · 12 of them stay unchanged: …"; empty without an edit.
    [[nodiscard]] static QString editFits(const api::PlanPreview &preview, const records::Edit &edit);
    // "12 messages came back twice or more"; empty when none did.
    [[nodiscard]] static QString loopGuard(const api::PlanPreview &preview);
    // "12 messages may be copies of others"; empty when none may.
    [[nodiscard]] static QString duplicates(const api::PlanPreview &preview);
    // "About 20 s at 812/s, the rate of an earlier retry", or at the chosen rate when that is slower; empty when neither
    // rate is known.
    [[nodiscard]] static QString duration(qint64 count, std::optional<double> perSecond,
                                          std::optional<qint64> perMinute = {});
    // "Up to 4 min more: the retry waits after each of the first 3 steps", and why it waits; empty without a ramp.
    [[nodiscard]] static QString steps(const api::PlanPreview &preview, const records::Plan &plan);
    // "Dry run at 03:02:11 UTC, nothing was sent: the retry would send 14,207 messages."
    [[nodiscard]] static QString dryRun(const api::PlanPreview &preview, core::TimePoint at, TimeZone zone);
    // "19 Nov 01:58 to 03:02:10"; empty when unknown.
    [[nodiscard]] static QString failedBetween(const api::PlanPreview &preview, TimeZone zone);

private:
    [[nodiscard]] static QStringList linesFor(const api::PlanPreview &preview, records::LeftOut why);
    [[nodiscard]] static QStringList notFaithful(const api::PlanPreview &preview);
    [[nodiscard]] static QStringList editMisfits(const api::PlanPreview &preview);
};

} // namespace models
