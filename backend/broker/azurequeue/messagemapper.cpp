#include "backend/broker/azurequeue/messagemapper.h"

#include "backend/broker/azurequeue/text.h"
#include "backend/core/time/httpdate.h"
#include "backend/records/messages/stamp.h"

#include <QStringDecoder>

#include <algorithm>

namespace broker::azurequeue {

namespace {

const QString encoding = QStringLiteral("Encoding");
const QString base64 = QStringLiteral("base64");

std::optional<QString> asUtf8(const QByteArray &bytes)
{
    // Keeps a byte order mark at the start: it is content.
    constexpr auto whole = QStringConverter::Flag::Stateless | QStringConverter::Flag::ConvertInitialBom;
    QStringDecoder decoder(QStringDecoder::Utf8, whole);
    const QString text = decoder(bytes);
    // Accepts the text only if it encodes to the same bytes.
    return decoder.hasError() || text.toUtf8() != bytes ? std::nullopt : std::optional(text);
}

bool isReadable(const QString &text)
{
    return std::none_of(text.begin(), text.end(), [](QChar one) {
        return (one.category() == QChar::Other_Control && one != QLatin1Char('\t') && one != QLatin1Char('\n')
                && one != QLatin1Char('\r'))
               || one == QChar(QChar::ReplacementCharacter);
    });
}

// Decodes only if encoding gives the same characters again.
std::optional<QByteArray> decoded(const QString &text)
{
    const QByteArray encoded = text.toUtf8();
    if (encoded.isEmpty() || encoded.size() % 4 != 0)
        return std::nullopt;
    const auto result = QByteArray::fromBase64Encoding(encoded, QByteArray::AbortOnBase64DecodingErrors);
    if (result.decodingStatus != QByteArray::Base64DecodingStatus::Ok || result.decoded.toBase64() != encoded)
        return std::nullopt;
    const std::optional<QString> plain = asUtf8(result.decoded);
    const bool isMarked = plain && plain->startsWith(QChar(QChar::ByteOrderMark)); // more likely data than text
    return plain && !isMarked && isReadable(*plain) ? std::optional(result.decoded) : std::nullopt;
}

void setTime(records::Headers &properties, const QString &name, const std::optional<core::TimePoint> &time)
{
    if (time)
        records::set(properties, name, QString::fromLatin1(core::toHttpDate(*time)));
}

} // namespace

ReceivedMessage heldFrom(const QueuedMessage &message)
{
    ReceivedMessage held;
    held.nativeId = message.id;
    held.settleToken = message.popReceipt;
    held.enqueuedAt = message.inserted;
    held.notFaithful = message.damaged;
    if (message.inserted && message.expires) // an expiry in the year 9999 stands for never
        held.retention = {records::BrokerRetention::Known::Limited, *message.expires - *message.inserted, {}};
    // Deliveries before this one: the count includes the call that brought the message to us.
    held.deliveryCount = std::max(0, message.dequeueCount - (message.popReceipt.isEmpty() ? 0 : 1));
    records::Headers &properties = held.envelope.properties;
    records::set(properties, QStringLiteral("MessageId"), message.id);
    setTime(properties, QStringLiteral("InsertionTime"), message.inserted);
    setTime(properties, QStringLiteral("ExpirationTime"), message.expires);
    if (const std::optional<QByteArray> plain = decoded(message.text)) {
        records::set(properties, encoding, base64);
        held.envelope.body = *plain;
    } else {
        held.envelope.body = message.text.toUtf8();
    }
    return held;
}

core::Result<QString> textFrom(const records::Envelope &envelope)
{
    const bool carriesHeaders =
        std::any_of(envelope.headers.cbegin(), envelope.headers.cend(),
                    [](const records::Header &header) { return header.name != records::stampHeader; });
    if (carriesHeaders) {
        return core::fail(core::ErrorKind::Rejected, Text::tr("Storage Queue messages cannot carry headers."));
    }
    if (records::text(envelope.properties, encoding) == base64)
        return QString::fromLatin1(envelope.body.toBase64());
    const std::optional<QString> text = asUtf8(envelope.body);
    if (!text) {
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("Storage Queue messages must be text; this body is not."));
    }
    return *text;
}

QByteArray seconds(core::Milliseconds time)
{
    return QByteArray::number(qint64(std::chrono::ceil<std::chrono::seconds>(time).count()));
}

QByteArray putQuery(std::optional<core::TimePoint> deliverAt, core::TimePoint now)
{
    const QByteArray forever("messagettl=-1"); // by default the message would expire after seven days
    if (!deliverAt || *deliverAt <= now)
        return forever;
    // Longer only if the clock was set back since the time was chosen.
    const core::Milliseconds hidden = std::min<core::Milliseconds>(*deliverAt - now, longestDelay);
    return forever + "&visibilitytimeout=" + seconds(hidden);
}

} // namespace broker::azurequeue
