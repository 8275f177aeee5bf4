#include "models/groups/groupmarktext.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

QString muteText(const api::GroupRow &row, core::TimePoint now, TimeZone zone)
{
    if (!row.marks.mute)
        return {};
    if (row.marks.mute->loud)
        return Text::tr("Muted at %1 messages, grown since").arg(formatNumber(row.marks.mute->count));
    return Text::tr("Muted until %1").arg(formatUntil(row.marks.mute->until, now, zone));
}

QString lossText(const api::GroupRow &row, core::TimePoint now)
{
    return lossSentence(row.firstLost, 0, now);
}

QStringList markLines(const api::GroupRow &row, core::TimePoint now, TimeZone zone)
{
    QStringList lines;
    if (row.marks.mute) {
        const records::GroupMute &mute = *row.marks.mute;
        lines += Text::tr("Muted until %1 by %2").arg(formatFullTime(mute.until, zone), visibleLine(mute.who));
        if (mute.loud)
            lines += Text::tr("The group needs attention again: it had %1 messages when it was muted.", nullptr,
                              int(mute.count))
                         .arg(formatNumber(mute.count));
    }
    if (row.marks.note) {
        const records::GroupNote &note = *row.marks.note;
        lines += Text::tr("Note by %1, %2:").arg(visibleLine(note.who), formatFullTime(note.at, zone));
        const QStringList text = note.text.split(QLatin1Char('\n'));
        for (const QString &line : text)
            lines += visibleLine(line);
    }
    const QString loss = lossSentence(row.firstLost, row.lostSoon, now);
    if (!loss.isEmpty())
        lines += Text::tr("Browsed only: %1").arg(loss);
    return lines;
}

QString lossSentence(std::optional<core::TimePoint> first, qint64 soon, core::TimePoint now)
{
    if (!first)
        return {};
    const QString begin =
        (*first <= now ? Text::tr("first expired %1") : Text::tr("first expires %1")).arg(formatRelative(*first, now));
    return soon > 0 ? Text::tr("%1 (%2 within 24 h)").arg(begin, formatNumber(soon)) : begin;
}

} // namespace models
