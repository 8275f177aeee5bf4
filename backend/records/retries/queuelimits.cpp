#include "backend/records/retries/queuelimits.h"

#include "backend/core/time/durationtext.h"
#include "backend/records/text.h"

#include <QList>

#include <algorithm>

namespace records {

using Cause = DropForecast::Cause;

namespace {

constexpr core::Milliseconds worthSaying{24LL * 3600 * 1000}; // longer times to live are not mentioned

DropForecast byLength(const QueueLimits &limits, const Coming &coming)
{
    const qint64 waiting = coming.waiting.value_or(0);
    DropForecast forecast;
    const qint64 most = limits.dropsOldest() ? waiting + coming.count : coming.count;
    forecast.dropped = std::clamp<qint64>(waiting + coming.count - *limits.messages, 0, most);
    forecast.others = limits.dropsOldest() ? std::min(waiting, forecast.dropped) : 0;
    forecast.isCertain = *limits.messages == 0 && !limits.deadLetters;
    forecast.cause = forecast.dropped > 0 ? Cause::Length : Cause::None;
    return forecast;
}

// Brokers do not say at once how many bytes wait, so Redrive cannot keep below this limit.
DropForecast byBytes(const QueueLimits &limits, const Coming &coming)
{
    DropForecast forecast;
    if (coming.bytes <= *limits.bytes)
        return forecast;
    forecast.cause = Cause::Bytes;
    const qint64 fitting = coming.largest > *limits.bytes ? 0 : *limits.bytes / std::max<qint64>(1, coming.largest);
    forecast.others = limits.dropsOldest() ? coming.waiting.value_or(0) : 0;
    forecast.dropped = forecast.others + std::max<qint64>(1, coming.count - fitting);
    forecast.isCertain = !limits.deadLetters;
    return forecast;
}

DropForecast byExpiry(const QueueLimits &limits, const Coming &coming)
{
    DropForecast forecast;
    if (*limits.keeps > worthSaying || limits.deadLetters)
        return forecast;
    forecast.cause = Cause::Expiry;
    forecast.dropped = coming.count;
    forecast.isCertain = *limits.keeps <= shortestStay && coming.consumers.value_or(0) == 0;
    return forecast;
}

QString messagesText(qint64 count)
{
    return count == 1 ? Text::tr("1 message") : Text::tr("%1 messages").arg(count);
}

QString expiryText(const QString &queue, const QueueLimits &limits, const DropForecast &forecast)
{
    const QString kept = core::durationText(*limits.keeps);
    if (forecast.isCertain)
        return Text::tr("%1 keeps a message for %2 and no consumer is known: all %3 would be lost.")
            .arg(queue, kept, QString::number(forecast.dropped));
    return Text::tr("%1 keeps a message for %2: what is not consumed by then is lost.").arg(queue, kept);
}

} // namespace

DropForecast forecastOf(const QueueLimits &limits, const Coming &coming)
{
    QList<DropForecast> all;
    if (coming.count == 0)
        return {};
    if (limits.messages && limits.mayNotOverflow())
        all.append(byLength(limits, coming));
    if (limits.bytes && limits.mayNotOverflow())
        all.append(byBytes(limits, coming));
    if (limits.keeps)
        all.append(byExpiry(limits, coming));
    all.removeIf([](const DropForecast &one) { return one.cause == Cause::None; });
    const auto certain = std::find_if(all.cbegin(), all.cend(), [](const DropForecast &one) { return one.isCertain; });
    if (certain != all.cend())
        return *certain;
    return all.isEmpty() ? DropForecast() : all.constFirst();
}

bool losesEverything(const QueueLimits &limits, std::optional<int> consumers)
{
    Coming one;
    one.count = 1;
    one.consumers = consumers;
    return forecastOf(limits, one).isCertain;
}

QString dropText(const QString &queue, const QueueLimits &limits, const DropForecast &forecast, const Coming &coming)
{
    QString kept;
    switch (forecast.cause) {
    case Cause::None:
        return {};
    case Cause::Expiry:
        return expiryText(queue, limits, forecast);
    case Cause::Length:
        kept = messagesText(*limits.messages);
        break;
    case Cause::Bytes:
        kept = Text::tr("%1 bytes").arg(*limits.bytes);
        break;
    }
    const QString waiting = coming.waiting ? QString::number(*coming.waiting) : Text::tr("unknown");
    const QString arriving =
        forecast.cause == Cause::Bytes
            ? Text::tr("%1 (%2 bytes)").arg(QString::number(coming.count), QString::number(coming.bytes))
            : QString::number(coming.count);
    if (limits.deadLettersNew())
        return Text::tr("%1 keeps %2, and copies of what it refuses then go to its dead-letter target. Waiting: %3, "
                        "coming: %4: %5 would be refused, with a copy there for each attempt.")
            .arg(queue, kept, waiting, arriving, QString::number(forecast.dropped));
    QString text = Text::tr("%1 keeps %2 and drops the oldest. Waiting: %3, coming: %4: %5 would be dropped")
                       .arg(queue, kept, waiting, arriving, QString::number(forecast.dropped));
    if (forecast.others > 0)
        text = Text::tr("%1, first the %2 of others that wait there now").arg(text, QString::number(forecast.others));
    if (limits.deadLetters)
        text = Text::tr("%1, and go to its dead-letter target").arg(text);
    return text + QLatin1Char('.');
}

} // namespace records
