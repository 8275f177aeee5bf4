// Exchanges, bindings, shovels and policies of the fake's API.
#include "tests/support/fakerabbit/fakeapi.h"

#include <QCborArray>
#include <QDateTime>
#include <QRegularExpression>
#include <QUrlQuery>

namespace support::fakerabbit {

namespace {

http::Response badRequest(const QString &reason)
{
    return refusal(400, QStringLiteral("bad_request"), reason);
}

bool hasNull(const QCborValue &value)
{
    const QCborMap map = value.toMap();
    return std::any_of(map.begin(), map.end(), [](const auto &entry) { return entry.second.isNull(); });
}

} // namespace

http::Response FakeApi::exchanges(const Call &call, Vhost &vhost)
{
    if (call.path.size() < 3) {
        const QUrlQuery query(call.url);
        const QRegularExpression filter(query.queryItemValue(QStringLiteral("name"), QUrl::FullyDecoded));
        QCborArray list;
        for (const auto &[name, exchange] : vhost.exchanges) {
            if (filter.match(name).hasMatch())
                list.append(QCborMap{{QStringLiteral("name"), name}, {QStringLiteral("type"), exchange.type}});
        }
        return query.hasQueryItem(QStringLiteral("page")) ? json(QCborMap{{QStringLiteral("items"), list}})
                                                          : json(list);
    }
    const QString name = call.path.at(2);
    if (call.path.value(3) == QLatin1String("publish"))
        return publish(call, vhost, name == QLatin1String("amq.default") ? QString() : name);
    const auto found = vhost.exchanges.find(name);
    if (call.verb == "PUT") {
        Exchange exchange{name,
                          call.body.value(QLatin1String("type")).toString(),
                          call.body.value(QLatin1String("arguments")).toMap(),
                          {}};
        if (found == vhost.exchanges.end()) {
            vhost.exchanges[name] = std::move(exchange);
            return nothing(201);
        }
        if (found->second.type != exchange.type || found->second.arguments != exchange.arguments)
            return badRequest(QStringLiteral("inequivalent arg 'type' for exchange '%1'").arg(name));
        return nothing(204);
    }
    if (found == vhost.exchanges.end())
        return notFound();
    if (call.verb == "DELETE") {
        vhost.exchanges.erase(found);
        return nothing(204);
    }
    return json(QCborMap{{QStringLiteral("name"), name},
                         {QStringLiteral("type"), found->second.type},
                         {QStringLiteral("arguments"), found->second.arguments}});
}

http::Response FakeApi::publish(const Call &call, Vhost &vhost, const QString &exchange)
{
    if (!exchange.isEmpty() && !vhost.exchanges.contains(exchange))
        return badRequest(QStringLiteral("404 NOT_FOUND - no exchange '%1' in vhost").arg(exchange));
    Message message;
    message.properties = call.body.value(QLatin1String("properties")).toMap();
    message.routingKey = call.body.value(QLatin1String("routing_key")).toString();
    message.body = QByteArray::fromBase64(call.body.value(QLatin1String("payload")).toString().toLatin1());
    if (hasNull(message.properties.value(QLatin1String("headers"))))
        return badRequest(QStringLiteral("null_not_allowed"));
    for (const auto *name : {"delivery_mode", "priority", "timestamp"}) {
        if (const QCborValue value = message.properties.value(QLatin1String(name));
            !value.isUndefined() && !value.isInteger())
            return badRequest(QStringLiteral("not_int %1").arg(QLatin1String(name)));
    }
    const QString user = message.properties.value(QLatin1String("user_id")).toString();
    if (!user.isEmpty() && user != call.user->name)
        return badRequest(QStringLiteral("406 PRECONDITION_FAILED - user_id property set to '%1'").arg(user));
    switch (m_broker.publish(vhost, exchange, std::move(message))) {
    case RabbitState::Publish::Routed:
        return json(QCborMap{{QStringLiteral("routed"), true}});
    case RabbitState::Publish::Unrouted:
        return json(QCborMap{{QStringLiteral("routed"), false}});
    case RabbitState::Publish::Refused:
        break;
    }
    return badRequest(QStringLiteral("rejected Unable to publish message. Check queue limits."));
}

http::Response FakeApi::bindings(const Call &call, Vhost &vhost)
{
    if (call.verb == "GET") {
        QCborArray list;
        for (const auto &[name, exchange] : vhost.exchanges) {
            for (const Binding &binding : exchange.bindings) {
                list.append(QCborMap{{QStringLiteral("source"), name},
                                     {QStringLiteral("destination"), binding.queue},
                                     {QStringLiteral("destination_type"), QStringLiteral("queue")},
                                     {QStringLiteral("routing_key"), binding.key}});
            }
        }
        return json(list);
    }
    // bindings/<vhost>/e/<exchange>/q/<queue>
    const auto exchange = vhost.exchanges.find(call.path.value(3));
    const QString queue = call.path.value(5);
    if (exchange == vhost.exchanges.end() || !vhost.queues.contains(queue))
        return refusal(404, QStringLiteral("not_found"), QStringLiteral("no queue '%1'").arg(queue));
    if (vhost.queues.at(queue).exclusive)
        return badRequest(
            QStringLiteral("cannot obtain exclusive access to locked queue '%1' in vhost '/'.").arg(queue));
    if (call.verb == "DELETE") { // .../~: the binding without a routing key
        const qsizetype removed = exchange->second.bindings.removeIf(
            [&](const Binding &one) { return one.queue == queue && one.key.isEmpty(); });
        return removed > 0 ? nothing(204) : notFound();
    }
    const QString key = call.body.value(QLatin1String("routing_key")).toString();
    const bool there = std::any_of(exchange->second.bindings.cbegin(), exchange->second.bindings.cend(),
                                   [&](const Binding &one) { return one.queue == queue && one.key == key; });
    if (!there)
        exchange->second.bindings.append(Binding{queue, key});
    return nothing(201);
}

http::Response FakeApi::parameters(const Call &call, Vhost &vhost)
{
    if (!m_hasShovelPlugin)
        return call.verb == "PUT" ? badRequest(QStringLiteral("component shovel not found")) : notFound();
    if (!hasTag(*call.user, QLatin1String("policymaker")))
        return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Not policymaker user"));
    const QString name = call.path.value(3);
    if (call.path.size() < 4) {
        QCborArray list;
        for (const auto &[one, shovel] : vhost.shovels)
            list.append(QCborMap{{QStringLiteral("name"), one}, {QStringLiteral("value"), shovel.definition}});
        return json(list);
    }
    if (call.verb == "PUT") {
        const bool isNew = !vhost.shovels.contains(name);
        m_shovels.put(vhost, name, call.body.value(QLatin1String("value")).toMap());
        return nothing(isNew ? 201 : 204);
    }
    if (call.verb == "DELETE")
        return m_shovels.remove(vhost, name) ? nothing(204) : notFound();
    const auto found = vhost.shovels.find(name);
    if (found == vhost.shovels.end())
        return notFound();
    return json(QCborMap{{QStringLiteral("name"), name}, {QStringLiteral("value"), found->second.definition}});
}

http::Response FakeApi::shovelList(const Vhost &vhost, const QString &vhostName)
{
    QCborArray list;
    // Nodes list their own, so one name may come twice.
    std::vector<Shovel> all;
    for (const auto *some : {&vhost.shovels, &vhost.endedShovels})
        std::transform(some->begin(), some->end(), std::back_inserter(all), [](const auto &one) { return one.second; });
    for (const Shovel &shovel : all) {
        const QDateTime changed = QDateTime::fromMSecsSinceEpoch(core::toMs(shovel.changed), Qt::UTC);
        QString state = shovel.starts > 0 ? QStringLiteral("running") : QStringLiteral("starting");
        if (shovel.broken)
            state = QStringLiteral("terminated");
        QCborMap item{{QStringLiteral("name"), shovel.name},
                      {QStringLiteral("vhost"), vhostName},
                      {QStringLiteral("src_queue"), shovel.definition.value(QLatin1String("src-queue"))},
                      {QStringLiteral("node"), QStringLiteral("fake@localhost")},
                      {QStringLiteral("type"), QStringLiteral("dynamic")},
                      {QStringLiteral("timestamp"), changed.toString(QStringLiteral("yyyy-MM-dd H:mm:ss"))},
                      {QStringLiteral("state"), state}};
        if (shovel.broken && !shovel.reason.isEmpty())
            item.insert(QStringLiteral("reason"), shovel.reason);
        list.append(item);
    }
    return json(list);
}

// connections/<name>, where a shovel's name is that of its connection.
http::Response FakeApi::connections(const Call &call)
{
    if (call.verb == "DELETE")
        return m_shovels.interrupt(call.path.value(1)) ? nothing(204) : notFound();
    QCborArray list;
    for (const auto &[vhostName, vhost] : m_broker.vhosts()) {
        for (const auto &[name, shovel] : vhost.shovels) {
            if (shovel.running)
                list.append(QCborMap{{QStringLiteral("name"), name}, {QStringLiteral("vhost"), vhostName}});
        }
    }
    return json(list);
}

http::Response FakeApi::consumers(const Vhost &vhost)
{
    QCborArray list;
    for (const auto &[name, shovel] : vhost.shovels) {
        if (shovel.running && m_clock.steady() >= shovel.consumerListedFrom) {
            list.append(
                QCborMap{{QStringLiteral("queue"),
                          QCborMap{{QStringLiteral("name"), shovel.definition.value(QLatin1String("src-queue"))}}}});
        }
    }
    return json(list);
}

http::Response FakeApi::policies(const Call &call, Vhost &vhost, bool byOperator)
{
    const QString prefix = byOperator ? QStringLiteral("o/") : QStringLiteral("u/");
    if (call.path.size() < 3) {
        QCborArray list;
        for (const auto &[key, policy] : vhost.policies) {
            if (policy.byOperator == byOperator)
                list.append(policy.value);
        }
        return json(list);
    }
    if (!hasTag(*call.user, byOperator ? QLatin1String("administrator") : QLatin1String("policymaker")))
        return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Not policymaker user"));
    const QString key = prefix + call.path.at(2);
    if (call.verb == "DELETE")
        return vhost.policies.erase(key) > 0 ? nothing(204) : notFound();
    if (call.body.value(QLatin1String("definition")).toMap().isEmpty())
        return badRequest(QStringLiteral("Validation failed\n\nno policy provided\n"));
    Policy policy{call.body, byOperator};
    policy.value.insert(QStringLiteral("name"), call.path.at(2));
    vhost.policies[key] = std::move(policy);
    m_broker.applyPolicies(vhost);
    return nothing(201);
}

} // namespace support::fakerabbit
