#pragma once

#include "backend/store/retrystore.h"
#include "backend/store/sqlite/statement.h"

#include <functional>
#include <memory>

namespace store {

class Database;
class MessageStore;

// The retry tables on a writing connection. Message statuses change through `messages`, so that counts stay exact.
[[nodiscard]] std::unique_ptr<RetryStore> makeRetryStore(Database &database, MessageStore &messages);

class SqliteRetryStore final : public RetryStore
{
public:
    SqliteRetryStore(Database &database, MessageStore &messages);

    [[nodiscard]] Result<core::OperationId> addOperation(const records::RetryOperation &operation) override;
    [[nodiscard]] Result<FreezeTally> freeze(core::OperationId operation, const QList<core::MessageId> &messages,
                                             const FreezeRules &rules) override;
    [[nodiscard]] Result<FreezeTally> evaluate(const QList<core::MessageId> &messages, const FreezeRules &rules,
                                               qint64 already) override;
    [[nodiscard]] Result<QList<core::MessageId>> underWay(const QList<core::MessageId> &messages) override;
    [[nodiscard]] Result<bool> discardFreezing(core::OperationId operation, int rows) override;
    [[nodiscard]] Result<records::RetryOperation> operation(core::OperationId id) override;
    [[nodiscard]] Result<QList<records::RetryOperation>> operations(core::ConnectionId connection, int limit) override;
    [[nodiscard]] Result<QList<records::RetryOperation>> unfinished(core::ConnectionId connection) override;
    [[nodiscard]] Result<> updateOperation(const records::RetryOperation &operation) override;
    [[nodiscard]] Result<> setPerMinute(core::OperationId id, std::optional<qint64> perMinute) override;
    [[nodiscard]] Result<Returns> returns(core::ConnectionId connection, core::OperationId operation) override;
    [[nodiscard]] Result<StepState> stepState(core::OperationId id) override;
    [[nodiscard]] Result<> keepDepths(core::OperationId id, const QMap<QString, qint64> &depths) override;
    [[nodiscard]] Result<> proveStep(core::OperationId id) override;
    [[nodiscard]] Result<> setAllPaused(bool paused) override;
    [[nodiscard]] Result<bool> allPaused() override;
    [[nodiscard]] Result<> dismiss(core::OperationId id) override;
    [[nodiscard]] Result<std::optional<records::RetryBatch>> addBatch(core::OperationId operation,
                                                                      const QString &session, int members) override;
    [[nodiscard]] Result<> claimMembers(core::BatchId batch) override;
    [[nodiscard]] Result<> beginStaging(core::BatchId batch) override;
    [[nodiscard]] Result<QList<RetryMember>> nameStaging(core::BatchId batch, const QString &stagingId,
                                                         const QString &place) override;
    [[nodiscard]] Result<> countRefusals(core::BatchId batch, const QList<MemberReason> &refused) override;
    [[nodiscard]] Result<> eject(core::BatchId batch, const QList<MemberReason> &members) override;
    [[nodiscard]] Result<> beginForwarding(core::BatchId batch, const QString &stagingId, int staged) override;
    [[nodiscard]] Result<> finishEmpty(core::BatchId batch) override;
    [[nodiscard]] Result<std::optional<records::RetryBatch>> nowForwarding(core::ConnectionId connection) override;
    [[nodiscard]] Result<> keepMark(core::BatchId batch, const QString &mark) override;
    [[nodiscard]] Result<> finishForwarding(core::BatchId batch, const BatchEnd &end) override;
    [[nodiscard]] Result<QList<RetryMember>> unsent(core::BatchId batch) override;
    [[nodiscard]] Result<QList<qint64>> writeIntents(core::BatchId batch, const QList<qint64> &ordinals) override;
    [[nodiscard]] Result<> writeOutcomes(core::BatchId batch, const QList<IntentOutcome> &outcomes) override;
    [[nodiscard]] Result<QList<RetryMember>> openIntents(core::BatchId batch) override;
    [[nodiscard]] Result<> closeIntentLogBatch(core::BatchId batch, const QString &session) override;
    [[nodiscard]] Result<core::BatchId> setAside(core::BatchId batch, const QList<qint64> &ordinals,
                                                 const QString &session) override;
    [[nodiscard]] Result<int> cancelMembers(core::OperationId operation, int rows) override;
    [[nodiscard]] Result<> assumeSent(core::OperationId operation, const QList<qint64> &ordinals) override;
    [[nodiscard]] Result<> sendAgain(core::OperationId operation, const QList<qint64> &ordinals,
                                     const QString &session) override;
    [[nodiscard]] Result<CameBack> cameBack(const QString &uniqueId, core::OperationId operation, int attempt) override;
    [[nodiscard]] Result<> confirmed(const QString &uniqueId, const ClaimEnd &claimEnd) override;
    [[nodiscard]] Result<int> close(const QList<core::MessageId> &messages, const ClaimEnd &claimEnd) override;
    [[nodiscard]] Result<records::RetryBatch> batch(core::BatchId id) override;
    [[nodiscard]] Result<QList<records::RetryBatch>> batches(core::OperationId operation) override;
    [[nodiscard]] Result<BatchTally> tallyBatches(core::OperationId operation, int newestDone) override;
    [[nodiscard]] Result<QList<records::RetryBatch>> liveBatches(core::ConnectionId connection, int limit) override;
    [[nodiscard]] Result<QList<records::RetryBatch>> markingBatches(core::ConnectionId connection, int limit) override;
    [[nodiscard]] Result<QList<records::RetryBatch>> batchesToStage(core::OperationId operation,
                                                                    const QList<core::BatchId> &without,
                                                                    int limit) override;
    [[nodiscard]] Result<QList<records::RetryBatch>> batchesInTurn(int limit) override;
    [[nodiscard]] Result<QList<RetryMember>> batchMembers(core::BatchId batch) override;
    [[nodiscard]] Result<QList<RetryMember>> members(core::OperationId operation,
                                                     std::optional<records::Outcome> outcome, qint64 after,
                                                     int limit) override;
    [[nodiscard]] Result<qint64> inDoubtTotal() override;
    [[nodiscard]] Result<records::OutcomeCounts> recount(core::OperationId operation) override;

private:
    using Outcome = records::Outcome;

    // sqliteretrystore.cpp
    [[nodiscard]] Result<QList<records::RetryOperation>> readOperations(Statement &rows);
    [[nodiscard]] Result<records::Edit> editOf(core::OperationId id);
    [[nodiscard]] Result<int> execute(const QString &sql, const QVariantList &values);

    // retryreads.cpp
    // `condition`: the SQL after the table's name.
    [[nodiscard]] Result<QList<records::RetryBatch>> batchesWhere(const QString &condition, const QVariantList &values);
    [[nodiscard]] Result<QList<records::RetryBatch>> readBatches(Statement &rows);
    [[nodiscard]] Result<QList<RetryMember>> readMembers(Statement &rows);
    [[nodiscard]] Result<QList<RetryMember>> stagedMembers(core::BatchId batch, bool intent);

    // retrybatches.cpp
    [[nodiscard]] Result<records::RetryBatch> batchIn(core::BatchId id, records::BatchStage stage);
    [[nodiscard]] Result<> setStage(core::BatchId id, records::BatchStage stage);
    // Counts the batch from its rows and adds the difference to its operation.
    [[nodiscard]] Result<> recountBatch(core::BatchId id);
    [[nodiscard]] Result<> keepCounts(const records::RetryBatch &before, const records::OutcomeCounts &after);
    [[nodiscard]] Result<records::OutcomeCounts> withGone(const records::OutcomeCounts &counts, core::OperationId id,
                                                          core::BatchId batch);
    // Ends members whose outcome is `from`: their claims are released and their messages are Unresolved again. A member
    // whose first copy may have arrived becomes InDoubt instead.
    [[nodiscard]] Result<> endMembers(const records::RetryBatch &batch, Outcome from, Outcome to,
                                      const QList<MemberReason> &members);
    [[nodiscard]] Result<> releaseClaims(core::OperationId operation, const QList<core::MessageId> &messages);
    [[nodiscard]] Result<core::BatchId> newBatch(const records::RetryBatch &like, const QString &session,
                                                 const QList<qint64> &ordinals);

    // retryclaims.cpp
    [[nodiscard]] Result<> endClaim(const RetryMember &member, const ClaimEnd &claimEnd);
    [[nodiscard]] Result<QList<RetryMember>> awayMembers(const QList<core::MessageId> &messages);
    [[nodiscard]] Result<std::optional<RetryMember>> claimant(const QString &uniqueId);
    [[nodiscard]] Result<> provenSent(const RetryMember &member, bool back);
    [[nodiscard]] Result<int> cancelFree(core::OperationId operation, int rows);

    // retryguards.cpp
    [[nodiscard]] Result<> noteSources(core::OperationId id, qint64 after);
    [[nodiscard]] Result<> noteGroups(core::OperationId id, qint64 after);

    Database &m_database;
    MessageStore &m_messages;
};

} // namespace store
