#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

namespace store {

using core::Result;

class Database;
class RetryLedger;
class RetryOperationStore;

// Step freeze (session.h): which messages an operation takes, which it leaves out and why, and where each one is sent.
// Engine thread.
class FrozenSetStore final
{
public:
    FrozenSetStore(Database &database, RetryLedger &ledger, RetryOperationStore &operations);
    FrozenSetStore(const FrozenSetStore &) = delete;
    FrozenSetStore &operator=(const FrozenSetStore &) = delete;

    // Adds those of `messages` that the rules allow to the set, in this order. Conflict: the operation is no longer
    // Freezing.
    [[nodiscard]] Result<FreezeTally> freeze(core::OperationId operation, const QList<core::MessageId> &messages,
                                             const FreezeRules &rules);
    // Like freeze, but writes nothing: for previews. `already`: how many earlier slices froze, for the limit.
    [[nodiscard]] Result<FreezeTally> evaluate(const QList<core::MessageId> &messages, const FreezeRules &rules,
                                               qint64 already);
    // Those of `messages` that an operation has claimed, or has in its set and continues: it sends them as they are now.
    [[nodiscard]] Result<QList<core::MessageId>> underWay(const QList<core::MessageId> &messages);
    // Removes up to `rows` members of an operation in Freezing, and the operation with the last one. True: it is gone.
    // Conflict: its set is already frozen.
    [[nodiscard]] Result<bool> discard(core::OperationId operation, int rows);

private:
    [[nodiscard]] Result<> noteSources(core::OperationId id, qint64 after);
    [[nodiscard]] Result<> noteAnswerQueues(core::OperationId id, qint64 after, const FreezeRules &rules);
    [[nodiscard]] Result<> noteGroups(core::OperationId id, qint64 after);

    Database &m_database;
    RetryLedger &m_ledger;
    RetryOperationStore &m_operations;
};

} // namespace store
