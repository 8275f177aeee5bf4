#include "backend/localbroker/http/wire.h"

#include "backend/core/text/losslessjson.h"
#include "backend/core/time/httpdate.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace localbroker {

using core::Milliseconds;

namespace {

constexpr double foreverSeconds = 922337203685.47754; // TimeSpan.MaxValue

bool isReserved(const QByteArray &name)
{
    static const std::array<QByteArrayView, 15> names{
        "authorization", "host",       "user-agent",        "brokerproperties", "date",
        "via",           "connection", "transfer-encoding", "expect",           "x-ms-retrypolicy",
        "keep-alive",    "te",         "upgrade",           "trailer",          "x-ms-client-request-id"};
    const QByteArray lower = name.toLower();
    return lower.startsWith("content-") || lower.startsWith("accept")
           || std::find(names.cbegin(), names.cend(), QByteArrayView(lower)) != names.cend();
}

// A property in a batch may have any name, but only these names can be a header of a response.
bool canBeHeader(const QByteArray &name)
{
    return !name.isEmpty() && !isReserved(name) && name.toLower() != "server" && name.toLower() != "location"
           && std::all_of(name.cbegin(), name.cend(), [](char c) {
                  return c > ' ' && c < 127 && !QByteArrayView("()<>@,;:\\\"/[]?={}").contains(c);
              });
}

QString textOf(const QJsonValue &value)
{
    return value.isString()   ? value.toString()
           : value.isDouble() ? QString::number(value.toDouble(), 'g', 17)
                              : QString();
}

// Reads "d.hh:mm:ss[.fffffff]", the form of a TimeSpan in .NET.
std::optional<Milliseconds> fromTimeSpan(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char(':'));
    if (parts.size() != 3)
        return {};
    const QStringList daysHours = parts[0].split(QLatin1Char('.'));
    const double days = daysHours.size() == 2 ? daysHours[0].toDouble() : 0;
    const double seconds =
        days * 86400 + daysHours.constLast().toDouble() * 3600 + parts[1].toDouble() * 60 + parts[2].toDouble();
    return seconds > 0 && seconds < foreverSeconds / 2 ? std::optional(Milliseconds{qint64(seconds * 1000)})
                                                       : std::nullopt;
}

void readTimes(const QJsonObject &json, Draft &draft)
{
    // Older clients send numbers as text.
    const QJsonValue ttl = json.value(QLatin1String("TimeToLive"));
    if (!ttl.isUndefined()) {
        const double seconds = std::max(0.0, textOf(ttl).toDouble()); // a negative time expires at once
        if (seconds < foreverSeconds / 2)
            draft.timeToLive = Milliseconds{qint64(seconds * 1000)};
    } else if (json.contains(QLatin1String("TimeToLiveTimeSpan"))) {
        draft.timeToLive = fromTimeSpan(json.value(QLatin1String("TimeToLiveTimeSpan")).toString());
    }
    const QString scheduled = json.value(QLatin1String("ScheduledEnqueueTimeUtc")).toString();
    if (scheduled.isEmpty())
        return;
    draft.scheduledFor = core::fromHttpDate(scheduled.toUtf8());
    const QDateTime iso = QDateTime::fromString(scheduled, Qt::ISODateWithMs);
    if (!draft.scheduledFor && iso.isValid())
        draft.scheduledFor = core::fromMs(iso.toMSecsSinceEpoch());
}

void readBrokerProperties(const QJsonObject &json, Draft &draft)
{
    const std::pair<QLatin1String, QString Draft::*> texts[] = {
        {QLatin1String("MessageId"), &Draft::messageId},
        {QLatin1String("CorrelationId"), &Draft::correlationId},
        {QLatin1String("Label"), &Draft::label},
        {QLatin1String("To"), &Draft::to},
        {QLatin1String("ReplyTo"), &Draft::replyTo},
        {QLatin1String("SessionId"), &Draft::sessionId},
        {QLatin1String("ReplyToSessionId"), &Draft::replyToSessionId},
        {QLatin1String("PartitionKey"), &Draft::partitionKey},
    };
    for (const auto &[name, field] : texts)
        draft.*field = textOf(json.value(name));
    if (json.value(QLatin1String("ContentType")).isString())
        draft.contentType = json.value(QLatin1String("ContentType")).toString().toUtf8();
    readTimes(json, draft);
}

// A JSON scalar in the form of a property header.
QByteArray propertyText(const QJsonValue &value)
{
    const QByteArray array = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return array.sliced(1, array.size() - 2);
}

Outcome<QList<Draft>> batchOf(const QByteArray &body)
{
    QJsonParseError error;
    const QJsonDocument document = core::jsonFrom(body, &error);
    if (error.error != QJsonParseError::NoError || !document.isArray() || document.array().isEmpty())
        return refuse(Refusal::Kind::Invalid, QStringLiteral("The batch is not a JSON array of messages."));
    QList<Draft> drafts;
    const QJsonArray members = document.array();
    for (const QJsonValue &member : members) {
        const QJsonObject object = member.toObject();
        if (!object.value(QLatin1String("Body")).isString())
            return refuse(Refusal::Kind::Invalid, QStringLiteral("A message of the batch has no Body."));
        Draft draft;
        draft.body = object.value(QLatin1String("Body")).toString().toUtf8();
        if (object.value(QLatin1String("IsBodyBase64")).toBool()) {
            const auto decoded = QByteArray::fromBase64Encoding(draft.body, QByteArray::AbortOnBase64DecodingErrors);
            if (!decoded)
                return refuse(Refusal::Kind::Invalid, QStringLiteral("The Body of a message is not base64."));
            draft.body = *decoded;
        }
        readBrokerProperties(object.value(QLatin1String("BrokerProperties")).toObject(), draft);
        const QJsonObject properties = object.value(QLatin1String("UserProperties")).toObject();
        for (auto it = properties.begin(); it != properties.end(); ++it)
            draft.properties.append(Property{it.key().toUtf8(), propertyText(it.value())});
        drafts.append(std::move(draft));
    }
    return drafts;
}

QByteArray jsonText(const QString &text)
{
    return propertyText(QJsonValue(text));
}

QJsonObject brokerProperties(const Message &message)
{
    const Draft &draft = message.draft;
    QJsonObject json{
        {QLatin1String("DeliveryCount"), message.deliveryCount},
        {QLatin1String("EnqueuedSequenceNumber"), message.travel.firstSequence},
        {QLatin1String("EnqueuedTimeUtc"), QString::fromLatin1(core::toHttpDate(message.enqueuedAt))},
        {QLatin1String("MessageId"), draft.messageId},
        {QLatin1String("SequenceNumber"), message.sequence},
        {QLatin1String("State"),
         message.state == Message::State::Deferred ? QLatin1String("Deferred") : QLatin1String("Active")},
        {QLatin1String("TimeToLive"), draft.timeToLive ? double(draft.timeToLive->count()) / 1000.0 : foreverSeconds},
    };
    const std::pair<QLatin1String, const QString &> optional[] = {
        {QLatin1String("CorrelationId"), draft.correlationId},
        {QLatin1String("Label"), draft.label},
        {QLatin1String("To"), draft.to},
        {QLatin1String("ReplyTo"), draft.replyTo},
        {QLatin1String("SessionId"), draft.sessionId},
        {QLatin1String("ReplyToSessionId"), draft.replyToSessionId},
        {QLatin1String("PartitionKey"), draft.partitionKey},
        {QLatin1String("DeadLetterSource"), message.travel.deadLetterSource},
    };
    for (const auto &[name, text] : optional) {
        if (!text.isEmpty())
            json.insert(name, text);
    }
    return json;
}

QList<Property> visibleProperties(const Message &message)
{
    QList<Property> properties = message.draft.properties;
    if (!message.deadLetterReason.isNull()) { // also in the entity to which it was forwarded as a dead letter
        properties.append(Property{"DeadLetterReason", jsonText(message.deadLetterReason)});
        properties.append(Property{"DeadLetterErrorDescription", jsonText(message.deadLetterDescription)});
    }
    return properties;
}

} // namespace

Outcome<QList<Draft>> draftsOf(const HttpRequest &request)
{
    if (request.header("Content-Type") == "application/vnd.microsoft.servicebus.json")
        return batchOf(request.body);
    Draft draft;
    draft.body = request.body;
    if (request.hasHeader("Content-Type") && !request.header("Content-Type").isEmpty())
        draft.contentType = request.header("Content-Type");
    const QByteArray broker = request.header("BrokerProperties");
    if (!broker.isEmpty()) {
        const QJsonDocument json = core::jsonFrom(broker);
        if (!json.isObject())
            return refuse(Refusal::Kind::Invalid, QStringLiteral("The BrokerProperties header is not a JSON object."));
        const std::optional<QByteArray> contentType = draft.contentType;
        readBrokerProperties(json.object(), draft);
        draft.contentType = contentType;
    }
    for (const auto &[name, value] : request.headers) {
        if (!isReserved(name))
            draft.properties.append(Property{name, value});
    }
    return QList<Draft>{std::move(draft)};
}

QList<DeadLetterDraft> deadLettersOf(QList<Draft> drafts)
{
    QList<DeadLetterDraft> dead;
    for (Draft &draft : drafts) {
        const auto take = [&draft](const QByteArray &name) {
            QString text = QLatin1String(""); // not null: a reason without text is still one
            draft.properties.removeIf([&](const Property &property) {
                const bool isIt = property.name.compare(name, Qt::CaseInsensitive) == 0;
                if (isIt)
                    text = textOf(QJsonDocument::fromJson('[' + property.value + ']').array().first());
                return isIt;
            });
            return text;
        };
        DeadLetterDraft one;
        one.reason = take("DeadLetterReason");
        one.description = take("DeadLetterErrorDescription");
        one.draft = std::move(draft);
        dead.append(std::move(one));
    }
    return dead;
}

HttpAnswer answerOf(const Delivery &delivery, int status, const QByteArray &location)
{
    HttpAnswer answer{status, {}, delivery.message.draft.body};
    QJsonObject json = brokerProperties(delivery.message);
    if (!delivery.lockToken.isEmpty()) {
        json.insert(QLatin1String("LockToken"), delivery.lockToken);
        json.insert(QLatin1String("LockedUntilUtc"), QString::fromLatin1(core::toHttpDate(delivery.lockedUntil)));
        answer.headers.append({"Location", location});
    }
    if (delivery.message.draft.contentType)
        answer.headers.append({"Content-Type", *delivery.message.draft.contentType});
    answer.headers.append({"BrokerProperties", QJsonDocument(json).toJson(QJsonDocument::Compact)});
    QJsonObject odd;
    for (const Property &property : visibleProperties(delivery.message)) {
        if (canBeHeader(property.name))
            answer.headers.append({property.name, property.value});
        else
            odd.insert(QString::fromUtf8(property.name), QString::fromUtf8(property.value));
    }
    if (!odd.isEmpty())
        answer.headers.append({"Redrive-Properties", QJsonDocument(odd).toJson(QJsonDocument::Compact)});
    return answer;
}

QByteArray browsePage(const QList<Message> &messages)
{
    QJsonArray list;
    for (const Message &message : messages) {
        QJsonArray properties;
        for (const Property &property : visibleProperties(message))
            properties.append(QJsonArray{QString::fromUtf8(property.name), QString::fromUtf8(property.value)});
        QJsonObject one{{QLatin1String("BrokerProperties"), brokerProperties(message)},
                        {QLatin1String("Properties"), properties},
                        {QLatin1String("Body"), QString::fromLatin1(message.draft.body.toBase64())}};
        if (message.draft.contentType)
            one.insert(QLatin1String("ContentType"), QString::fromUtf8(*message.draft.contentType));
        list.append(one);
    }
    return QJsonDocument(QJsonObject{{QLatin1String("messages"), list}}).toJson(QJsonDocument::Compact);
}

HttpAnswer errorAnswer(int status, const QString &detail)
{
    const QString xml =
        QStringLiteral("<Error><Code>%1</Code><Detail>%2</Detail></Error>").arg(status).arg(detail.toHtmlEscaped());
    return HttpAnswer{status, {{"Content-Type", "application/xml; charset=utf-8"}}, xml.toUtf8()};
}

HttpAnswer errorAnswer(const Refusal &refusal)
{
    switch (refusal.kind) {
    case Refusal::Kind::NoQueue:
        return errorAnswer(410, refusal.text);
    case Refusal::Kind::QueueExists:
        return errorAnswer(409, QStringLiteral("SubCode=40900. Conflict. ") + refusal.text);
    case Refusal::Kind::LockLost:
        return errorAnswer(404, refusal.text);
    case Refusal::Kind::QuotaExceeded:
        return errorAnswer(403, QStringLiteral("QuotaExceeded: ") + refusal.text);
    case Refusal::Kind::TooLarge:
        return errorAnswer(413, refusal.text);
    case Refusal::Kind::NotAllowed:
    case Refusal::Kind::Invalid:
        return errorAnswer(400, refusal.text);
    case Refusal::Kind::Failed:
        return errorAnswer(500, refusal.text);
    }
    Q_UNREACHABLE();
}

} // namespace localbroker
