#include "models/common/formatters.h"

#include "models/common/text.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

namespace models {

namespace {

// The C locale has no group separators: it writes 14207 instead of 14,207.
QLocale readable()
{
    const QLocale locale;
    return locale.language() == QLocale::C ? QLocale(QLocale::English, QLocale::UnitedStates) : locale;
}

QDateTime inZone(core::TimePoint time, TimeZone zone)
{
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC);
    return zone == TimeZone::Utc ? utc : utc.toLocalTime();
}

QString zoneWord(const QDateTime &time, TimeZone zone)
{
    return zone == TimeZone::Utc ? QStringLiteral("UTC") : time.timeZoneAbbreviation();
}

} // namespace

QString formatNumber(qint64 value)
{
    return readable().toString(qlonglong(value));
}

std::optional<qint64> typedNumber(const QString &text)
{
    bool ok = false;
    qint64 count = QLocale().toLongLong(text.trimmed(), &ok);
    if (!ok)
        count = text.trimmed().toLongLong(&ok);
    return ok ? std::optional(count) : std::nullopt;
}

QString formatRate(double perSecond)
{
    constexpr double wholeFrom = 10;
    return Text::tr("%1/s").arg(readable().toString(perSecond, 'f', perSecond >= wholeFrom || perSecond <= 0 ? 0 : 1));
}

QString formatSize(qint64 bytes)
{
    return readable().formattedDataSize(bytes, bytes < 1024 ? 0 : 1, QLocale::DataSizeTraditionalFormat);
}

QString formatDuration(core::Milliseconds duration)
{
    using namespace std::chrono;
    const qint64 seconds = std::max<qint64>(0, duration_cast<std::chrono::seconds>(duration).count());
    constexpr qint64 minute = 60;
    constexpr qint64 hour = 60 * minute;
    constexpr qint64 day = 24 * hour;
    if (seconds < 2 * minute)
        return Text::tr("%1 s").arg(formatNumber(seconds));
    if (seconds < 2 * hour)
        return Text::tr("%1 min").arg(formatNumber(seconds / minute));
    if (seconds < 2 * day)
        return Text::tr("%1 h %2 min").arg(seconds / hour).arg(seconds % hour / minute);
    return Text::tr("%1 d").arg(formatNumber(seconds / day));
}

QString formatListTime(core::TimePoint time, core::TimePoint now, TimeZone zone)
{
    const QDateTime at = inZone(time, zone);
    const QDate today = inZone(now, zone).date();
    if (at.date() == today)
        return at.toString(QStringLiteral("HH:mm:ss"));
    const QLocale locale = readable();
    if (at.date().year() == today.year())
        return locale.toString(at, QStringLiteral("d MMM HH:mm"));
    return at.toString(QStringLiteral("yyyy-MM-dd"));
}

QString formatUntil(core::TimePoint time, core::TimePoint now, TimeZone zone)
{
    const QDateTime at = inZone(time, zone);
    if (time >= now && time - now < std::chrono::hours{24})
        return at.toString(QStringLiteral("HH:mm"));
    if (at.date().year() == inZone(now, zone).date().year())
        return readable().toString(at, QStringLiteral("d MMM"));
    return at.toString(QStringLiteral("yyyy-MM-dd"));
}

QString formatFullTime(core::TimePoint time, TimeZone zone)
{
    const QDateTime at = inZone(time, zone);
    return at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz ")) + zoneWord(at, zone);
}

QString formatClock(core::TimePoint time, TimeZone zone)
{
    const QDateTime at = inZone(time, zone);
    return at.toString(QStringLiteral("HH:mm:ss ")) + zoneWord(at, zone);
}

QString formatRelative(core::TimePoint time, core::TimePoint now)
{
    return time <= now ? Text::tr("%1 ago").arg(formatDuration(now - time))
                       : Text::tr("in %1").arg(formatDuration(time - now));
}

QString timeTip(core::TimePoint time, core::TimePoint now, TimeZone zone)
{
    return formatFullTime(time, zone) + QStringLiteral(" · ") + formatRelative(time, now);
}

} // namespace models
