#include "models/retries/plantext.h"

#include "backend/core/limits.h"
#include "backend/core/time/durationtext.h"
#include "models/common/visibletext.h"

#include <array>

namespace models {

using records::LeftOut;

QString PlanText::title(records::OperationKind kind, qint64 count, bool edited)
{
    const QString number = formatNumber(count);
    if (edited)
        return count == 1 ? tr("Edit and retry 1 message") : tr("Edit and retry %1 messages").arg(number);
    if (kind == records::OperationKind::Release)
        return count == 1 ? tr("Release 1 message") : tr("Release %1 messages").arg(number);
    return count == 1 ? tr("Retry 1 message") : tr("Retry %1 messages").arg(number);
}

QString PlanText::title(records::OperationKind kind)
{
    return kind == records::OperationKind::Release ? tr("Release messages") : tr("Retry messages");
}

QString PlanText::frozen(const api::PlanPreview &preview, TimeZone zone)
{
    return tr("%1 · %2").arg(formatClock(preview.asOf, zone), visibleLine(preview.sentence));
}

QStringList PlanText::noSuchQueue(const api::PlanPreview &preview)
{
    constexpr qsizetype namedQueues = 3;
    QStringList lines;
    qint64 others = preview.leftOut[LeftOut::NoSuchQueue];
    for (const api::PlannedDestination &one : preview.missingDestinations.mid(0, namedQueues)) {
        const QString count = formatNumber(one.count);
        lines.append(one.cannotSend.isEmpty() ? tr("%1 left out: the destination queue %2 does not exist")
                                                    .arg(count, visibleLine(one.destination.queue))
                                              : tr("%1 left out. %2").arg(count, visibleLine(one.cannotSend)));
        others -= one.count;
    }
    if (others > 0)
        lines.append(
            tr("%1 left out: their destination queues do not exist or take nothing").arg(formatNumber(others)));
    return lines;
}

QStringList PlanText::editMisfits(const api::PlanPreview &preview)
{
    QStringList lines;
    qint64 others = preview.leftOut[LeftOut::EditMisfit];
    for (const records::EditMisfit &misfit : preview.misfits) {
        lines.append(tr("%1 left out: %2").arg(formatNumber(misfit.count), visibleLine(misfit.reason)));
        others -= misfit.count;
    }
    if (others > 0)
        lines.append(tr("%1 left out, the edit does not fit them for other reasons").arg(formatNumber(others)));
    return lines;
}

QStringList PlanText::notFaithful(const api::PlanPreview &preview)
{
    QStringList lines{tr("%1 with headers that HTTP cannot send back unchanged: left out")
                          .arg(formatNumber(preview.leftOut[LeftOut::NotFaithful]))};
    if (preview.decimals > 0) {
        lines.append(
            tr("%1 of these only because a number in a header may be an AMQP decimal, which HTTP shows wrongly. If "
               "nobody sends decimals, end the URL of the connection with ?decimals=none")
                .arg(formatNumber(preview.decimals)));
    }
    return lines;
}

QStringList PlanText::drops(const api::PlanPreview &preview, bool accepted)
{
    QStringList lines;
    for (const api::PlannedDrop &one : preview.drops) {
        QString line = records::dropText(visibleLine(one.queue), one.limits, one.forecast, one.coming);
        const bool waits = one.forecast.cause == records::DropForecast::Cause::Length && !one.forecast.isCertain;
        if (waits && !accepted)
            line += QLatin1Char(' ') + tr("The retry waits for room instead.");
        lines.append(line);
    }
    return lines;
}

QStringList PlanText::linesFor(const api::PlanPreview &preview, LeftOut why)
{
    const qint64 count = preview.leftOut[why];
    const QString number = formatNumber(count);
    switch (why) {
    case LeftOut::Arrived:
        return {tr("%1 failed since the list was read: not included").arg(number)};
    case LeftOut::Changed:
        return {tr("%1 changed since the list was read: left out").arg(number)};
    case LeftOut::NoDestination:
        return {tr("%1 without a known destination: left out").arg(number)};
    case LeftOut::NoSuchQueue:
        return noSuchQueue(preview);
    case LeftOut::PossibleDuplicate:
        return {tr("%1 are possible duplicates: left out until you decide", nullptr, int(count)).arg(number)};
    case LeftOut::HeldElsewhere:
        return {tr("%1 claimed by another unfinished retry: left out").arg(number)};
    case LeftOut::NotFaithful:
        return notFaithful(preview);
    case LeftOut::BrowsedOnly:
        return {tr("%1 browsed only, left out: %2", nullptr, int(count))
                    .arg(number, visibleLine(preview.browsedOnlyReason))};
    case LeftOut::Looped:
        static_assert(core::limits::loopGuardCameBack == 2, "the text says twice");
        return {tr("%1 came back twice or more: left out").arg(number)};
    case LeftOut::TooLarge:
        return {tr("%1 too large for the HTTP interface of the broker (bodies over %2): left out, export them instead")
                    .arg(number, formatSize(preview.largestBody))};
    case LeftOut::EditMisfit:
        return editMisfits(preview);
    case LeftOut::BeyondLimit:
        return {tr("%1 are over the limit you chose: left out", nullptr, int(count)).arg(number)};
    }
    Q_UNREACHABLE();
}

QStringList PlanText::leftOut(const api::PlanPreview &preview, const records::Plan &plan)
{
    // What a person can do least about comes first.
    constexpr std::array shown{LeftOut::Arrived,     LeftOut::Changed,           LeftOut::NoDestination,
                               LeftOut::NoSuchQueue, LeftOut::PossibleDuplicate, LeftOut::HeldElsewhere,
                               LeftOut::NotFaithful, LeftOut::TooLarge,          LeftOut::BrowsedOnly,
                               LeftOut::Looped,      LeftOut::EditMisfit,        LeftOut::BeyondLimit};
    static_assert(shown.size() == records::leftOutReasons.size());
    QStringList lines;
    for (const LeftOut why : shown) {
        const bool isChosen = (why == LeftOut::Looped && plan.includeLooped) // and the plan is being counted again
                              || (why == LeftOut::PossibleDuplicate && plan.includeDuplicates);
        if (preview.leftOut[why] > 0 && !isChosen)
            lines += linesFor(preview, why);
    }
    return lines;
}

QStringList PlanText::warnings(const api::PlanPreview &preview)
{
    QStringList lines;
    for (const api::PlanWarning &warning : preview.warnings)
        lines.append(visibleLine(warning.sentence));
    return lines;
}

QString PlanText::evidence(const api::PlannedDestination &planned)
{
    QStringList parts{visibleLine(planned.cannotSend), visibleLine(planned.why)};
    if (planned.route)
        parts.append(visibleLine(planned.route->sentence));
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

QStringList PlanText::evidence(const api::PlanPreview &preview)
{
    constexpr qsizetype shown = 3;
    QList<api::PlannedDestination> rows = preview.destinations + preview.missingDestinations;
    if (preview.unknown.count > 0)
        rows.append(preview.unknown);
    rows.removeIf([](const api::PlannedDestination &row) { return evidence(row).isEmpty(); });
    QStringList lines;
    for (const api::PlannedDestination &row : rows.mid(0, shown)) {
        const QString queue = row.origin().isEmpty() ? tr("unknown") : visibleLine(row.origin());
        lines.append(tr("%1: %2").arg(queue, evidence(row)));
    }
    const qsizetype more = rows.size() - shown;
    if (more > 0)
        lines.append(tr("%1 more: point at a row of the table").arg(formatNumber(more)));
    return lines;
}

QString PlanText::remember(const records::Redirect &redirect)
{
    if (redirect.from == redirect.to)
        return tr("From now on, retries to %1 are no longer redirected").arg(visibleLine(redirect.from));
    return tr("From now on, retries to %1 go to %2").arg(visibleLine(redirect.from), visibleLine(redirect.to));
}

QString PlanText::editFits(const api::PlanPreview &preview, const records::Edit &edit)
{
    if (edit.isEmpty())
        return {};
    const qint64 misfits = preview.leftOut[LeftOut::EditMisfit];
    const qint64 all = preview.frozenCount + misfits;
    const qint64 changed = preview.frozenCount - preview.editUnchanged;
    QStringList parts{
        tr("Fits %1 of %2 messages", nullptr, int(all)).arg(formatNumber(preview.frozenCount), formatNumber(all))};
    if (preview.editUnchanged > 0 && changed > 0)
        parts.append(
            tr("%1 of them stay unchanged: the edit finds nothing to change", nullptr, int(preview.editUnchanged))
                .arg(formatNumber(preview.editUnchanged)));
    else if (preview.editUnchanged > 0)
        parts.append(tr("the edit changes none of them"));
    if (misfits > 0)
        parts.append(tr("%1 would be left out", nullptr, int(misfits)).arg(formatNumber(misfits)));
    return parts.join(QStringLiteral(" · "));
}

QString PlanText::redirected(const api::PlanPreview &preview)
{
    if (preview.redirected == 0)
        return {};
    return tr("%1 go to another queue than their original destination", nullptr, int(preview.redirected))
        .arg(formatNumber(preview.redirected));
}

QString PlanText::loopGuard(const api::PlanPreview &preview)
{
    const qint64 looped = preview.leftOut[LeftOut::Looped];
    if (looped == 0)
        return {};
    return tr("%1 messages came back twice or more", nullptr, int(looped)).arg(formatNumber(looped));
}

QString PlanText::duplicates(const api::PlanPreview &preview)
{
    const qint64 count = preview.leftOut[LeftOut::PossibleDuplicate];
    if (count == 0)
        return {};
    return tr("%1 messages may be copies of others", nullptr, int(count)).arg(formatNumber(count));
}

QString PlanText::duration(qint64 count, std::optional<double> perSecond, std::optional<qint64> perMinute)
{
    constexpr double secondsOfMinute = 60;
    const double limit = perMinute ? double(*perMinute) / secondsOfMinute : 0;
    const double before = perSecond.value_or(0);
    const bool limited = limit > 0 && (before <= 0 || limit < before);
    const double rate = limited ? limit : before;
    if (rate <= 0 || count == 0)
        return {};
    constexpr core::Milliseconds shortest{1000};
    const QString whole = formatDuration(std::max(core::Milliseconds{qint64(double(count) / rate * 1000.0)}, shortest));
    return limited ? tr("About %1 at %2, the rate you chose").arg(whole, records::rateText(*perMinute))
                   : tr("About %1 at %2, the rate of an earlier retry").arg(whole, formatRate(rate));
}

QString PlanText::steps(const api::PlanPreview &preview, const records::Plan &plan)
{
    const qint64 count = preview.frozenCount;
    if (!plan.ramp || count == 0)
        return {};
    int waits = 0;
    while (records::allowed(*plan.ramp, waits) < count)
        ++waits;
    if (waits == 0)
        return {};
    const QString most = core::durationText(preview.quiet * waits);
    const QString whole =
        waits == 1
            ? tr("Up to %1 more: the retry waits after the first step").arg(most)
            : tr("Up to %1 more: the retry waits after each of the first %2 steps").arg(most, formatNumber(waits));
    const QString quiet = core::durationText(preview.quiet);
    const QString why =
        preview.takesToFail
            ? tr("After each step the retry waits %1, because these messages take up to %2 to fail")
                  .arg(quiet, core::durationText(*preview.takesToFail))
            : tr("After each step the retry waits %1, because it is unknown how long these messages take to fail")
                  .arg(quiet);
    return whole + QLatin1Char('\n') + why;
}

QString PlanText::dryRun(const api::PlanPreview &preview, core::TimePoint at, TimeZone zone)
{
    return tr("Dry run at %1, nothing was sent: the retry would send %2 messages.", nullptr, int(preview.frozenCount))
        .arg(formatClock(at, zone), formatNumber(preview.frozenCount));
}

QString PlanText::failedBetween(const api::PlanPreview &preview, TimeZone zone)
{
    if (!preview.firstFailed || !preview.lastFailed)
        return {};
    // A time alone after a date would look like a time on that date.
    const bool oneDay = formatClock(*preview.firstFailed, zone)
                            .startsWith(formatListTime(*preview.firstFailed, *preview.lastFailed, zone));
    const QString first = formatListTime(*preview.firstFailed, preview.asOf, zone);
    const QString last = formatListTime(*preview.lastFailed, oneDay ? preview.asOf : *preview.firstFailed, zone);
    return first == last ? first : tr("%1 to %2").arg(first, last);
}

} // namespace models
