#include "backend/pipeline/receivertiming.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace pipeline {

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
    read.initialTime = timing.value(QLatin1StringView("initialTime")).toString(QStringLiteral("00:00"));
    read.timeZone = timing.value(QLatin1StringView("timeZone")).toString(QStringLiteral("EASTERN"));
    return read;
}

} // namespace pipeline
