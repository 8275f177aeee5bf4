#include "tests/support/rabbit/rabbitadmin.h"

#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/publisher.h"

namespace support {

using broker::rabbitmq::LiveQueue;
using broker::rabbitmq::ManagementApi;
using broker::rabbitmq::PeekOptions;

namespace {

const QString everything = QStringLiteral(".*");

}

RabbitAdmin::RabbitAdmin(RabbitSite &site, const QString &vhost)
    : m_site(site)
    , m_api(site.client(), site.clock(), site.settings(vhost))
{
}

void RabbitAdmin::must(const core::Result<> &result, const char *what)
{
    if (!result)
        qFatal("%s: %s (%s)", what, qPrintable(result.error().message), qPrintable(result.error().detail));
}

void RabbitAdmin::makeVhost(const QString &defaultQueueType)
{
    QCborMap body;
    if (!defaultQueueType.isEmpty())
        body[QStringLiteral("default_queue_type")] = defaultQueueType;
    must(m_site.wait(m_api.put("/vhosts/" + m_api.vhost(), body, QStringLiteral("vhost"))), "making a virtual host");
    setRights(QStringLiteral("guest"), everything, everything, everything);
}

QVersionNumber RabbitAdmin::version()
{
    const core::Result<QCborValue> overview = m_site.wait(m_api.get("/overview", QStringLiteral("overview")));
    if (!overview)
        qFatal("reading the version: %s", qPrintable(overview.error().message));
    return QVersionNumber::fromString(overview->toMap().value(QLatin1String("rabbitmq_version")).toString());
}

void RabbitAdmin::makeUser(const QString &name, const QString &password, const QString &tags)
{
    const QCborMap user{{QStringLiteral("password"), password}, {QStringLiteral("tags"), tags}};
    must(m_site.wait(m_api.put("/users/" + ManagementApi::encoded(name), user, QStringLiteral("user"))),
         "making a user");
    setRights(name, everything, everything, everything);
}

void RabbitAdmin::setRights(const QString &user, const QString &configure, const QString &write, const QString &read)
{
    const QCborMap rights{
        {QStringLiteral("configure"), configure}, {QStringLiteral("write"), write}, {QStringLiteral("read"), read}};
    must(m_site.wait(m_api.put("/permissions/" + m_api.vhost() + '/' + ManagementApi::encoded(user), rights,
                               QStringLiteral("rights"))),
         "giving rights");
}

void RabbitAdmin::makeQueue(const QString &name, const QCborMap &arguments)
{
    QCborMap all = arguments;
    if (RabbitServer::isQuorumByDefault()
        && !all.contains(QLatin1String("x-queue-type"))) // 3.10 has no type by default
        all[QStringLiteral("x-queue-type")] = QStringLiteral("quorum");
    const QCborMap body{{QStringLiteral("durable"), true}, {QStringLiteral("arguments"), all}};
    must(m_site.wait(m_api.put(m_api.queuePath(name), body, name)), "making a queue");
}

void RabbitAdmin::removeQueue(const QString &name)
{
    must(m_site.wait(m_api.remove(m_api.queuePath(name), name)), "removing a queue");
}

void RabbitAdmin::makePolicy(const QString &name, const QString &pattern, const QCborMap &definition, int priority,
                             bool byOperator, const QString &applyTo)
{
    const QByteArray kind = byOperator ? "/operator-policies/" : "/policies/";
    const QCborMap body{{QStringLiteral("pattern"), pattern},
                        {QStringLiteral("definition"), definition},
                        {QStringLiteral("priority"), priority},
                        {QStringLiteral("apply-to"), applyTo}};
    must(m_site.wait(m_api.put(kind + m_api.vhost() + '/' + ManagementApi::encoded(name), body, name)),
         "making a policy");
}

void RabbitAdmin::setLimit(const QString &limit, std::optional<int> value)
{
    const QByteArray path = "/vhost-limits/" + m_api.vhost() + '/' + limit.toLatin1();
    if (value)
        must(m_site.wait(m_api.put(path, {{QStringLiteral("value"), *value}}, limit)), "setting a limit");
    else
        must(m_site.wait(m_api.remove(path, limit)), "removing a limit");
}

void RabbitAdmin::removePolicy(const QString &name, bool byOperator)
{
    const QByteArray kind = byOperator ? "/operator-policies/" : "/policies/";
    must(m_site.wait(m_api.remove(kind + m_api.vhost() + '/' + ManagementApi::encoded(name), name)),
         "removing a policy");
}

void RabbitAdmin::publish(const QString &queue, const QList<records::Envelope> &messages)
{
    broker::rabbitmq::Publisher publisher(m_api);
    QList<broker::Outgoing> outgoing;
    for (const records::Envelope &message : messages)
        outgoing.append(broker::Outgoing{outgoing.size(), {}, queue, message, {}});
    const QList<broker::SendOutcome> outcomes = m_site.wait(publisher.publish(QStringLiteral("amq.default"), outgoing));
    for (const broker::SendOutcome &outcome : outcomes) {
        if (outcome.verdict != broker::Verdict::Accepted)
            qFatal("publishing: %s", qPrintable(outcome.error.message));
    }
}

bool RabbitAdmin::breakConnections()
{
    bool any = false;
    const core::Result<QCborValue> list = m_site.wait(m_api.get("/connections", QStringLiteral("connections")));
    const QCborArray connections = list ? list->toArray() : QCborArray();
    for (const QCborValue &value : connections) {
        const QString name = value.toMap().value(QLatin1String("name")).toString();
        if (value.toMap().value(QLatin1String("vhost")).toString() != m_api.settings().vhost)
            continue;
        const core::Result<http::Response> closed =
            m_site.wait(m_api.exchange(m_api.request("DELETE", "/connections/" + ManagementApi::encoded(name))));
        any = any || (closed && closed->status == 204);
    }
    return any;
}

QList<records::Envelope> RabbitAdmin::drain(const QString &queue)
{
    QList<records::Envelope> messages;
    while (true) {
        const core::Result<QCborArray> items = m_site.wait(m_api.peek(queue, PeekOptions{1000, true}));
        if (!items)
            qFatal("draining: %s", qPrintable(items.error().message));
        if (items->isEmpty())
            return messages;
        for (const QCborValue &item : *items)
            messages.append(broker::rabbitmq::heldFrom(item.toMap()).envelope);
    }
}

qint64 RabbitAdmin::depth(const QString &queue)
{
    if (RabbitServer::isQuorumByDefault()) // its totals are as old as its last tick
        m_site.pause(RabbitServer::quorumTick * 3);
    const core::Result<QList<LiveQueue>> queues = m_site.wait(m_api.liveQueues({}));
    if (!queues)
        qFatal("listing: %s", qPrintable(queues.error().message));
    for (const LiveQueue &one : *queues) {
        if (one.name == queue)
            return one.messages.value_or(-2);
    }
    return -1;
}

QStringList RabbitAdmin::ours()
{
    QStringList names;
    for (const QByteArray kind : {"queues", "exchanges", "parameters/shovel", "shovels"}) {
        const QString shown = QString::fromLatin1(kind.endsWith("shovel") ? "shovels" : kind);
        const core::Result<QCborValue> list = m_site.wait(m_api.get('/' + kind + '/' + m_api.vhost(), shown));
        if (!list && shown == QLatin1String("shovels")
            && (list.error().kind == core::ErrorKind::NotFound || list.error().kind == core::ErrorKind::Rejected))
            continue; // without the plugin there are none
        if (!list)
            qFatal("listing: %s", qPrintable(list.error().message));
        const QCborArray items = list->toArray();
        for (const QCborValue &item : items) {
            const QString name = item.toMap().value(QLatin1String("name")).toString();
            const bool stays =
                name.endsWith(QLatin1String(".return")) || name.endsWith(QLatin1String(".return.unroutable"));
            // 4.0.5 lists one for ever that had terminated when it was removed.
            const bool hasEnded = item.toMap().value(QLatin1String("state")) == QLatin1String("terminated");
            const QString line = shown + QLatin1Char(' ') + name;
            if (name.startsWith(QLatin1String("redrive.")) && !stays && !hasEnded && !names.contains(line))
                names.append(line);
        }
    }
    return names;
}

} // namespace support
