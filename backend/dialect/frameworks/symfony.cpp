#include "backend/dialect/frameworks/symfony.h"

#include "backend/dialect/deaths.h"
#include "backend/dialect/facts.h"
#include "backend/dialect/frameworks/nativefacts.h"
#include "backend/dialect/frameworks/phpenvelope.h"
#include "backend/dialect/text.h"

#include <QCborArray>
#include <QCborMap>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTimeZone>

#include <algorithm>
#include <array>
#include <functional>

namespace dialect {

namespace {

const QString stampPrefix = QStringLiteral("X-Message-Stamp-");
const QString stampNamespace = QStringLiteral("Symfony\\Component\\Messenger\\Stamp\\");

// Hazard (run with 5.4.53): a message with SentToFailureTransportStamp that fails again is lost, because it is not sent to
// the failure transport again. The other stamps are the history of its failures, which grows with each one.
constexpr std::array failureStamps{"SentToFailureTransportStamp", "ErrorDetailsStamp", "RedeliveryStamp", "DelayStamp"};

QString classOf(const char *stamp)
{
    return stampNamespace + QString::fromLatin1(stamp);
}

QString headerOf(const char *stamp)
{
    return stampPrefix + classOf(stamp);
}

// The stamps of one kind, the newest last, wherever this serializer puts them.
using StampsOf = std::function<QJsonArray(const char *stamp)>;

// The JSON serializer: each header is a JSON list of the stamps of one kind.
QJsonArray headerStamps(const MessageView &view, const char *stamp)
{
    const QByteArray json = view.text({Place::Header, headerOf(stamp)}).toUtf8();
    return json.size() > bounds::jsonBody ? QJsonArray() : QJsonDocument::fromJson(json).array();
}

bool detectSymfony(const MessageView &view)
{
    return PhpEnvelope::isOne(view.envelope().body);
}

void readError(const QJsonObject &error, records::Failure &failure)
{
    failure.exceptionType = error.value(QLatin1String("exceptionClass")).toString().left(bounds::name);
    failure.exceptionMessage = error.value(QLatin1String("exceptionMessage")).toString().left(bounds::exceptionMessage);
    const QJsonObject flat = error.value(QLatin1String("flattenException")).toObject();
    for (const QLatin1String name : {QLatin1String("trace_as_string"), QLatin1String("traceAsString")}) {
        if (failure.stackTrace.isEmpty())
            failure.stackTrace = flat.value(name).toString().left(bounds::stackTrace);
    }
}

// The delay queue of a retry has the name delay_<exchange>_<queue>_<milliseconds>_retry.
bool waitedToReturnTo(const MessageView &view, const QString &queue)
{
    const QCborValue *deaths = findLoosely(view.envelope().headers, u"x-death");
    const QCborArray entries = deaths == nullptr ? QCborArray() : deaths->toArray();
    for (qsizetype i = 0; i < std::min(entries.size(), bounds::deaths); ++i) {
        const QString waited = entries.at(i).toMap().value(QLatin1String("queue")).toString().left(bounds::address);
        if (isDelayQueue(waited) && waited.section(QLatin1Char('_'), 0, -3).endsWith(QLatin1Char('_') + queue))
            return true;
    }
    return false;
}

// Over AMQP the routing key to the failure transport is the name of the queue from which the message came
// (amqp-messenger AmqpSender.php). Without it there is the name of a transport, which often, but not always, is that of
// its queue. If the name of a delay queue, which may be deleted by now, agrees with the routing key, the queue is
// exact. Otherwise the facts of the broker are more certain.
void readDestination(const MessageView &view, const QString &receiver, Reading &reading)
{
    const QString &key = view.envelope().routingKey;
    const bool isNamed = !key.isEmpty() && key != view.arrival().queue;
    const bool isSure = isNamed && waitedToReturnTo(view, key);
    const records::Destination native = nativeFacts(view.arrival()).destination;
    if (isSure ? native.certainty == records::Certainty::Exact : !native.queue.isEmpty())
        return;
    reading.destination = queueOf(isNamed ? key : receiver, AddressForm::Name,
                                  isSure ? records::Certainty::Exact : records::Certainty::Derived);
    if (!reading.destination.queue.isEmpty())
        reading.destination.knownFrom =
            isNamed ? QStringLiteral("routing key") : QStringLiteral("SentToFailureTransportStamp");
}

// Text, or an object of PHP: "2026-11-25 23:44:37.852339" with a zone, which is an offset, a name or an
// abbreviation. An abbreviation may belong to several zones.
std::optional<core::TimePoint> redeliveryTime(const QJsonValue &value)
{
    if (value.isString())
        return timeFrom(value.toString(), TimeForm::Iso);
    const QString zone = value[QLatin1String("timezone")].toString().left(bounds::name);
    const QString date = value[QLatin1String("date")].toString().left(bounds::name);
    if (zone.startsWith(QLatin1Char('+')) || zone.startsWith(QLatin1Char('-')))
        return timeFrom(date + zone, TimeForm::Iso);
    const std::optional<core::TimePoint> asUtc = timeFrom(date + QLatin1Char('Z'), TimeForm::Iso);
    if (!asUtc || zone == QLatin1String("UTC") || zone == QLatin1String("Z"))
        return asUtc;
    if (!QTimeZone::isTimeZoneIdAvailable(zone.toLatin1()))
        return std::nullopt;
    const QDateTime shown = QDateTime::fromMSecsSinceEpoch(core::toMs(*asUtc), Qt::UTC);
    return core::fromMs(QDateTime(shown.date(), shown.time(), QTimeZone(zone.toLatin1())).toMSecsSinceEpoch());
}

void readStamps(const MessageView &view, const StampsOf &stampsOf, Reading &reading)
{
    readError(stampsOf("ErrorDetailsStamp").last().toObject(), reading.failure);
    const QJsonArray redeliveries = stampsOf("RedeliveryStamp");
    reading.failure.at = redeliveryTime(redeliveries.last()[QLatin1String("redeliveredAt")]);
    int retries = -1; // the stamp of the last failure starts again at 0
    for (const QJsonValue &stamp : redeliveries)
        retries = std::max(retries, stamp.toObject().value(QLatin1String("retryCount")).toInt(-1));
    if (retries >= 0 && retries < bounds::attempts)
        reading.attempts = retries + 1;
    const QString receiver = stampsOf("SentToFailureTransportStamp")
                                 .last()
                                 .toObject()
                                 .value(QLatin1String("originalReceiverName"))
                                 .toString();
    reading.failure.endpoint = receiver.left(bounds::name);
    if (!receiver.isEmpty())
        readDestination(view, receiver, reading);
}

void refineSymfony(const MessageView &view, Reading &reading)
{
    if (!PhpEnvelope::isOne(view.envelope().body)) {
        readStamps(
            view, [&view](const char *stamp) { return headerStamps(view, stamp); }, reading);
        return;
    }
    const std::optional<PhpEnvelope> envelope = PhpEnvelope::from(view.envelope().body);
    if (!envelope)
        return;
    reading.messageType = envelope->messageType().left(bounds::name);
    readStamps(
        view, [&envelope](const char *stamp) { return envelope->stampsOf(classOf(stamp)); }, reading);
}

// A signature (SigningSerializer.php) is that of the whole body.
core::Result<QByteArray> bodyWithoutFailure(const records::Envelope &envelope)
{
    if (!PhpEnvelope::isOne(envelope.body))
        return envelope.body;
    const std::optional<PhpEnvelope> content = PhpEnvelope::from(envelope.body);
    if (!content)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("the body is not exactly what the serializer of PHP writes"));
    QStringList classes;
    for (const char *stamp : failureStamps)
        classes.append(classOf(stamp));
    core::Result<QByteArray> body = content->without(classes);
    if (!body)
        return core::fail(body.error().kind,
                          Text::tr("the failure stamps cannot be removed from the body: %1").arg(body.error().message));
    if (*body != envelope.body && records::find(envelope.headers, u"Body-Sign") != nullptr)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("the failure stamps cannot be removed from the body, because it is signed"));
    return body;
}

} // namespace

Dialect symfony()
{
    Dialect entry;
    entry.name = QStringLiteral("Symfony Messenger");
    entry.signs = {{{Place::Header, stampPrefix, Match::Prefix}}};
    entry.detect = detectSymfony;
    Fields &fields = entry.fields;
    fields = nativeFields();
    fields.messageType = headers({"type"});
    fields.contentType = headers({"Content-Type"}) + fields.contentType;
    entry.refine = refineSymfony;
    for (const char *stamp : failureStamps)
        entry.strip.push_back({headerOf(stamp)});
    for (StripRule &rule : entry.strip)
        rule.counts = rule.name.endsWith(QLatin1String("RedeliveryStamp"));
    entry.stripBody = bodyWithoutFailure;
    return entry;
}

} // namespace dialect
