#include "backend/broker/rabbitmq/http/messagecodec.h"

#include "backend/broker/rabbitmq/http/json.h"
#include "backend/core/digest.h"
#include "backend/core/text/losslessjson.h"
#include "backend/records/messages/decimals.h"

#include <QCborArray>
#include <QHash>

#include <cmath>
#include <limits>

namespace broker::rabbitmq {

namespace {

bool isUnfaithful(const QCborValue &value)
{
    if (value.isString()) {
        const QString text = value.toString();
        return text == QLatin1String("undefined") || text.startsWith(QLatin1String("Not UTF-8, base64 is:"))
               || text.startsWith(tooDeep);
    }
    if (value.isDouble())
        return std::abs(value.toDouble()) >= 9223372036854775808.0;
    if (value.isArray()) {
        const QCborArray array = value.toArray();
        return std::any_of(array.constBegin(), array.constEnd(), [](const QCborValue &v) { return isUnfaithful(v); });
    }
    if (value.isMap()) {
        const QCborMap map = value.toMap();
        for (auto it = map.constBegin(); it != map.constEnd(); ++it) {
            if (isUnfaithful(it.key()) || isUnfaithful(it.value()))
                return true;
        }
    }
    return false;
}

// RabbitMQ 4 shows an id of AMQP 1.0 that has no place in a property of AMQP 0.9.1, because it is longer than 255 bytes, as a
// header, and makes no id of this header again (mc_amqpl.erl).
bool isIdTooLong(const records::Header &header, const QCborMap &properties)
{
    constexpr qsizetype longestProperty = 255;
    const bool isId = header.name == QLatin1String("x-message-id") || header.name == QLatin1String("x-correlation-id");
    return isId && header.value.toString().toUtf8().size() > longestProperty
           && !properties.contains(header.name.mid(2).replace(QLatin1Char('-'), QLatin1Char('_')));
}

records::Headers headersFrom(const QCborMap &map)
{
    records::Headers headers;
    headers.reserve(map.size());
    for (auto it = map.constBegin(); it != map.constEnd(); ++it)
        headers.append(records::Header{it.key().toString(), it.value()});
    return headers;
}

} // namespace

ReceivedMessage heldFrom(const QCborMap &item)
{
    ReceivedMessage held;
    const QCborMap properties = item.value(QLatin1String("properties")).toMap(); // an empty object comes as []
    const QCborMap headers = properties.value(QLatin1String("headers")).toMap();
    held.envelope.headers = headersFrom(headers);
    held.envelope.properties = headersFrom(properties);
    records::remove(held.envelope.properties, u"headers");
    held.envelope.exchange = item.value(QLatin1String("exchange")).toString();
    held.envelope.routingKey = item.value(QLatin1String("routing_key")).toString();
    for (const records::Header &header : std::as_const(held.envelope.headers)) {
        if (isUnfaithful(header.name) || isUnfaithful(header.value) || isIdTooLong(header, properties))
            held.lossyHeaders.append(header.name);
    }
    held.maybeDecimals = records::headersWithDecimals(held.envelope.headers, held.lossyHeaders);
    held.notFaithful =
        std::any_of(held.envelope.properties.cbegin(), held.envelope.properties.cend(),
                    [](const records::Header &one) { return isUnfaithful(one.name) || isUnfaithful(one.value); });

    const QByteArray payload = item.value(QLatin1String("payload")).toString().toUtf8();
    if (item.value(QLatin1String("payload_encoding")).toString() == QLatin1String("base64")) {
        auto decoded = QByteArray::fromBase64Encoding(payload, QByteArray::AbortOnBase64DecodingErrors);
        held.notFaithful = held.notFaithful || !decoded;
        held.envelope.body = decoded ? decoded.decoded : payload;
    } else {
        held.envelope.body = payload;
    }
    if (core::integerOf(item.value(QLatin1String("payload_bytes")), -1) != held.envelope.body.size())
        held.notFaithful = true;
    held.wasReturned = item.value(QLatin1String("redelivered")).toBool(false);
    bool isNumber = false; // text with milliseconds
    const qint64 lives = properties.value(QLatin1String("expiration")).toString().toLongLong(&isNumber);
    if (isNumber && lives >= 0)
        held.retention = {records::BrokerRetention::Known::Limited, core::Milliseconds{lives}, {}};
    return held;
}

QString digestOf(const records::Envelope &envelope)
{
    const QByteArray digest = core::sha256({records::toCbor(envelope.properties), records::toCbor(envelope.headers),
                                            envelope.routingKey.toUtf8(), envelope.body});
    return QString::fromLatin1(digest.toHex().left(32));
}

namespace {

// If several headers have one name, the last counts, as in a map.
QHash<QString, qsizetype> lastPlaces(const records::Headers &headers)
{
    QHash<QString, qsizetype> places;
    places.reserve(headers.size());
    for (qsizetype i = 0; i < headers.size(); ++i)
        places.insert(headers.at(i).name, i);
    return places;
}

// The fields of a JSON object, without its braces; each is followed by a comma.
template<typename LeaveOut>
void appendFields(QByteArray &json, const records::Headers &headers, const LeaveOut &leaveOut)
{
    const QHash<QString, qsizetype> last = lastPlaces(headers);
    for (qsizetype i = 0; i < headers.size(); ++i) {
        const records::Header &header = headers.at(i);
        if (header.value.isNull() || leaveOut(header.name) || last.value(header.name) != i)
            continue;
        appendJson(json, header.name);
        json += ':';
        appendJson(json, header.value);
        json += ',';
    }
}

} // namespace

// Writes the JSON directly: otherwise a tree of values would be built for each copy.
QByteArray publishJson(const records::Envelope &envelope, const QString &routingKey)
{
    QByteArray json;
    json.reserve(envelope.body.size() * 4 / 3 + 4096);
    json += "{\"properties\":{";
    appendFields(json, envelope.properties, [](const QString &name) {
        return name == QLatin1String("expiration") || name == QLatin1String("user_id")
               || name == QLatin1String("headers") || name == QLatin1String("delivery_mode");
    });
    json += "\"delivery_mode\":2";
    QByteArray headers;
    appendFields(headers, envelope.headers,
                 [](const QString &name) { return name == QLatin1String("CC") || name == QLatin1String("BCC"); });
    if (!headers.isEmpty()) {
        headers.chop(1);
        json += ",\"headers\":{" + headers + '}';
    }
    json += "},\"routing_key\":";
    appendJson(json, routingKey);
    json += ",\"payload\":\"";
    json += envelope.body.toBase64();
    json += "\",\"payload_encoding\":\"base64\"}";
    return json;
}

} // namespace broker::rabbitmq
