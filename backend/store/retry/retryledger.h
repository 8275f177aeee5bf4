#pragma once

#include "backend/core/result.h"
#include "backend/records/ledger/apply.h"
#include "backend/records/retries/retry.h"
#include "backend/store/retry/retryrecords.h"

#include <QHash>
#include <QList>
#include <QVariantList>

#include <optional>

namespace store {

using core::Result;

class Database;
class MessageStore;
class Statement;

// A member of an operation as the ledger has it.
struct LedgerEntry
{
    core::OperationId operation;
    qint64 ordinal = 0;
    core::MessageId message;
    core::BatchId batch; // invalid: it has none yet
    int attempt = 0; // as RetryMember
    int lastAttempt = 0; // of any retry of this message
    int stageAttempts = 0;
    QString reason;
    std::optional<core::TimePoint> deliverAt{}; // as RetryMember
    records::Fate fate;
};

// What happened to members, and what is known of it.
struct MemberNews
{
    records::MemberEvent event;
    QString reason{}; // where the transition stores one
    std::optional<QHash<qint64, QString>> only{}; // these ordinals alone, each with its reason
    core::BatchId batch{}; // where they go, if the transition puts them into a new batch
    core::TimePoint at{}; // how their claims end: when, by whom,
    QString who{};
    core::Milliseconds quietFor{}; // and after what quiet period
};
[[nodiscard]] QHash<qint64, QString> byOrdinal(const QList<MemberReason> &members);

// The life of every retry: the only writer of retry_member, claim, retry_batch, now_forwarding and member_gone, of the counts of
// batches and operations, and of the status of a message where a retry causes it. What may happen to a member is in
// records/ledger/transitions.h; the stores of the steps say to which members it happens. tests/lint/retrytables.py keeps all other
// files from writing these tables.
//
// Each call is part of the caller's transaction (session.h): members, claims, counts and statuses change together or not at all.
// Engine thread.
class RetryLedger final
{
public:
    RetryLedger(Database &database, MessageStore &messages);
    RetryLedger(const RetryLedger &) = delete;
    RetryLedger &operator=(const RetryLedger &) = delete;

    // ---- members ----

    // In no order.
    [[nodiscard]] Result<QList<LedgerEntry>> ofBatch(core::BatchId batch);
    [[nodiscard]] Result<QList<LedgerEntry>> of(core::OperationId operation, const QList<qint64> &ordinals);
    // The next Pending members without a batch, by their turn.
    [[nodiscard]] Result<QList<LedgerEntry>> waiting(core::OperationId operation, int limit);
    // The members that had these messages last, whether or not their claims are live. Messages without a retry have none.
    [[nodiscard]] Result<QList<LedgerEntry>> ownersOf(const QList<core::MessageId> &messages);
    [[nodiscard]] Result<std::optional<LedgerEntry>> ownerOf(const QString &uniqueId);

    // Records the event for these members, as they were read in this transaction: those that have a transition for it are then
    // as it leaves them, here and in the store. The others stay as they are. Returns how many it was recorded for.
    [[nodiscard]] Result<int> record(QList<LedgerEntry> &entries, const MemberNews &news);
    // Records how the sends of some of them ended.
    [[nodiscard]] Result<> record(QList<LedgerEntry> &entries, const QList<SendResult> &ends);

    // Adds members to a set in state Freezing. `select`: a SELECT of operation, ordinal, message, destination, cause and turn.
    [[nodiscard]] Result<> addMembers(core::OperationId operation, const QString &select, const QVariantList &values);
    // Takes back the members after `ordinal`.
    [[nodiscard]] Result<> dropMembers(core::OperationId operation, qint64 ordinal);
    // The copies that the broker holds back get their times with the set. Returns how many.
    [[nodiscard]] Result<int> freezeDeliveries(core::OperationId operation, core::TimePoint now);

    // A store that was made from a backup: no batch continues, so no claim stays live, also none of a damaged file.
    [[nodiscard]] Result<> endAllClaims();

    // ---- batches ----

    // A batch for these members in this stage. Its counts are 0: the members are put into it by an event.
    [[nodiscard]] Result<core::BatchId> addBatch(core::OperationId operation, records::BatchStage stage,
                                                 const QString &session, const QList<LedgerEntry> &members);
    [[nodiscard]] Result<> setStage(core::BatchId batch, records::BatchStage stage);
    [[nodiscard]] Result<> nameStaging(core::BatchId batch, const QString &stagingId, const QString &place);
    [[nodiscard]] Result<> keepMark(core::BatchId batch, const QString &mark);
    [[nodiscard]] Result<> setSettled(core::BatchId batch, bool settled);
    [[nodiscard]] Result<> sendingFrom(core::BatchId batch, core::TimePoint at); // the first time counts
    [[nodiscard]] Result<> sentUntil(core::BatchId batch, core::TimePoint at);
    // The batch is Forwarding, and the pointer of its connection names it.
    [[nodiscard]] Result<> point(const records::RetryBatch &batch, qint64 staged);
    // The batch is Done, and the pointer is free.
    [[nodiscard]] Result<> finish(core::BatchId batch);

    // ---- what is removed ----

    // A message is removed: its members stay in the counts of their batches (member_gone).
    [[nodiscard]] Result<> forget(core::MessageId message);
    // An operation without members, or all of a connection, is removed: what the ledger has of it.
    [[nodiscard]] Result<> forget(core::OperationId operation);
    [[nodiscard]] Result<> forget(core::ConnectionId connection);

private:
    struct Change;
    [[nodiscard]] Result<> readHandOver(QList<LedgerEntry> &entries);
    [[nodiscard]] Result<> readEarlierCopies(QList<LedgerEntry> &entries);
    [[nodiscard]] Result<QList<LedgerEntry>> entries(const QString &from, const QString &condition,
                                                     const QVariantList &values);
    [[nodiscard]] Result<> writeMembers(const QList<LedgerEntry> &before, const QList<LedgerEntry> &after,
                                        const MemberNews &news);
    [[nodiscard]] Result<> writeClaims(const QList<LedgerEntry> &before, const QList<LedgerEntry> &after);
    [[nodiscard]] Result<> writeStatuses(const QList<LedgerEntry> &before, const QList<LedgerEntry> &after);
    [[nodiscard]] Result<> writeCounts(const QList<LedgerEntry> &before, const QList<LedgerEntry> &after);
    [[nodiscard]] Result<> addToSet(core::OperationId operation, qint64 members);
    [[nodiscard]] Result<> addCounts(const QString &table, qint64 id, const records::OutcomeCounts &delta);
    [[nodiscard]] Result<> updateBatch(core::BatchId batch, const QString &set, const QVariantList &values);
    [[nodiscard]] Result<> remove(const QStringList &tables, const QString &condition, qint64 value);

    Database &m_database;
    MessageStore &m_messages;
};

} // namespace store
