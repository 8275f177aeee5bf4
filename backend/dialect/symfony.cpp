#include "backend/dialect/symfony.h"

#include "backend/dialect/facts.h"
#include "backend/dialect/nativefacts.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace dialect {

namespace {

const QString stampPrefix = QStringLiteral("X-Message-Stamp-");
const QString stampNamespace = QStringLiteral("Symfony\\Component\\Messenger\\Stamp\\");

QString headerOf(const char *stamp)
{
    return stampPrefix + stampNamespace + QString::fromLatin1(stamp);
}

// Each header is a JSON list of the stamps of one kind, the newest last.
QJsonArray stampsOf(const MessageView &view, const char *stamp)
{
    const QByteArray json = view.text({Place::Header, headerOf(stamp)}).toUtf8();
    return json.size() > bounds::jsonBody ? QJsonArray() : QJsonDocument::fromJson(json).array();
}

// PhpSerializer, the default, puts the whole envelope with its stamps into the body: addslashes(serialize()), or Base64
// of it if it is not UTF-8. It cannot be changed without PHP.
bool isPhpEnvelope(const QByteArray &body)
{
    constexpr qsizetype headBytes = 128;
    QByteArray head = body.left(headBytes);
    if (head.startsWith("TzozNj")) // "O:36:"
        head = QByteArray::fromBase64(head);
    return head.replace('\\', "").startsWith("O:36:\"SymfonyComponentMessengerEnvelope\"");
}

bool detectSymfony(const MessageView &view)
{
    return isPhpEnvelope(view.envelope().body);
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

void refineSymfony(const MessageView &view, Reading &reading)
{
    if (isPhpEnvelope(view.envelope().body)) {
        reading.flags.setFlag(records::MessageFlag::OtherTool);
        return;
    }
    const QJsonArray errors = stampsOf(view, "ErrorDetailsStamp");
    readError(errors.last().toObject(), reading.failure);
    const QJsonArray redeliveries = stampsOf(view, "RedeliveryStamp");
    reading.failure.at =
        timeFrom(redeliveries.last().toObject().value(QLatin1String("redeliveredAt")).toString(), TimeForm::Iso);
    int retries = -1; // the stamp of the last failure starts again at 0
    for (const QJsonValue &stamp : redeliveries)
        retries = std::max(retries, stamp.toObject().value(QLatin1String("retryCount")).toInt(-1));
    if (retries >= 0 && retries < bounds::attempts)
        reading.attempts = retries + 1;
    const QString receiver = stampsOf(view, "SentToFailureTransportStamp")
                                 .last()
                                 .toObject()
                                 .value(QLatin1String("originalReceiverName"))
                                 .toString();
    reading.failure.endpoint = receiver.left(bounds::name);
    if (!receiver.isEmpty())
        readDestination(view, receiver, reading);
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
    // A message with SentToFailureTransportStamp that fails again is lost: it is not sent to the failure transport
    // again.
    for (const char *stamp : {"SentToFailureTransportStamp", "ErrorDetailsStamp", "RedeliveryStamp", "DelayStamp"})
        entry.strip.push_back({headerOf(stamp)});
    return entry;
}

} // namespace dialect
