#include "backend/dialect/frameworks/easynetq.h"

#include "backend/dialect/facts.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonArray>
#include <QStringDecoder>

#include <array>

namespace dialect {

namespace {

constexpr int deepestHeader = 8;
constexpr qsizetype mostWrappedHeaders = 1000;

// Keys follow the naming policy of the user's serializer: "RoutingKey", "routingKey", "routing_key".
QString plain(const QString &key)
{
    QString name = key.toLower();
    name.remove(QLatin1Char('_')).remove(QLatin1Char('-'));
    return name;
}

QJsonValue member(const QJsonObject &object, QLatin1String name)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (plain(it.key()) == name)
            return it.value();
    }
    return QJsonValue(QJsonValue::Undefined);
}

QString textOf(const QJsonObject &object, const char *name, qsizetype longest)
{
    return member(object, QLatin1String(name)).toString().left(longest);
}

bool isWrapper(const QJsonObject &error)
{
    constexpr std::array texts{"routingkey", "exchange", "queue", "exception", "message"};
    return std::all_of(texts.begin(), texts.end(),
                       [&](const char *name) { return member(error, QLatin1String(name)).isString(); })
           && member(error, QLatin1String("basicproperties")).isObject();
}

QJsonObject wrapperOf(const records::Envelope &envelope)
{
    constexpr qsizetype largest = 16 * 1024 * 1024; // it contains the whole body
    return jsonObject(envelope.body, largest);
}

bool detectEasyNetQ(const MessageView &view)
{
    const QString type = view.first(properties({"type"}), bounds::name);
    if (type == QLatin1String("EasyNetQ.SystemMessages.Error, EasyNetQ")
        || type == QLatin1String("EasyNetQ.SystemMessages.Error:EasyNetQ"))
        return true;
    if (view.arrival().queue == QLatin1String("EasyNetQ_Default_Error_Queue"))
        return isWrapper(wrapperOf(view.envelope()));
    // Only the content shows it. Every message comes here, so cheap tests are first.
    const bool worthIt = view.mayHold("roperties") && view.mayHold("outing") && view.mayHold("xchange");
    return worthIt && isWrapper(view.json());
}

std::optional<QByteArray> base64(const QString &text)
{
    if (text.isEmpty() || text.size() % 4 != 0)
        return std::nullopt;
    const auto decoded = QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || decoded.decoded.toBase64() != text.toLatin1())
        return std::nullopt;
    return *decoded;
}

bool isUtf8(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(bytes); // hasError() is valid after this
    return !decoder.hasError() && text.size() <= bytes.size();
}

// In .NET, AMQP strings arrive as bytes and are written as bytes.
QCborValue bytesOrText(const QByteArray &bytes)
{
    return isUtf8(bytes) ? QCborValue(QString::fromUtf8(bytes)) : QCborValue(bytes);
}

QCborValue typedHeader(const QJsonObject &pair, int depth);

// {"Type":13,"Value":"x"}: JsonHeaderType.cs. Older versions and Newtonsoft write the value alone.
QCborValue headerValue(const QJsonValue &value, int depth)
{
    if (depth > deepestHeader)
        return QCborValue(QCborValue::Null);
    const QJsonObject object = value.toObject();
    if (member(object, QLatin1String("type")).isDouble() && object.size() <= 2)
        return typedHeader(object, depth);
    if (value.isString()) {
        const std::optional<QByteArray> bytes = base64(value.toString());
        return bytes && isUtf8(*bytes) ? QCborValue(QString::fromUtf8(*bytes)) : QCborValue(value.toString());
    }
    return QCborValue::fromJsonValue(value);
}

QCborValue typedHeader(const QJsonObject &pair, int depth)
{
    enum Type { Null = 1, Bool, Byte, SByte, Int16, Int32, UInt32, Int64, Single, Double, Decimal, Timestamp, String };
    constexpr int bytesType = 14;
    constexpr int listType = 15;
    constexpr int dictionaryType = 16;
    constexpr int binaryTableType = 17;
    const int type = member(pair, QLatin1String("type")).toInt();
    const QJsonValue value = member(pair, QLatin1String("value"));
    if (type == bytesType || type == binaryTableType)
        return bytesOrText(QByteArray::fromBase64(value.toString().toLatin1()));
    if (type == Single || type == Double)
        return QCborValue(value.toDouble());
    if (type == listType) {
        QCborArray list;
        const QJsonArray values = value.toArray();
        for (const QJsonValue &one : values)
            list.append(headerValue(one, depth + 1));
        return list;
    }
    if (type == dictionaryType) {
        QCborMap map;
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            map.insert(it.key(), headerValue(it.value(), depth + 1));
        return map;
    }
    return QCborValue::fromJsonValue(value); // texts, numbers that are whole, true and false, nothing
}

struct Property
{
    const char *theirs;
    const char *ours;
};
// Source: EasyNetQ MessageProperties.cs. Without expiration, which has passed, and delivery mode, which the transport
// sets.
constexpr std::array texts{Property{"contenttype", "content_type"},
                           Property{"contentencoding", "content_encoding"},
                           Property{"correlationid", "correlation_id"},
                           Property{"replyto", "reply_to"},
                           Property{"messageid", "message_id"},
                           Property{"type", "type"},
                           Property{"userid", "user_id"},
                           Property{"appid", "app_id"},
                           Property{"clusterid", "cluster_id"}};
constexpr std::array numbers{Property{"priority", "priority"}, Property{"timestamp", "timestamp"}};

// Older versions write every property and, beside it, whether it was present.
bool isPresent(const QJsonObject &properties, const char *name)
{
    const QJsonValue flag = member(properties, QLatin1String((QByteArray(name) + "present").constData()));
    return flag.isUndefined() || flag.toBool();
}

void addProperties(const QJsonObject &given, records::Envelope &envelope)
{
    for (const Property &one : texts) {
        const QString text = textOf(given, one.theirs, bounds::address);
        if (!text.isEmpty() && isPresent(given, one.theirs))
            records::set(envelope.properties, QString::fromLatin1(one.ours), text);
    }
    for (const Property &one : numbers) {
        const QJsonValue value = member(given, QLatin1String(one.theirs));
        if (value.isDouble() && value.toInteger() > 0 && isPresent(given, one.theirs))
            records::set(envelope.properties, QString::fromLatin1(one.ours), value.toInteger());
    }
    const QJsonObject headers = member(given, QLatin1String("headers")).toObject();
    qsizetype count = 0;
    for (auto it = headers.begin(); it != headers.end() && count < mostWrappedHeaders; ++it, ++count)
        envelope.headers.append({it.key(), headerValue(it.value(), 0)});
}

// Words, numbers and hexadecimal digits are also valid Base64. A text counts as Base64 if it has capital and
// small letters and also a digit or a sign, as nearly all Base64 has, or if it ends with padding.
bool looksEncoded(const QString &text)
{
    bool upper = false;
    bool lower = false;
    bool other = false;
    for (const QChar c : text) {
        upper = upper || c.isUpper();
        lower = lower || c.isLower();
        other = other || !c.isLetter();
    }
    return (upper && lower && other) || text.endsWith(QLatin1Char('='));
}

// Text, or Base64 if the application uses Base64ErrorMessageSerializer.
QByteArray bodyOf(const QString &message)
{
    const std::optional<QByteArray> decoded = looksEncoded(message) ? base64(message) : std::nullopt;
    return decoded ? *decoded : message.toUtf8();
}

std::optional<records::Envelope> unwrap(const records::Envelope &envelope)
{
    const QJsonObject error = wrapperOf(envelope);
    if (!isWrapper(error))
        return std::nullopt;
    records::Envelope inside;
    inside.body = bodyOf(member(error, QLatin1String("message")).toString());
    inside.exchange = textOf(error, "exchange", bounds::address);
    inside.routingKey = textOf(error, "routingkey", bounds::address);
    addProperties(member(error, QLatin1String("basicproperties")).toObject(), inside);
    return inside;
}

// "2026-01-02T03:04:05Z" or, by older versions, "\/Date(1312196313848+0100)\/": milliseconds since 1970 in UTC.
std::optional<core::TimePoint> timeOf(const QString &text)
{
    const QString old = QStringLiteral("/Date(");
    if (!text.startsWith(old))
        return timeFrom(text, TimeForm::Iso);
    qsizetype end = old.size();
    while (end < text.size() && text.at(end).isDigit())
        ++end;
    return timeFrom(text.mid(old.size(), end - old.size()), TimeForm::UnixMs);
}

void refineEasyNetQ(const MessageView &view, Reading &reading)
{
    const QJsonObject error = wrapperOf(view.envelope());
    const QString whole = textOf(error, "exception", bounds::stackTrace);
    const ExceptionText read = dotNetException(whole);
    records::Failure &failure = reading.failure;
    failure.exceptionType = read.type;
    failure.exceptionMessage = read.isEmpty() ? whole.section(QLatin1Char('\n'), 0, 0) : read.message;
    failure.stackTrace = whole;
    failure.at = timeOf(textOf(error, "datetime", bounds::name));
    reading.destination =
        queueOf(textOf(error, "queue", bounds::address + 1), AddressForm::Name, records::Certainty::Exact);
    if (!reading.destination.queue.isEmpty())
        reading.destination.knownFrom = QStringLiteral("Queue");
    const QJsonObject given = member(error, QLatin1String("basicproperties")).toObject();
    reading.messageId = textOf(given, "messageid", bounds::id);
    reading.correlationId = textOf(given, "correlationid", bounds::id);
    // "Shop.Order, Shop" since version 3, "Shop.Order:Shop" before
    reading.messageType =
        textOf(given, "type", bounds::name).section(QLatin1Char(','), 0, 0).section(QLatin1Char(':'), 0, 0).trimmed();
    reading.contentType = textOf(given, "contenttype", bounds::name);
    failure.endpoint = textOf(given, "appid", bounds::name);
    // The default serializer reads every body as UTF-8, so a body that is not UTF-8 is damaged.
    if (member(error, QLatin1String("message")).toString().contains(QChar(QChar::ReplacementCharacter)))
        reading.flags.setFlag(records::MessageFlag::Damaged);
}

} // namespace

Dialect easyNetQ()
{
    Dialect entry;
    entry.name = QStringLiteral("EasyNetQ");
    entry.detect = detectEasyNetQ;
    entry.refine = refineEasyNetQ;
    entry.unwrap = unwrap;
    return entry;
}

} // namespace dialect
