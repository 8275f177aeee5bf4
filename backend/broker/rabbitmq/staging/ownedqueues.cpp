#include "backend/broker/rabbitmq/staging/ownedqueues.h"

#include "backend/broker/rabbitmq/holding/holding.h"
#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/permissions.h"
#include "backend/broker/rabbitmq/quotas.h"
#include "backend/broker/rabbitmq/text.h"

#include <QCborArray>
#include <QRegularExpression>

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

QString exchangeText(const QString &name)
{
    return Text::tr("exchange %1").arg(name);
}

Result<> withRight(const Result<> &done, Need need, const QString &name)
{
    return done ? done : Result<>(fail(namingRight(done.error(), need, name)));
}

} // namespace

OwnedQueues::OwnedQueues(ManagementApi &api)
    : m_api(api)
{
}

core::Error OwnedQueues::notRunning(const LiveQueue &queue)
{
    const bool isDown = queue.state == QLatin1String("down") && !queue.node.isEmpty();
    const QString text =
        isDown
            ? Text::tr("The queue %1 is on the RabbitMQ node %2, which is down. Redrive goes on when the node is back.")
                  .arg(queue.name, queue.node)
            : Text::tr("The queue %1 is not running (state: %2).").arg(queue.name, queue.state);
    return {ErrorKind::Transient, text, {}, {}};
}

bool OwnedQueues::isOurs(const LiveQueue &queue)
{
    return queue.arguments.contains(QLatin1String("x-redrive"));
}

Task<Result<>> OwnedQueues::declareQueue(QString name, QCborMap arguments)
{
    arguments.insert(QStringLiteral("x-queue-type"), QStringLiteral("classic"));
    if (!arguments.contains(QLatin1String("x-redrive")))
        arguments.insert(QStringLiteral("x-redrive"), QStringLiteral("1"));
    const QCborMap body{{QStringLiteral("durable"), true}, {QStringLiteral("arguments"), arguments}};
    const Result<> made = co_await m_api.put(m_api.queuePath(name), body, queueText(name));
    if (!made && isQueueLimit(made.error()))
        co_return fail(
            ErrorKind::Refused,
            Text::tr("RabbitMQ allows no more queues, and Redrive needs some of its own for a while. Ask the "
                     "RabbitMQ administrator to raise the limit."),
            made.error().detail);
    // To set a dead-letter exchange, an account needs the right to write to it.
    const bool hasRoute = arguments.contains(QLatin1String("x-dead-letter-exchange"));
    co_return withRight(made, hasRoute ? Need::DeadLetters : Need::Configure, name);
}

Task<Result<>> OwnedQueues::declareExchange(QString name, QString type, QCborMap arguments)
{
    const QCborMap body{
        {QStringLiteral("type"), type}, {QStringLiteral("durable"), true}, {QStringLiteral("arguments"), arguments}};
    const Result<> made = co_await m_api.put(m_api.exchangePath(name), body, exchangeText(name));
    // To set an alternate exchange, an account needs the rights to read this one and to write to the other. Which one is
    // missing is not told.
    const bool hasAlternate = arguments.contains(QLatin1String("alternate-exchange"));
    co_return withRight(made, hasAlternate ? Need::Alternate : Need::Configure, name);
}

Task<Result<>> OwnedQueues::declareEntrance(QString name, QString queue)
{
    CO_TRY(co_await declareExchange(name, QStringLiteral("fanout"), {}));
    const Result<> bound = co_await bind(name, queue, {});
    co_return bound;
}

QByteArray OwnedQueues::bindingsPath(const QString &exchange, const QString &queue) const
{
    return "/bindings/" + m_api.vhost() + "/e/" + ManagementApi::encoded(exchange) + "/q/"
           + ManagementApi::encoded(queue);
}

Task<Result<>> OwnedQueues::bind(QString exchange, QString queue, QString routingKey)
{
    const QByteArray path = bindingsPath(exchange, queue);
    const QCborMap body{{QStringLiteral("routing_key"), routingKey}, {QStringLiteral("arguments"), QCborMap()}};
    const Result<> bound = co_await m_api.post(path, body, queueText(queue));
    co_return withRight(bound, Need::WriteAndRead, queue);
}

Task<Result<>> OwnedQueues::unbind(QString exchange, QString queue)
{
    const QByteArray withoutKey = "/~"; // of the management API, for an empty routing key without arguments
    const Result<> removed = co_await m_api.remove(bindingsPath(exchange, queue) + withoutKey, queueText(queue));
    co_return withRight(removed, Need::WriteAndRead, queue);
}

Task<Result<>> OwnedQueues::removeQueue(QString name)
{
    const Result<> removed = co_await removeAt(m_api.queuePath(name), name);
    co_return withRight(removed, Need::Configure, name);
}

Task<Result<>> OwnedQueues::removeQueueIfEmpty(QString name)
{
    const QByteArray path = m_api.queuePath(name) + "?if-empty=true&if-unused=true";
    const Result<> removed = co_await removeAt(path, name);
    if (!removed && removed.error().kind == ErrorKind::Rejected)
        co_return fail(ErrorKind::Conflict, Text::tr("The queue %1 is in use or not empty.").arg(name),
                       removed.error().detail);
    co_return withRight(removed, Need::Configure, name);
}

// A queue whose node is down answers as one that does not exist, and would stay.
Task<Result<>> OwnedQueues::removeAt(QByteArray path, QString name)
{
    const Result<> removed = co_await m_api.remove(path, queueText(name), Absence::Fact);
    if (removed || removed.error().kind != ErrorKind::NotFound)
        co_return removed;
    const Result<> gone = co_await proveNone(name);
    if (!gone && gone.error().kind == ErrorKind::Unauthorized) // not told to this account
        co_return Result<>();
    co_return gone;
}

Task<Result<>> OwnedQueues::removeExchange(QString name)
{
    const Result<> removed = co_await m_api.remove(m_api.exchangePath(name), exchangeText(name));
    co_return withRight(removed, Need::Configure, name);
}

Task<Result<>> OwnedQueues::removeExchanges(QStringList names)
{
    std::stable_partition(names.begin(), names.end(), [](const QString &name) { return !isBack(name); });
    for (const QString &name : std::as_const(names))
        CO_TRY(co_await removeExchange(name));
    co_return Result<>();
}

Task<Result<bool>> OwnedQueues::isExchangeGone(QString name)
{
    const Result<QCborValue> found =
        co_await m_api.get(m_api.exchangePath(name) + "?columns=name", exchangeText(name), Absence::Fact);
    if (found)
        co_return false;
    if (found.error().kind == ErrorKind::NotFound)
        co_return true;
    co_return fail(found.error());
}

Task<Result<QStringList>> OwnedQueues::exchangesUnder(QString name)
{
    const QString pattern = QLatin1Char('^') + QRegularExpression::escape(name);
    const QByteArray path = "/exchanges/" + m_api.vhost() + "?page=1&page_size=100&use_regex=true&columns=name&name="
                            + ManagementApi::encoded(pattern);
    CO_TRY(const QCborValue answer, co_await m_api.get(path, exchangeText(name)));
    const QCborArray items = answer.toMap().value(QLatin1String("items")).toArray();
    QStringList found;
    for (const QCborValue &item : items) {
        const QString one = item.toMap().value(QLatin1String("name")).toString();
        if (isUnder(one, name))
            found.append(one);
    }
    co_return found;
}

Task<Result<bool>> OwnedQueues::isBound(QString exchange, QString queue, QString key, QString orUnder)
{
    CO_TRY(const QCborValue found, co_await m_api.get(m_api.queuePath(queue) + "/bindings", queueText(queue)));
    const QCborArray bindings = found.toArray();
    co_return std::any_of(bindings.constBegin(), bindings.constEnd(), [&](const QCborValue &binding) {
        const QCborMap one = binding.toMap();
        const QString source = one.value(QLatin1String("source")).toString();
        return (source == exchange || (!orUnder.isEmpty() && source.startsWith(orUnder)))
               && (key.isNull() || one.value(QLatin1String("routing_key")).toString() == key);
    });
}

Task<Result<>> OwnedQueues::everyQueueIsListed()
{
    const Result<QStringList> nodes = co_await nodesThatAreUp();
    if (!nodes && nodes.error().kind != ErrorKind::Unauthorized)
        co_return fail(nodes.error());
    CO_TRY(co_await everyNodeHasRecovered(nodes.value_or(QStringList())));
    co_return nodes ? Result<>() : fail(nodes.error());
}

// From 4.0 on a node answers before it has recovered its queues: it is running, lists none of them, and answers 404 for each (4.0.5
// and 4.3.6; not 3.10.8). The virtual host has no state on it until it has, also for those who ask another node.
Task<Result<>> OwnedQueues::everyNodeHasRecovered(QStringList nodes)
{
    const QString name = m_api.settings().vhost;
    // Whole: 4.0.5 answers 500 to a page of virtual hosts.
    CO_TRY(const QCborValue answer,
           co_await m_api.get("/vhosts?columns=name,cluster_state", Text::tr("the virtual hosts")));
    const QCborArray items = answer.toArray();
    QCborMap states;
    for (const QCborValue &item : items) {
        if (item.toMap().value(QLatin1String("name")) == name)
            states = item.toMap().value(QLatin1String("cluster_state")).toMap();
    }
    const bool isWhole =
        std::all_of(nodes.cbegin(), nodes.cend(), [&](const QString &node) { return states.contains(node); });
    if (states.isEmpty() || !isWhole)
        co_return fail(ErrorKind::Transient,
                       Text::tr("RabbitMQ is still reading the queues of the virtual host \"%1\".").arg(name));
    for (auto state = states.constBegin(); state != states.constEnd(); ++state) {
        if (state.value() != QLatin1String("running"))
            co_return fail(
                ErrorKind::Transient,
                Text::tr("The virtual host \"%1\" is %2 on the node %3. Its administrator can start it there: "
                         "rabbitmqctl restart_vhost.")
                    .arg(name, state.value().toString(), state.key().toString()));
    }
    co_return Result<>();
}

Task<Result<QStringList>> OwnedQueues::nodesThatAreUp()
{
    CO_TRY(const QCborValue answer, co_await m_api.get("/nodes?columns=name,running", Text::tr("the nodes")));
    const QCborArray nodes = answer.toArray();
    if (nodes.isEmpty())
        co_return fail(ErrorKind::Transient, Text::tr("RabbitMQ does not list its nodes yet."));
    QStringList names;
    for (const QCborValue &node : nodes) {
        names.append(node.toMap().value(QLatin1String("name")).toString());
        if (!node.toMap().value(QLatin1String("running")).toBool(false)) {
            co_return fail(
                ErrorKind::Transient,
                Text::tr(
                    "The RabbitMQ node %1 is down. Redrive goes on when it is back, or when the cluster forgets it.")
                    .arg(names.constLast()));
        }
    }
    co_return names;
}

Task<Result<LiveQueue>> OwnedQueues::live(QString name)
{
    CO_TRY(const std::optional<LiveQueue> one, co_await m_api.liveQueue(name));
    if (one && one->isRunning() && one->messages)
        co_return *one;
    CO_TRY(const QList<LiveQueue> queues, co_await m_api.liveQueues(name));
    const auto found =
        std::find_if(queues.cbegin(), queues.cend(), [&](const LiveQueue &queue) { return queue.name == name; });
    if (found == queues.cend()) {
        CO_TRY(co_await proveNone(name));
        co_return fail(ErrorKind::NotFound, Text::tr("The queue %1 does not exist.").arg(name));
    }
    if (!found->isRunning())
        co_return fail(notRunning(*found));
    if (one && !one->messages && found->messages)
        m_api.noteTotalsOnlyInLists();
    co_return *found;
}

Task<Result<>> OwnedQueues::mayReceive(QString name)
{
    const Result<QCborValue> found =
        co_await m_api.get(m_api.queuePath(name) + "?columns=type&disable_stats=true", queueText(name), Absence::Fact);
    if (!found) // whoever uses it gets the same answer, and judges it
        co_return found.error().kind == ErrorKind::Cancelled ? Result<>(fail(found.error())) : Result<>();
    LiveQueue queue;
    queue.name = name;
    queue.type = found->toMap().value(QLatin1String("type")).toString();
    const QString refusal = sendRefusalOf(queue);
    co_return refusal.isEmpty() ? Result<>() : Result<>(fail(ErrorKind::Rejected, refusal));
}

Task<Result<>> OwnedQueues::proveNone(QString name)
{
    CO_TRY(co_await everyQueueIsListed());
    CO_TRY(const bool gone, co_await m_api.isGone(name));
    if (!gone)
        co_return fail(ErrorKind::Transient, Text::tr("RabbitMQ does not list the queue %1 yet.").arg(name));
    co_return Result<>();
}

Task<Result<qint64>> OwnedQueues::count(QString name)
{
    CO_TRY(const LiveQueue queue, co_await live(name));
    if (!queue.messages)
        co_return fail(ErrorKind::Transient,
                       Text::tr("RabbitMQ does not report the message count of %1 yet.").arg(name));
    co_return *queue.messages;
}

Task<Result<>> OwnedQueues::noAlarm()
{
    CO_TRY(const http::Response answer, co_await m_api.exchange(m_api.request("GET", "/health/checks/alarms")));
    if (answer.status == 503) {
        co_return fail(
            ErrorKind::Transient,
            Text::tr("RabbitMQ has a memory or disk alarm: Redrive sends and takes nothing until the alarm clears."),
            reasonOf(answer.body));
    }
    co_return Result<>(); // an older broker without this check answers 404
}

} // namespace broker::rabbitmq
