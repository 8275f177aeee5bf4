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
    // and says what there is and what is needed. What cannot be read is no reason to refuse.
    [[nodiscard]] Task<Result<>> roomFor(QStringList queues);

    // How many requests of this account that need a connection of their own (a publish does) may be open at a time; nothing: no
    // limit is known. 0: none ever.
    [[nodiscard]] Task<Result<std::optional<qint64>>> sendsAtOnce(QString account);

private:
    // Null: none are set, or they cannot be read.
    [[nodiscard]] Task<Result<QCborArray>> limitsAt(QByteArray path);
    [[nodiscard]] Task<Result<qint64>> connections();
    [[nodiscard]] Task<Result<>> roomForQueues(qint64 most, QStringList queues);
    [[nodiscard]] Task<Result<>> roomForShovel(qint64 most);

    ManagementApi &m_api;
};

// The refusal of a queue beyond a limit of its virtual host or of the whole cluster, as an answer to its declaration has it.
[[nodiscard]] bool isQueueLimit(const core::Error &error);

} // namespace broker::rabbitmq
