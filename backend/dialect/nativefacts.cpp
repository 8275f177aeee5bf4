#include "backend/dialect/nativefacts.h"

#include "backend/dialect/facts.h"

#include <QCborArray>
#include <QCborMap>

#include <algorithm>
#include <array>
#include <limits>

namespace dialect {

namespace {

using records::Certainty;

constexpr qint64 latestSecond = 253402300799; // 9999-12-31; a later time is invalid
constexpr QStringView deadLetterPath = u"/$DeadLetterQueue";
constexpr QStringView transferPath = u"/$Transfer";
constexpr QStringView subscriptions = u"/Subscriptions/";
// All other reasons of Service Bus are those of an application. Source: Microsoft, "Service Bus dead-letter queues".
constexpr std::array reasonsOfServiceBus{"HeaderSizeExceeded", "TTLExpiredException", "Session ID is null.",
                                         "MaxTransferHopCountExceeded", "MaxDeliveryCountExceeded"};

struct Death
{
    QString queue;
    QString reason;
    std::optional<qint64> count;
    std::optional<core::TimePoint> at; // of the last death with this queue and reason
};

std::optional<core::TimePoint> deathTime(const QCborValue &value, qint64 perSecond)
{
    if (!value.isInteger() || value.toInteger() <= 0 || value.toInteger() / perSecond > latestSecond)
        return std::nullopt;
    return core::fromMs(value.toInteger() * (1000 / perSecond));
}

Death deathFrom(const QCborMap &entry)
{
    Death death;
    death.queue = entry.value(QLatin1String("queue")).toString();
    death.reason = entry.value(QLatin1String("reason")).toString().left(bounds::name);
    const QCborValue count = entry.value(QLatin1String("count"));
    if (count.isInteger() && count.toInteger() > 0)
        death.count = count.toInteger();
    death.at = deathTime(entry.value(QLatin1String("last-time")), 1000);
    // "time" is that of the first death with this queue and reason. If there was only one, it is also the last.
    if (!death.at && death.count == 1)
        death.at = deathTime(entry.value(QLatin1String("time")), 1);
    return death;
}

struct Deaths
{
    QList<Death> failed; // newest first
    QList<Death> expired; // newest first; the message waited there until it expired
    bool delayed = false; // some were in delay queues

    [[nodiscard]] bool isEmpty() const { return failed.isEmpty() && expired.isEmpty(); }
    void add(const Death &death)
    {
        if (isDelayQueue(death.queue))
            delayed = true;
        else if (!death.queue.isEmpty() && death.queue.size() <= bounds::address)
            (death.reason == QLatin1String("expired") ? expired : failed).append(death);
    }
};

Deaths deathsOf(const Arrival &arrival)
{
    Deaths deaths;
    const records::Headers &headers = arrival.envelope.headers;
    const QCborValue *table = findLoosely(headers, u"x-death");
    if (table == nullptr)
        table = findLoosely(headers, u"x-opt-deaths"); // the same for AMQP 1.0
    const QCborArray entries = table == nullptr ? QCborArray() : table->toArray();
    for (qsizetype i = 0; i < std::min(entries.size(), bounds::deaths); ++i)
        deaths.add(deathFrom(entries.at(i).toMap()));
    if (!deaths.isEmpty())
        return deaths;
    // RabbitMQ 3.13 and later. These headers also remain if a consumer removes x-death.
    for (const QString &which : {QStringLiteral("last"), QStringLiteral("first")}) {
        Death death;
        death.queue = records::text(headers, QStringLiteral("x-%1-death-queue").arg(which));
        death.reason = records::text(headers, QStringLiteral("x-%1-death-reason").arg(which)).left(bounds::name);
        deaths.add(death);
        if (!deaths.isEmpty())
            break;
    }
    return deaths;
}

// For people. Not translated, because it is stored with the failure and must be found by a search in any language.
QString deathText(const Death &death)
{
    if (death.reason == QLatin1String("rejected"))
        return QStringLiteral("A consumer of %1 rejected it.").arg(death.queue);
    if (death.reason == QLatin1String("expired"))
        return QStringLiteral("It expired in %1.").arg(death.queue);
    if (death.reason == QLatin1String("maxlen"))
        return QStringLiteral("%1 had reached its length limit.").arg(death.queue);
    if (death.reason == QLatin1String("delivery_limit"))
        return QStringLiteral("%1 delivered it as often as its delivery limit allows.").arg(death.queue);
    return QStringLiteral("It was dead-lettered in %1.").arg(death.queue);
}

// After delays the newest death may be in a queue on the way; the oldest one is where the message was consumed. If the
// message only expired, that counts only in the queue whose dead letters come here. In any other queue it waited for
// another try.
const Death *decisive(const Deaths &deaths, const Arrival &arrival)
{
    if (!deaths.failed.isEmpty())
        return deaths.delayed ? &deaths.failed.constLast() : &deaths.failed.constFirst();
    if (!deaths.expired.isEmpty() && deaths.expired.constFirst().queue == arrival.origin)
        return &deaths.expired.constFirst();
    return nullptr;
}

// Where to send a message so that it gets there. A message for a subscription goes to its topic, and so reaches the
// others too.
records::Destination destinationOf(const QString &path, const QString &how = {})
{
    const qsizetype subscription = path.indexOf(subscriptions, 0, Qt::CaseInsensitive);
    if (subscription > 0)
        return {path.left(subscription), Certainty::FanOut, how};
    return {path, Certainty::Exact, how};
}

bool looksLikeStack(const QString &text)
{
    return text.startsWith(QLatin1String("at ")) || text.contains(QLatin1String("\nat "))
           || text.contains(QLatin1String("\n   at ")) || text.contains(QLatin1String("\n\tat "));
}

} // namespace

bool isDelayQueue(QStringView queue)
{
    if (queue.startsWith(u"nsb.v2.delay-level-") || queue.startsWith(u"nsb.delay-level-"))
        return true; // NServiceBus.RabbitMQ DelayInfrastructure.cs
    if (queue.startsWith(u"celery_delayed_"))
        return true; // kombu transport/native_delayed_delivery.py
    return queue.startsWith(u"delay_")
           && (queue.endsWith(u"_retry") || queue.endsWith(u"_delay")); // amqp-messenger Connection.php
}

QString withoutDeadLetterPath(const QString &queue)
{
    if (!queue.endsWith(deadLetterPath, Qt::CaseInsensitive))
        return queue;
    QString path = queue.chopped(deadLetterPath.size());
    if (path.endsWith(transferPath, Qt::CaseInsensitive))
        path.chop(transferPath.size());
    return destinationOf(path).queue;
}

NativeFacts rabbitFacts(const Arrival &arrival)
{
    NativeFacts facts;
    const Deaths deaths = deathsOf(arrival);
    const Death *death = decisive(deaths, arrival);
    if (death == nullptr) {
        if (!arrival.origin.isEmpty())
            facts.destination = {arrival.origin, Certainty::Derived, QStringLiteral("dead-letter exchange")};
        return facts;
    }
    facts.destination = {death->queue, Certainty::Exact, QStringLiteral("x-death")};
    facts.exceptionType = QStringLiteral("dead-letter:%1").arg(death->reason).left(bounds::name);
    facts.exceptionMessage = deathText(*death);
    facts.failedAt = death->at;
    if (death->reason == QLatin1String("rejected") && death->count <= std::numeric_limits<int>::max())
        facts.attempts = death->count;
    return facts;
}

NativeFacts serviceBusFacts(const Arrival &arrival)
{
    NativeFacts facts;
    const MessageView view(arrival);
    facts.exceptionType = view.first(headers({"DeadLetterReason"}), bounds::name);
    facts.exceptionMessage = view.first(headers({"DeadLetterErrorDescription"}), bounds::exceptionMessage);
    facts.attempts = arrival.deliveryCount;
    const QString source =
        view.first(properties({"DeadLetterSource"}) + headers({"x-opt-deadletter-source"}), bounds::address + 1);
    const QString parent = withoutDeadLetterPath(arrival.queue);
    if (!source.isEmpty() && source.size() <= bounds::address)
        facts.destination = destinationOf(source, QStringLiteral("DeadLetterSource"));
    else if (parent != arrival.queue)
        facts.destination = {
            parent, arrival.queue.contains(subscriptions, Qt::CaseInsensitive) ? Certainty::FanOut : Certainty::Exact,
            QStringLiteral("its dead-letter queue")};
    else if (!arrival.origin.isEmpty())
        facts.destination = destinationOf(arrival.origin, QStringLiteral("the broker"));
    return facts;
}

// A poison message is a new copy, so its count says nothing about the message that failed.
NativeFacts storageQueueFacts(const Arrival &arrival)
{
    NativeFacts facts;
    if (arrival.deliveryCount > 0 && !arrival.queue.endsWith(QLatin1String("-poison")))
        facts.attempts = arrival.deliveryCount;
    return facts;
}

// The count continues in a dead-letter queue. A message there without a source may have been sent there directly.
NativeFacts sqsFacts(const Arrival &arrival)
{
    NativeFacts facts;
    if (arrival.deliveryCount > 0)
        facts.attempts = arrival.deliveryCount;
    if (!arrival.origin.isEmpty())
        facts.destination = {arrival.origin, Certainty::Derived, QStringLiteral("redrive policy")};
    return facts;
}

namespace {

NativeFacts factsOf(const Arrival &arrival)
{
    switch (arrival.broker) {
    case records::BrokerKind::RabbitMq:
        return rabbitFacts(arrival);
    case records::BrokerKind::ServiceBus:
        return serviceBusFacts(arrival);
    case records::BrokerKind::AzureQueue:
        return storageQueueFacts(arrival);
    case records::BrokerKind::Sqs:
        return sqsFacts(arrival);
    }
    Q_UNREACHABLE();
}

} // namespace

NativeFacts nativeFacts(const Arrival &arrival)
{
    NativeFacts facts = factsOf(arrival);
    if (facts.destination.queue.size() > bounds::address) // the name from the broker may be hostile too
        facts.destination = {};
    return facts;
}

namespace {

bool isRabbitDeadLetter(const MessageView &view)
{
    return view.arrival().broker == records::BrokerKind::RabbitMq && !deathsOf(view.arrival()).isEmpty();
}

bool isServiceBusDeadLetter(const MessageView &view)
{
    const records::Envelope &envelope = view.envelope();
    return view.arrival().broker == records::BrokerKind::ServiceBus
           && (findLoosely(envelope.headers, u"DeadLetterReason") != nullptr
               || view.arrival().queue.endsWith(deadLetterPath, Qt::CaseInsensitive)
               || findLoosely(envelope.properties, u"DeadLetterSource") != nullptr
               || findLoosely(envelope.headers, u"x-opt-deadletter-source") != nullptr);
}

void readRabbitDeadLetter(const MessageView &view, Reading &reading)
{
    const Deaths deaths = deathsOf(view.arrival());
    if (const Death *death = decisive(deaths, view.arrival()))
        reading.failure.endpoint = death->queue;
}

void readServiceBusDeadLetter(const MessageView &view, Reading &reading)
{
    records::Failure &failure = reading.failure;
    failure.endpoint = nativeFacts(view.arrival()).destination.queue;
    const bool isOfBroker =
        std::any_of(reasonsOfServiceBus.begin(), reasonsOfServiceBus.end(), [&failure](const char *reason) {
            return failure.exceptionType == QLatin1StringView(reason);
        });
    if (isOfBroker)
        reading.causeFrom = Reading::CauseFrom::Broker;
    // Applications often put a whole stack into the description. NServiceBus then has type and message in the reason.
    if (!looksLikeStack(failure.exceptionMessage))
        return;
    failure.stackTrace = failure.exceptionMessage;
    failure.exceptionMessage = failure.stackTrace.section(QLatin1Char('\n'), 0, 0).trimmed();
    const QString type = failure.exceptionType.section(QLatin1String(" - "), 0, 0);
    if (type.size() == failure.exceptionType.size() || type.contains(QLatin1Char(' ')))
        return;
    failure.exceptionMessage = failure.exceptionType.section(QLatin1String(" - "), 1);
    failure.exceptionType = type;
}

} // namespace

Dialect rabbitMq()
{
    Dialect entry;
    entry.name = QStringLiteral("RabbitMQ");
    entry.detect = isRabbitDeadLetter;
    entry.fields = nativeFields();
    entry.refine = readRabbitDeadLetter;
    return entry;
}

// Source: Microsoft, "Service Bus dead-letter queues"; azure-sdk-for-net AmqpMessageConstants.cs.
Dialect serviceBus()
{
    Dialect entry;
    entry.name = QStringLiteral("Service Bus");
    entry.detect = isServiceBusDeadLetter;
    entry.fields = nativeFields();
    entry.fields.exceptionType = headers({"DeadLetterReason"});
    entry.fields.exceptionMessage = headers({"DeadLetterErrorDescription"});
    entry.cut = {1024, 0, QStringLiteral("..."), {}};
    entry.refine = readServiceBusDeadLetter;
    return entry;
}

} // namespace dialect
