#include "backend/recovery/facts/deliverycounters.h"

#include "backend/core/text/counttext.h"
#include "backend/recovery/text.h"

#include <algorithm>

namespace recovery {

using records::BrokerKind;

namespace {

DeliveryCounter known(BrokerKind broker, const char *dialect, const char *counter)
{
    return {.broker = broker, .dialect = QString::fromLatin1(dialect), .counter = QString::fromLatin1(counter)};
}

QString counterOf(BrokerKind broker, const QString &dialect)
{
    const QList<DeliveryCounter> &all = deliveryCounters();
    const auto found = std::find_if(all.cbegin(), all.cend(), [&](const DeliveryCounter &one) {
        return one.broker == broker && one.dialect == dialect;
    });
    return found == all.cend() ? QString() : found->counter;
}

// "RabbitMQ, Storage Queues", of those with a counter or those without.
QString brokersOf(const QList<AttemptBound> &bounds, bool counted)
{
    QStringList names;
    for (const AttemptBound &bound : bounds) {
        if (bound.at.counter.isEmpty() == counted)
            continue;
        const QString name = records::productName(bound.at.broker);
        names.append(counted ? Text::tr("%1 (%2)").arg(name, bound.at.counter) : name);
    }
    return names.join(QStringLiteral(", "));
}

qint64 mostOf(const QList<AttemptBound> &bounds, bool counted)
{
    qint64 most = 0;
    for (const AttemptBound &bound : bounds)
        most = bound.at.counter.isEmpty() == counted ? most : std::max(most, bound.attempts);
    return most;
}

} // namespace

const QList<DeliveryCounter> &deliveryCounters()
{
    // A framework may not go by the counter of its broker: NServiceBus does on Service Bus alone.
    static const QList<DeliveryCounter> all{
        known(BrokerKind::ServiceBus, "NServiceBus", "DeliveryCount"),
        known(BrokerKind::RabbitMq, "NServiceBus", ""),
        known(BrokerKind::AzureQueue, "NServiceBus", ""),
        known(BrokerKind::Sqs, "NServiceBus", ""),
        known(BrokerKind::ServiceBus, "Service Bus", "DeliveryCount"),
        known(BrokerKind::ServiceBus, "Azure Functions", "DeliveryCount"),
        known(BrokerKind::AzureQueue, "Azure Functions", "DequeueCount"),
        known(BrokerKind::Sqs, "SQS", "ApproximateReceiveCount"),
        known(BrokerKind::Sqs, "Lambda", "ApproximateReceiveCount"),
    };
    return all;
}

QList<AttemptBound> boundsOf(const AttemptPlan &plan, const QList<BrokerKind> &brokers, const QString &dialect)
{
    QList<AttemptBound> bounds;
    for (const BrokerKind broker : brokers) {
        const QString counter = counterOf(broker, dialect);
        bounds.append({.at = {.broker = broker, .dialect = dialect, .counter = counter},
                       .attempts = counter.isEmpty() ? plan.attemptsAtMost : plan.attempts});
    }
    return bounds;
}

QList<BrokerKind> allBrokers()
{
    QList<BrokerKind> all;
    for (int i = 0; i <= int(lastOf(BrokerKind())); ++i)
        all.append(BrokerKind(i));
    return all;
}

QString textOf(const QList<AttemptBound> &bounds, int instances)
{
    if (bounds.isEmpty())
        return {};
    QStringList sentences;
    if (const qint64 most = mostOf(bounds, false); most > 0)
        sentences.append(Text::tr("%1 instances of %2 make up to %3 attempts on %4: each instance counts for itself.")
                             .arg(QString::number(instances), bounds.constFirst().at.dialect, core::countText(most),
                                  brokersOf(bounds, false)));
    if (const qint64 most = mostOf(bounds, true); most > 0)
        sentences.append(Text::tr("%1 instances of %2 make up to %3 attempts on %4: the broker counts for all.")
                             .arg(QString::number(instances), bounds.constFirst().at.dialect, core::countText(most),
                                  brokersOf(bounds, true)));
    return sentences.join(QLatin1Char(' '));
}

} // namespace recovery
