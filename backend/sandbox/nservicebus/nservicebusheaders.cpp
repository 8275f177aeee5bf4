#include "backend/sandbox/nservicebus/nservicebusheaders.h"

#include <QDateTime>
#include <QTimeZone>

namespace sandbox {

namespace {

const QString timeFormat = QStringLiteral("yyyy-MM-dd HH:mm:ss:zzz'000 Z'");
const QString exceptionPrefix = QStringLiteral("NServiceBus.ExceptionInfo.");

void put(records::Headers &headers, const QString &name, const QString &value)
{
    records::set(headers, name, value);
}

} // namespace

QString wireTime(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), QTimeZone::utc()).toString(timeFormat);
}

std::optional<core::TimePoint> fromWireTime(const QString &text)
{
    QDateTime time = QDateTime::fromString(text, timeFormat);
    time.setTimeZone(QTimeZone::utc());
    return time.isValid() ? std::optional(core::fromMs(time.toMSecsSinceEpoch())) : std::nullopt;
}

void addMessageHeaders(records::Headers &headers, const MessageIdentity &identity)
{
    put(headers, QStringLiteral("NServiceBus.MessageId"), identity.id);
    put(headers, QStringLiteral("NServiceBus.ConversationId"), identity.conversation);
    put(headers, QStringLiteral("NServiceBus.CorrelationId"), identity.id);
    put(headers, QStringLiteral("NServiceBus.EnclosedMessageTypes"),
        identity.type + QStringLiteral(", Shop.Messages, Version=1.0.0.0, Culture=neutral"));
    put(headers, QStringLiteral("NServiceBus.MessageIntent"), QStringLiteral("Send"));
    put(headers, QStringLiteral("NServiceBus.ContentType"), QStringLiteral("application/json"));
}

void addFailureHeaders(records::Headers &headers, const FailureFacts &facts)
{
    put(headers, failedQueueHeader.toString(), facts.queue);
    put(headers, failureTimeHeader.toString(), wireTime(facts.at));
    put(headers, exceptionTypeHeader.toString(), facts.exceptionType);
    put(headers, exceptionMessageHeader.toString(), facts.message);
    put(headers, exceptionPrefix + QStringLiteral("Source"), facts.endpoint);
    put(headers, exceptionPrefix + QStringLiteral("StackTrace"),
        facts.exceptionType + QStringLiteral(": ") + facts.message + facts.stackTrace);
    put(headers, QStringLiteral("NServiceBus.ProcessingEndpoint"), facts.endpoint);
    put(headers, QStringLiteral("NServiceBus.ProcessingMachine"), facts.machine);
}

void removeFailureHeaders(records::Headers &headers)
{
    headers.removeIf([](const records::Header &header) {
        return header.name.startsWith(exceptionPrefix) || header.name == failedQueueHeader
               || header.name == failureTimeHeader;
    });
}

} // namespace sandbox
