// Follows the bindings of an exchange to the queues that get a message.
#pragma once

#include "backend/broker/exchangeroutes.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

#include <QCborArray>
#include <QCborMap>
#include <QSet>

namespace broker::rabbitmq {

// Whether a topic exchange routes a message with this key over a binding with this pattern. Words are separated by
// dots; * stands for exactly one word, # for any number of words, also none.
// Source: RabbitMQ, "Topics" tutorial; rabbit_exchange_type_topic.erl split_topic_key, trie_match.
[[nodiscard]] bool topicMatches(QStringView pattern, QStringView key);

// The exchanges on the way, the nearest first. Pure: the caller reads each exchange and gives it back. Answers may be
// hostile: the depth, the number of exchanges, of bindings and of queues are bounded, and an exchange is read once,
// whatever cycles the bindings have.
class BindingWalk final
{
public:
    static constexpr int deepest = 5; // exchanges behind each other
    static constexpr qsizetype mostExchanges = 20;
    static constexpr qsizetype mostQueues = 200;
    static constexpr qsizetype mostBindings = 20'000; // of one exchange

    BindingWalk(const QString &exchange, QStringList keys);

    // The exchange to read next; nothing: the walk is over.
    [[nodiscard]] std::optional<QString> next() const;
    // The answers for next(), as the API gives them. An exchange that was deleted meanwhile has neither.
    void read(const QCborMap &exchange, const QCborArray &bindings);
    [[nodiscard]] Routes routes() const;

private:
    struct Step
    {
        QString exchange;
        int depth = 1;
    };
    void follow(const QCborMap &binding, int depth);

    QStringList m_keys;
    QList<Step> m_ahead;
    QSet<QString> m_seen;
    QSet<QString> m_queues;
    Routes m_routes;
};

// As ExchangeRoutes::routesOf. Two calls for each exchange on the way, one more for a policy that names the alternate
// exchange.
[[nodiscard]] Task<Result<Routes>> routesOf(ManagementApi &api, QString exchange, QStringList keys);

} // namespace broker::rabbitmq
