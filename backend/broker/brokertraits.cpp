#include "backend/broker/brokertraits.h"

#include <QRegularExpression>

#include <array>

namespace broker {

namespace {

constexpr int persistent = 2; // AMQP 0-9-1 delivery_mode

// RabbitMQ: seen to be refused or to act in backend/broker/rabbitmq/README.md, "What goes back".
constexpr std::array rabbitHeaders{QStringView{u"CC"}, QStringView{u"BCC"}};
constexpr QStringView userId(u"user_id");
constexpr std::array rabbitProperties{userId, QStringView{u"expiration"}};

// Service Bus: what BrokerProperties brings with a received message and a sender must not set.
constexpr std::array serviceBusProperties{QStringView{u"DeliveryCount"},
                                          QStringView{u"LockToken"},
                                          QStringView{u"LockedUntilUtc"},
                                          QStringView{u"SequenceNumber"},
                                          QStringView{u"EnqueuedSequenceNumber"},
                                          QStringView{u"EnqueuedTimeUtc"},
                                          QStringView{u"State"},
                                          QStringView{u"TimeToLive"},
                                          QStringView{u"ExpiresAtUtc"},
                                          QStringView{u"DeadLetterSource"},
                                          QStringView{u"ScheduledEnqueueTimeUtc"}};

// SQS: the system attributes that it sets itself; group and trace go back with the message.
constexpr std::array sqsProperties{QStringView{u"MessageId"},
                                   QStringView{u"ApproximateFirstReceiveTimestamp"},
                                   QStringView{u"ApproximateReceiveCount"},
                                   QStringView{u"DeadLetterQueueSourceArn"},
                                   QStringView{u"MessageDeduplicationId"},
                                   QStringView{u"SenderId"},
                                   QStringView{u"SentTimestamp"},
                                   QStringView{u"SequenceNumber"}};

// Source: AMQP 0-9-1 section 3.1.2.
constexpr BrokerTraits rabbitTraits{};
// Source: Azure Service Bus quotas, "entity paths are case-insensitive".
constexpr BrokerTraits serviceBusTraits{Qt::CaseInsensitive, true, 0};
// Names of Storage Queues have no capital letters.
constexpr BrokerTraits azureQueueTraits{Qt::CaseSensitive, false, 0};
// Source: Amazon SQS quotas, "a message can contain up to 10 metadata attributes" and "the maximum is 1,048,576 bytes".
constexpr BrokerTraits sqsTraits{Qt::CaseSensitive, true, 10, 1024 * 1024};

template<typename Names>
void removeAll(records::Headers &headers, const Names &names)
{
    for (const QStringView name : names)
        records::remove(headers, name);
}

} // namespace

const BrokerTraits &traitsOf(records::BrokerKind kind)
{
    switch (kind) {
    case records::BrokerKind::RabbitMq:
        return rabbitTraits;
    case records::BrokerKind::ServiceBus:
        return serviceBusTraits;
    case records::BrokerKind::AzureQueue:
        return azureQueueTraits;
    case records::BrokerKind::Sqs:
        return sqsTraits;
    }
    Q_UNREACHABLE();
}

// Source: Amazon SQS message metadata, "Message attribute components".
bool carriesHeader(records::BrokerKind kind, const QString &name)
{
    static const QRegularExpression attribute(QStringLiteral("^(?!(AWS|Amazon)\\.)[A-Z0-9_-]+(\\.[A-Z0-9_-]+)*$"),
                                              QRegularExpression::CaseInsensitiveOption
                                                  | QRegularExpression::DontCaptureOption);
    if (kind == records::BrokerKind::Sqs)
        return attribute.match(name).hasMatch();
    return traitsOf(kind).carriesHeaders;
}

bool isDeadLetterSubQueue(records::BrokerKind kind, const QString &queue)
{
    return kind == records::BrokerKind::ServiceBus
           && queue.endsWith(QLatin1String("/$DeadLetterQueue"), Qt::CaseInsensitive);
}

bool acceptsMessages(records::BrokerKind kind, const QString &queue)
{
    static const QRegularExpression subscription(QStringLiteral("./Subscriptions/[^/]+$"),
                                                 QRegularExpression::CaseInsensitiveOption);
    return kind != records::BrokerKind::ServiceBus
           || !(isDeadLetterSubQueue(kind, queue) || subscription.match(queue).hasMatch());
}

records::Envelope forTransport(records::BrokerKind kind, records::Envelope envelope)
{
    switch (kind) {
    case records::BrokerKind::RabbitMq:
        removeAll(envelope.headers, rabbitHeaders);
        removeAll(envelope.properties, rabbitProperties);
        records::set(envelope.properties, QStringLiteral("delivery_mode"), QCborValue(persistent));
        break;
    case records::BrokerKind::ServiceBus:
        removeAll(envelope.properties, serviceBusProperties);
        break;
    case records::BrokerKind::Sqs:
        removeAll(envelope.properties, sqsProperties);
        break;
    case records::BrokerKind::AzureQueue: // a message is only its text
        break;
    }
    return envelope;
}

records::Headers withheldFrom(records::BrokerKind kind, const records::Envelope &envelope)
{
    records::Headers withheld;
    if (kind != records::BrokerKind::RabbitMq)
        return withheld;
    for (const QStringView name : rabbitHeaders) {
        if (const QCborValue *value = records::find(envelope.headers, name))
            withheld.append({name.toString(), *value});
    }
    if (const QCborValue *value = records::find(envelope.properties, userId))
        withheld.append({userId.toString(), *value});
    return withheld;
}

} // namespace broker
