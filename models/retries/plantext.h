// The sentences of a retry plan, apart from the dialog that shows them.
#pragma once

#include "backend/api/commands.h"
#include "models/common/formatters.h"

#include <QCoreApplication>

namespace models {

class PlanText final
{
    Q_DECLARE_TR_FUNCTIONS(PlanText)

public:
    // "Retry 14,207 messages", also the text of the button: it counts what will really go, and says when it is changed.
    [[nodiscard]] static QString title(records::OperationKind kind, qint64 count, bool edited = false);
    [[nodiscard]] static QString title(records::OperationKind kind); // while they are being counted
    // "03:02:11 UTC · 2 groups · 14,207 messages"
    [[nodiscard]] static QString frozen(const api::PlanPreview &preview, TimeZone zone);
    // One line for each reason that messages stay behind; empty when none do.
    [[nodiscard]] static QStringList leftOut(const api::PlanPreview &preview, bool includeLooped);
    [[nodiscard]] static QStringList noSuchQueue(const api::PlanPreview &preview); // part of leftOut
    // One line for each thing to know before it goes; empty when there is none.
    [[nodiscard]] static QStringList warnings(const api::PlanPreview &preview);
    // "3 go elsewhere than where they failed"; empty when none do.
    [[nodiscard]] static QString redirected(const api::PlanPreview &preview);
    // "fits 998 of 1,000 messages · 12 stay as they are"; empty without an edit.
    [[nodiscard]] static QString editFits(const api::PlanPreview &preview, const records::Edit &edit);
    // Empty when nothing was retried in vain before.
    [[nodiscard]] static QString loopGuard(const api::PlanPreview &preview);
    // "About 20 s at 812/s, as the last retry went", or at the rate that was chosen where that is slower; empty when neither
    // tells.
    [[nodiscard]] static QString duration(qint64 count, std::optional<double> perSecond,
                                          std::optional<qint64> perMinute = {});
    // "Up to 4 min more, to see how the first 3 steps do"; empty without a ramp.
    // How long its steps take, and why they wait.
    [[nodiscard]] static QString steps(const api::PlanPreview &preview, const records::Plan &plan);
    // "Dry run at 03:02:11 UTC: 14,207 messages would go. Nothing was sent."
    [[nodiscard]] static QString dryRun(const api::PlanPreview &preview, core::TimePoint at, TimeZone zone);
    // "19 Nov 01:58 to 03:02:10"; empty when unknown.
    [[nodiscard]] static QString failedBetween(const api::PlanPreview &preview, TimeZone zone);
};

} // namespace models
