#include "app/commandline/arguments/arguments.h"

#include "app/commandline/text.h"
#include "backend/core/time/durationtext.h"

#include <QDateTime>

namespace commandline {

namespace {

using core::ErrorKind;

// "02:00": the next time when the local clock shows it.
std::optional<core::TimePoint> clockTimeFrom(const QString &text, core::TimePoint now)
{
    const QTime time = QTime::fromString(text, QStringLiteral("H:mm"));
    if (!time.isValid())
        return std::nullopt;
    const QDateTime today = QDateTime::fromMSecsSinceEpoch(core::toMs(now));
    QDateTime next(today.date(), time);
    if (next <= today)
        next = QDateTime(today.date().addDays(1), time);
    return core::fromMs(next.toMSecsSinceEpoch());
}

std::optional<core::TimePoint> momentFrom(QString text)
{
    if (text.size() > 10 && text.at(10) == QLatin1Char(' '))
        text[10] = QLatin1Char('T');
    const QDateTime moment = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!moment.isValid())
        return std::nullopt;
    return core::fromMs(moment.toMSecsSinceEpoch());
}

} // namespace

Arguments::Arguments(QStringList positional, QHash<QString, QStringList> options)
    : m_positional(std::move(positional))
    , m_options(std::move(options))
{
}

core::Result<std::optional<qint64>> Arguments::number(const QString &option, qint64 least) const
{
    if (!has(option))
        return std::optional<qint64>();
    bool ok = false;
    const qint64 number = value(option).toLongLong(&ok);
    if (!ok || number < least) {
        return core::fail(ErrorKind::Rejected, Text::tr("--%1 must be a whole number, at least %2, not '%3'.")
                                                   .arg(option, QString::number(least), value(option)));
    }
    return std::optional<qint64>(number);
}

core::Result<std::optional<core::TimePoint>> Arguments::time(const QString &option, core::TimePoint now) const
{
    if (!has(option))
        return std::optional<core::TimePoint>();
    const QString text = value(option).trimmed();
    const std::optional<core::Milliseconds> ago = core::durationFrom(text);
    const std::optional<core::TimePoint> moment = ago ? std::optional(now - *ago) : momentFrom(text);
    if (!moment) {
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("--%1 must be a time like 2026-01-02T03:04:05Z or an age like 15m, 2h or 3d, not '%2'.")
                .arg(option, value(option)));
    }
    return moment;
}

core::Result<std::optional<core::TimePoint>> Arguments::timeAhead(const QString &option, core::TimePoint now) const
{
    if (!has(option))
        return std::optional<core::TimePoint>();
    const QString text = value(option).trimmed();
    const std::optional<core::Milliseconds> from = core::durationFrom(text);
    std::optional<core::TimePoint> moment = from ? std::optional(now + *from) : clockTimeFrom(text, now);
    if (!moment)
        moment = momentFrom(text);
    if (!moment) {
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("--%1 must be a time like 02:00 or 2026-01-02T03:04:05Z, or a span from now like 15m or 2h, not "
                     "'%2'.")
                .arg(option, value(option)));
    }
    if (*moment < now)
        return core::fail(ErrorKind::Rejected, Text::tr("--%1 %2 is in the past.").arg(option, value(option)));
    return moment;
}

core::Result<std::optional<qint64>> Arguments::perMinute(const QString &option) const
{
    if (!has(option))
        return std::optional<qint64>();
    TRY(const qint64 rate, perMinuteFrom(value(option)));
    return std::optional<qint64>(rate);
}

core::Result<qint64> Arguments::perMinuteFrom(const QString &text)
{
    constexpr qint64 secondsOfMinute = 60;
    constexpr qint64 most = 1'000'000'000;
    const QString number = text.section(QLatin1Char('/'), 0, 0);
    const QString unit = text.section(QLatin1Char('/'), 1);
    const bool ofMinute = unit == QLatin1String("min") || unit == QLatin1String("m");
    bool ok = false;
    const qint64 count = number.toLongLong(&ok);
    const bool known = ofMinute || unit == QLatin1String("s") || !text.contains(QLatin1Char('/'));
    if (!ok || !known || count < 1 || count > most) {
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("A rate must be a whole number of messages per second, like 20, or per minute, like 30/min, "
                     "not '%1'.")
                .arg(text));
    }
    return ofMinute ? count : count * secondsOfMinute;
}

core::Result<std::optional<records::Ramp>> Arguments::ramp(const QString &option) const
{
    if (!has(option))
        return std::optional<records::Ramp>();
    const std::optional<records::Ramp> ramp = records::rampFrom(value(option));
    if (!ramp) {
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("--%1 must be step sizes like 1,10,100 or 1,10,100,rest, not '%2'.").arg(option, value(option)));
    }
    return ramp;
}

core::Result<std::optional<records::StopWhen>> Arguments::stopWhen(const QString &option) const
{
    if (!has(option))
        return std::optional<records::StopWhen>();
    const std::optional<records::StopWhen> stop = records::stopWhenFrom(value(option));
    if (!stop) {
        return core::fail(ErrorKind::Rejected,
                          Text::tr("--%1 must be a number of messages, like 50, or a percentage of "
                                   "the messages sent, like 5%, not '%2'.")
                              .arg(option, value(option)));
    }
    return stop;
}

core::Result<qint64> Arguments::idFrom(const QString &text)
{
    bool ok = false;
    const qint64 id = text.toLongLong(&ok);
    if (!ok || id <= 0)
        return core::fail(ErrorKind::Rejected, Text::tr("Invalid id '%1': an id is a whole number.").arg(text));
    return id;
}

} // namespace commandline
