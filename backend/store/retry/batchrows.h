#pragma once

#include "backend/store/database/statement.h"
#include "backend/store/retry/retryrecords.h"

#include <QVariantList>

#include <optional>

namespace store {

class Database;
class MessageStore;

// The rows of retry_batch and retry_member, for the repositories of a retry: reading them, and the changes that several
// steps share. Statuses of messages change through MessageStore, so that counts stay exact.
class BatchRows final
{
public:
    BatchRows(Database &database, MessageStore &messages);
    BatchRows(const BatchRows &) = delete;
    BatchRows &operator=(const BatchRows &) = delete;

    [[nodiscard]] Result<records::RetryBatch> load(core::BatchId id);
    // Conflict: the batch is in another stage.
    [[nodiscard]] Result<records::RetryBatch> loadIn(core::BatchId id, records::BatchStage stage);
    // `condition`: the SQL after the table's name.
    [[nodiscard]] Result<QList<records::RetryBatch>> where(const QString &condition, const QVariantList &values);
    [[nodiscard]] Result<std::optional<records::RetryBatch>> nowForwarding(core::ConnectionId connection);

    [[nodiscard]] Result<QList<RetryMember>> members(core::BatchId id);
    // Its Staged members, with or without an open intent.
    [[nodiscard]] Result<QList<RetryMember>> stagedMembers(core::BatchId id, bool intent);
    // `condition`: the SQL after retry_member m and its failed_message f.
    [[nodiscard]] Result<QList<RetryMember>> membersWhere(const QString &condition, const QVariantList &values);
    // Of rows with memberColumns() (retrysql.h).
    [[nodiscard]] static Result<QList<RetryMember>> readMembers(Statement &rows);

    // Adds a batch for these ordinals to the operation of `like`, in its stage. Its counts are 0 until recount(): the
    // caller moves the members and also recounts the batches that they leave.
    [[nodiscard]] Result<core::BatchId> newBatch(const records::RetryBatch &like, const QString &session,
                                                 const QList<qint64> &ordinals);
    [[nodiscard]] Result<> setStage(core::BatchId id, records::BatchStage stage);
    // Counts the batch from its rows and adds the difference to its operation.
    [[nodiscard]] Result<> recount(core::BatchId id);
    [[nodiscard]] Result<> keepCounts(const records::RetryBatch &before, const records::OutcomeCounts &after);
    // Adds the members whose messages were removed by retention. Invalid batch: of the whole operation.
    [[nodiscard]] Result<records::OutcomeCounts> withGone(const records::OutcomeCounts &counts, core::OperationId id,
                                                          core::BatchId batch);

    // Ends members whose outcome is `from`: their claims are released and their messages are Unresolved again. A member
    // whose first copy may have arrived becomes InDoubt instead.
    [[nodiscard]] Result<> endMembers(const records::RetryBatch &batch, records::Outcome from, records::Outcome to,
                                      const QList<MemberReason> &members);
    // Releases the operation's claims on those of these messages that are not being sent. For archived or released
    // messages nobody else would ever release them, and no later retry could claim the message.
    [[nodiscard]] Result<> releaseClaims(core::OperationId operation, const QList<core::MessageId> &messages);

private:
    Database &m_database;
    MessageStore &m_messages;
};

} // namespace store
