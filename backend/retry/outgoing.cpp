#include "backend/retry/outgoing.h"

#include "backend/dialect/dialect.h"
#include "backend/dialect/editing.h"
#include "backend/records/retrycount.h"

#include <array>

namespace retry {

namespace {

constexpr int persistent = 2; // AMQP 0-9-1 delivery_mode

// RabbitMQ: rabbitmq-behaviour.md, rows "CC", "user_id of another user", "transient, expiring".
constexpr std::array rabbitHeaders{QStringView{u"CC"}, QStringView{u"BCC"}};
constexpr std::array rabbitProperties{QStringView{u"user_id"}, QStringView{u"expiration"}};

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

template<typename Names>
void removeAll(records::Headers &headers, const Names &names)
{
    for (const QStringView name : names)
        records::remove(headers, name);
}

} // namespace

records::Envelope forTransport(records::BrokerKind broker, records::Envelope envelope)
{
    switch (broker) {
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

core::Result<records::Envelope> contentToSend(records::BrokerKind broker, records::OperationKind kind,
                                              const MessageFormat &format, const records::Envelope &failed,
                                              const records::Edit &edit)
{
    const bool strip = kind == records::OperationKind::Retry;
    records::Envelope content = strip ? dialect::stripped(format.dialect, failed, format.conventions)
                                      : dialect::withoutNulls(format.dialect, failed, format.conventions);
    if (strip && !edit.isEmpty()) {
        TRY(content, dialect::edited(format.dialect, content, edit));
    }
    return forTransport(broker, std::move(content));
}

records::Envelope stamped(records::Envelope content, records::Stamp stamp)
{
    stamp.bodyDigest = records::bodyDigest(content.body);
    records::set(content.headers, records::stampHeader.toString(), QCborValue(records::toText(stamp)));
    return content;
}

records::Envelope withRetryCount(records::BrokerKind broker, records::Envelope content, int count)
{
    constexpr qsizetype mostSqsAttributes = 10; // one of them is our stamp
    const bool hasRoom = broker != records::BrokerKind::Sqs || content.headers.size() + 2 <= mostSqsAttributes
                         || records::retryCountOf(content.headers) > 0;
    if (broker != records::BrokerKind::AzureQueue && hasRoom)
        records::setRetryCount(content.headers, count);
    return content;
}

QString dedupId(const records::Stamp &stamp)
{
    constexpr qsizetype storeLetters = 8; // copied and restored stores continue with the same operation numbers
    return QStringLiteral("%1-%2-%3-%4")
        .arg(stamp.uniqueId, QString::number(stamp.operation.value), QString::number(stamp.attempt),
             stamp.store.left(storeLetters));
}

namespace {

qint64 weightOf(const records::Headers &headers)
{
    constexpr qint64 entry = 32; // approximate overhead of a name and a value
    qint64 bytes = 0;
    for (const records::Header &header : headers) {
        const QCborValue &value = header.value;
        bytes += entry + header.name.size();
        if (value.isString())
            bytes += value.toString().size();
        else if (value.isContainer() || value.isByteArray())
            bytes += value.toCbor().size();
    }
    return bytes;
}

} // namespace

qint64 weight(const records::Envelope &envelope)
{
    return envelope.body.size() + weightOf(envelope.headers) + weightOf(envelope.properties);
}

} // namespace retry
