#include "backend/transfer/messageline.h"

#include "backend/records/editing/jsonpatcher.h"
#include "backend/transfer/exportformat.h"
#include "backend/transfer/text.h"
#include "backend/transfer/valuejson.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace transfer {

namespace {

using records::ExportedMessage;

QByteArray lineOf(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

// ISO 8601 has years from 1 to 9999. A message may say any time.
QString timeText(core::TimePoint at)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(core::toMs(at), Qt::UTC);
    const int year = std::clamp(time.date().year(), 1, 9999);
    const QDateTime shown = year == time.date().year() ? time : QDateTime(QDate(year, 1, 1), QTime(0, 0), Qt::UTC);
    return shown.toString(Qt::ISODateWithMs);
}

// Empty texts are left out: a reader takes a missing one for empty.
void addText(QJsonObject &into, const char *field, const QString &text)
{
    if (!text.isEmpty())
        into.insert(QLatin1StringView(field), text);
}

QJsonObject recordJson(const ExportedMessage &message)
{
    QJsonArray flags;
    for (int bit = 0; bit < flagWords().size(); ++bit) {
        if ((message.flags.toInt() & (1 << bit)) != 0)
            flags.append(flagWords().at(bit));
    }
    QJsonObject record{
        {QStringLiteral("store"), message.store},
        {QStringLiteral("unique_id"), message.uniqueId},
        {QStringLiteral("status"), records::toString(message.status)},
        {QStringLiteral("attempts"), message.attempts},
        {QStringLiteral("came_back"), message.cameBack},
        {QStringLiteral("first_failed"), timeText(message.firstFailed)},
        {QStringLiteral("last_failed"), timeText(message.lastFailed)},
    };
    if (!flags.isEmpty())
        record.insert(QStringLiteral("flags"), flags);
    addText(record, "dialect", message.dialect);
    addText(record, "message_id", message.messageId);
    addText(record, "message_type", message.messageType);
    addText(record, "correlation_id", message.correlationId);
    addText(record, "conversation_id", message.conversationId);
    return record;
}

QJsonObject causeJson(const records::Failure &failure)
{
    QJsonObject cause;
    addText(cause, "exception_type", failure.exceptionType);
    addText(cause, "exception_message", failure.exceptionMessage);
    addText(cause, "stack_trace", failure.stackTrace);
    addText(cause, "endpoint", failure.endpoint);
    addText(cause, "host", failure.host);
    if (failure.at)
        cause.insert(QStringLiteral("time"), timeText(*failure.at));
    return cause;
}

QJsonObject placeJson(const ExportedMessage &message)
{
    QJsonObject place{
        {QStringLiteral("connection"), message.connection},
        {QStringLiteral("broker"), records::toString(message.broker)},
        {QStringLiteral("queue"), message.queue},
        {QStringLiteral("certainty"), certaintyWords().at(int(message.destination.certainty))},
    };
    addText(place, "native_id", message.nativeId);
    addText(place, "destination", message.destination.queue);
    addText(place, "known_from", message.destination.knownFrom);
    addText(place, "exchange", message.envelope.exchange);
    addText(place, "routing_key", message.envelope.routingKey);
    return place;
}

QJsonArray headersJson(const records::Headers &headers)
{
    QJsonArray list;
    for (const records::Header &header : headers) {
        QJsonObject one = valueJson(header.value);
        one.insert(QStringLiteral("name"), header.name);
        list.append(one);
    }
    return list;
}

QJsonArray trailJson(const QList<records::TrailEntry> &trail)
{
    QJsonArray list;
    for (const records::TrailEntry &step : trail) {
        QJsonObject one{{QStringLiteral("time"), timeText(step.at)}, {QStringLiteral("what"), step.what}};
        addText(one, "who", step.who);
        list.append(one);
    }
    return list;
}

// Text that is read back byte for byte, else base64.
void addBody(QJsonObject &into, const QByteArray &body)
{
    const QString text = body.isValidUtf8() ? records::textFromUtf8(body) : QString();
    if (body.isEmpty() || (!text.isEmpty() && text.toUtf8() == body))
        into.insert(QStringLiteral("body"), text);
    else
        into.insert(QStringLiteral("body_base64"), QString::fromLatin1(body.toBase64()));
}

} // namespace

QByteArray firstLine(core::TimePoint at)
{
    return lineOf({{QLatin1StringView(beginField), formatVersion}, {QStringLiteral("exported"), timeText(at)}});
}

core::Result<QByteArray> messageLine(const ExportedMessage &message)
{
    QJsonObject line{
        {QStringLiteral("message"), recordJson(message)},
        {QStringLiteral("cause"), causeJson(message.failure)},
        {QStringLiteral("place"), placeJson(message)},
        {QStringLiteral("headers"), headersJson(message.envelope.headers)},
        {QStringLiteral("properties"), headersJson(message.envelope.properties)},
        {QStringLiteral("trail"), trailJson(message.trail)},
    };
    addBody(line, message.envelope.body);
    QByteArray text = lineOf(line);
    if (text.size() > longestLine)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The message %1 is too large for an export: it has %2 bytes as text, at most %3 are "
                                   "allowed. Leave it out.")
                              .arg(message.uniqueId, QString::number(text.size()), QString::number(longestLine)));
    return text;
}

QByteArray lastLine(qint64 messages)
{
    return lineOf({{QLatin1StringView(endField), messages}});
}

} // namespace transfer
