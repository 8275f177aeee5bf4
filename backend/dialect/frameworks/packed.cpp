#include "backend/dialect/frameworks/packed.h"

#include "backend/dialect/messageview.h"

#include <QDataStream>
#include <QHash>
#include <QIODevice>
#include <QJsonDocument>

#include <algorithm>
#include <array>

namespace dialect {

namespace {

constexpr qsizetype largest = 16 * 1024 * 1024; // it may contain the whole body
constexpr int mostHeaders = 10000;

// A JSON object with headers: a member of the body, or a whole attribute.
struct JsonPlace
{
    const char *attribute; // null: the body
    const char *member;
    const char *beside; // the member with the message itself
    const char *mark; // the start of at least one of the names
};
// Source: NServiceBus.AmazonSQS TransportMessage.cs, InputQueuePump.cs; NServiceBus.Transport.AzureStorageQueues
// MessageWrapper.cs; Rebus AmazonSqsTransportMessage.cs, AzureStorageQueuesTransport.cs; kombu transport/virtual/base.py
// Channel.prepare_message, SQS.py; amazon-sqs-messenger Connection.php; Brighter SqsMessageConsumer.cs.
constexpr std::array jsonPatcher{JsonPlace{nullptr, "Headers", "Body", "NServiceBus."},
                                 JsonPlace{nullptr, "Headers", "Body", "rbs2-"},
                                 JsonPlace{nullptr, "headers", "body", "root_id"},
                                 JsonPlace{"NServiceBus.AmazonSQS.Headers", nullptr, nullptr, "NServiceBus."},
                                 JsonPlace{nullptr, "headers", "body", "rbs2-"},
                                 JsonPlace{"X-Symfony-Messenger", nullptr, nullptr, "X-Message-Stamp-"},
                                 JsonPlace{"bag", nullptr, nullptr, ""}};

// SQS; Storage Queues; Service Bus.
constexpr std::array<QStringView, 5> brokerAttributes{u"ApproximateReceiveCount", u"SentTimestamp", u"InsertionTime",
                                                      u"EnqueuedTimeUtc", u"SequenceNumber"};

bool mayBePacked(const records::Envelope &envelope)
{
    return std::any_of(brokerAttributes.begin(), brokerAttributes.end(),
                       [&envelope](QStringView name) { return records::find(envelope.properties, name) != nullptr; });
}

// The JSON of a body, which may be in Base64 and may begin with a byte order mark.
struct BodyText
{
    QByteArray json;
    bool isBase64 = false;
};

BodyText bodyText(const QByteArray &body)
{
    // What "{" and a byte order mark begin with in Base64.
    const bool mayBeBase64 = body.startsWith("ey") || body.startsWith("ew") || body.startsWith("77u/");
    if (!mayBeBase64 || body.size() > largest)
        return {body};
    const auto decoded = QByteArray::fromBase64Encoding(body, QByteArray::AbortOnBase64DecodingErrors);
    // What does not come out the same would be changed by a retry.
    return decoded && decoded.decoded.toBase64() == body ? BodyText{*decoded, true} : BodyText{body};
}

QByteArray bodyWith(const BodyText &before, const QByteArray &json)
{
    constexpr char utf8Mark[] = "\xef\xbb\xbf";
    const QByteArray text = before.json.startsWith(utf8Mark) ? utf8Mark + json : json;
    return before.isBase64 ? text.toBase64() : text;
}

QJsonObject wholeAt(const records::Envelope &envelope, const JsonPlace &place)
{
    if (place.attribute != nullptr)
        return jsonObject(records::text(envelope.headers, QString::fromLatin1(place.attribute)).toUtf8(), largest);
    const QByteArray json = bodyText(envelope.body).json;
    if (!json.contains(place.mark))
        return {};
    const QJsonObject body = jsonObject(json, largest);
    const QJsonValue beside = body.value(QLatin1String(place.beside));
    return beside.isString() || beside.isNull() ? body : QJsonObject();
}

QJsonObject headersIn(const QJsonObject &whole, const JsonPlace &place)
{
    return place.member == nullptr ? whole : whole.value(QLatin1String(place.member)).toObject();
}

const JsonPlace *placeOf(const records::Envelope &envelope)
{
    for (const JsonPlace &place : jsonPatcher) {
        const QStringList names = headersIn(wholeAt(envelope, place), place).keys();
        const QLatin1String mark(place.mark);
        if (std::any_of(names.begin(), names.end(), [&mark](const QString &name) { return name.startsWith(mark); }))
            return &place;
    }
    return nullptr;
}

// Wolverine: time of sending, number of headers, names and values, length of the message, the message; little-endian,
// in Base64. Source: wolverine EnvelopeSerializer.cs.
using Pairs = QList<std::pair<QByteArray, QByteArray>>;
struct Binary
{
    qint64 sent = 0;
    Pairs headers;
    QByteArray rest; // from the length on
};

// A length as .NET writes it: seven bits per byte, the lowest first.
std::optional<QByteArray> readText(QDataStream &stream, qint64 available)
{
    constexpr int mostBytes = 4;
    qint64 length = 0;
    for (int i = 0; i < mostBytes; ++i) {
        quint8 byte = 0;
        stream >> byte;
        length |= qint64(byte & 0x7f) << (7 * i);
        if ((byte & 0x80) == 0)
            break;
        if (i + 1 == mostBytes)
            return std::nullopt;
    }
    if (stream.status() != QDataStream::Ok || length > available)
        return std::nullopt;
    QByteArray text(length, Qt::Uninitialized);
    if (stream.readRawData(text.data(), int(length)) != length)
        return std::nullopt;
    return text;
}

void writeText(QDataStream &stream, const QByteArray &text)
{
    auto length = quint32(text.size());
    while (length >= 0x80) {
        stream << quint8(length | 0x80);
        length >>= 7;
    }
    stream << quint8(length);
    stream.writeRawData(text.constData(), int(text.size()));
}

std::optional<Binary> binaryOf(const records::Envelope &envelope)
{
    if (records::find(envelope.headers, u"wolverine-protocol-version") == nullptr || envelope.body.size() > largest)
        return std::nullopt;
    const auto decoded = QByteArray::fromBase64Encoding(envelope.body, QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        return std::nullopt;
    const QByteArray &bytes = *decoded;
    QDataStream stream(bytes);
    stream.setByteOrder(QDataStream::LittleEndian);
    Binary binary;
    qint32 count = 0;
    stream >> binary.sent >> count;
    if (stream.status() != QDataStream::Ok || count < 0 || count > mostHeaders)
        return std::nullopt;
    for (qint32 i = 0; i < count; ++i) {
        const std::optional<QByteArray> name = readText(stream, bytes.size());
        const std::optional<QByteArray> value = name ? readText(stream, bytes.size()) : std::nullopt;
        if (!value)
            return std::nullopt;
        binary.headers.append({*name, *value});
    }
    binary.rest = bytes.mid(qsizetype(stream.device()->pos()));
    return binary;
}

QByteArray encoded(const Binary &binary)
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setByteOrder(QDataStream::LittleEndian);
    stream << binary.sent << qint32(binary.headers.size());
    for (const auto &[name, value] : binary.headers) {
        writeText(stream, name);
        writeText(stream, value);
    }
    return (bytes + binary.rest).toBase64();
}

// Several headers may share one name, and each keeps its own value. An unchanged value stays as it is and need not be
// text.
Pairs keptOf(const Pairs &packed, const records::Headers &kept)
{
    Pairs pairs;
    QHash<QString, qsizetype> next; // for each name, where the search continues
    for (const auto &[bytes, value] : packed) {
        const QString name = QString::fromUtf8(bytes);
        const auto found = std::find_if(kept.cbegin() + next.value(name), kept.cend(),
                                        [&name](const records::Header &header) { return header.name == name; });
        if (found == kept.cend())
            continue;
        next.insert(name, found - kept.cbegin() + 1);
        const QString text = records::text(found->value);
        pairs.append({bytes, text == QString::fromUtf8(value) ? value : text.toUtf8()});
    }
    return pairs;
}

void packJson(records::Envelope &envelope, const JsonPlace &place, const records::Headers &kept)
{
    QJsonObject whole = wholeAt(envelope, place);
    QJsonObject headers = headersIn(whole, place);
    const QStringList names = headers.keys();
    for (const QString &name : names) {
        const QCborValue *value = records::find(kept, name);
        if (value == nullptr)
            headers.remove(name);
        else if (*value != QCborValue::fromJsonValue(headers.value(name)))
            headers.insert(name, value->toJsonValue());
    }
    for (const records::Header &header : kept) {
        if (!headers.contains(header.name))
            headers.insert(header.name, header.value.toJsonValue());
    }
    if (place.member != nullptr)
        whole.insert(QLatin1String(place.member), headers);
    const QByteArray json = QJsonDocument(place.member == nullptr ? headers : whole).toJson(QJsonDocument::Compact);
    if (place.attribute == nullptr)
        envelope.body = bodyWith(bodyText(envelope.body), json);
    else
        records::set(envelope.headers, QString::fromLatin1(place.attribute), QString::fromUtf8(json));
}

} // namespace

std::optional<records::Headers> packedHeaders(const records::Envelope &envelope)
{
    return mayBePacked(envelope) ? packedIn(envelope) : std::nullopt;
}

std::optional<records::Headers> packedIn(const records::Envelope &envelope)
{
    records::Headers headers;
    if (const std::optional<Binary> binary = binaryOf(envelope)) {
        for (const auto &[name, value] : binary->headers)
            headers.append({QString::fromUtf8(name), QString::fromUtf8(value)});
        return headers;
    }
    const JsonPlace *place = placeOf(envelope);
    if (place == nullptr)
        return std::nullopt;
    const QJsonObject packed = headersIn(wholeAt(envelope, *place), *place);
    for (auto it = packed.begin(); it != packed.end() && headers.size() < mostHeaders; ++it)
        headers.append({it.key(), QCborValue::fromJsonValue(it.value())});
    return headers;
}

QJsonObject packedWhole(const records::Envelope &envelope)
{
    const JsonPlace *place = mayBePacked(envelope) ? placeOf(envelope) : nullptr;
    return place == nullptr ? QJsonObject() : wholeAt(envelope, *place);
}

records::Envelope packedAgain(const records::Envelope &envelope, const records::Headers &kept)
{
    records::Envelope copy = envelope;
    if (std::optional<Binary> binary = binaryOf(envelope)) {
        binary->headers = keptOf(binary->headers, kept);
        copy.body = encoded(*binary);
    } else if (const JsonPlace *place = placeOf(envelope)) {
        packJson(copy, *place, kept);
    }
    return copy;
}

} // namespace dialect
