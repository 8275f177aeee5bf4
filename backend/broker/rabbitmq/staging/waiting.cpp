#include "backend/broker/rabbitmq/staging/waiting.h"

#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/text.h"

#include <QCborArray>
#include <QCborMap>
#include <QHash>
#include <QSet>

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr qsizetype longestName = 255; // bytes; RabbitMQ has no longer queue names
constexpr qsizetype mostQueues = 50; // queues asked about for one page, because messages can name any number

QCborMap lastDeath(const records::Headers &headers)
{
    const QCborValue *deaths = records::find(headers, u"x-death");
    return deaths == nullptr ? QCborMap() : deaths->toArray().at(0).toMap();
}

// Exchange and routing key of a queue's dead letters; an empty key: each keeps its own. Nothing: the queue has no
// dead-letter exchange.
struct Route
{
    QString exchange;
    QString key;
};

std::optional<Route> routeOf(const QCborMap &queue)
{
    const QCborMap arguments = queue.value(QLatin1StringView("arguments")).toMap();
    const QCborMap policy = queue.value(QLatin1StringView("effective_policy_definition")).toMap();
    const QLatin1StringView exchange("dead-letter-exchange");
    const bool own = arguments.contains(QStringLiteral("x-dead-letter-exchange"));
    if (!own && !policy.contains(exchange))
        return std::nullopt;
    Route route;
    route.exchange = own ? textAt(arguments, QLatin1StringView("x-dead-letter-exchange")) : textAt(policy, exchange);
    route.key = textAt(arguments, QLatin1StringView("x-dead-letter-routing-key"));
    if (route.key.isEmpty())
        route.key = textAt(policy, QLatin1StringView("dead-letter-routing-key"));
    return route;
}

// The queues to which an exchange of this type routes a message with this key. The key of a topic binding may be a
// pattern, so a topic gives all of its queues.
QSet<QString> takers(const QCborArray &bindings, const QString &type, const QString &key)
{
    QSet<QString> all;
    QSet<QString> named;
    for (const QCborValue &value : bindings) {
        const QCborMap binding = value.toMap();
        const QString queue = textAt(binding, QLatin1StringView("destination"));
        if (textAt(binding, QLatin1StringView("destination_type")) != QLatin1StringView("queue"))
            continue;
        all.insert(queue);
        if (textAt(binding, QLatin1StringView("routing_key")) == key)
            named.insert(queue);
    }
    return type == QLatin1StringView("direct") ? named : all;
}

Task<Result<QSet<QString>>> takersOf(ManagementApi &api, Route route)
{
    if (route.exchange.isEmpty())
        co_return QSet<QString>{route.key};
    const QString what = Text::tr("exchange %1").arg(route.exchange);
    const QByteArray path = api.exchangePath(route.exchange);
    const Result<QCborValue> exchange = co_await api.get(path + "?columns=type", what, Absence::Fact);
    if (!exchange && exchange.error().kind == ErrorKind::NotFound)
        co_return QSet<QString>();
    if (!exchange)
        co_return fail(exchange.error());
    CO_TRY(const QCborValue bindings, co_await api.list(path + "/bindings/source", what));
    co_return takers(bindings.toArray(), textAt(exchange->toMap(), QLatin1StringView("type")), route.key);
}

// The origin of messages that are in `here` and expired in `waited`. `key`: their routing key when they were published
// there.
Task<Result<QString>> originOf(ManagementApi &api, QString here, QString waited, QString key)
{
    const QString what = Text::tr("queue %1").arg(waited);
    const Result<QCborValue> queue =
        co_await api.get(api.queuePath(waited) + "?columns=arguments,effective_policy_definition", what, Absence::Fact);
    if (!queue && queue.error().kind == ErrorKind::NotFound)
        co_return QString();
    if (!queue && queue.error().kind == ErrorKind::Unauthorized) // only the message itself tells
        co_return waited;
    if (!queue)
        co_return fail(queue.error());
    std::optional<Route> route = routeOf(queue->toMap());
    if (!route) // the queue was changed since: where its dead letters went is unknown
        co_return waited;
    if (route->key.isEmpty())
        route->key = key;
    CO_TRY(const QSet<QString> found, co_await takersOf(api, *route));
    if (found.contains(here))
        co_return waited;
    co_return found.size() == 1 ? *found.cbegin() : QString();
}

} // namespace

QString expiredIn(const records::Headers &headers)
{
    const QCborValue *table = records::find(headers, u"x-death");
    const QCborArray deaths = table == nullptr ? QCborArray() : table->toArray();
    const bool all = std::all_of(deaths.constBegin(), deaths.constEnd(), [](const QCborValue &death) {
        return textAt(death.toMap(), QLatin1StringView("reason")) == QLatin1StringView("expired");
    });
    const QString queue = all ? textAt(lastDeath(headers), QLatin1StringView("queue")) : QString();
    return queue.toUtf8().size() <= longestName ? queue : QString();
}

Task<Result<QList<ReceivedMessage>>> withOrigins(ManagementApi &api, QString queue, QList<ReceivedMessage> messages)
{
    QHash<QPair<QString, QString>, QString> known; // by queue and key
    for (ReceivedMessage &held : messages) {
        const QString waited = expiredIn(held.envelope.headers);
        if (waited.isEmpty())
            continue;
        const QString key =
            lastDeath(held.envelope.headers).value(QLatin1StringView("routing-keys")).toArray().at(0).toString();
        const QPair<QString, QString> way{waited, key};
        if (!known.contains(way)) {
            if (known.size() == mostQueues)
                continue;
            CO_TRY(const QString origin, co_await originOf(api, queue, waited, key));
            known.insert(way, origin);
        }
        held.origin = known.value(way);
    }
    co_return messages;
}

} // namespace broker::rabbitmq
