#include "backend/dialect/table.h"

#include "backend/dialect/frameworks/clouds.h"
#include "backend/dialect/frameworks/easynetq.h"
#include "backend/dialect/frameworks/frameworks.h"
#include "backend/dialect/frameworks/nativefacts.h"
#include "backend/dialect/frameworks/nservicebus.h"
#include "backend/dialect/frameworks/rebus.h"
#include "backend/dialect/frameworks/sneakers.h"
#include "backend/dialect/frameworks/symfony.h"

#include <QCborArray>

#include <algorithm>

namespace dialect {

namespace {

Dialect unknown()
{
    Dialect entry;
    entry.name = QStringLiteral("unknown");
    entry.signs = {{}}; // no condition: it matches every message
    entry.fields = nativeFields();
    return entry;
}

bool matchesName(Match match, const QString &name, const QString &wanted)
{
    switch (match) {
    case Match::Exact:
        return name == wanted;
    case Match::Prefix:
        return name.startsWith(wanted);
    case Match::Suffix:
        return name.size() > wanted.size() && name.endsWith(wanted);
    }
    Q_UNREACHABLE();
}

bool says(const QString &text, const QStringList &values)
{
    return values.isEmpty() || std::any_of(values.begin(), values.end(), [&text](const QString &value) {
               return value.endsWith(QLatin1Char('*')) ? text.startsWith(QStringView(value).chopped(1)) : text == value;
           });
}

bool isIn(const records::Headers &list, const Sign &sign)
{
    return std::any_of(list.begin(), list.end(), [&sign](const records::Header &header) {
        return matchesName(sign.match, header.name, sign.name)
               && (sign.values.isEmpty() || says(records::text(header.value), sign.values));
    });
}

bool isThere(const MessageView &view, const Sign &sign)
{
    switch (sign.place) {
    case Place::Header:
        return isIn(view.envelope().headers, sign);
    case Place::Property:
        return isIn(view.envelope().properties, sign);
    case Place::InHeader:
        return !view.inHeader(sign.name).isUndefined();
    case Place::Queue:
        return matchesName(sign.match, view.arrival().queue, sign.name);
    case Place::JsonBody: {
        const QString text = view.mayHold(sign.name.section(QLatin1Char('/'), -1).toUtf8().constData())
                                 ? view.text({Place::JsonBody, sign.name})
                                 : QString();
        return !text.isEmpty() && says(text, sign.values);
    }
    }
    Q_UNREACHABLE();
}

bool isOf(const Dialect &entry, const MessageView &view)
{
    if (entry.detect != nullptr && entry.detect(view))
        return true;
    return std::any_of(entry.signs.begin(), entry.signs.end(), [&view](const Signs &signs) {
        return std::all_of(signs.begin(), signs.end(), [&view](const Sign &sign) { return isThere(view, sign); });
    });
}

FieldPaths paths(Place place, std::initializer_list<const char *> names)
{
    FieldPaths list;
    for (const char *name : names)
        list.push_back({place, QString::fromLatin1(name)});
    return list;
}

} // namespace

const std::vector<Dialect> &dialects()
{
    // Frameworks before brokers: the most specific failure header wins (dialects reference, 0.1).
    static const std::vector<Dialect> table{easyNetQ(),    nServiceBus(),       massTransit(), rebus(),
                                            symfony(),     wolverine(),         watermill(),   springKafka(),
                                            springAmqp(),  brighter(),          celery(),      rascal(),
                                            sneakers(),    laravel(),           eventBridge(), eventBridgeScheduler(),
                                            lambdaQueue(), lambdaDestination(), serviceBus(),  rabbitMq(),
                                            sqs(),         functions(),         dapr(),        sns(),
                                            unknown()};
    return table;
}

const Dialect &dialectNamed(const QString &name)
{
    const std::vector<Dialect> &all = dialects();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Dialect &d) { return d.name == name; });
    return found == all.end() ? all.back() : *found;
}

const Dialect &dialectOf(const MessageView &view)
{
    const std::vector<Dialect> &all = dialects();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Dialect &d) { return isOf(d, view); });
    return found == all.end() ? all.back() : *found;
}

bool isNull(const QCborValue &value)
{
    if (value.isArray()) {
        const QCborArray list = value.toArray();
        return !list.isEmpty() && std::all_of(list.constBegin(), list.constEnd(), isNull);
    }
    return value.isNull() || value.isUndefined()
           || (value.isString() && value.toString() == QLatin1String("undefined"));
}

const std::vector<StripRule> &commonStrip()
{
    static const std::vector<StripRule> rules = [] {
        // RabbitMQ: rabbit/src/mc.erl record_death. Brokers up to 3.13 continue the counts that a client sends, and
        // Spring's ConditionalRejectingErrorHandler silently discards messages with x-death.
        std::vector<StripRule> list =
            drop({"x-death", "x-opt-deaths", "x-delivery-count", "x-acquired-count", "x-delay"});
        append(list, drop({"x-first-death-", "x-last-death-"}, Match::Prefix));
        // The broker would deliver more copies to the queues that these headers name.
        append(list, drop({"CC", "BCC"}));
        // Service Bus. ServiceBusExplorer leaves these out too (Common/Helpers/Constants.cs).
        append(list, drop({"DeadLetterReason", "DeadLetterErrorDescription", "NServiceBus.Transport.Recovery"}));
        // Counters of consumers: an exhausted counter sends the message back at once. They may also be on a message that
        // the broker dead-lettered, which has no other sign of its framework. Source of the last two: HareMq
        // RetryPublisher, and the examples for dead letters of Spring Cloud Stream (rabbit_dlq.adoc).
        append(list, counters({"X-Custom-Retry-Count", "MT-Redelivery-Count", "HandledCount", "handled-count",
                               "retry-count", "retry_count", "x-retries"},
                              Action::ResetToZero));
        // The time to live from the first queue: with it the copy would expire again at once.
        list.push_back({QStringLiteral("expiration"), Match::Exact, Action::Drop, Place::Property});
        // BrokerProperties that only responses have (Service Bus REST, "BrokerProperties").
        for (const char *name :
             {"DeliveryCount", "EnqueuedSequenceNumber", "EnqueuedTimeUtc", "LockToken", "LockedUntilUtc",
              "SequenceNumber", "State", "DeadLetterSource", "ScheduledEnqueueTimeUtc", "ExpiresAtUtc"})
            list.push_back({QString::fromLatin1(name), Match::Exact, Action::Drop, Place::Property});
        return list;
    }();
    return rules;
}

FieldPaths headers(std::initializer_list<const char *> names)
{
    return paths(Place::Header, names);
}

FieldPaths properties(std::initializer_list<const char *> names)
{
    return paths(Place::Property, names);
}

FieldPaths inHeader(std::initializer_list<const char *> names)
{
    return paths(Place::InHeader, names);
}

FieldPaths inBody(std::initializer_list<const char *> names)
{
    return paths(Place::JsonBody, names);
}

FieldPaths operator+(FieldPaths first, const FieldPaths &then)
{
    first.insert(first.end(), then.begin(), then.end());
    return first;
}

std::vector<StripRule> drop(std::initializer_list<const char *> names, Match match)
{
    std::vector<StripRule> rules;
    for (const char *name : names)
        rules.push_back({QString::fromLatin1(name), match});
    return rules;
}

std::vector<StripRule> counters(std::initializer_list<const char *> names, Action action, Place place)
{
    std::vector<StripRule> rules;
    for (const char *name : names)
        rules.push_back({QString::fromLatin1(name), Match::Exact, action, place, true});
    return rules;
}

void append(std::vector<StripRule> &rules, const std::vector<StripRule> &more)
{
    rules.insert(rules.end(), more.begin(), more.end());
}

Sign header(const char *name, QStringList values)
{
    return {Place::Header, QString::fromLatin1(name), Match::Exact, std::move(values)};
}

// RabbitMQ (AMQP 0-9-1 basic.properties) spells with '_', Service Bus with capitals.
Fields nativeFields()
{
    Fields fields;
    fields.messageId = properties({"message_id", "MessageId"});
    fields.correlationId = properties({"correlation_id", "CorrelationId"});
    fields.conversationId = properties({"SessionId"});
    // An envelope header of a framework names the type even if its failure headers are missing.
    fields.messageType = properties({"type", "Label", "Subject"}) + headers({"NServiceBus.EnclosedMessageTypes"});
    fields.contentType = properties({"content_type", "ContentType", "Content-Type"});
    return fields;
}

} // namespace dialect
