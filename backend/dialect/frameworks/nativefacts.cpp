#include "backend/dialect/frameworks/nativefacts.h"

#include "backend/dialect/deaths.h"
#include "backend/dialect/facts.h"

#include <algorithm>
#include <array>
#include <limits>

namespace dialect {

namespace {

using records::Certainty;

constexpr QStringView deadLetterPath = u"/$DeadLetterQueue";
constexpr QStringView transferPath = u"/$Transfer";
constexpr QStringView subscriptions = u"/Subscriptions/";
// All other reasons of Service Bus are those of an application. Source: Microsoft, "Service Bus dead-letter queues".
constexpr std::array reasonsOfServiceBus{"HeaderSizeExceeded", "TTLExpiredException", "Session ID is null.",
                                         "MaxTransferHopCountExceeded", "MaxDeliveryCountExceeded"};

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
    const Deaths deaths = deathsOf(arrival.envelope.headers);
    const Death *death = decisive(deaths, arrival.origin);
    if (death == nullptr) {
        if (!arrival.origin.isEmpty())
            facts.destination = {arrival.origin, Certainty::Derived, QStringLiteral("dead-letter exchange")};
        return facts;
    }
    const Certainty certainty = isCertain(deaths, *death) ? Certainty::Exact : Certainty::Derived;
    facts.destination = {death->queue, certainty, evidenceOf(deaths, *death)};
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
    return view.arrival().broker == records::BrokerKind::RabbitMq && !deathsOf(view.envelope().headers).isEmpty();
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
    const Deaths deaths = deathsOf(view.envelope().headers);
    if (const Death *death = decisive(deaths, view.arrival().origin))
        reading.failure.endpoint = death->queue;
}

void readServiceBusDeadLetter(const MessageView &view, Reading &reading)
{
    records::Failure &failure = reading.failure;
    failure.endpoint = nativeFacts(view.arrival()).destination.queue;
    const bool isOfBroker =
        std::any_of(reasonsOfServiceBus.begin(), reasonsOfServiceBus.end(),
                    [&failure](const char *reason) { return failure.exceptionType == QLatin1StringView(reason); });
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
