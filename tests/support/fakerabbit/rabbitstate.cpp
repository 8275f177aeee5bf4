#include "tests/support/fakerabbit/rabbitstate.h"

#include <QCborArray>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace support::fakerabbit {

RabbitState::RabbitState(core::Clock &clock)
    : m_clock(clock)
{
    addVhost(QStringLiteral("/"));
}

void RabbitState::addVhost(const QString &name)
{
    Vhost &vhost = m_vhosts[name];
    for (const auto *type : {"direct", "fanout"}) {
        const QString exchange = QLatin1String("amq.") + QLatin1String(type);
        vhost.exchanges.try_emplace(exchange, Exchange{exchange, QLatin1String(type), {}, {}});
    }
}

Vhost *RabbitState::vhost(const QString &name)
{
    const auto found = m_vhosts.find(name);
    return found == m_vhosts.end() ? nullptr : &found->second;
}

Queue RabbitState::makeQueue(const QString &name, const QCborMap &arguments)
{
    Queue queue;
    queue.name = name;
    queue.arguments = arguments;
    queue.type = arguments.value(QLatin1String("x-queue-type")).toString(QStringLiteral("classic"));
    return queue;
}

void RabbitState::requeue(Vhost &vhost, Queue &queue)
{
    giveBackAll(vhost, queue, std::exchange(queue.taken, {}));
}

bool RabbitState::keepsReturnOrder(const Queue &queue) const
{
    return m_looksAreFree && queue.type == QLatin1String("quorum");
}

void RabbitState::giveBackAll(Vhost &vhost, Queue &queue, std::deque<Message> some, bool isLook)
{
    if (!keepsReturnOrder(queue))
        std::reverse(some.begin(), some.end()); // each goes to the head
    for (Message &message : some)
        giveBack(vhost, queue, std::move(message), isLook);
}

void RabbitState::setVersion(int major, int minor)
{
    m_limitsByDefault = major >= 4;
    m_listsEndedShovels = major == 4 && minor < 3;
    m_looksAreFree = major > 4 || (major == 4 && minor >= 3);
}

// A message may bring the header of the queue that it was dead-lettered from; the first return replaces it.
void RabbitState::giveBack(Vhost &vhost, Queue &queue, Message message, bool isLook)
{
    message.redelivered = true;
    if (queue.type != QLatin1String("quorum")) {
        queue.ready.push_front(std::move(message));
        return;
    }
    ++message.acquired;
    if (!isLook || !m_looksAreFree)
        ++message.returns;
    QCborMap headers = message.properties.value(QLatin1String("headers")).toMap();
    if (m_looksAreFree)
        headers.insert(QStringLiteral("x-acquired-count"), message.acquired);
    if (message.returns > 0)
        headers.insert(QStringLiteral("x-delivery-count"), message.returns);
    message.properties.insert(QStringLiteral("headers"), headers);
    const std::optional<qint64> limit = deliveryLimitOf(vhost, queue);
    if (limit && message.returns > *limit)
        deadLetter(vhost, queue, std::move(message), QStringLiteral("delivery_limit"));
    else if (keepsReturnOrder(queue))
        queue.ready.insert(std::find_if(queue.ready.begin(), queue.ready.end(),
                                        [](const Message &other) { return other.acquired == 0; }),
                           std::move(message));
    else
        queue.ready.push_front(std::move(message));
}

void RabbitState::giveBackHead(Vhost &vhost, Queue &queue, qint64 count)
{
    std::deque<Message> head;
    for (; count > 0 && !queue.ready.empty(); --count) {
        head.push_back(std::move(queue.ready.front()));
        queue.ready.pop_front();
    }
    giveBackAll(vhost, queue, std::move(head));
}

// Before 4.0 a negative number is the strictest limit, from then on it means none.
std::optional<qint64> RabbitState::deliveryLimitOf(const Vhost &vhost, const Queue &queue) const
{
    const std::optional<qint64> limit = limitOf(vhost, queue, QStringLiteral("delivery-limit"));
    if (!m_limitsByDefault)
        return limit ? std::optional(std::max<qint64>(*limit, 0)) : std::nullopt;
    return limit.value_or(20) < 0 ? std::nullopt : std::optional(limit.value_or(20));
}

QStringList RabbitState::route(const Vhost &vhost, const QString &exchange, const Message &message) const
{
    QStringList keys{message.routingKey};
    // A direct exchange routes CC and BCC keys too, the default one as well.
    for (const auto *name : {"CC", "BCC"}) {
        const QCborArray more =
            message.properties.value(QLatin1String("headers")).toMap().value(QLatin1String(name)).toArray();
        for (const QCborValue &key : more)
            keys.append(key.toString());
    }
    QStringList queues;
    if (exchange.isEmpty()) {
        for (const QString &key : std::as_const(keys)) {
            if (vhost.queues.contains(key))
                queues.append(key);
        }
    } else if (const auto found = vhost.exchanges.find(exchange); found != vhost.exchanges.end()) {
        for (const Binding &binding : found->second.bindings) {
            if (found->second.type == QLatin1String("fanout") || keys.contains(binding.key))
                queues.append(binding.queue);
        }
        const QString alternate = found->second.arguments.value(QLatin1String("alternate-exchange")).toString();
        if (queues.isEmpty() && !alternate.isEmpty())
            return route(vhost, alternate, message);
    }
    queues.removeDuplicates();
    return queues;
}

std::optional<qint64> RabbitState::limitOf(const Vhost &vhost, const Queue &queue, const QString &key) const
{
    std::optional<qint64> limit;
    const auto lower = [&](const QCborValue &value) {
        if (value.isInteger())
            limit = limit ? std::min(*limit, value.toInteger()) : value.toInteger();
    };
    lower(queue.arguments.value(QLatin1String("x-") + key));
    // One policy of the user, the highest; an operator policy is merged all the same, the lower value counts.
    for (const bool byOperator : {false, true}) {
        const Policy *best = nullptr;
        for (const auto &[name, policy] : vhost.policies) {
            if (policy.byOperator != byOperator
                || !QRegularExpression(policy.value.value(QLatin1String("pattern")).toString())
                        .match(queue.name)
                        .hasMatch())
                continue;
            const auto priority = [](const Policy &one) {
                return one.value.value(QLatin1String("priority")).toInteger();
            };
            if (best == nullptr || priority(policy) > priority(*best))
                best = &policy;
        }
        if (best != nullptr)
            lower(best->value.value(QLatin1String("definition")).toMap().value(key));
    }
    return limit;
}

bool RabbitState::accepts(const Queue &queue) const
{
    const QCborValue limit = queue.arguments.value(QLatin1String("x-max-length"));
    return !limit.isInteger()
           || queue.arguments.value(QLatin1String("x-overflow")).toString() != QLatin1String("reject-publish")
           || qint64(queue.ready.size()) < limit.toInteger();
}

RabbitState::Publish RabbitState::publish(Vhost &vhost, const QString &exchange, Message message)
{
    const QStringList targets = route(vhost, exchange, message);
    message.exchange = exchange;
    message.redelivered = false;
    message.returns = 0;
    message.acquired = 0;
    QCborMap headers = message.properties.value(QLatin1String("headers")).toMap();
    if (headers.contains(QLatin1String("BCC"))) { // removed at the first hop
        headers.remove(QLatin1String("BCC"));
        message.properties.insert(QStringLiteral("headers"), headers);
    }
    bool refused = false;
    for (const QString &target : targets) {
        Queue &queue = vhost.queues.at(target);
        if (accepts(queue))
            queue.ready.push_back(message);
        else
            refused = true;
    }
    if (refused)
        return Publish::Refused;
    applyPolicies(vhost);
    return targets.isEmpty() ? Publish::Unrouted : Publish::Routed;
}

void RabbitState::deadLetter(Vhost &vhost, const Queue &queue, Message message, const QString &reason)
{
    const QCborValue exchange = queue.arguments.value(QLatin1String("x-dead-letter-exchange"));
    if (!exchange.isString())
        return;
    const QCborMap death{{QStringLiteral("queue"), queue.name},
                         {QStringLiteral("reason"), reason},
                         {QStringLiteral("count"), 1},
                         {QStringLiteral("exchange"), message.exchange},
                         {QStringLiteral("routing-keys"), QCborArray{message.routingKey}}};
    QCborMap headers = message.properties.value(QLatin1String("headers")).toMap();
    headers.insert(QStringLiteral("x-death"), QCborArray{death});
    message.properties.insert(QStringLiteral("headers"), headers);
    message.properties.remove(QStringLiteral("expiration"));
    const QString key = queue.arguments.value(QLatin1String("x-dead-letter-routing-key")).toString();
    if (!key.isEmpty())
        message.routingKey = key;
    publish(vhost, exchange.toString(), std::move(message));
}

void RabbitState::applyPolicies(Vhost &vhost)
{
    for (auto it = vhost.queues.begin(); it != vhost.queues.end();) {
        Queue &queue = it->second;
        const bool rejects =
            queue.arguments.value(QLatin1String("x-overflow")).toString() == QLatin1String("reject-publish");
        const std::optional<qint64> length = limitOf(vhost, queue, QStringLiteral("max-length"));
        while (length && !rejects && qint64(queue.ready.size()) > *length) {
            Message head = std::move(queue.ready.front());
            queue.ready.pop_front();
            deadLetter(vhost, queue, std::move(head), QStringLiteral("maxlen"));
        }
        ++it;
    }
}

void RabbitState::refreshStatistics()
{
    for (auto &[name, vhost] : m_vhosts) {
        for (auto &[queueName, queue] : vhost.queues) {
            queue.statisticsLength = queue.length();
            queue.statisticsTaken = qint64(queue.taken.size());
        }
    }
}

void RabbitState::crash()
{
    for (auto &[name, vhost] : m_vhosts) {
        for (auto &[queueName, queue] : vhost.queues) {
            requeue(vhost, queue);
            std::erase_if(queue.ready, [](const Message &message) {
                return message.properties.value(QLatin1String("delivery_mode")).toInteger(1) != 2;
            });
        }
    }
}

} // namespace support::fakerabbit
