#include "backend/dialect/frameworks/frameworks.h"

#include "backend/dialect/facts.h"
#include "backend/dialect/frameworks/nativefacts.h"
#include "backend/dialect/frameworks/packed.h"

#include <QCborMap>
#include <QJsonObject>

namespace dialect {

namespace {

// "Company.Project.SubmitOrder" of "urn:message:Company.Project:SubmitOrder", the first of a ';'-list.
QString typeOfUrn(const QString &types)
{
    const QString urn = QStringLiteral("urn:message:");
    QString first = types.section(QLatin1Char(';'), 0, 0).trimmed();
    if (!first.startsWith(urn))
        return first;
    first.remove(0, urn.size());
    return first.replace(QLatin1Char(':'), QLatin1Char('.'));
}

void refineMassTransit(const MessageView &view, Reading &reading)
{
    reading.messageType = typeOfUrn(reading.messageType);
    records::Failure &failure = reading.failure;
    if (failure.exceptionType.isEmpty() && view.header("MT-Reason") == QLatin1String("dead-letter")) {
        failure.exceptionType = QStringLiteral("dead-letter:skipped");
        failure.exceptionMessage = QStringLiteral("No consumer took it.");
    }
}

// Errors of Go have no type. The text before the first ':' says where they began.
void refineWatermill(const MessageView &, Reading &reading)
{
    QString &type = reading.failure.exceptionType;
    type = type.section(QLatin1Char(':'), 0, 0).simplified();
}

// Without a stack (the default since Spring AMQP 4.0.5) the type is missing too.
void refineSpring(const MessageView &view, Reading &reading)
{
    records::Failure &failure = reading.failure;
    const ExceptionText read = javaException(failure.stackTrace);
    failure.exceptionType = read.type;
    if (failure.exceptionMessage.isEmpty())
        failure.exceptionMessage = read.message;
    // The default exchange leads to the queue that the routing key names. Any other exchange reaches every queue bound
    // to it.
    const QCborValue *exchange = records::find(view.envelope().headers, u"x-original-exchange");
    if (exchange == nullptr || !exchange->isString() || !exchange->toString().isEmpty())
        return;
    reading.destination = queueOf(view.header("x-original-routingKey"), AddressForm::Name, records::Certainty::Exact);
    if (!reading.destination.queue.isEmpty())
        reading.destination.knownFrom = QStringLiteral("x-original-routingKey");
}

// On Kafka these names have capitals. On RabbitMQ and SQS, RejectionReason is a sentence of the message pump.
void refineBrighter(const MessageView &view, Reading &reading)
{
    if (records::find(view.envelope().headers, u"RejectionTimestamp") != nullptr)
        reading.failure.exceptionType =
            view.first({{Place::Header, QStringLiteral("RejectionReason"), true}}, bounds::name);
}

// A task id names one task, but a broadcast task may fail in each queue that got a copy. On brokers without exchanges the
// routing key names the queue. Source: kombu transport/virtual/base.py Channel.basic_publish, exchange.py.
void refineCelery(const MessageView &view, Reading &reading)
{
    records::Destination there = nativeFacts(view.arrival()).destination;
    if (there.queue.isEmpty()) {
        const QString path = QStringLiteral("properties/delivery_info/routing_key");
        QJsonValue value = packedWhole(view.envelope());
        const QStringList members = path.split(QLatin1Char('/'));
        for (const QString &member : members)
            value = value.toObject().value(member);
        there = queueOf(value.toString(), AddressForm::Name, records::Certainty::Derived);
        there.knownFrom = path;
        if (!there.queue.isEmpty())
            reading.destination = there;
    }
    reading.failure.endpoint = there.queue;
}

void refineRascal(const MessageView &view, Reading &reading)
{
    const QString queue = view.inHeader(QStringLiteral("rascal/originalQueue")).toString();
    const QCborMap recovery = view.inHeader(QStringLiteral("rascal/recovery")).toMap().value(queue).toMap();
    const qint64 republished = recovery.value(QLatin1String("republished")).toInteger(-1);
    if (republished >= 0 && republished < bounds::attempts)
        reading.attempts = int(republished) + 1;
}

} // namespace

// v8. Source: MassTransit.Abstractions/MessageHeaders.cs, Contexts/SendContextExtensions.cs, Util/ExceptionUtil.cs.
// MT-Fault-Address stays: by it the sender chooses where faults go. Hazard (run with 8.5.12): a redelivery count that is
// used up takes the delayed redeliveries away.
Dialect massTransit()
{
    Dialect entry;
    entry.name = QStringLiteral("MassTransit");
    entry.signs = {{header("MT-Reason", {QStringLiteral("fault"), QStringLiteral("dead-letter")})}};
    for (const char *name : {"MT-Fault-ExceptionType", "MT-Fault-InputAddress", "MT-Fault-Message",
                             "MT-Fault-Timestamp", "MT-Fault-StackTrace", "MT-Fault-ConsumerType",
                             "MT-Fault-MessageType", "MT-Fault-RetryCount", "MT-Fault-RedeliveryCount"}) {
        entry.signs.push_back({header(name)});
        append(entry.strip, drop({name}));
    }
    for (const char *queue : {"_error", "_skipped"}) {
        for (const char *contentType : {"content_type", "ContentType", "Content-Type"})
            entry.signs.push_back({{Place::Queue, QString::fromLatin1(queue), Match::Suffix},
                                   {Place::Property,
                                    QString::fromLatin1(contentType),
                                    Match::Exact,
                                    {QStringLiteral("application/vnd.masstransit*")}}});
    }
    append(entry.strip, drop({"MT-Reason", "MT-Host-MachineName", "MT-Host-ProcessName", "MT-Host-ProcessId",
                              "MT-Host-Assembly", "MT-Host-AssemblyVersion", "MT-Host-MassTransitVersion",
                              "MT-Host-FrameworkVersion", "MT-Host-OperatingSystemVersion"}));
    // With an envelope the framework reads the count there, otherwise in the header (EnvelopeMessageContext.cs,
    // GetRedeliveryCount).
    append(entry.strip, counters({"MT-Redelivery-Count"}, Action::Drop));
    append(entry.strip, counters({"headers/MT-Redelivery-Count"}, Action::Drop, Place::JsonBody));
    Fields &fields = entry.fields;
    fields.messageId = headers({"MessageId"}) + properties({"message_id", "MessageId"}) + inBody({"messageId"});
    fields.correlationId =
        headers({"CorrelationId"}) + properties({"correlation_id", "CorrelationId"}) + inBody({"correlationId"});
    fields.conversationId = headers({"ConversationId"}) + inBody({"conversationId"});
    fields.messageType = headers({"MT-Fault-MessageType", "MT-MessageType"}) + inBody({"messageType/0"});
    fields.returnTo = headers({"MT-Fault-InputAddress"});
    fields.addressForm = AddressForm::Uri;
    fields.exceptionType = headers({"MT-Fault-ExceptionType"});
    fields.exceptionMessage = headers({"MT-Fault-Message"});
    fields.stackTrace = headers({"MT-Fault-StackTrace"});
    fields.endpoint = headers({"MT-Fault-ConsumerType"});
    fields.host = headers({"MT-Host-MachineName"});
    fields.failedAt = headers({"MT-Fault-Timestamp"});
    fields.attempts = headers({"MT-Fault-RetryCount"});
    fields.attemptsBeside = 1;
    entry.cut.message = 2048;
    entry.cut.stack = 2048;
    entry.refine = refineMassTransit;
    return entry;
}

// Source: wolverine Transports/DeadLetterQueueConstants.cs. Without EnableEnhancedDeadLettering there is only x-death
// on RabbitMQ. Hazard (run with 6.62.0): with `attempts` at its last count the message fails for good at once.
Dialect wolverine()
{
    Dialect entry;
    entry.name = QStringLiteral("Wolverine");
    entry.signs = {{header("exception-type"), header("failed-at")}};
    Fields &fields = entry.fields;
    fields.messageId = headers({"id"}) + properties({"message_id", "MessageId"});
    fields.correlationId = properties({"correlation_id", "CorrelationId"}) + headers({"correlation-id"});
    fields.conversationId = headers({"conversation-id"});
    fields.messageType = headers({"message-type"}) + properties({"type", "Subject", "Label"});
    fields.returnTo = headers({"original-destination"});
    fields.addressForm = AddressForm::Uri;
    fields.exceptionType = headers({"exception-type"});
    fields.exceptionMessage = headers({"exception-message"});
    fields.stackTrace = headers({"exception-stack"});
    fields.contentType = headers({"content-type"});
    fields.failedAt = headers({"failed-at"});
    fields.timeForm = TimeForm::UnixMs;
    fields.attempts = headers({"attempts"});
    entry.cut.stackEnd = QStringLiteral("... (truncated)");
    entry.strip = drop({"exception-type", "exception-message", "exception-stack", "failed-at", "original-destination",
                        "original-partition", "original-offset"});
    append(entry.strip, counters({"attempts"}, Action::Drop));
    return entry;
}

// Source: watermill message/router/middleware/poison.go, components/requeuer. The destination is only derived: whether
// the topic is the queue depends on the settings of the publisher.
Dialect watermill()
{
    Dialect entry;
    entry.name = QStringLiteral("Watermill");
    entry.signs = {{header("reason_poisoned"), header("topic_poisoned")}};
    Fields &fields = entry.fields;
    fields.messageId = headers({"_watermill_message_uuid"});
    fields.correlationId = headers({"correlation_id"});
    fields.returnTo = headers({"topic_poisoned"});
    fields.certainty = records::Certainty::Derived;
    fields.exceptionType = headers({"reason_poisoned"});
    fields.exceptionMessage = headers({"reason_poisoned"});
    fields.endpoint = headers({"handler_poisoned"});
    fields.attempts = headers({"_watermill_requeuer_retries"});
    entry.strip = drop({"reason_poisoned", "topic_poisoned", "handler_poisoned", "subscriber_poisoned",
                        "_watermill_delayed_until", "_watermill_delayed_for"});
    append(entry.strip, counters({"_watermill_requeuer_retries"}, Action::Drop));
    entry.refine = refineWatermill;
    return entry;
}

// Source: spring-kafka KafkaHeaders.java, RetryTopicHeaders.java.
Dialect springKafka()
{
    Dialect entry;
    entry.name = QStringLiteral("Spring Kafka");
    entry.signs = {{{Place::Header, QStringLiteral("kafka_dlt-"), Match::Prefix}}};
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.messageType = headers({"__TypeId__"});
    fields.returnTo = headers({"kafka_dlt-original-topic"});
    fields.certainty = records::Certainty::FanOut;
    fields.exceptionType = headers({"kafka_dlt-exception-cause-fqcn", "kafka_dlt-exception-fqcn"});
    fields.exceptionMessage = headers({"kafka_dlt-exception-message"});
    fields.stackTrace = headers({"kafka_dlt-exception-stacktrace"});
    fields.endpoint = headers({"kafka_dlt-original-consumer-group"});
    entry.strip = counters({"retry_topic-attempts"}, Action::Drop);
    append(entry.strip, drop({"kafka_dlt-", "retry_topic-"}, Match::Prefix));
    return entry;
}

// RepublishMessageRecoverer, and the Rabbit binder of Spring Cloud Stream: its queue has the same name without ".dlq".
// Source: spring-amqp retry/RepublishMessageRecoverer.java, RabbitMessageChannelBinder.java.
Dialect springAmqp()
{
    Dialect entry;
    entry.name = QStringLiteral("Spring AMQP");
    entry.signs = {{header("x-original-exchange")}, {header("x-original-routingKey")}};
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.messageType = headers({"__TypeId__"}) + fields.messageType;
    fields.exceptionMessage = headers({"x-exception-message"});
    fields.stackTrace = headers({"x-exception-stacktrace"});
    fields.attempts = headers({"retry-count"});
    entry.cut.messageEnd = QStringLiteral("...");
    entry.strip =
        drop({"x-exception-message", "x-exception-stacktrace", "x-original-exchange", "x-original-routingKey"});
    append(entry.strip, counters({"retry-count"}, Action::Drop));
    entry.refine = refineSpring;
    return entry;
}

// v10. Source: Brighter AWSSQS/SqsMessageConsumer.cs, Kafka/HeaderNames.cs, ServiceActivator/Proactor.cs. Some names
// differ only in case, so they are compared Ordinal.
Dialect brighter()
{
    Dialect entry;
    entry.name = QStringLiteral("Brighter");
    entry.signs = {{header("rejectionTimestamp"), header("originalTopic")},
                   {header("RejectionTimestamp"), header("OriginalTopic")},
                   {header("HandledCount"), header("MessageType", {QStringLiteral("MT_*")})}};
    const auto both = [](const char *lower, const char *upper) {
        return FieldPaths{{Place::Header, QString::fromLatin1(lower), true},
                          {Place::Header, QString::fromLatin1(upper), true}};
    };
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.messageId = headers({"MessageId"}) + fields.messageId + headers({"id"});
    fields.correlationId = headers({"CorrelationId"}) + fields.correlationId + headers({"correlation-id"});
    fields.conversationId = {};
    // Here the property `type` is the content type.
    fields.messageType = headers({"cloudEvents_type", "cloudEvents:type", "type", "MessageType"});
    fields.returnTo = both("originalTopic", "OriginalTopic");
    fields.certainty = records::Certainty::Derived;
    fields.exceptionType = {{Place::Header, QStringLiteral("rejectionReason"), true}};
    fields.exceptionMessage = both("rejectionMessage", "RejectionMessage");
    fields.failedAt = both("rejectionTimestamp", "RejectionTimestamp");
    fields.attempts = headers({"HandledCount", "handled-count"});
    entry.strip = drop({"originalTopic", "rejectionTimestamp", "originalMessageType", "rejectionReason",
                        "rejectionMessage", "OriginalTopic", "RejectionTimestamp", "OriginalType", "RejectionReason",
                        "RejectionMessage", "DeliveryTag", "Redelivered"});
    append(entry.strip, counters({"HandledCount", "handled-count"}, Action::ResetToZero));
    entry.refine = refineBrighter;
    return entry;
}

// Protocol 2, with late acknowledgement and task_acks_on_failure_or_timeout=False: a failed task is rejected and
// dead-lettered. Source: celery/app/amqp.py as_task_v2, celery/app/task.py Context (a missing header is None there). A task
// that runs after `expires` is discarded. Hazard (run with 5.2.6): with `retries` at its last count it has one try left.
Dialect celery()
{
    Dialect entry;
    entry.name = QStringLiteral("Celery");
    entry.signs = {{header("lang"), header("task"), header("id"), header("root_id")}};
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.messageId = headers({"id"});
    fields.messageType = headers({"task"});
    fields.correlationId = headers({"group", "parent_id"}) + fields.correlationId;
    fields.conversationId = headers({"root_id"});
    fields.attempts = headers({"retries"});
    fields.attemptsBeside = 1;
    entry.strip = drop({"expires"});
    append(entry.strip, counters({"retries"}, Action::ResetToZero));
    for (const char *name : {"eta", "expires", "group", "group_index", "shadow", "root_id", "parent_id", "timelimit",
                             "argsrepr", "kwargsrepr", "origin", "stamped_headers", "stamps"})
        entry.strip.push_back({QString::fromLatin1(name), Match::Exact, Action::DropNull});
    entry.capabilities = {Capability::UniqueIds, Capability::NoCause};
    entry.refine = refineCelery;
    return entry;
}

// Messages that were republished or forwarded after an error. A retry starts with all tries again. `rascal.encryption`
// stays, because the body cannot be read without it. Hazard (run with 21.0.1): with an exhausted `rascal.recovery` it has
// one try left. Source: rascal lib/amqp/SubscriberError.js, Subscription.js.
Dialect rascal()
{
    Dialect entry;
    entry.name = QStringLiteral("rascal");
    entry.signs = {{{Place::InHeader, QStringLiteral("rascal/recovery")}},
                   {{Place::InHeader, QStringLiteral("rascal/error/message")}}};
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.returnTo = inHeader({"rascal/originalQueue"});
    fields.exceptionType = inHeader({"rascal/error/code"});
    fields.exceptionMessage = inHeader({"rascal/error/message"});
    entry.cut.message = 1024;
    entry.strip = counters({"rascal/recovery"}, Action::Drop, Place::InHeader);
    entry.strip.push_back({QStringLiteral("rascal/error"), Match::Exact, Action::Drop, Place::InHeader});
    entry.refine = refineRascal;
    return entry;
}

// Jobs of Laravel. A worker counts the tries in the header; a missing count is none. Source: laravel-queue-rabbitmq
// src/Queue/RabbitMQQueue.php createMessage, Jobs/RabbitMQJob.php attempts; Illuminate Queue.php createObjectPayload.
Dialect laravel()
{
    Dialect entry;
    entry.name = QStringLiteral("Laravel");
    entry.signs = {{{Place::InHeader, QStringLiteral("laravel/attempts")}}};
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.messageId = inBody({"uuid", "id"}) + fields.messageId;
    fields.messageType = inBody({"displayName", "job"});
    fields.attempts = inHeader({"laravel/attempts"});
    fields.attemptsBeside = 1;
    entry.strip = counters({"laravel/attempts"}, Action::Drop, Place::InHeader);
    entry.capabilities = Capability::NoCause;
    return entry;
}

} // namespace dialect
