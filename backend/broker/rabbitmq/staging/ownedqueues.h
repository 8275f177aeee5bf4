// Creates and removes our objects on the broker, and reads the counts that decisions depend on.
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

// The alternate exchange of an exchange that a shovel publishes to: it leads back into the source queue, so that no
// message is lost if somebody deletes the queue to which the exchange is bound.
[[nodiscard]] inline QString backOf(const QString &exchange)
{
    return exchange + QLatin1String(".back");
}

[[nodiscard]] inline bool isBack(const QString &exchange)
{
    return exchange.endsWith(QLatin1String(".back"));
}

class OwnedQueues final
{
public:
    explicit OwnedQueues(ManagementApi &api);

    // Creates a classic durable queue, whatever the defaults of the broker are. May be repeated. The argument
    // "x-redrive" marks it as ours: RabbitMQ keeps unknown arguments, and a queue that a shovel re-creates does not
    // have it.
    [[nodiscard]] Task<Result<>> declareQueue(QString name, QCborMap arguments);
    [[nodiscard]] Task<Result<>> declareExchange(QString name, QString type, QCborMap arguments);
    // A fanout exchange of that name, bound to the queue.
    [[nodiscard]] Task<Result<>> declareEntrance(QString name, QString queue);
    // NotFound: the queue or the exchange does not exist.
    [[nodiscard]] Task<Result<>> bind(QString exchange, QString queue, QString routingKey);
    // A binding without a routing key. Success also if there is none.
    [[nodiscard]] Task<Result<>> unbind(QString exchange, QString queue);
    // Transient: the node of the queue is down.
    [[nodiscard]] Task<Result<>> removeQueue(QString name);
    // Conflict: the queue has messages or consumers, and stays.
    [[nodiscard]] Task<Result<>> removeQueueIfEmpty(QString name);
    // The exchanges with that name, and those whose names continue it with a dot.
    [[nodiscard]] Task<Result<QStringList>> exchangesUnder(QString name);
    [[nodiscard]] Task<Result<>> removeExchange(QString name);
    // One after the other, ways back last.
    [[nodiscard]] Task<Result<>> removeExchanges(QStringList names);
    // True: the exchange's own resource says so, in RabbitMQ's words.
    [[nodiscard]] Task<Result<bool>> isExchangeGone(QString name);
    // Whether the queue is bound to this exchange, or to one whose name starts with `orUnder`, with this key; a null
    // key stands for any.
    [[nodiscard]] Task<Result<bool>> isBound(QString exchange, QString queue, QString key = {}, QString orUnder = {});

    // One queue with live totals. NotFound only if the queue is proved to be gone: it is not listed, every node is up,
    // and its own resource says so. Transient: a node is down, or the queue is not running.
    [[nodiscard]] Task<Result<LiveQueue>> live(QString name);
    // Rejected: the queue is one that Redrive sends nothing to. Success also if it does not exist.
    [[nodiscard]] Task<Result<>> mayReceive(QString name);
    // Before a list that is to show all queues. Transient: a node is down, or has not recovered its queues yet. Unauthorized:
    // this account may not see the nodes; those that run have recovered.
    [[nodiscard]] Task<Result<>> everyQueueIsListed();
    // After a list without the queue. Success: that there is none is proved, because every node is up and has recovered its
    // queues, and RabbitMQ itself answers.
    [[nodiscard]] Task<Result<>> proveNone(QString name);
    // The message count from live(). Transient also if the count is unknown.
    [[nodiscard]] Task<Result<qint64>> count(QString name);
    // Transient while an alarm is set, because neither HTTP publishes nor shovels are slowed down by it.
    [[nodiscard]] Task<Result<>> noAlarm();

    // Transient: why it does not run, for people.
    [[nodiscard]] static core::Error notRunning(const LiveQueue &queue);
    [[nodiscard]] static bool isOurs(const LiveQueue &queue);

private:
    [[nodiscard]] Task<Result<QStringList>> nodesThatAreUp(); // Transient: not all are
    [[nodiscard]] Task<Result<>> everyNodeHasRecovered(QStringList nodes);
    [[nodiscard]] Task<Result<>> removeAt(QByteArray path, QString name);
    [[nodiscard]] QByteArray bindingsPath(const QString &exchange, const QString &queue) const;

    ManagementApi &m_api;
};

} // namespace broker::rabbitmq
