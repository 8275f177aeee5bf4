#include "backend/dialect/frameworks/sneakers.h"

#include "backend/dialect/facts.h"

#include <QJsonArray>

#include <array>

namespace dialect {

namespace {

const QString retryInfo = QStringLiteral("retry_info");

// Kicks: the header with what it knows, newest failure first if there are several. Sneakers: the whole body.
QJsonObject infoOf(const records::Envelope &envelope)
{
    const QByteArray header = records::text(envelope.headers, retryInfo).left(bounds::jsonBody).toUtf8();
    if (header.trimmed().startsWith('['))
        return jsonObject("{\"all\":" + header + '}').value(QLatin1String("all")).toArray().at(0).toObject();
    return header.isEmpty() ? jsonObject(envelope.body) : jsonObject(header);
}

bool isMaxretry(const MessageView &view)
{
    if (view.header("retry_info").isEmpty() && !view.mayHold("num_attempts"))
        return false;
    const QJsonObject info = infoOf(view.envelope());
    const bool hasMessage =
        info.value(QLatin1String("payload")).isString() || info.value(QLatin1String("properties")).isObject();
    return info.value(QLatin1String("num_attempts")).isDouble() && info.value(QLatin1String("failed_at")).isString()
           && hasMessage;
}

QString stackOf(const QJsonValue &backtrace)
{
    if (backtrace.isString())
        return backtrace.toString().left(bounds::stackTrace);
    QStringList lines;
    const QJsonArray frames = backtrace.toArray();
    for (const QJsonValue &frame : frames)
        lines.append(frame.toString());
    return lines.join(QLatin1Char('\n')).left(bounds::stackTrace);
}

void refineSneakers(const MessageView &view, Reading &reading)
{
    const QJsonObject info = infoOf(view.envelope());
    const auto said = [&info](const char *name) { return info.value(QLatin1String(name)).toString(); };
    records::Failure &failure = reading.failure;
    failure.exceptionType = said("error_class").left(bounds::name);
    failure.exceptionMessage = said("error_message").left(bounds::exceptionMessage);
    if (failure.exceptionMessage.isEmpty())
        failure.exceptionMessage = said("error").left(bounds::exceptionMessage);
    failure.stackTrace = stackOf(info.value(QLatin1String("backtrace")));
    failure.at = timeFrom(said("failed_at"), TimeForm::Iso);
    const int attempts = info.value(QLatin1String("num_attempts")).toInt(-1);
    if (attempts > 0 && attempts < bounds::attempts)
        reading.attempts = attempts;
    const QJsonObject properties = info.value(QLatin1String("properties")).toObject();
    reading.messageId = properties.value(QLatin1String("message_id")).toString().left(bounds::id);
    reading.correlationId = properties.value(QLatin1String("correlation_id")).toString().left(bounds::id);
    reading.messageType = properties.value(QLatin1String("type")).toString().left(bounds::name);
    const QString &queue = view.arrival().queue;
    const QString suffix = QStringLiteral("-error");
    if (queue.size() > suffix.size() && queue.endsWith(suffix))
        reading.destination = {queue.chopped(suffix.size()), records::Certainty::Derived,
                               QStringLiteral("name of the queue")};
}

records::Headers headersFrom(const QJsonObject &object)
{
    records::Headers headers;
    for (auto it = object.begin(); it != object.end(); ++it)
        headers.append({it.key(), QCborValue::fromJsonValue(it.value())});
    records::remove(headers, retryInfo);
    return headers;
}

// Base64.encode64 of Ruby breaks lines.
std::optional<QByteArray> payloadOf(const QString &text)
{
    const QByteArray lines = text.toLatin1().replace("\n", "");
    const auto decoded = QByteArray::fromBase64Encoding(lines, QByteArray::AbortOnBase64DecodingErrors);
    return decoded && decoded.decoded.toBase64() == lines ? std::optional(decoded.decoded) : std::nullopt;
}

// Sneakers keeps only the body, Kicks also the properties and headers.
std::optional<records::Envelope> unwrapSneakers(const records::Envelope &envelope)
{
    const QJsonObject info = infoOf(envelope);
    records::Envelope inside{{}, envelope.properties, envelope.body, {}, {}}; // the exchange is that of the error queue
    if (info.value(QLatin1String("payload")).isString()) {
        const std::optional<QByteArray> body = payloadOf(info.value(QLatin1String("payload")).toString());
        if (!body)
            return std::nullopt;
        inside.body = *body;
        records::remove(inside.properties, u"content_type"); // of the wrapper
        return inside;
    }
    // What is a time, or counts from the time of sending, is not in a form to be sent again.
    constexpr std::array kept{u"content_type", u"content_encoding", u"priority", u"correlation_id",
                              u"reply_to",     u"message_id",       u"type",     u"app_id"};
    const QJsonObject properties = info.value(QLatin1String("properties")).toObject();
    inside.properties.clear();
    for (const QStringView name : kept) {
        const QJsonValue value = properties.value(name);
        if (value.isString() || value.isDouble())
            inside.properties.append({name.toString(), QCborValue::fromJsonValue(value)});
    }
    inside.headers = headersFrom(properties.value(QLatin1String("headers")).toObject());
    return inside;
}

} // namespace

// Source: sneakers lib/sneakers/handlers/maxretry.rb (the body is JSON with "payload"); kicks, the same file (the header
// retry_info, and the body as it was). The tries are counted in x-death, which the message in the error queue has lost, so
// it begins with all of them.
Dialect sneakers()
{
    Dialect entry;
    entry.name = QStringLiteral("Sneakers");
    entry.detect = isMaxretry;
    entry.refine = refineSneakers;
    entry.unwrap = unwrapSneakers;
    return entry;
}

} // namespace dialect
