#include "backend/dialect/table.h"

#include "backend/dialect/nativefacts.h"
#include "backend/dialect/nservicebus.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace dialect {

namespace {

bool always(const Arrival &)
{
    return true;
}

FieldPath header(QString name)
{
    return {Place::Header, std::move(name)};
}

FieldPath property(QString name)
{
    return {Place::Property, std::move(name)};
}

// What brokers know of a message. RabbitMQ (AMQP 0-9-1 basic.properties) spells with '_', Service Bus with capitals.
Fields nativeFields()
{
    Fields fields;
    fields.messageId = {property(QStringLiteral("message_id")), property(QStringLiteral("MessageId"))};
    fields.correlationId = {property(QStringLiteral("correlation_id")), property(QStringLiteral("CorrelationId"))};
    fields.conversationId = {property(QStringLiteral("SessionId"))};
    // An envelope header of a framework names the type even where its failure headers are missing.
    fields.messageType = {property(QStringLiteral("type")), property(QStringLiteral("Label")),
                          property(QStringLiteral("Subject")),
                          header(QStringLiteral("NServiceBus.EnclosedMessageTypes"))};
    fields.contentType = {property(QStringLiteral("content_type")), property(QStringLiteral("ContentType")),
                          property(QStringLiteral("Content-Type"))};
    return fields;
}

Dialect rabbitMq()
{
    Dialect entry;
    entry.name = QStringLiteral("RabbitMQ");
    entry.detect = isRabbitDeadLetter;
    entry.fields = nativeFields();
    entry.capabilities = Capability::EditableHeaders;
    entry.refine = readRabbitDeadLetter;
    return entry;
}

// Source: Microsoft, "Service Bus dead-letter queues"; azure-sdk-for-net AmqpMessageConstants.cs.
Dialect serviceBus()
{
    Dialect entry;
    entry.name = QStringLiteral("Service Bus");
    entry.detect = isServiceBusDeadLetter;
    entry.fields = nativeFields();
    entry.fields.exceptionType = {header(QStringLiteral("DeadLetterReason"))};
    entry.fields.exceptionMessage = {header(QStringLiteral("DeadLetterErrorDescription"))};
    entry.capabilities = Capabilities(Capability::EditableHeaders) | Capability::ExactAttempts;
    entry.refine = readServiceBusDeadLetter;
    return entry;
}

Dialect unknown()
{
    Dialect entry;
    entry.name = QStringLiteral("unknown");
    entry.detect = always;
    entry.fields = nativeFields();
    entry.returns = ReturnStrategy::Manual;
    entry.capabilities = Capability::EditableHeaders;
    return entry;
}

QString jsonText(const QByteArray &body, const QString &path)
{
    if (body.size() > bounds::jsonBody)
        return {};
    QJsonValue value = QJsonDocument::fromJson(body).object();
    const QStringList segments = path.split(QLatin1Char('/'), Qt::SkipEmptyParts);
    for (const QString &segment : segments)
        value = value.toObject().value(segment);
    return value.isDouble() || value.isBool() ? value.toVariant().toString() : value.toString();
}

} // namespace

const std::vector<Dialect> &dialects()
{
    // Frameworks before brokers: the most specific failure header wins (dialects reference, 0.1).
    static const std::vector<Dialect> table{nServiceBus(), serviceBus(), rabbitMq(), unknown()};
    return table;
}

const Dialect &dialectNamed(const QString &name)
{
    const std::vector<Dialect> &all = dialects();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Dialect &d) { return d.name == name; });
    return found == all.end() ? all.back() : *found;
}

const Dialect &dialectOf(const Arrival &arrival)
{
    const std::vector<Dialect> &all = dialects();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Dialect &d) { return d.detect(arrival); });
    return found == all.end() ? all.back() : *found;
}

const std::vector<StripRule> &commonStrip()
{
    static const std::vector<StripRule> rules = [] {
        std::vector<StripRule> list;
        // RabbitMQ: rabbit/src/mc.erl record_death; brokers up to 3.13 go on counting what a client sends along, and
        // Spring's ConditionalRejectingErrorHandler silently discards messages that carry x-death.
        for (const char *name : {"x-death", "x-opt-deaths", "x-delivery-count", "x-acquired-count", "x-delay"})
            list.push_back({QString::fromLatin1(name)});
        for (const char *name : {"x-first-death-", "x-last-death-"})
            list.push_back({QString::fromLatin1(name), Match::Prefix});
        // The broker would deliver further copies to whatever these name.
        for (const char *name : {"CC", "BCC"})
            list.push_back({QString::fromLatin1(name)});
        // Service Bus, and what ServiceBusExplorer leaves out too (Common/Helpers/Constants.cs).
        for (const char *name : {"DeadLetterReason", "DeadLetterErrorDescription", "NServiceBus.Transport.Recovery"})
            list.push_back({QString::fromLatin1(name)});
        // Counters of consumers: at its end a counter sends the message straight back.
        for (const char *name :
             {"X-Custom-Retry-Count", "MT-Redelivery-Count", "HandledCount", "handled-count", "retry-count"})
            list.push_back({QString::fromLatin1(name), Match::Exact, Action::ResetToZero});
        // The rest of its life in the first queue: kept, the copy would expire again at once.
        list.push_back({QStringLiteral("expiration"), Match::Exact, Action::Drop, Place::Property});
        // BrokerProperties that only answers carry (Service Bus REST, "BrokerProperties").
        for (const char *name :
             {"DeliveryCount", "EnqueuedSequenceNumber", "EnqueuedTimeUtc", "LockToken", "LockedUntilUtc",
              "SequenceNumber", "State", "DeadLetterSource", "ScheduledEnqueueTimeUtc", "ExpiresAtUtc"})
            list.push_back({QString::fromLatin1(name), Match::Exact, Action::Drop, Place::Property});
        return list;
    }();
    return rules;
}

const QCborValue *findLoosely(const records::Headers &headers, QStringView name)
{
    if (const QCborValue *exact = records::find(headers, name))
        return exact;
    const auto found = std::find_if(headers.cbegin(), headers.cend(), [&](const records::Header &h) {
        return h.name.compare(name, Qt::CaseInsensitive) == 0;
    });
    return found == headers.cend() ? nullptr : &found->value;
}

QString textAt(const records::Envelope &envelope, const FieldPath &path)
{
    if (path.place == Place::JsonBody)
        return jsonText(envelope.body, path.name);
    const records::Headers &list = path.place == Place::Header ? envelope.headers : envelope.properties;
    const QCborValue *value = findLoosely(list, path.name);
    return value == nullptr ? QString() : records::text(*value);
}

QString firstText(const records::Envelope &envelope, const FieldPaths &paths, qsizetype longest)
{
    for (const FieldPath &path : paths) {
        const QString text = textAt(envelope, path);
        if (!text.isEmpty())
            return text.left(longest);
    }
    return {};
}

} // namespace dialect
