#include "models/retries/plantext.h"

#include "backend/core/durationtext.h"
#include "models/common/visibletext.h"

namespace models {

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
    qint64 others = preview.noSuchQueue;
    for (const api::PlannedDestination &one : preview.missingDestinations.mid(0, namedQueues)) {
        lines.append(tr("%1 left out: the destination queue %2 does not exist")
                         .arg(formatNumber(one.count), visibleLine(one.destination.queue)));
        others -= one.count;
    }
    if (others > 0)
        lines.append(tr("%1 left out: their destination queues do not exist").arg(formatNumber(others)));
    return lines;
}

QStringList PlanText::leftOut(const api::PlanPreview &preview, bool includeLooped)
{
    QStringList lines;
    const auto add = [&lines](qint64 count, const QString &sentence) {
        if (count > 0)
            lines.append(sentence.arg(formatNumber(count)));
    };
    add(preview.newNotIncluded, tr("%1 failed since the list was read: not included"));
    add(preview.changedLeftOut, tr("%1 changed since the list was read: left out"));
    add(preview.noDestination, tr("%1 without a known destination: left out"));
    lines += noSuchQueue(preview);
    add(preview.possibleDuplicates,
        tr("%1 are possible duplicates: left out until you decide", nullptr, int(preview.possibleDuplicates)));
    add(preview.heldElsewhere, tr("%1 claimed by another unfinished retry: left out"));
    add(preview.notFaithful, tr("%1 with headers that HTTP cannot send back unchanged: left out"));
    if (preview.browsedOnly > 0) {
        lines.append(tr("%1 browsed only, left out: %2", nullptr, int(preview.browsedOnly))
                         .arg(formatNumber(preview.browsedOnly), visibleLine(preview.browsedOnlyReason)));
    }
    qint64 others = preview.editMisfits;
    if (!includeLooped)
        add(preview.looped, tr("%1 came back twice or more: left out"));
    for (const api::EditMisfit &misfit : preview.misfits) {
        lines.append(tr("%1 left out: %2").arg(formatNumber(misfit.count), visibleLine(misfit.reason)));
        others -= misfit.count;
    }
    add(others, tr("%1 left out, the edit does not fit them for other reasons"));
    add(preview.beyondLimit, tr("%1 are over the limit you chose: left out", nullptr, int(preview.beyondLimit)));
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
    QStringList parts{visibleLine(planned.why)};
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
    const qint64 all = preview.frozenCount + preview.editMisfits;
    const qint64 changed = preview.frozenCount - preview.editUnchanged;
    QStringList parts{
        tr("Fits %1 of %2 messages", nullptr, int(all)).arg(formatNumber(preview.frozenCount), formatNumber(all))};
    if (preview.editUnchanged > 0 && changed > 0)
        parts.append(
            tr("%1 of them stay unchanged: the edit finds nothing to change", nullptr, int(preview.editUnchanged))
                .arg(formatNumber(preview.editUnchanged)));
    else if (preview.editUnchanged > 0)
        parts.append(tr("the edit changes none of them"));
    if (preview.editMisfits > 0)
        parts.append(
            tr("%1 would be left out", nullptr, int(preview.editMisfits)).arg(formatNumber(preview.editMisfits)));
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
    if (preview.looped == 0)
        return {};
    return tr("%1 messages came back twice or more", nullptr, int(preview.looped)).arg(formatNumber(preview.looped));
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
                   : tr("About %1 at %2, the rate of the last retry").arg(whole, formatRate(rate));
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
