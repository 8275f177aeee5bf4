#include "backend/broker/servicebus/messagemapper.h"

#include "backend/broker/servicebus/propertytext.h"
#include "backend/broker/servicebus/text.h"
#include "backend/core/text/losslessjson.h"
#include "backend/core/time/httpdate.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QStringDecoder>

#include <algorithm>
#include <array>

namespace broker {

using core::ErrorKind;

namespace {

constexpr double foreverSeconds = 9e11; // TimeSpan.MaxValue is 922337203685.47754

const std::array<QString, 8> &settableTexts()
{
    static const std::array<QString, 8> names{QStringLiteral("MessageId"),
                                              QStringLiteral("CorrelationId"),
                                              QStringLiteral("Label"),
                                              QStringLiteral("To"),
                                              QStringLiteral("ReplyTo"),
                                              QStringLiteral("SessionId"),
                                              QStringLiteral("ReplyToSessionId"),
                                              QStringLiteral("PartitionKey")};
    return names;
}

void readBrokerProperties(const QJsonObject &json, const QString &queue, ReceivedMessage &held)
{
    for (const QString &name : settableTexts()) {
        const QJsonValue value = json.value(name);
        if (value.isString())
            records::set(held.envelope.properties, name, value.toString());
    }
    const double timeToLive = json.value(QLatin1String("TimeToLive")).toDouble(foreverSeconds);
    if (timeToLive > 0 && timeToLive < foreverSeconds)
        records::set(held.envelope.properties, QStringLiteral("TimeToLive"), QCborValue(timeToLive));
    if (json.value(QLatin1String("DeliveryCount")).isDouble())
        held.deliveryCount = json.value(QLatin1String("DeliveryCount")).toInt();
    if (json.value(QLatin1String("TimeToLive")).isDouble() && timeToLive > 0) {
        const bool forEver = timeToLive >= foreverSeconds;
        held.retention.known =
            forEver ? records::BrokerRetention::Known::Forever : records::BrokerRetention::Known::Limited;
        if (!forEver)
            held.retention.keeps = core::Milliseconds{qint64(timeToLive * 1000)};
    }
    held.enqueuedAt = core::fromHttpDate(json.value(QLatin1String("EnqueuedTimeUtc")).toString().toUtf8());
    // A queue that was deleted and created again counts from 1 again, so the number alone could name two messages.
    held.nativeId = QStringLiteral("%1@%2")
                        .arg(json.value(QLatin1String("SequenceNumber")).toInteger())
                        .arg(held.enqueuedAt ? core::toMs(*held.enqueuedAt) / 1000 : 0);
    const QString deadLetter = QStringLiteral("/$DeadLetterQueue");
    held.origin = json.value(QLatin1String("DeadLetterSource")).toString();
    const bool isDeadLetter = queue.endsWith(deadLetter, Qt::CaseInsensitive);
    if (held.origin.isEmpty() && isDeadLetter)
        held.origin = queue.chopped(deadLetter.size());
    if (isDeadLetter) // dead-letter queues do not apply the time to live
        held.retention = {records::BrokerRetention::Known::Forever, {}, {}};
}

// Extension of the embedded broker: properties whose names cannot be HTTP headers.
void readOddProperties(const QByteArray &json, records::Headers &headers)
{
    const QJsonObject odd = core::jsonFrom(json).object();
    for (auto it = odd.begin(); it != odd.end(); ++it)
        headers.append({it.key(), propertyFromText(it.value().toString().toUtf8())});
}

QJsonObject brokerJson(const records::Envelope &envelope)
{
    QJsonObject json;
    for (const QString &name : settableTexts()) {
        const QString text = records::text(envelope.properties, name);
        if (!text.isEmpty())
            json.insert(name, text);
    }
    const QCborValue *timeToLive = records::find(envelope.properties, u"TimeToLive");
    if (timeToLive != nullptr && timeToLive->toDouble() > 0 && timeToLive->toDouble() < foreverSeconds)
        json.insert(QLatin1String("TimeToLive"), timeToLive->toDouble());
    const QString scheduled = records::text(envelope.properties, u"ScheduledEnqueueTimeUtc");
    if (!scheduled.isEmpty())
        json.insert(QLatin1String("ScheduledEnqueueTimeUtc"), scheduled);
    return json;
}

QByteArray compact(const QJsonObject &json)
{
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

// The same JSON in ASCII, as an HTTP header requires.
QByteArray asciiJson(const QJsonObject &json)
{
    const QString text = QString::fromUtf8(compact(json));
    QByteArray ascii;
    for (const QChar c : text) {
        if (c.unicode() < 127)
            ascii += char(c.unicode());
        else
            ascii += "\\u" + QByteArray::number(c.unicode(), 16).rightJustified(4, '0');
    }
    return ascii;
}

bool isPlainAscii(const QByteArray &text)
{
    return std::all_of(text.cbegin(), text.cend(), [](char c) { return c >= ' ' && c < 127; });
}

// The body as text if JSON carries it unchanged; any other body is sent as base64.
std::optional<QString> asText(const QByteArray &body)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless | QStringDecoder::Flag::WriteBom);
    const QString text = decoder(body);
    if (decoder.hasError() || text.toUtf8() != body)
        return {};
    return text;
}

} // namespace

qint64 sequenceOf(const ReceivedMessage &held)
{
    return sequenceIn(held.nativeId);
}

qint64 sequenceIn(const QString &nativeId)
{
    return nativeId.section(QLatin1Char('@'), 0, 0).toLongLong();
}

core::Result<ReceivedMessage> heldFrom(const http::Response &response, const QString &queue)
{
    const QJsonDocument json = core::jsonFrom(response.header("BrokerProperties"));
    if (!json.isObject() || json.object().value(QLatin1String("SequenceNumber")).toInteger() <= 0) {
        return core::fail(ErrorKind::Corrupt,
                          servicebus::Text::tr("A message of %1 has no readable broker properties.").arg(queue));
    }
    ReceivedMessage held;
    readBrokerProperties(json.object(), queue, held);
    const QByteArray contentType = response.header("Content-Type");
    if (!contentType.isEmpty())
        records::set(held.envelope.properties, QStringLiteral("ContentType"), QString::fromUtf8(contentType));
    for (const http::HeaderField &field : response.headers) {
        const QString name = QString::fromUtf8(field.name);
        if (name.compare(QLatin1String("Redrive-Properties"), Qt::CaseInsensitive) == 0)
            readOddProperties(field.value, held.envelope.headers);
        else if (isProperty(name, field.value))
            held.envelope.headers.append({name, propertyFromText(field.value)});
    }
    held.envelope.body = response.body;
    // Keeps only the path: an answer must not decide to which host credentials go.
    held.settleToken = QUrl::fromEncoded(response.header("Location")).path(QUrl::FullyEncoded);
    return held;
}

ReceivedMessage heldFromBrowse(const QJsonObject &entry, const QString &queue)
{
    ReceivedMessage held;
    readBrokerProperties(entry.value(QLatin1String("BrokerProperties")).toObject(), queue, held);
    if (entry.contains(QLatin1String("ContentType")))
        records::set(held.envelope.properties, QStringLiteral("ContentType"),
                     entry.value(QLatin1String("ContentType")).toString());
    const QJsonArray properties = entry.value(QLatin1String("Properties")).toArray();
    for (const QJsonValue &pair : properties)
        held.envelope.headers.append({pair[0].toString(), propertyFromText(pair[1].toString().toUtf8())});
    held.envelope.body = QByteArray::fromBase64(entry.value(QLatin1String("Body")).toString().toLatin1());
    return held;
}

core::Milliseconds lockLeft(const http::Response &response, core::TimePoint now, core::Milliseconds fallback)
{
    constexpr core::Milliseconds longest = std::chrono::minutes(5); // longest lock of the service
    const QJsonObject json = core::jsonFrom(response.header("BrokerProperties")).object();
    const auto until = core::fromHttpDate(json.value(QLatin1String("LockedUntilUtc")).toString().toUtf8());
    if (!until)
        return fallback;
    const core::TimePoint asOf = core::fromHttpDate(response.header("Date")).value_or(now);
    return std::clamp(core::Milliseconds{*until - asOf}, core::Milliseconds{0}, longest);
}

void setScheduled(records::Envelope &envelope, core::TimePoint at)
{
    const core::TimePoint whole = std::chrono::ceil<std::chrono::seconds>(at);
    records::set(envelope.properties, QStringLiteral("ScheduledEnqueueTimeUtc"),
                 QString::fromLatin1(core::toHttpDate(whole)));
}

bool fitsSingleForm(const records::Envelope &envelope)
{
    const bool headersFit =
        std::all_of(envelope.headers.cbegin(), envelope.headers.cend(), [](const records::Header &header) {
            const std::optional<QByteArray> text = propertyToText(header.value);
            // Some readers of headers take a backslash as an escape, others as text.
            return canBeHeaderName(header.name) && text && isPlainAscii(*text) && !text->contains('\\');
        });
    const QString contentType = records::text(envelope.properties, u"ContentType");
    return headersFit && isPlainAscii(contentType.toUtf8())
           && contentType != QLatin1String("application/vnd.microsoft.servicebus.json");
}

QList<http::HeaderField> singleHeaders(const records::Envelope &envelope)
{
    QList<http::HeaderField> fields;
    const QString contentType = records::text(envelope.properties, u"ContentType");
    if (!contentType.isEmpty())
        fields.append({"Content-Type", contentType.toUtf8()});
    fields.append({"BrokerProperties", asciiJson(brokerJson(envelope))});
    for (const records::Header &header : envelope.headers)
        fields.append({header.name.toUtf8(), propertyToText(header.value).value_or(QByteArray())});
    return fields;
}

core::Result<QByteArray> batchMember(const records::Envelope &envelope)
{
    QJsonObject broker = brokerJson(envelope);
    const QString contentType = records::text(envelope.properties, u"ContentType");
    if (!contentType.isEmpty())
        broker.insert(QLatin1String("ContentType"), contentType);
    QJsonObject member{{QLatin1String("BrokerProperties"), broker}};
    if (const std::optional<QString> text = asText(envelope.body)) {
        member.insert(QLatin1String("Body"), *text);
    } else {
        member.insert(QLatin1String("Body"), QString::fromLatin1(envelope.body.toBase64()));
        member.insert(QLatin1String("IsBodyBase64"), true);
    }
    // Written by hand, because QJsonValue would turn 1.0 into 1.
    QByteArray properties;
    for (const records::Header &header : envelope.headers) {
        const std::optional<QByteArray> value = propertyToText(header.value);
        if (!value) {
            return core::fail(ErrorKind::Rejected,
                              servicebus::Text::tr("The header %1 has a type that Service Bus cannot carry over HTTP.")
                                  .arg(header.name));
        }
        properties += (properties.isEmpty() ? "" : ",") + *propertyToText(header.name) + ':' + *value;
    }
    QByteArray json = compact(member);
    json.chop(1);
    return json + ",\"UserProperties\":{" + properties + "}}";
}

} // namespace broker
