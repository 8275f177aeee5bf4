#include "tests/support/fakerabbit/fakeapi.h"

#include "backend/broker/rabbitmq/http/json.h"

#include <QCborArray>
#include <QUrlQuery>

#include <algorithm>

namespace support::fakerabbit {

using broker::rabbitmq::parseJson;
using broker::rabbitmq::toJson;

http::Response json(const QCborValue &value, int status)
{
    return {status, {{"content-type", "application/json"}}, toJson(value)};
}

http::Response refusal(int status, const QString &error, const QString &reason)
{
    return json(QCborMap{{QStringLiteral("error"), error}, {QStringLiteral("reason"), reason}}, status);
}

http::Response nothing(int status)
{
    return {status, {}, {}};
}

http::Response notFound()
{
    return refusal(404, QStringLiteral("Object Not Found"), QStringLiteral("Not Found"));
}

bool hasTag(const User &user, QLatin1String tag)
{
    return user.tags.contains(QLatin1String("administrator")) || user.tags.contains(tag);
}

FakeApi::FakeApi(RabbitState &broker, FakeShovels &shovels, core::Clock &clock)
    : m_broker(broker)
    , m_shovels(shovels)
    , m_clock(clock)
    , m_nodes{{QStringLiteral("fake@localhost"), 100, clock.steady()}}
{
    addUser(User{
        "Basic " + QByteArray("guest:guest").toBase64(), QStringLiteral("guest"), {QStringLiteral("administrator")}});
}

http::Response FakeApi::answer(const http::Request &request)
{
    Call call;
    call.verb = request.verb;
    call.url = request.url;
    const QList<QByteArray> pieces = request.url.path(QUrl::FullyEncoded).toLatin1().split('/');
    for (const QByteArray &piece : pieces.mid(2)) // "", "api"
        call.path.append(QString::fromUtf8(QByteArray::fromPercentEncoding(piece)));
    if (!request.body.isEmpty()) {
        const core::Result<QCborValue> body = parseJson(request.body);
        call.bodyIsObject = body && body->isMap();
        if (!call.bodyIsObject)
            return refusal(400, QStringLiteral("bad_request"), QStringLiteral("not_json"));
        call.body = body->toMap();
    }
    QByteArray authorization;
    for (const http::HeaderField &field : request.headers) {
        if (field.name.compare("Authorization", Qt::CaseInsensitive) == 0)
            authorization = field.value;
    }
    for (const User &user : std::as_const(m_users)) {
        if (user.authorization == authorization)
            call.user = &user;
    }
    if (call.user == nullptr)
        return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Login failed"));

    const QString kind = call.path.value(0);
    if (kind == QLatin1String("vhosts") && call.verb == "GET")
        return vhostList(call);
    if (kind == QLatin1String("vhosts") || kind == QLatin1String("users") || kind == QLatin1String("permissions"))
        return administer(call);
    if (kind == QLatin1String("whoami") || kind == QLatin1String("overview") || kind == QLatin1String("nodes")
        || kind == QLatin1String("health"))
        return tell(call);
    if (kind == QLatin1String("feature-flags"))
        return featureFlags(call);
    if (kind == QLatin1String("vhost-limits") || kind == QLatin1String("user-limits"))
        return json(QCborArray()); // none are set here
    if (kind == QLatin1String("connections"))
        return connections(call);
    const bool isParameter = kind == QLatin1String("parameters");
    const QString name = call.path.value(isParameter ? 2 : 1);
    Vhost *vhost = m_broker.vhost(name);
    if (vhost == nullptr) {
        if (call.path.last() == QLatin1String("publish"))
            return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Access refused."));
        return notFound();
    }
    if (kind == QLatin1String("queues"))
        return queues(call, seesNoQueues(call) ? m_unrecoveredVhost : *vhost);
    if (kind == QLatin1String("exchanges"))
        return exchanges(call, *vhost);
    if (kind == QLatin1String("bindings"))
        return bindings(call, *vhost);
    if (isParameter)
        return parameters(call, *vhost);
    if (kind == QLatin1String("policies") || kind == QLatin1String("operator-policies"))
        return policies(call, *vhost, kind == QLatin1String("operator-policies"));
    if (kind == QLatin1String("consumers"))
        return consumers(*vhost);
    if (kind == QLatin1String("shovels") && m_hasShovelPlugin) {
        if (!hasTag(*call.user, QLatin1String("monitoring")))
            return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Not monitor user"));
        return shovelList(*vhost, name);
    }
    return notFound();
}

http::Response FakeApi::administer(const Call &call)
{
    if (call.verb != "PUT" || !hasTag(*call.user, QLatin1String("administrator")))
        return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Not administrator user"));
    if (call.path.value(0) == QLatin1String("vhosts"))
        m_broker.addVhost(call.path.value(1));
    if (call.path.value(0) == QLatin1String("users")) {
        const QString name = call.path.value(1);
        const QString password = call.body.value(QLatin1String("password")).toString();
        addUser(User{"Basic " + (name + QLatin1Char(':') + password).toUtf8().toBase64(), name,
                     call.body.value(QLatin1String("tags")).toString().split(QLatin1Char(','))});
    }
    return nothing(201);
}

bool FakeApi::seesNoQueues(const Call &call)
{
    if (call.verb != "GET" || m_unrecovered == 0)
        return false;
    --m_unrecovered;
    return true;
}

http::Response FakeApi::vhostList(const Call &call)
{
    if (QUrlQuery(call.url).hasQueryItem(QStringLiteral("page")))
        return json(QCborMap{}, 500); // 4.0.5
    QCborMap states;
    for (const Node &node : m_nodes) {
        if (node.isRunning && m_unrecovered == 0)
            states.insert(node.name, QStringLiteral("running"));
    }
    m_unrecovered = std::max(0, m_unrecovered - 1);
    QCborArray items;
    for (const auto &[name, vhost] : m_broker.vhosts()) {
        items.append(
            QCborMap{{QStringLiteral("name"), name},
                     {QStringLiteral("cluster_state"), states.isEmpty() ? QCborValue(QCborArray()) : QCborValue(states)}});
    }
    return json(items);
}

http::Response FakeApi::tell(const Call &call)
{
    const QString kind = call.path.value(0);
    if (kind == QLatin1String("whoami")) {
        return json(QCborMap{{QStringLiteral("name"), call.user->name},
                             {QStringLiteral("tags"), QCborArray::fromStringList(call.user->tags)}});
    }
    if (kind == QLatin1String("overview")) {
        return json(QCborMap{{QStringLiteral("rabbitmq_version"), m_version},
                             {QStringLiteral("node"), QStringLiteral("fake@localhost")}});
    }
    if (kind == QLatin1String("health")) {
        if (!m_alarm)
            return json(QCborMap{{QStringLiteral("status"), QStringLiteral("ok")}});
        return json(QCborMap{{QStringLiteral("status"), QStringLiteral("failed")},
                             {QStringLiteral("reason"), QStringLiteral("There are alarms in effect in the cluster")}},
                    503);
    }
    if (!hasTag(*call.user, QLatin1String("monitoring")))
        return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Not monitor user"));
    QCborArray nodes;
    for (const Node &node : m_nodes) {
        QCborMap one{{QStringLiteral("name"), node.name},
                     {QStringLiteral("running"), node.isRunning},
                     {QStringLiteral("os_pid"), QString::number(node.process)},
                     {QStringLiteral("uptime"), m_clock.now() < m_uptimeFrom
                                                    ? QCborValue(QStringLiteral("undefined"))
                                                    : QCborValue(qint64((m_clock.steady() - node.started).count()))}};
        if (m_hasStatistics) {
            one.insert(QStringLiteral("run_queue"), node.runQueue);
            one.insert(QStringLiteral("processors"), 2);
        }
        nodes.append(one);
    }
    return json(nodes);
}

void FakeApi::setVersion(const QString &version)
{
    m_version = version;
    const QStringList parts = version.split(QLatin1Char('.'));
    m_broker.setVersion(parts.value(0).toInt(), parts.value(1).toInt());
}

// Before RabbitMQ 4 only administrators may read them.
http::Response FakeApi::featureFlags(const Call &call) const
{
    const int major = m_version.section(QLatin1Char('.'), 0, 0).toInt();
    if (major < 4 && !hasTag(*call.user, QLatin1String("administrator")))
        return refusal(401, QStringLiteral("not_authorised"), QStringLiteral("Not administrator user"));
    QStringList names{QStringLiteral("quorum_queue")};
    const int minor = m_version.section(QLatin1Char('.'), 1, 1).toInt();
    for (int i = 0; major == 4 && i <= minor; ++i)
        names.append(QStringLiteral("rabbitmq_4.%1.0").arg(i));
    QCborArray flags;
    for (const QString &name : std::as_const(names))
        flags.append(QCborMap{{QStringLiteral("name"), name}, {QStringLiteral("state"), QStringLiteral("enabled")}});
    return json(flags);
}

void FakeApi::beginRecovery(int requests)
{
    if (m_version.section(QLatin1Char('.'), 0, 0).toInt() >= 4)
        m_unrecovered = requests;
}

void FakeApi::setNode(const Node &node)
{
    m_nodes.removeIf([&](const Node &one) { return one.name == node.name; });
    m_nodes.append(node);
}

} // namespace support::fakerabbit
