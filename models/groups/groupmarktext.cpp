#include "models/groups/groupmarktext.h"

#include "models/common/visibletext.h"

#include <QCoreApplication>

namespace models {

namespace {

QString tr(const char *text, const char *comment = nullptr, int count = -1)
{
    return QCoreApplication::translate("GroupMarks", text, comment, count);
}

} // namespace

QString muteText(const api::GroupRow &row, core::TimePoint now, TimeZone zone)
{
    if (!row.marks.mute)
        return {};
    if (row.marks.mute->loud)
        return tr("Muted at %1 messages").arg(formatNumber(row.marks.mute->count));
    return tr("Muted until %1").arg(formatUntil(row.marks.mute->until, now, zone));
}

QString lossText(const api::GroupRow &row, core::TimePoint now)
{
    return row.firstLost ? tr("lost %1").arg(formatRelative(*row.firstLost, now)) : QString();
}

QStringList markLines(const api::GroupRow &row, core::TimePoint now, TimeZone zone)
{
    QStringList lines;
    if (row.marks.mute) {
        const records::GroupMute &mute = *row.marks.mute;
        lines += tr("Muted until %1 by %2").arg(formatFullTime(mute.until, zone), visibleLine(mute.who));
        if (mute.loud)
            lines += tr("It asks for attention all the same: there were %1 messages when it was muted.", nullptr,
                        int(mute.count))
                         .arg(formatNumber(mute.count));
    }
    if (row.marks.note) {
        const records::GroupNote &note = *row.marks.note;
        lines += tr("Note by %1, %2:").arg(visibleLine(note.who), formatFullTime(note.at, zone));
        const QStringList text = note.text.split(QLatin1Char('\n'));
        for (const QString &line : text)
            lines += visibleLine(line);
    }
    const QString loss = lossSentence(row.firstLost, row.lostSoon, now);
    if (!loss.isEmpty())
        lines += tr("Only looked at: %1").arg(loss);
    return lines;
}

QString lossSentence(std::optional<core::TimePoint> first, qint64 soon, core::TimePoint now)
{
    if (!first)
        return {};
    const QString begin = tr("first lost %1").arg(formatRelative(*first, now));
    return soon > 0 ? tr("%1 (%2 within 24 h)").arg(begin, formatNumber(soon)) : begin;
}

} // namespace models
