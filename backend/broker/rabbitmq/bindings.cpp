#include "backend/broker/rabbitmq/bindings.h"

#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/text.h"

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr qsizetype longestKey = 255; // bytes, AMQP 0-9-1 short string; an answer with more is not from a broker
const QString alternateKey = QStringLiteral("alternate-exchange");

// An empty key has no word at all.
QList<QStringView> wordsOf(QStringView text)
{
    return text.isEmpty() ? QList<QStringView>() : text.split(u'.');
}

enum class Matching { All, ByKey, ByTopic, Unknown };

// A delayed exchange routes like the type that it names (rabbitmq-delayed-message-exchange).
Matching matchingOf(const QCborMap &exchange)
{
    QString type = textAt(exchange, QLatin1StringView("type"));
    if (type == QLatin1StringView("x-delayed-message"))
        type = textAt(exchange.value(QLatin1StringView("arguments")).toMap(), QLatin1StringView("x-delayed-type"));
    if (type == QLatin1StringView("fanout"))
        return Matching::All;
    if (type == QLatin1StringView("direct"))
        return Matching::ByKey;
    if (type == QLatin1StringView("topic"))
        return Matching::ByTopic;
    return Matching::Unknown;
}

bool matches(Matching matching, const QString &bound, const QStringList &keys)
{
    switch (matching) {
    case Matching::All:
        return true;
    case Matching::ByKey:
        return keys.contains(bound);
    case Matching::ByTopic:
        return std::any_of(keys.begin(), keys.end(), [&](const QString &key) { return topicMatches(bound, key); });
    case Matching::Unknown:
        return false;
    }
    return false;
}

// A policy is only one more way to name it, so a login that may not read policies does without.
Task<Result<QString>> alternateByPolicy(ManagementApi &api, QString policy)
{
    const QByteArray path = "/policies/" + api.vhost() + '/' + ManagementApi::encoded(policy);
    const Result<QCborValue> found = co_await api.get(path, Text::tr("the policies"), Absence::Fact);
    if (!found && found.error().kind == ErrorKind::Cancelled)
        co_return fail(found.error());
    co_return found ? found->toMap().value(QLatin1StringView("definition")).toMap().value(alternateKey).toString()
                    : QString();
}

} // namespace

bool topicMatches(QStringView pattern, QStringView key)
{
    if (pattern.size() > longestKey || key.size() > longestKey)
        return false;
    const QList<QStringView> wanted = wordsOf(pattern);
    const QList<QStringView> words = wordsOf(key);
    // reached[n]: the pattern so far matches the first n words.
    QList<bool> reached(words.size() + 1, false);
    reached[0] = true;
    for (const QStringView want : wanted) {
        QList<bool> then(reached.size(), false);
        if (want == u"#") {
            const auto first = std::find(reached.begin(), reached.end(), true);
            std::fill(then.begin() + (first - reached.begin()), then.end(), true);
        } else {
            for (qsizetype n = 0; n < words.size(); ++n)
                then[n + 1] = reached.at(n) && (want == u"*" || want == words.at(n));
        }
        reached = then;
    }
    return reached.constLast();
}

BindingWalk::BindingWalk(const QString &exchange, QStringList keys)
    : m_keys(std::move(keys))
{
    if (!exchange.isEmpty()) {
        m_ahead.append({exchange, 1});
        m_seen.insert(exchange);
        return;
    }
    // Every queue is bound to the default exchange by its name.
    for (const QString &key : std::as_const(m_keys))
        m_queues.insert(key);
}

std::optional<QString> BindingWalk::next() const
{
    return m_ahead.isEmpty() ? std::nullopt : std::optional(m_ahead.constFirst().exchange);
}

void BindingWalk::read(const QCborMap &exchange, const QCborArray &bindings)
{
    const Step step = m_ahead.takeFirst();
    if (exchange.isEmpty())
        return;
    if (step.depth == 1)
        m_routes.alternate =
            exchange.value(QLatin1StringView("arguments")).toMap().value(alternateKey).toString().left(longestKey);
    const Matching matching = matchingOf(exchange);
    if (matching == Matching::Unknown) {
        m_routes.undecided.append(step.exchange);
        return;
    }
    m_routes.isWhole = m_routes.isWhole && bindings.size() <= mostBindings;
    for (qsizetype i = 0; i < std::min(bindings.size(), mostBindings); ++i) {
        const QCborMap binding = bindings.at(i).toMap();
        if (matches(matching, textAt(binding, QLatin1StringView("routing_key")), m_keys))
            follow(binding, step.depth);
    }
}

void BindingWalk::follow(const QCborMap &binding, int depth)
{
    const QString to = textAt(binding, QLatin1StringView("destination"));
    const QString type = textAt(binding, QLatin1StringView("destination_type"));
    if (to.isEmpty() || to.size() > longestKey)
        return;
    if (type == QLatin1StringView("queue")) {
        if (m_queues.size() < mostQueues)
            m_queues.insert(to);
        else if (!m_queues.contains(to))
            m_routes.isWhole = false;
        return;
    }
    if (type != QLatin1StringView("exchange") || m_seen.contains(to))
        return;
    if (depth == deepest || m_seen.size() == mostExchanges) {
        m_routes.isWhole = false;
        return;
    }
    m_seen.insert(to);
    m_ahead.append({to, depth + 1});
}

Routes BindingWalk::routes() const
{
    Routes routes = m_routes;
    routes.queues = QStringList(m_queues.cbegin(), m_queues.cend());
    routes.queues.sort();
    return routes;
}

// Reads the next exchange of the walk. The first one must exist; others may have been deleted meanwhile.
static Task<Result<>> readNext(ManagementApi &api, BindingWalk *walk, QString name, bool isFirst, QString *policy)
{
    const QString what = Text::tr("exchange %1").arg(name);
    const QByteArray path = api.exchangePath(name);
    const Result<QCborValue> found = co_await api.get(path + "?columns=type,arguments,policy", what, Absence::Fact);
    if (!found && (isFirst || found.error().kind != ErrorKind::NotFound))
        co_return fail(found.error());
    if (!found) {
        walk->read({}, {});
        co_return Result<>();
    }
    CO_TRY(const QCborValue bindings, co_await api.list(path + "/bindings/source", what));
    if (isFirst)
        *policy = textAt(found->toMap(), QLatin1StringView("policy"));
    walk->read(found->toMap(), bindings.toArray());
    co_return Result<>();
}

Task<Result<Routes>> routesOf(ManagementApi &api, QString exchange, QStringList keys)
{
    BindingWalk walk(exchange, std::move(keys));
    QString policy;
    while (const std::optional<QString> name = walk.next())
        CO_TRY(co_await readNext(api, &walk, *name, *name == exchange, &policy));
    Routes routes = walk.routes();
    if (!routes.alternate.isEmpty() || policy.isEmpty())
        co_return routes;
    CO_TRY(routes.alternate, co_await alternateByPolicy(api, policy));
    co_return routes;
}

} // namespace broker::rabbitmq
