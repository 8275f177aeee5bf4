#include "backend/broker/sqs/messagemapper.h"

#include "backend/broker/sqs/text.h"
#include "backend/records/messages/stamp.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QStringDecoder>

#include <algorithm>

namespace broker::sqs {

using core::ErrorKind;

namespace {

const QString typeProperty = QStringLiteral("DataType.");
const QString groupProperty = QStringLiteral("MessageGroupId");
const QString traceProperty = QStringLiteral("AWSTraceHeader");
const QString textType = QStringLiteral("String");
const QString numberType = QStringLiteral("Number");
const QString binaryType = QStringLiteral("Binary");

tl::unexpected<core::Error> rejected(const QString &message)
{
    return core::fail(ErrorKind::Rejected, message);
}

bool isOfType(const QString &type, const QString &base)
{
    return type == base || type.startsWith(base + QLatin1Char('.'));
}

// An integer only if it is written back with the same characters.
std::optional<qint64> integerFrom(const QString &digits)
{
    bool isInteger = false;
    const qint64 value = digits.toLongLong(&isInteger);
    return isInteger && QString::number(value) == digits ? std::optional(value) : std::nullopt;
}

// The type of a value if no property gives another one.
QString typeOf(const QCborValue &value)
{
    if (value.isString())
        return textType;
    if (value.isByteArray())
        return binaryType;
    return value.isInteger() || value.isDouble() ? numberType : QString();
}

bool readAttribute(const QString &name, const QJsonObject &attribute, records::Envelope &envelope)
{
    const QString type = attribute.value(QLatin1String("DataType")).toString();
    const QJsonValue words = attribute.value(QLatin1String("StringValue"));
    const QJsonValue bytes = attribute.value(QLatin1String("BinaryValue"));
    QCborValue value;
    if (isOfType(type, binaryType) && bytes.isString()) {
        const auto decoded =
            QByteArray::fromBase64Encoding(bytes.toString().toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
        if (decoded.decodingStatus != QByteArray::Base64DecodingStatus::Ok)
            return false;
        value = QCborValue(*decoded);
    } else if (words.isString() && words.toString().isValidUtf16() && !type.isEmpty() && !isOfType(type, binaryType)) {
        const std::optional<qint64> integer = type == numberType ? integerFrom(words.toString()) : std::nullopt;
        value = integer ? QCborValue(*integer) : QCborValue(words.toString());
    } else {
        return false;
    }
    envelope.headers.append({name, value});
    if (type != typeOf(value))
        envelope.properties.append({typeProperty + name, type});
    return true;
}

std::optional<core::TimePoint> timeFrom(const QJsonObject &attributes, const char *name)
{
    bool isNumber = false;
    const qint64 milliseconds = attributes.value(QLatin1String(name)).toString().toLongLong(&isNumber);
    return isNumber && milliseconds > 0 ? std::optional(core::fromMs(milliseconds)) : std::nullopt;
}

bool hasOtherDigest(const QJsonObject &message, const QByteArray &body)
{
    const QString given = message.value(QLatin1String("MD5OfBody")).toString();
    const QByteArray own = QCryptographicHash::hash(body, QCryptographicHash::Md5).toHex();
    return !given.isEmpty() && given.compare(QLatin1String(own), Qt::CaseInsensitive) != 0;
}

// Source: SQS API Reference, SendMessageBatch, "valid unicode characters".
bool isTaken(char32_t one)
{
    return one == U'\t' || one == U'\n' || one == U'\r' || (one >= 0x20 && one <= 0xd7ff)
           || (one >= 0xe000 && one <= 0xfffd) || (one >= 0x10000 && one <= 0x10ffff);
}

core::Result<QString> bodyText(const QByteArray &body)
{
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringConverter::Flag::Stateless | QStringConverter::Flag::ConvertInitialBom);
    const QString words = decoder(body);
    if (decoder.hasError() || words.toUtf8() != body)
        return rejected(Text::tr("SQS messages must be text; this body is not."));
    if (words.isEmpty())
        return rejected(Text::tr("SQS does not accept an empty body."));
    for (const char32_t one : words.toUcs4()) {
        if (!isTaken(one)) {
            return rejected(Text::tr("This body contains the character U+%1, which SQS does not accept.")
                                .arg(uint(one), 4, 16, QLatin1Char('0')));
        }
    }
    return words;
}

struct Attribute
{
    QString type;
    QString value; // bytes as base64
    qint64 bytes = 0;
};

core::Result<Attribute> attributeFrom(const records::Header &header, const records::Headers &properties)
{
    Attribute made;
    made.type = typeOf(header.value);
    if (made.type.isEmpty())
        return rejected(Text::tr("The header %1 has a type that SQS cannot carry.").arg(header.name));
    // A value that was edited to another type has that type.
    const QString told = records::text(properties, typeProperty + header.name);
    if (!told.isEmpty() && isOfType(told, binaryType) == header.value.isByteArray())
        made.type = told;
    if (header.value.isByteArray()) {
        made.value = QString::fromLatin1(header.value.toByteArray().toBase64());
        made.bytes = header.value.toByteArray().size();
    } else {
        made.value = records::text(header.value);
        made.bytes = made.value.toUtf8().size();
    }
    if (made.value.isEmpty())
        return rejected(Text::tr("The header %1 is empty; SQS does not accept empty attributes.").arg(header.name));
    made.bytes += header.name.toUtf8().size() + made.type.size();
    return made;
}

core::Result<> checkCount(const records::Headers &headers)
{
    if (headers.size() <= mostAttributes)
        return {};
    const bool onlyStamp =
        headers.size() == mostAttributes + 1 && records::find(headers, records::stampHeader) != nullptr;
    if (onlyStamp) {
        return rejected(Text::tr("This message has %1 attributes, and SQS accepts no more. There is no room for %2, by "
                                 "which Redrive recognises the message if it fails again.")
                            .arg(QString::number(mostAttributes), records::stampHeader.toString()));
    }
    return rejected(Text::tr("This message would have %1 attributes; SQS accepts at most %2. Redrive needs one of them "
                             "to recognise the message if it fails again.")
                        .arg(headers.size())
                        .arg(mostAttributes));
}

// Standard queues accept a group too; in FIFO queues every message needs one.
void addOrder(const Outgoing &message, QJsonObject &json)
{
    const QString group = records::text(message.envelope.properties, groupProperty);
    if (!group.isEmpty())
        json.insert(groupProperty, group);
    if (!isFifo(message.destination))
        return;
    if (group.isEmpty())
        json.insert(groupProperty, message.uniqueId);
    if (!message.dedupId.isEmpty())
        json.insert(QLatin1String("MessageDeduplicationId"), message.dedupId);
}

// Longer than SQS takes only if the clock was set back since the delay was chosen: then the whole of it.
core::Result<> addDelay(const Outgoing &message, core::TimePoint now, QJsonObject &json)
{
    if (!message.deliverAt || *message.deliverAt <= now)
        return {};
    if (isFifo(message.destination))
        return rejected(
            Text::tr("A message for the FIFO queue %1 cannot have a delay of its own.").arg(message.destination));
    const core::Milliseconds delay = std::min<core::Milliseconds>(*message.deliverAt - now, longestDelay);
    json.insert(QLatin1String("DelaySeconds"), qint64(std::chrono::ceil<std::chrono::seconds>(delay).count()));
    return {};
}

} // namespace

core::Result<ReceivedMessage> heldFrom(const QJsonObject &message)
{
    ReceivedMessage held;
    held.nativeId = message.value(QLatin1String("MessageId")).toString();
    held.settleToken = message.value(QLatin1String("ReceiptHandle")).toString();
    const QJsonValue body = message.value(QLatin1String("Body"));
    if (held.nativeId.isEmpty() || held.settleToken.isEmpty())
        return core::fail(ErrorKind::Corrupt, Text::tr("SQS returned a message without an id or a receipt handle."));
    held.envelope.body = body.toString().toUtf8();
    records::set(held.envelope.properties, QStringLiteral("MessageId"), held.nativeId);
    const QJsonObject system = message.value(QLatin1String("Attributes")).toObject();
    for (auto it = system.begin(); it != system.end(); ++it) {
        if (it.value().isString())
            records::set(held.envelope.properties, it.key(), it.value().toString());
    }
    held.enqueuedAt = timeFrom(system, "SentTimestamp");
    // Deliveries before this one: the count includes the call that brought the message to us.
    bool isCount = false;
    const int count = system.value(QLatin1String("ApproximateReceiveCount")).toString().toInt(&isCount);
    if (isCount && count > 0)
        held.deliveryCount = count - 1;
    held.origin = queueNameOf(system.value(QLatin1String("DeadLetterQueueSourceArn")).toString());
    held.notFaithful =
        !body.isString() || !body.toString().isValidUtf16() || hasOtherDigest(message, held.envelope.body);
    const QJsonObject attributes = message.value(QLatin1String("MessageAttributes")).toObject();
    for (auto it = attributes.begin(); it != attributes.end(); ++it) {
        if (!readAttribute(it.key(), it.value().toObject(), held.envelope))
            held.notFaithful = true;
    }
    return held;
}

core::Milliseconds longestDelayOf(const QString &queue)
{
    return isFifo(queue) ? core::Milliseconds{0} : longestDelay;
}

core::Result<Entry> entryFrom(const Outgoing &message, core::TimePoint now)
{
    const records::Envelope &envelope = message.envelope;
    TRY(const QString body, bodyText(envelope.body));
    TRY(checkCount(envelope.headers));
    Entry entry;
    entry.json.insert(QLatin1String("MessageBody"), body);
    entry.bytes = envelope.body.size();
    QJsonObject attributes;
    for (const records::Header &header : envelope.headers) {
        TRY(const Attribute attribute, attributeFrom(header, envelope.properties));
        const QLatin1String member(header.value.isByteArray() ? "BinaryValue" : "StringValue");
        attributes.insert(header.name,
                          QJsonObject{{QLatin1String("DataType"), attribute.type}, {member, attribute.value}});
        entry.bytes += attribute.bytes;
    }
    if (!attributes.isEmpty())
        entry.json.insert(QLatin1String("MessageAttributes"), attributes);
    if (const QString trace = records::text(envelope.properties, traceProperty); !trace.isEmpty()) {
        const QJsonObject value{{QLatin1String("DataType"), textType}, {QLatin1String("StringValue"), trace}};
        entry.json.insert(QLatin1String("MessageSystemAttributes"), QJsonObject{{traceProperty, value}});
    }
    addOrder(message, entry.json);
    TRY(addDelay(message, now, entry.json));
    if (entry.bytes > mostBytes) {
        return rejected(Text::tr("This message has %1 bytes with its attributes; SQS accepts at most %2.")
                            .arg(entry.bytes)
                            .arg(mostBytes));
    }
    return entry;
}

bool isFifo(const QString &queue)
{
    return queue.endsWith(QLatin1String(".fifo"));
}

QString queueNameOf(const QString &address)
{
    const bool isArn = address.startsWith(QLatin1String("arn:"));
    const QString name = address.section(isArn ? QLatin1Char(':') : QLatin1Char('/'), -1);
    return isQueueName(name) ? name : QString();
}

bool isQueueName(const QString &name)
{
    constexpr qsizetype longest = 80;
    static const QRegularExpression form(QStringLiteral("^[A-Za-z0-9_-]+(\\.fifo)?$"));
    return name.size() <= longest && form.match(name).hasMatch();
}

} // namespace broker::sqs
