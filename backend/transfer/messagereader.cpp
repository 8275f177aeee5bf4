#include "backend/transfer/messagereader.h"

#include "backend/records/editing/jsonnode.h"
#include "backend/records/editing/jsonpatcher.h"
#include "backend/transfer/exportformat.h"
#include "backend/transfer/text.h"
#include "backend/transfer/valuejson.h"

#include <QDateTime>

#include <algorithm>
#include <limits>

namespace transfer {

using core::Result;
using records::ExportedMessage;
using records::JsonNode;
using records::JsonObject;

namespace {

constexpr qsizetype idDigits = 32;

QStringList words(std::initializer_list<const char *> all)
{
    QStringList list;
    for (const char *one : all)
        list.append(QString::fromLatin1(one));
    return list;
}

// A missing text is empty.
Result<QString> textAt(const JsonObject &object, const char *field)
{
    const std::optional<JsonNode> node = object.find(QLatin1StringView(field));
    return node ? node->text() : Result<QString>(QString());
}

Result<QString> idAt(const JsonObject &object, const char *field)
{
    TRY(const JsonNode node, object.need(QLatin1StringView(field)));
    TRY(const QString id, node.text());
    const bool isId = id.size() == idDigits && std::all_of(id.begin(), id.end(), [](QChar one) {
                          return (one >= u'0' && one <= u'9') || (one >= u'a' && one <= u'f');
                      });
    return isId ? Result<QString>(id)
                : node.wrong(Text::tr("The value must be an ID of %1 hexadecimal digits.").arg(idDigits));
}

Result<core::TimePoint> timeOf(const JsonNode &node)
{
    TRY(const QString text, node.text());
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!time.isValid() || time.timeSpec() != Qt::UTC)
        return node.wrong(Text::tr("The value must be a time in UTC like \"2026-01-02T03:04:05.678Z\"."));
    return core::fromMs(time.toMSecsSinceEpoch());
}

Result<int> wordAt(const JsonObject &object, const char *field, const QStringList &allowed)
{
    TRY(const JsonNode node, object.need(QLatin1StringView(field)));
    return node.word(allowed);
}

Result<core::TimePoint> timeAt(const JsonObject &object, const char *field)
{
    TRY(const JsonNode node, object.need(QLatin1StringView(field)));
    return timeOf(node);
}

Result<int> countAt(const JsonObject &object, const char *field, int least)
{
    TRY(const JsonNode node, object.need(QLatin1StringView(field)));
    return node.number(least, std::numeric_limits<int>::max());
}

Result<records::MessageFlags> flagsAt(const JsonObject &object)
{
    const std::optional<JsonNode> node = object.find(QLatin1StringView("flags"));
    records::MessageFlags flags;
    if (!node)
        return flags;
    TRY(const QList<JsonNode> items, node->items(flagWords().size()));
    for (const JsonNode &item : items) {
        TRY(const int bit, item.word(flagWords()));
        flags |= records::MessageFlags::fromInt(1 << bit);
    }
    return flags;
}

Result<> readRecord(const JsonNode &node, ExportedMessage &message)
{
    TRY(const JsonObject object,
        node.object(words({"store", "unique_id", "status", "attempts", "came_back", "first_failed", "last_failed",
                           "flags", "dialect", "message_id", "message_type", "correlation_id", "conversation_id"})));
    TRY(message.store, idAt(object, "store"));
    TRY(message.uniqueId, idAt(object, "unique_id"));
    TRY(const int status, wordAt(object, "status", statusWords()));
    message.status = records::messageStatuses.at(size_t(status));
    TRY(message.attempts, countAt(object, "attempts", 1));
    TRY(message.cameBack, countAt(object, "came_back", 0));
    TRY(message.firstFailed, timeAt(object, "first_failed"));
    TRY(message.lastFailed, timeAt(object, "last_failed"));
    TRY(message.flags, flagsAt(object));
    TRY(message.dialect, textAt(object, "dialect"));
    TRY(message.messageId, textAt(object, "message_id"));
    TRY(message.messageType, textAt(object, "message_type"));
    TRY(message.correlationId, textAt(object, "correlation_id"));
    TRY(message.conversationId, textAt(object, "conversation_id"));
    return {};
}

Result<> readCause(const JsonNode &node, records::Failure &failure)
{
    TRY(const JsonObject object,
        node.object(words({"exception_type", "exception_message", "stack_trace", "endpoint", "host", "time"})));
    TRY(failure.exceptionType, textAt(object, "exception_type"));
    TRY(failure.exceptionMessage, textAt(object, "exception_message"));
    TRY(failure.stackTrace, textAt(object, "stack_trace"));
    TRY(failure.endpoint, textAt(object, "endpoint"));
    TRY(failure.host, textAt(object, "host"));
    if (const std::optional<JsonNode> time = object.find(QLatin1StringView("time"))) {
        TRY(failure.at, timeOf(*time));
    }
    return {};
}

Result<> readPlace(const JsonNode &node, ExportedMessage &message)
{
    TRY(const JsonObject object, node.object(words({"connection", "broker", "queue", "native_id", "destination",
                                                    "certainty", "known_from", "exchange", "routing_key"})));
    TRY(message.connection, textAt(object, "connection"));
    TRY(const int broker, wordAt(object, "broker", brokerWords()));
    message.broker = records::BrokerKind(broker);
    TRY(const JsonNode queue, object.need(QLatin1StringView("queue")));
    TRY(message.queue, textAt(object, "queue"));
    if (message.queue.isEmpty())
        return queue.wrong(Text::tr("The name of the queue is empty."));
    TRY(message.nativeId, textAt(object, "native_id"));
    TRY(message.destination.queue, textAt(object, "destination"));
    TRY(message.destination.knownFrom, textAt(object, "known_from"));
    TRY(const int certainty, wordAt(object, "certainty", certaintyWords()));
    message.destination.certainty = records::Certainty(certainty);
    TRY(message.envelope.exchange, textAt(object, "exchange"));
    TRY(message.envelope.routingKey, textAt(object, "routing_key"));
    return {};
}

Result<records::Headers> headersOf(const JsonNode &node)
{
    const QStringList beside{QStringLiteral("name")};
    TRY(const QList<JsonNode> items, node.items(mostEntries));
    records::Headers headers;
    headers.reserve(items.size());
    for (const JsonNode &item : items) {
        TRY(const QCborValue value, valueFrom(item, beside));
        TRY(const JsonObject object, item.object(words({"kind", "value", "name"})));
        TRY(const JsonNode name, object.need(QLatin1StringView("name")));
        TRY(const QString text, textAt(object, "name"));
        headers.append({text, value});
    }
    return headers;
}

Result<QList<records::TrailEntry>> trailOf(const JsonNode &node)
{
    TRY(const QList<JsonNode> items, node.items(records::mostExportedSteps));
    QList<records::TrailEntry> trail;
    for (const JsonNode &item : items) {
        TRY(const JsonObject object, item.object(words({"time", "what", "who"})));
        records::TrailEntry step;
        TRY(step.at, timeAt(object, "time"));
        TRY(step.what, textAt(object, "what"));
        TRY(step.who, textAt(object, "who"));
        trail.append(step);
    }
    return trail;
}

Result<QByteArray> bodyOf(const JsonObject &object)
{
    const std::optional<JsonNode> text = object.find(QLatin1StringView("body"));
    const std::optional<JsonNode> bytes = object.find(QLatin1StringView("body_base64"));
    if (text && bytes)
        return bytes->wrong(Text::tr("A message has \"body\" or \"body_base64\", not both. Remove one."));
    if (bytes)
        return bytesFrom(*bytes);
    TRY(const JsonNode body, object.need(QLatin1StringView("body")));
    TRY(const QString read, body.text());
    return read.toUtf8();
}

Result<Line> messageFrom(const JsonNode &root)
{
    Line line;
    TRY(const JsonObject object,
        root.object(words({"message", "cause", "place", "headers", "properties", "body", "body_base64", "trail"})));
    TRY(const JsonNode record, object.need(QLatin1StringView("message")));
    TRY(readRecord(record, line.message));
    TRY(const JsonNode cause, object.need(QLatin1StringView("cause")));
    TRY(readCause(cause, line.message.failure));
    TRY(const JsonNode place, object.need(QLatin1StringView("place")));
    TRY(readPlace(place, line.message));
    TRY(const JsonNode headers, object.need(QLatin1StringView("headers")));
    TRY(line.message.envelope.headers, headersOf(headers));
    TRY(const JsonNode properties, object.need(QLatin1StringView("properties")));
    TRY(line.message.envelope.properties, headersOf(properties));
    TRY(line.message.envelope.body, bodyOf(object));
    TRY(const JsonNode trail, object.need(QLatin1StringView("trail")));
    TRY(line.message.trail, trailOf(trail));
    return line;
}

Result<Line> firstFrom(const JsonNode &root)
{
    TRY(const JsonObject object, root.object({QLatin1StringView(beginField), QStringLiteral("exported")}));
    TRY(const JsonNode version, object.need(QLatin1StringView(beginField)));
    TRY(const int number, version.number(1, std::numeric_limits<int>::max()));
    if (number > formatVersion)
        return version.wrong(Text::tr("A newer version of Redrive wrote this file (format %1; this version reads "
                                      "formats up to %2). Use the newer version.")
                                 .arg(number)
                                 .arg(formatVersion));
    Line line;
    line.kind = Line::Kind::First;
    return line;
}

Result<Line> lastFrom(const JsonNode &root)
{
    TRY(const JsonObject object, root.object({QLatin1StringView(endField)}));
    TRY(const JsonNode count, object.need(QLatin1StringView(endField)));
    TRY(const int messages, count.number(0, int(mostMessages)));
    Line line;
    line.kind = Line::Kind::Last;
    line.messages = messages;
    return line;
}

bool hasField(const QList<records::JsonMember> &members, const char *field)
{
    return std::any_of(members.begin(), members.end(),
                       [field](const records::JsonMember &one) { return one.name == QLatin1StringView(field); });
}

} // namespace

Result<Line> lineFrom(const QByteArray &line)
{
    if (!line.isValidUtf8())
        return records::wrongAt({}, Text::tr("The line is not valid UTF-8."));
    if (const std::optional<qsizetype> fault = records::jsonFault(line))
        return records::wrongAt(
            {}, Text::tr("The line is not valid JSON: see character %1.").arg(records::placeIn(line, *fault).column));
    const std::optional<QList<records::JsonMember>> members = records::jsonMembers(line, records::wholeJson(line));
    if (!members)
        return records::wrongAt({}, Text::tr("The line must be an object: {...}."));
    const JsonNode root(line);
    if (hasField(*members, beginField))
        return firstFrom(root);
    if (hasField(*members, endField))
        return lastFrom(root);
    return messageFrom(root);
}

} // namespace transfer
