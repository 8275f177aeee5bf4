#include "backend/dialect/frameworks/clouds.h"

#include "backend/dialect/facts.h"

#include <QJsonArray>

namespace dialect {

namespace {

const QString poison = QStringLiteral("-poison");

Sign inJson(const char *path, QStringList values = {})
{
    return {Place::JsonBody, QString::fromLatin1(path), Match::Exact, std::move(values)};
}

// All of these messages are in queues of SQS, which counts receives. On another broker the same names belong to
// applications.
Signs onSqs(Signs signs)
{
    signs.insert(signs.begin(), {Place::Property, QStringLiteral("ApproximateReceiveCount")});
    return signs;
}

// "my-function" of "arn:aws:lambda:us-east-2:123456789012:function:my-function:$LATEST"
QString lastNameOf(const QString &arn)
{
    const QStringList parts = arn.split(QLatin1Char(':'));
    return parts.size() < 7 ? parts.last().section(QLatin1Char('/'), -1) : parts.at(6);
}

// Only a target that is a queue can be sent to: a function, a bus or a topic cannot.
void refineTarget(const MessageView &, Reading &reading)
{
    reading.failure.endpoint = lastNameOf(reading.failure.endpoint);
    reading.flags.setFlag(records::MessageFlag::OtherTool, reading.destination.queue.isEmpty());
}

Dialect target(const char *name)
{
    Dialect entry;
    entry.name = QString::fromLatin1(name);
    Fields &fields = entry.fields;
    fields.returnTo = headers({"TARGET_ARN"});
    fields.addressForm = AddressForm::Arn;
    fields.exceptionType = headers({"ERROR_CODE"});
    fields.exceptionMessage = headers({"ERROR_MESSAGE"});
    fields.endpoint = headers({"TARGET_ARN"});
    fields.attempts = headers({"RETRY_ATTEMPTS"});
    fields.attemptsBeside = 1;
    entry.strip = drop({"TARGET_ARN", "ERROR_CODE", "ERROR_MESSAGE", "RETRY_ATTEMPTS", "EXHAUSTED_RETRY_CONDITION"});
    entry.refine = refineTarget;
    return entry;
}

void refineLambda(const MessageView &view, Reading &reading)
{
    QStringList lines;
    QJsonArray frames = view.jsonAt(QStringLiteral("responsePayload/stackTrace")).toArray();
    if (frames.isEmpty())
        frames = view.jsonAt(QStringLiteral("responsePayload/trace")).toArray(); // of a function on Node.js
    for (qsizetype i = 0; i < frames.size() && i < 1000; ++i)
        lines.append(frames.at(i).toString());
    reading.failure.stackTrace = lines.join(QLatin1Char('\n')).left(bounds::stackTrace);
    reading.failure.endpoint = lastNameOf(reading.failure.endpoint);
}

// System attributes belong to the service: a sender may only set group and trace, and a retry needs a new deduplication
// id.
std::vector<StripRule> sqsAttributes()
{
    std::vector<StripRule> rules;
    for (const Place place : {Place::Property, Place::Header}) {
        for (const char *name :
             {"DeadLetterQueueSourceArn", "ApproximateReceiveCount", "ApproximateFirstReceiveTimestamp",
              "SentTimestamp", "SenderId", "MessageDeduplicationId"})
            rules.push_back({QString::fromLatin1(name), Match::Exact, Action::Drop, place});
    }
    return rules;
}

// The poison queue of blob triggers holds names of blobs. There is no queue to return them to.
void refineFunctions(const MessageView &view, Reading &reading)
{
    const QString &queue = view.arrival().queue;
    if (queue == QLatin1String("webjobs-blobtrigger-poison")) {
        reading.flags.setFlag(records::MessageFlag::OtherTool);
        return;
    }
    reading.destination = {queue.chopped(poison.size()), records::Certainty::Derived,
                           QStringLiteral("name of the queue")};
}

// Storage queues have no headers. The other brokers are recognized by properties that they always write.
bool isPoison(const MessageView &view)
{
    const Arrival &arrival = view.arrival();
    const bool elsewhere = !view.first(properties({"delivery_mode", "SequenceNumber", "SentTimestamp"}), 1).isEmpty();
    return !elsewhere && arrival.queue.size() > poison.size() && arrival.queue.endsWith(poison)
           && arrival.envelope.headers.isEmpty();
}

} // namespace

// Source: AWS, "Event retry policy and using dead-letter queues" (EventBridge rules); the attributes of an SQS message.
Dialect eventBridge()
{
    Dialect entry = target("EventBridge");
    entry.signs = {onSqs({header("RULE_ARN"), header("TARGET_ARN")})};
    entry.fields.messageId = inBody({"id"});
    entry.fields.messageType = inBody({"detail-type"});
    entry.strip.push_back({QStringLiteral("RULE_ARN")});
    return entry;
}

Dialect eventBridgeScheduler()
{
    Dialect entry = target("EventBridge Scheduler");
    entry.signs = {onSqs({header("SCHEDULE_ARN"), header("TARGET_ARN")})};
    entry.fields.messageId = headers({"EXECUTION_ID"});
    for (const char *name : {"SCHEDULE_ARN", "SCHEDULED_TIME", "EXECUTION_ID", "IS_PAYLOAD_TRUNCATED"})
        entry.strip.push_back({QString::fromLatin1(name)});
    return entry;
}

// Source: AWS, "Asynchronous invocation", dead-letter queues. The message does not name the function, so it cannot be
// called.
Dialect lambdaQueue()
{
    Dialect entry;
    entry.name = QStringLiteral("Lambda");
    entry.signs = {onSqs({header("RequestID"), header("ErrorCode"), header("ErrorMessage")})};
    entry.fields.messageId = headers({"RequestID"});
    entry.fields.exceptionMessage = headers({"ErrorMessage"});
    entry.cut.message = 1024;
    entry.strip = drop({"RequestID", "ErrorCode", "ErrorMessage"});
    entry.capabilities = Capability::OtherTool;
    return entry;
}

// Source: AWS, "Asynchronous invocation", destinations. The body holds the failed call of a function.
Dialect lambdaDestination()
{
    Dialect entry;
    entry.name = QStringLiteral("Lambda destination");
    entry.signs = {onSqs({inJson("requestContext/functionArn"), inJson("requestContext/condition")})};
    Fields &fields = entry.fields;
    fields.messageId = inBody({"requestContext/requestId"});
    fields.exceptionType = inBody({"responsePayload/errorType", "responseContext/functionError"});
    fields.exceptionMessage = inBody({"responsePayload/errorMessage", "requestContext/condition"});
    fields.endpoint = inBody({"requestContext/functionArn"});
    fields.failedAt = inBody({"timestamp"});
    fields.attempts = inBody({"requestContext/approximateInvokeCount"});
    entry.capabilities = Capability::OtherTool;
    entry.refine = refineLambda;
    return entry;
}

// Source: botocore sqs service-2.json. The count continues in the dead-letter queue, so it includes our own receive.
Dialect sqs()
{
    Dialect entry;
    entry.name = QStringLiteral("SQS");
    const QString source = QStringLiteral("DeadLetterQueueSourceArn");
    entry.signs = {{{Place::Property, source}}, {{Place::Header, source}}};
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.returnTo = properties({"DeadLetterQueueSourceArn"}) + headers({"DeadLetterQueueSourceArn"});
    fields.addressForm = AddressForm::Arn;
    fields.attempts = properties({"ApproximateReceiveCount"}) + headers({"ApproximateReceiveCount"});
    fields.attemptsBeside = -1;
    entry.strip = sqsAttributes();
    entry.refine = [](const MessageView &, Reading &reading) {
        reading.failure.exceptionType = QStringLiteral("dead-letter:received too often");
        reading.failure.exceptionMessage =
            QStringLiteral("It was received as often as the redrive policy of its queue allows.");
    };
    return entry;
}

// A notification that its subscriber did not accept. It does not name the subscription, and sending it to its topic
// would reach every subscriber.
Dialect sns()
{
    Dialect entry;
    entry.name = QStringLiteral("SNS");
    entry.signs = {onSqs({inJson("Type", {QStringLiteral("Notification")}), inJson("TopicArn"), inJson("MessageId"),
                          inJson("Message")})};
    Fields &fields = entry.fields;
    fields.messageId = inBody({"MessageId"});
    fields.messageType = inBody({"Subject", "TopicArn"});
    fields.exceptionType = headers({"ErrorCode"});
    fields.exceptionMessage = headers({"ErrorMessage"});
    entry.capabilities = Capability::OtherTool;
    return entry;
}

// Source: azure-webjobs-sdk QueueListenerFactory.cs, HostQueueNames.cs. A poison message is only a copy of the body.
Dialect functions()
{
    Dialect entry;
    entry.name = QStringLiteral("Azure Functions");
    entry.detect = isPoison;
    entry.refine = refineFunctions;
    return entry;
}

// Source: dapr pkg/runtime/subscription/subscription.go, pubsub/envelope.go. The topic reaches every application. If
// RabbitMQ dead-lettered the message, an earlier entry recognizes it and the queue is known.
Dialect dapr()
{
    Dialect entry;
    entry.name = QStringLiteral("Dapr");
    entry.signs = {{inJson("pubsubname"), inJson("topic")}};
    Fields &fields = entry.fields;
    fields.messageId = inBody({"id"});
    fields.correlationId = inBody({"traceid"});
    fields.messageType = inBody({"type"});
    fields.returnTo = inBody({"topic"});
    fields.certainty = records::Certainty::FanOut;
    fields.endpoint = inBody({"source"});
    fields.contentType = inBody({"datacontenttype"});
    return entry;
}

} // namespace dialect
