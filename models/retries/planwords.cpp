#include "models/retries/planwords.h"

#include "models/common/visibletext.h"

namespace models {

QString PlanWords::title(records::OperationKind kind, qint64 count)
{
    const QString number = formatNumber(count);
    if (kind == records::OperationKind::Release)
        return count == 1 ? tr("Release 1 message") : tr("Release %1 messages").arg(number);
    return count == 1 ? tr("Retry 1 message") : tr("Retry %1 messages").arg(number);
}

QString PlanWords::frozen(const api::PlanPreview &preview, TimeZone zone)
{
    return tr("%1 · %2").arg(formatClock(preview.asOf, zone), visibleLine(preview.sentence));
}

QStringList PlanWords::leftOut(const api::PlanPreview &preview, bool includeLooped)
{
    QStringList lines;
    const auto add = [&lines](qint64 count, const QString &sentence) {
        if (count > 0)
            lines.append(sentence.arg(formatNumber(count)));
    };
    add(preview.newNotIncluded, tr("%1 failed since the list was read: not included"));
    add(preview.changedLeftOut, tr("%1 changed since the list was read: left out"));
    add(preview.noDestination, tr("%1 have no existing destination: left out"));
    add(preview.possibleDuplicates, tr("%1 may be second copies of other messages: left out until you decide"));
    if (!includeLooped)
        add(preview.looped, tr("%1 came back twice or more: left out"));
    add(preview.beyondLimit, tr("%1 are beyond the number you chose"));
    return lines;
}

QString PlanWords::loopGuard(const api::PlanPreview &preview)
{
    if (preview.looped == 0)
        return {};
    return tr("%1 of these were retried before and came back twice or more").arg(formatNumber(preview.looped));
}

QString PlanWords::failedBetween(const api::PlanPreview &preview, TimeZone zone)
{
    if (!preview.firstFailed || !preview.lastFailed)
        return {};
    const QString first = formatListTime(*preview.firstFailed, preview.asOf, zone);
    const QString last = formatListTime(*preview.lastFailed, preview.asOf, zone);
    return first == last ? first : tr("%1 to %2").arg(first, last);
}

} // namespace models
