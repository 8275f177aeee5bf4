#include "backend/pipeline/receivertiming.h"

#include "backend/pipeline/celltext.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace pipeline {

static QString shownText(const QJsonValue &value, const QString &byDefault)
{
    constexpr int longest = 40; // a time of day, or a zone
    return cleanText(value.toString(byDefault), longest);
}

ReceiverTiming timesPerDay(int number)
{
    constexpr std::chrono::seconds day = std::chrono::hours(24);
    return {day / number, number, {}, {}};
}

std::optional<ReceiverTiming> timingOfSetting(const QByteArray &values)
{
    const QJsonValue found = QJsonDocument::fromJson(values).object().value(QLatin1StringView("timing"));
    if (!found.isObject())
        return std::nullopt;
    const QJsonObject timing = found.toObject();
    const int number = timing.value(QLatin1StringView("numberPerDay")).toInt(1);
    if (number < 1 || number > mostBatchesPerDay)
        return std::nullopt;
    ReceiverTiming read = timesPerDay(number);
    read.initialTime = shownText(timing.value(QLatin1StringView("initialTime")), QStringLiteral("00:00"));
    read.timeZone = shownText(timing.value(QLatin1StringView("timeZone")), QStringLiteral("EASTERN"));
    return read;
}

} // namespace pipeline
