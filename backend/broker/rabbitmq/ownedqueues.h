// Declaring and removing what we make on the broker, and reading counts that decisions rest on.
#pragma once

#include "backend/broker/rabbitmq/managementapi.h"

namespace broker::rabbitmq {

class OwnedQueues final
{
public:
    explicit OwnedQueues(ManagementApi &api);

    // Explicitly classic and durable whatever the defaults of the broker are; idempotent. Unknown arguments are kept by
    // RabbitMQ: "x-redrive" marks the queue as made by us, which a queue re-made by a shovel is not.
    [[nodiscard]] Task<Result<>> declareQueue(QString name, QCborMap arguments);
    [[nodiscard]] Task<Result<>> declareExchange(QString name, QString type, QCborMap arguments);
    // NotFound: the queue or the exchange does not exist.
    [[nodiscard]] Task<Result<>> bind(QString exchange, QString queue, QString routingKey);
    [[nodiscard]] Task<Result<>> removeQueue(QString name);
    // Refuses (Conflict) when messages or consumers are there.
    [[nodiscard]] Task<Result<>> removeQueueIfEmpty(QString name);
    // Those of that name, and of that name with a part behind it.
    [[nodiscard]] Task<Result<QStringList>> exchangesUnder(QString name);
    [[nodiscard]] Task<Result<>> removeExchange(QString name);
    // Its own resource says so, in RabbitMQ's words.
    [[nodiscard]] Task<Result<bool>> isExchangeGone(QString name);
    // Under this key; any, when it is null. `orUnder`: to this exchange, or to one whose name begins so.
    [[nodiscard]] Task<Result<bool>> isBound(QString exchange, QString queue, QString key = {}, QString orUnder = {});

    // One queue with live totals. NotFound, which nothing else here says, only when it has vanished: it is not listed, every
    // node is up, and its own resource says so. A node that is down or a queue that does not run is Transient.
    [[nodiscard]] Task<Result<LiveQueue>> live(QString name);
    // The exact count of messages: live().messages with "unknown" as Transient.
    [[nodiscard]] Task<Result<qint64>> count(QString name);
    // Transient while an alarm is set: neither HTTP publish nor shovels feel back-pressure.
    [[nodiscard]] Task<Result<>> noAlarm();

    [[nodiscard]] static bool isOurs(const LiveQueue &queue);

private:
    [[nodiscard]] Task<Result<>> everyNodeIsUp();

    ManagementApi &m_api;
};

} // namespace broker::rabbitmq
