#include "app/commandline/arguments.h"

#include "app/commandline/words.h"

#include <QDateTime>

namespace commandline {

namespace {

using core::ErrorKind;

std::optional<core::TimePoint> agoFrom(const QString &text, core::TimePoint now)
{
    if (text.size() < 2)
        return std::nullopt;
    bool ok = false;
    const int amount = QStringView(text).chopped(1).toInt(&ok);
    if (!ok || amount < 0)
        return std::nullopt;
    switch (text.back().unicode()) {
    case u's':
        return now - std::chrono::seconds(amount);
    case u'm':
        return now - std::chrono::minutes(amount);
    case u'h':
        return now - std::chrono::hours(amount);
    case u'd':
        return now - std::chrono::hours(24) * amount;
    default:
        return std::nullopt;
    }
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
        return core::fail(ErrorKind::Rejected, Words::tr("--%1 needs a whole number from %2, not '%3'.")
                                                   .arg(option, QString::number(least), value(option)));
    }
    return std::optional<qint64>(number);
}

core::Result<std::optional<core::TimePoint>> Arguments::time(const QString &option, core::TimePoint now) const
{
    if (!has(option))
        return std::optional<core::TimePoint>();
    const QString text = value(option).trimmed();
    std::optional<core::TimePoint> moment = agoFrom(text, now);
    if (!moment)
        moment = momentFrom(text);
    if (!moment) {
        return core::fail(
            ErrorKind::Rejected,
            Words::tr("--%1 needs a time like 2026-01-02T03:04:05Z or an age like 15m, 2h or 3d, not '%2'.")
                .arg(option, value(option)));
    }
    return moment;
}

core::Result<qint64> Arguments::idFrom(const QString &text)
{
    bool ok = false;
    const qint64 id = text.toLongLong(&ok);
    if (!ok || id <= 0)
        return core::fail(ErrorKind::Rejected, Words::tr("'%1' is not an id: ids are whole numbers.").arg(text));
    return id;
}

} // namespace commandline
