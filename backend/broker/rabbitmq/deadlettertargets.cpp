#include "backend/broker/rabbitmq/deadlettertargets.h"

#include "backend/broker/rabbitmq/bindings.h"
#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/policies.h"
#include "backend/broker/rabbitmq/staging/topology.h"

#include <algorithm>

namespace broker::rabbitmq {

namespace {

using records::QueueFact;

// Of all searches for loops together. With more, a queue counts as a part of one: the careful answer.
constexpr qsizetype mostLoopSteps = 200'000;

// Facts of one target; a dead-letter queue may serve thousands of queues.
constexpr qsizetype mostSources = 200;

struct BoundQueue
{
    QString name; // a queue, or an exchange
    QString key;

    // A binding without a key is one of an exchange that does not route by key.
    [[nodiscard]] bool fits(const QString &wanted) const
    {
        const bool isPattern = key.contains(u'*') || key.contains(u'#');
        return wanted.isEmpty() || key.isEmpty() || key == wanted || (isPattern && topicMatches(key, wanted));
    }
};

// All queues that send their dead letters with one key to one exchange, and where those arrive.
struct Way
{
    DeadLetterRoute route;
    QStringList sources;
    QStringList targets; // sorted
    QSet<QString> reached; // the same

    // A queue that is the target of its own dead letters, as a policy for all queues makes it, passes nothing on.
    [[nodiscard]] bool isPassedOnBy(const QString &queue) const { return !reached.contains(queue); }
};

class DeadLetterGraph
{
public:
    DeadLetterGraph(const Definitions &definitions, const QSet<QString> &timed)
        : m_timed(timed)
    {
        readBindings(definitions.bindings);
        countConsumers(definitions.consumers.value_or(QCborArray()));
        for (const LiveQueue &queue : definitions.queues) {
            const std::optional<DeadLetterRoute> route = routeOf(queue, definitions.policies);
            if (route && !queue.name.startsWith(ourPrefix))
                add(queue.name, *route);
        }
        for (qsizetype i = 0; i < m_ways.size(); ++i) {
            m_ways[i].sources.sort();
            reach(i);
        }
        findWorkExchanges();
    }

    [[nodiscard]] QHash<QString, DeadLetterTarget> targets()
    {
        QHash<QString, DeadLetterTarget> found;
        for (auto to = m_waysTo.cbegin(); to != m_waysTo.cend(); ++to) {
            const QStringList sources = sourcesOf(to.key());
            if (!sources.isEmpty())
                found.insert(to.key(), {sources.constFirst(), factsOf(to.key(), sources)});
        }
        return found;
    }

    [[nodiscard]] QHash<QString, QStringList> kept(const QList<LiveQueue> &queues) const
    {
        QSet<QString> existing;
        for (const LiveQueue &queue : queues)
            existing.insert(queue.name);
        QHash<QString, QStringList> found;
        for (const Way &way : m_ways) {
            QStringList there = way.targets;
            there.removeIf([&](const QString &target) { return !existing.contains(target); });
            for (const QString &source : way.sources) {
                if (there.size() > 1 || (!there.isEmpty() && there.constFirst() != source))
                    found.insert(source, there);
            }
        }
        return found;
    }

private:
    void readBindings(const QCborArray &bindings)
    {
        for (const QCborValue &value : bindings) {
            const QCborMap binding = value.toMap();
            const QString source = textAt(binding, QLatin1String("source"));
            const BoundQueue bound{textAt(binding, QLatin1String("destination")),
                                   textAt(binding, QLatin1String("routing_key"))};
            if (source.isEmpty() || source.startsWith(ourPrefix) || bound.name.startsWith(ourPrefix))
                continue;
            if (textAt(binding, QLatin1String("destination_type")) != QLatin1String("queue")) {
                m_exchanges[source].append(bound);
                continue;
            }
            m_bound[source].append(bound);
            QStringList &from = m_boundFrom[bound.name];
            if (!from.contains(source))
                from.append(source);
        }
    }

    void countConsumers(const QCborArray &consumers)
    {
        for (const QCborValue &value : consumers)
            ++m_consumers[textAt(value.toMap().value(QLatin1String("queue")).toMap(), QLatin1String("name"))];
    }

    void add(const QString &queue, const DeadLetterRoute &route)
    {
        const auto key = std::pair(route.exchange, route.key);
        auto known = m_wayAt.find(key);
        if (known == m_wayAt.end()) {
            known = m_wayAt.insert(key, m_ways.size());
            m_ways.append({route, {}, {}, {}});
        }
        m_ways[*known].sources.append(queue);
        m_wayOf.insert(queue, *known);
    }

    // Fills in the targets. The type of an exchange is not known here: where no key fits, it does not route by key.
    void reach(qsizetype index)
    {
        Way &way = m_ways[index];
        if (way.route.exchange.isEmpty()) {
            if (!way.route.key.isEmpty())
                way.targets.append(way.route.key);
        } else {
            way.targets = boundBy(way.route, true);
            if (way.targets.isEmpty())
                way.targets = boundBy(way.route, false);
        }
        way.reached = QSet<QString>(way.targets.cbegin(), way.targets.cend());
        for (const QString &target : std::as_const(way.targets))
            m_waysTo[target].append(index);
    }

    [[nodiscard]] QStringList boundBy(const DeadLetterRoute &route, bool byKey) const
    {
        const auto fits = [&](const BoundQueue &bound) { return !byKey || bound.fits(route.key); };
        QSet<QString> found;
        QSet<QString> seen{route.exchange};
        QStringList ahead{route.exchange};
        while (!ahead.isEmpty()) {
            const QString exchange = ahead.takeLast();
            for (const BoundQueue &bound : m_bound.value(exchange)) {
                if (fits(bound))
                    found.insert(bound.name);
            }
            for (const BoundQueue &bound : m_exchanges.value(exchange)) {
                if (fits(bound) && !seen.contains(bound.name)) {
                    seen.insert(bound.name);
                    ahead.append(bound.name);
                }
            }
        }
        QStringList names(found.cbegin(), found.cend());
        names.sort();
        return names;
    }

    // An exchange carries work if it is no target of dead letters, or if a queue that sends its dead letters there gets
    // its messages from there: then retries and fresh messages share it.
    void findWorkExchanges()
    {
        QSet<QString> dead;
        for (const Way &way : std::as_const(m_ways)) {
            dead.insert(way.route.exchange);
            for (const QString &source : way.sources) {
                if (m_boundFrom.value(source).contains(way.route.exchange) && way.isPassedOnBy(source))
                    m_work.insert(way.route.exchange);
            }
        }
        for (auto bound = m_bound.cbegin(); bound != m_bound.cend(); ++bound) {
            if (!dead.contains(bound.key()))
                m_work.insert(bound.key());
        }
    }

    [[nodiscard]] QStringList sourcesOf(const QString &target) const
    {
        QStringList sources;
        for (const qsizetype index : m_waysTo.value(target))
            sources += m_ways.at(index).sources.mid(0, mostSources);
        sources.removeAll(target);
        sources.sort();
        return sources.mid(0, mostSources);
    }

    [[nodiscard]] const Way *wayOf(const QString &queue) const
    {
        const auto known = m_wayOf.constFind(queue);
        return known == m_wayOf.constEnd() ? nullptr : &m_ways.at(*known);
    }

    [[nodiscard]] records::QueueFacts factsOf(const QString &queue, const QStringList &sources)
    {
        records::QueueFacts facts;
        for (const QString &source : sources)
            facts.append({QueueFact::Kind::DeadLettersOf, source});
        if (records::isNamedForFailures(queue))
            facts.append({QueueFact::Kind::NamedForFailures});
        if (const int consumers = m_consumers.value(queue); consumers > 0)
            facts.append({QueueFact::Kind::HasConsumers, {}, consumers});
        for (const QString &source : sources) {
            if (m_timed.contains(source) && m_consumers.value(source) == 0)
                facts.append({QueueFact::Kind::AfterWaiting, source});
        }
        addWayOn(queue, facts);
        const QStringList exchanges = m_boundFrom.value(queue);
        for (const QString &exchange : exchanges) {
            if (m_work.contains(exchange))
                facts.append({QueueFact::Kind::BoundTo, exchange});
        }
        return facts;
    }

    void addWayOn(const QString &queue, records::QueueFacts &facts)
    {
        const Way *way = wayOf(queue);
        if (way == nullptr || !way->isPassedOnBy(queue))
            return;
        for (const QString &next : way->targets) {
            if (leadsTo(next, queue)) {
                facts.append({QueueFact::Kind::LoopsBack, next});
                return;
            }
        }
        facts.append(
            {QueueFact::Kind::PassesOn, way->targets.isEmpty() ? way->route.exchange : way->targets.constFirst()});
    }

    // Whether dead letters go from one queue to the other, over any number of queues between them.
    [[nodiscard]] bool leadsTo(const QString &from, const QString &to)
    {
        QSet<qsizetype> walked;
        QStringList ahead{from};
        while (!ahead.isEmpty()) {
            if (++m_loopSteps > mostLoopSteps)
                return true;
            const QString queue = ahead.takeLast();
            if (queue == to)
                return true;
            const auto known = m_wayOf.constFind(queue);
            if (known == m_wayOf.constEnd() || walked.contains(*known) || !m_ways.at(*known).isPassedOnBy(queue))
                continue;
            walked.insert(*known);
            ahead += m_ways.at(*known).targets;
        }
        return false;
    }

    const QSet<QString> &m_timed;
    QHash<QString, QList<BoundQueue>> m_bound; // exchange to its queues
    QHash<QString, QList<BoundQueue>> m_exchanges; // exchange to the exchanges that it passes messages to
    QHash<QString, QStringList> m_boundFrom; // queue to the exchanges that it is bound to
    QHash<QString, int> m_consumers;
    QList<Way> m_ways;
    QHash<std::pair<QString, QString>, qsizetype> m_wayAt; // by exchange and key
    QHash<QString, qsizetype> m_wayOf; // by source
    QHash<QString, QList<qsizetype>> m_waysTo; // by target
    QSet<QString> m_work; // exchanges that carry other messages than dead letters
    qsizetype m_loopSteps = 0;
};

} // namespace

std::optional<DeadLetterRoute> routeOf(const LiveQueue &queue, const QCborArray &policies)
{
    DeadLetterRoute route;
    if (queue.arguments.contains(QLatin1String("x-dead-letter-exchange"))) {
        route.exchange = textAt(queue.arguments, QLatin1String("x-dead-letter-exchange"));
        route.key = textAt(queue.arguments, QLatin1String("x-dead-letter-routing-key"));
        return route;
    }
    const QCborMap policy = policyOf(queue, policies);
    if (!policy.contains(QLatin1String("dead-letter-exchange")))
        return std::nullopt;
    route.exchange = textAt(policy, QLatin1String("dead-letter-exchange"));
    route.key = textAt(policy, QLatin1String("dead-letter-routing-key"));
    return route;
}

DeadLetterWays deadLetterWays(const Definitions &definitions, const QSet<QString> &timed)
{
    DeadLetterGraph graph(definitions, timed);
    return {graph.targets(), graph.kept(definitions.queues)};
}

} // namespace broker::rabbitmq
