// What a virtual host allows at most. A queue beyond the limit is refused when it is declared, but a shovel beyond that of
// connections only waits, for good: so both are read before anything moves.
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

class Quotas final
{
public:
    explicit Quotas(ManagementApi &api);

    // Whether these queues of ours and one shovel fit in. Queues that exist count once. Refused: the message names the limit,
    // and says what there is and what is needed. Transient: the limit has room, but others take it now: connections
    // of anybody, or queues of ours. What cannot be read is no reason to refuse.
    [[nodiscard]] Task<Result<>> roomFor(QStringList queues);
    // Why these queues and a shovel would not fit in even without what this account and shovels of ours have open; empty: they
    // would.
    [[nodiscard]] Task<Result<QString>> obstacle(QStringList queues, QString account);

    // How many requests of this account that need a connection of their own (a publish does) may be open at a time; nothing: no
    // limit is known. 0: none ever.
    [[nodiscard]] Task<Result<std::optional<qint64>>> sendsAtOnce(QString account);

private:
    // Null: none are set, or they cannot be read.
    [[nodiscard]] Task<Result<QCborArray>> limitsAt(QByteArray path);
    struct Connections
    {
        qint64 all = 0;
        qint64 others = 0; // neither publishes of the account nor shovels of ours
    };
    [[nodiscard]] Task<Result<Connections>> connections(QString account);
    [[nodiscard]] core::Error noRoomForShovel(qint64 most, qint64 there) const;
    [[nodiscard]] Task<Result<>> roomForQueues(qint64 most, QStringList queues);
    [[nodiscard]] Task<Result<>> roomForShovel(qint64 most);

    ManagementApi &m_api;
};

// That of roomFor() when something that ends by itself takes the room.
[[nodiscard]] bool isRoomAwaited(const core::Error &error);

// The refusal of a queue beyond a limit of its virtual host or of the whole cluster, as an answer to its declaration has it.
[[nodiscard]] bool isQueueLimit(const core::Error &error);

} // namespace broker::rabbitmq
