#include "backend/broker/rabbitmq/staging/topology.h"

#include "backend/broker/rabbitmq/deadlettertargets.h"
#include "backend/broker/rabbitmq/holding/queuerefusals.h"
#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/policies.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>
#include <QHash>
#include <QSet>

#include <algorithm>

namespace broker::rabbitmq {

namespace {

std::optional<qint64> numberIn(const QCborMap &settings, const char *key)
{
    const QCborValue value = settings.value(QLatin1String(key));
    return value.isInteger() ? std::optional(value.toInteger()) : std::nullopt;
}

// Of two settings the lower number counts, but from RabbitMQ 4 on a negative one gives way.
std::optional<qint64> lower(std::optional<qint64> one, std::optional<qint64> other, const DeliveryRules &rules)
{
    if (!one || !other)
        return one ? one : other;
    const bool givesWay = rules.limitsByDefault && (*one < 0 || *other < 0);
    return givesWay ? std::max(*one, *other) : std::min(*one, *other);
}

// The policies of users and of operators are merged so (merge_policy_value in rabbit_policies), and that with the argument of the
// queue (resolve_delivery_limit in rabbit_quorum_queue).
std::optional<qint64> deliveryLimitSet(const LiveQueue &queue, const QCborArray &policies,
                                       const QCborArray &operatorPolicies, const DeliveryRules &rules)
{
    const std::optional<qint64> policy = lower(numberIn(policyOf(queue, policies), "delivery-limit"),
                                               numberIn(policyOf(queue, operatorPolicies), "delivery-limit"), rules);
    return lower(policy, numberIn(queue.arguments, "x-delivery-limit"), rules);
}

// The smallest value that the queue or the policies that apply to it set: RabbitMQ merges them so.
std::optional<qint64> smallest(const LiveQueue &queue, const QCborArray &policies, const QCborArray &operatorPolicies,
                               const QString &name)
{
    std::optional<qint64> least;
    const QList<QCborValue> all{queue.arguments.value(QLatin1String("x-") + name),
                                policyOf(queue, policies).value(name), policyOf(queue, operatorPolicies).value(name)};
    for (const QCborValue &value : all) {
        if (value.isInteger() && value.toInteger() >= 0)
            least = std::min(least.value_or(value.toInteger()), value.toInteger());
    }
    return least;
}

// Of the policies of users and of operators the larger number counts, of that and the argument the smaller one (4.3.6).
std::optional<qint64> delayedRetryMin(const LiveQueue &queue, const QCborArray &policies,
                                      const QCborArray &operatorPolicies)
{
    constexpr const char *key = "delayed-retry-min";
    std::optional<qint64> policy = numberIn(policyOf(queue, policies), key);
    if (const auto ofOperator = numberIn(policyOf(queue, operatorPolicies), key))
        policy = std::max(policy.value_or(*ofOperator), *ofOperator);
    const std::optional<qint64> argument = numberIn(queue.arguments, "x-delayed-retry-min");
    if (!policy || !argument)
        return policy ? policy : argument;
    return std::min(*policy, *argument);
}

std::optional<qint64> smallest(const LiveQueue &queue, const Definitions &definitions, const QString &name)
{
    return smallest(queue, definitions.policies, definitions.operatorPolicies, name);
}

// The policy of operators comes before that of users (from RabbitMQ 4 on it may have this key). The argument comes before both in a
// classic queue, and after them in a quorum queue. README.md, "Destinations", has what was seen.
QString overflowOf(const LiveQueue &queue, const Definitions &definitions)
{
    constexpr QLatin1String key("overflow");
    const QString argument = textAt(queue.arguments, QLatin1String("x-overflow"));
    QString policy = textAt(policyOf(queue, definitions.operatorPolicies), key);
    if (policy.isEmpty())
        policy = textAt(policyOf(queue, definitions.policies), key);
    const bool isQuorum = queue.type == QLatin1String("quorum");
    const QString &first = isQuorum ? policy : argument;
    const QString &second = isQuorum ? argument : policy;
    return first.isEmpty() ? second : first;
}

// A full queue drops its oldest messages unless it is set to refuse new ones. A quorum queue accepts the setting
// reject-publish-dlx and drops its oldest messages all the same.
records::QueueLimits::WhenFull whenFull(const LiveQueue &queue, const Definitions &definitions)
{
    using WhenFull = records::QueueLimits::WhenFull;
    const QString overflow = overflowOf(queue, definitions);
    if (overflow == QLatin1String("reject-publish"))
        return WhenFull::Refuses;
    if (overflow == QLatin1String("reject-publish-dlx") && queue.type != QLatin1String("quorum"))
        return WhenFull::DeadLettersNew;
    return WhenFull::DropsOldest;
}

bool dropsTheOldest(const LiveQueue &queue, const Definitions &definitions)
{
    return whenFull(queue, definitions) == records::QueueLimits::WhenFull::DropsOldest;
}

QString durationText(qint64 milliseconds)
{
    const QString text = Text::tr("%1 s");
    return text.arg(milliseconds / 1000);
}

// How long the queue keeps messages, and how else it loses them. If not all policies may be read, only a limit that is
// set is known.
records::BrokerRetention retentionOf(const LiveQueue &queue, const Definitions &definitions)
{
    records::BrokerRetention retention;
    const std::optional<qint64> ttl = smallest(queue, definitions, QStringLiteral("message-ttl"));
    if (ttl)
        retention.known = records::BrokerRetention::Known::Limited;
    else if (definitions.knowsPolicies)
        retention.known = records::BrokerRetention::Known::Forever;
    retention.keeps = core::Milliseconds{ttl.value_or(0)};
    if (const std::optional<qint64> unused = smallest(queue, definitions, QStringLiteral("expires")))
        retention.also += Text::tr("RabbitMQ deletes the queue with its messages when it is unused for %1.")
                              .arg(durationText(*unused));
    const std::optional<qint64> most = smallest(queue, definitions, QStringLiteral("max-length"));
    if (most && dropsTheOldest(queue, definitions))
        retention.also += Text::tr("The queue drops its oldest messages when its message count exceeds %1.").arg(*most);
    const std::optional<qint64> bytes = smallest(queue, definitions, QStringLiteral("max-length-bytes"));
    if (bytes && dropsTheOldest(queue, definitions))
        retention.also += Text::tr("The queue drops its oldest messages when its size exceeds %1 bytes.").arg(*bytes);
    return retention;
}

records::QueueLimits limitsOf(const LiveQueue &queue, const Definitions &definitions)
{
    records::QueueLimits limits;
    limits.messages = smallest(queue, definitions, QStringLiteral("max-length"));
    limits.bytes = smallest(queue, definitions, QStringLiteral("max-length-bytes"));
    if (const std::optional<qint64> ttl = smallest(queue, definitions, QStringLiteral("message-ttl")))
        limits.keeps = core::Milliseconds{*ttl};
    limits.whenFull = whenFull(queue, definitions);
    return limits;
}

DeadLetterWays waysOf(const Definitions &definitions, const QList<QueueInfo> &infos)
{
    QSet<QString> timed;
    for (const QueueInfo &info : infos) {
        if (info.retention.known == records::BrokerRetention::Known::Limited)
            timed.insert(info.name);
    }
    return deadLetterWays(definitions, timed);
}

// A queue that the connection names stays an error queue. The others may hold live work, so they are only candidates.
void addTargets(const DeadLetterWays &ways, QList<QueueInfo> *infos)
{
    for (QueueInfo &info : *infos) {
        const auto target = ways.targets.constFind(info.name);
        if (target == ways.targets.constEnd() || info.role == QueueRole::Ours)
            continue;
        if (info.role == QueueRole::Work)
            info.role = QueueRole::Candidate;
        info.origin = target->origin;
        info.facts = target->facts;
    }
}

// A dead-letter exchange that leads to no queue keeps nothing.
void addKept(const DeadLetterWays &ways, QList<QueueInfo> *infos)
{
    for (QueueInfo &info : *infos) {
        if (!ways.kept.contains(info.name)) {
            if (info.limits.deadLettersNew())
                info.limits.whenFull = records::QueueLimits::WhenFull::Refuses;
            continue;
        }
        info.limits.deadLetters = true;
        if (info.retention.known == records::BrokerRetention::Known::Limited || !info.retention.also.isEmpty())
            info.retention.also += Text::tr("Dropped messages go to the dead-letter target of the queue.");
    }
}

void addDeliveryLimits(const Definitions &definitions, const DeadLetterWays &ways, QList<QueueInfo> *infos)
{
    for (qsizetype i = 0; i < infos->size(); ++i) {
        QueueInfo &info = (*infos)[i];
        info.deliveryLimit = deliveryLimitOf(definitions.queues.at(i), definitions.policies,
                                             definitions.operatorPolicies, definitions.deliveryRules);
        if (info.deliveryLimit)
            info.deliveryLimit->deadLetters = ways.kept.value(info.name);
    }
}

void addDelays(const Definitions &definitions, QList<QueueInfo> *infos)
{
    for (qsizetype i = 0; i < infos->size(); ++i) {
        const LiveQueue &queue = definitions.queues.at(i);
        const auto delay = delayedRetryOf(queue, definitions.policies, definitions.operatorPolicies);
        if (!delay)
            continue;
        QString text = Text::tr("Messages that consumers return wait in the queue for %1 to %2 (delayed-retry).")
                           .arg(durationText(delay->least.count()), durationText(delay->most.count()));
        if (queue.delayed > 0)
            text += QLatin1Char(' ') + Text::tr("Waiting now: %1.").arg(queue.delayed);
        (*infos)[i].retention.also += text;
    }
}

} // namespace

std::optional<OurName> ourNameFrom(const QString &name)
{
    if (!name.startsWith(ourPrefix))
        return std::nullopt;
    const QStringList pieces = name.split(QLatin1Char('.'));
    OurName ours;
    ours.storeId = pieces.value(1);
    ours.place = pieces.mid(0, 4).join(QLatin1Char('.'));
    ours.part = pieces.mid(4).join(QLatin1Char('.'));
    return ours;
}

std::optional<records::DeliveryLimit> deliveryLimitOf(const LiveQueue &queue, const QCborArray &policies,
                                                      const QCborArray &operatorPolicies, const DeliveryRules &rules)
{
    constexpr qint64 byDefault = 20;
    if (queue.type != QLatin1String("quorum"))
        return std::nullopt;
    std::optional<qint64> limit = deliveryLimitSet(queue, policies, operatorPolicies, rules);
    if (!limit && rules.limitsByDefault)
        limit = byDefault;
    if (!limit || (*limit < 0 && rules.negativeIsNone))
        return std::nullopt;
    const bool byArgument = limit == numberIn(queue.arguments, "x-delivery-limit");
    return records::DeliveryLimit{std::max<qint64>(*limit, 0), !rules.looksAreFree, {}, byArgument};
}

// The type is that of the policy of operators, then of users, then of the argument. Without a time nothing is delayed (4.3.6).
std::optional<DelayedRetry> delayedRetryOf(const LiveQueue &queue, const QCborArray &policies,
                                           const QCborArray &operatorPolicies)
{
    constexpr QLatin1String key("delayed-retry-type");
    if (queue.type != QLatin1String("quorum"))
        return std::nullopt;
    QString type = textAt(policyOf(queue, operatorPolicies), key);
    if (type.isEmpty())
        type = textAt(policyOf(queue, policies), key);
    if (type.isEmpty())
        type = textAt(queue.arguments, QLatin1String("x-delayed-retry-type"));
    const bool afterLooks = type == QLatin1String("all") || type == QLatin1String("returned");
    if (!afterLooks && type != QLatin1String("failed"))
        return std::nullopt;
    const qint64 least = delayedRetryMin(queue, policies, operatorPolicies).value_or(0);
    if (least <= 0)
        return std::nullopt;
    const auto most = smallest(queue, policies, operatorPolicies, QStringLiteral("delayed-retry-max"));
    return DelayedRetry{afterLooks, core::Milliseconds{least},
                        core::Milliseconds{std::max(most.value_or(least), least)}};
}

void addDeadLetterTargets(const Definitions &definitions, QList<QueueInfo> *described)
{
    addTargets(waysOf(definitions, *described), described);
}

QList<QueueInfo> describe(const Definitions &definitions, const QStringList &errorQueues)
{
    QList<QueueInfo> result;
    result.reserve(definitions.queues.size());
    for (const LiveQueue &queue : definitions.queues) {
        QueueInfo info;
        info.name = queue.name;
        info.depth = queue.messages;
        info.depthIsExact = queue.isExact(); // live totals, not the statistics
        info.refusal = refusalOf(queue);
        info.sendRefusal = sendRefusalOf(queue);
        info.stagingRefusal = bindingRefusalOf(queue);
        info.retention = retentionOf(queue, definitions);
        info.limits = limitsOf(queue, definitions);
        if (queue.name.startsWith(ourPrefix))
            info.role = QueueRole::Ours;
        else if (errorQueues.contains(queue.name))
            info.role = QueueRole::ErrorQueue;
        if (!queue.isRunning())
            info.depth.reset();
        result.append(std::move(info));
    }
    const DeadLetterWays ways = waysOf(definitions, result);
    addTargets(ways, &result);
    addKept(ways, &result);
    addDeliveryLimits(definitions, ways, &result);
    addDelays(definitions, &result);
    return result;
}

} // namespace broker::rabbitmq
