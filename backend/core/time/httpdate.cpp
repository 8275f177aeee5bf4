#include "backend/core/time/httpdate.h"

#include <QDateTime>

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::array<const char *, 12> monthNames{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<const char *, 7> dayNames{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

} // namespace

QByteArray toHttpDate(TimePoint time)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(toMs(time), Qt::UTC);
    const QDate day = at.date();
    return QByteArray(dayNames.at(size_t(day.dayOfWeek() - 1))) + ", "
           + QByteArray::number(day.day()).rightJustified(2, '0') + ' ' + monthNames.at(size_t(day.month() - 1)) + ' '
           + QByteArray::number(day.year()).rightJustified(4, '0') + ' '
           + at.time().toString(QStringLiteral("HH:mm:ss")).toLatin1() + " GMT";
}

std::optional<TimePoint> fromHttpDate(QByteArrayView text)
{
    const QByteArray plain = text.trimmed().toByteArray().first(std::min(qsizetype{40}, text.trimmed().size()));
    const QList<QByteArray> parts = plain.simplified().split(' ');
    if (parts.size() != 6 || (parts[5] != "GMT" && parts[5] != "UTC" && parts[5] != "GMT+0000"))
        return {};
    const auto month = std::find(monthNames.cbegin(), monthNames.cend(), parts[2]);
    const QTime time = QTime::fromString(QString::fromLatin1(parts[4]), QStringLiteral("HH:mm:ss"));
    if (month == monthNames.cend() || !time.isValid())
        return {};
    // Years of four digits only: later times overflow where they are calculated with.
    const int year = parts[3].toInt();
    const QDate day(year, int(month - monthNames.cbegin()) + 1, parts[1].toInt());
    if (!day.isValid() || year < 1 || year > 9999)
        return {};
    return fromMs(QDateTime(day, time, Qt::UTC).toMSecsSinceEpoch());
}

} // namespace core
