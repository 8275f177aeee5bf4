#include "backend/dialect/sentat.h"

#include "backend/dialect/frameworks/nservicebus.h"

#include <QDateTime>

namespace dialect {

namespace {

std::optional<core::TimePoint> exactIsoTime(const QString &text)
{
    constexpr qsizetype longest = 64;
    if (text.size() > longest)
        return std::nullopt;
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    return time.isValid() ? std::optional(core::fromMs(time.toMSecsSinceEpoch())) : std::nullopt;
}

// AMQP's timestamp property is in seconds. Source: AMQP 0-9-1, section 4.2.5.4.
std::optional<core::TimePoint> amqpTimestamp(const records::Envelope &envelope)
{
    constexpr qint64 latest = 253'402'300'799; // the end of the year 9999
    constexpr qint64 msOfSecond = 1000;
    const QCborValue *value = records::find(envelope.properties, u"timestamp");
    if (value == nullptr || !value->isInteger())
        return std::nullopt;
    const qint64 seconds = value->toInteger();
    return seconds > 0 && seconds <= latest ? std::optional(core::fromMs(seconds * msOfSecond)) : std::nullopt;
}

} // namespace

// Sources: NServiceBus.Core Headers.cs (TimeSent); Rebus Headers.cs (rbs2-senttime, a DateTimeOffset in "O").
std::optional<core::TimePoint> sentAt(const Arrival &arrival, const records::Envelope &sent)
{
    std::optional<core::TimePoint> at = nServiceBusTime(records::text(sent.headers, u"NServiceBus.TimeSent"));
    if (!at)
        at = exactIsoTime(records::text(sent.headers, u"rbs2-senttime"));
    if (!at && arrival.broker == records::BrokerKind::RabbitMq)
        at = amqpTimestamp(sent);
    return at ? at : arrival.enqueuedAt;
}

} // namespace dialect
