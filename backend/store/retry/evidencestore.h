#pragma once

#include "backend/core/result.h"
#include "backend/records/retries/throughput.h"
#include "backend/records/rules/failurelatency.h"
#include "backend/records/rules/retentionpolicy.h"
#include "backend/store/retry/retryrecords.h"

#include <QVariantList>

namespace store {

using core::Result;

class Database;
class RetryLedger;

// A batch whose copies were all sent, and delivered where the broker held them back, long enough ago for its quiet period to count as proof.
struct QuietBatch
{
    core::BatchId id;
    core::OperationId operation;
    core::TimePoint sentUntil{};
};

// Evidence about retries: how long messages took to fail, when their copies were sent, whether returns were watched
// since, and what a quiet period proved. Each call is part of the caller's transaction (store.h); those that only read
// also work in Store::read. Engine thread.
class EvidenceStore final
{
public:
    EvidenceStore(Database &database, RetryLedger &ledger);
    EvidenceStore(const EvidenceStore &) = delete;
    EvidenceStore &operator=(const EvidenceStore &) = delete;

    // ---- quiet period of a step ----

    // Adds to `times` how long each of these messages took to fail.
    [[nodiscard]] Result<> addFailingTimes(const QList<core::MessageId> &messages, records::FailureLatency &times);
    // Stores the quiet period with the frozen set. watchBack: for how long after the end of the operation Redrive still
    // takes what comes back.
    [[nodiscard]] Result<> setQuietPeriod(core::OperationId operation, const records::QuietPeriod &quietPeriod,
                                          core::Milliseconds watchBack);
    [[nodiscard]] Result<records::QuietPeriod> quietPeriod(core::OperationId operation);
    // The queues of finished retries that are still within their watchBack time at `now`.
    [[nodiscard]] Result<Returns> stillWatched(core::ConnectionId connection, core::TimePoint now);
    // The queues in which messages of this operation may come back, whatever its state.
    [[nodiscard]] Result<Returns> whereBack(core::OperationId operation);

    // ---- when copies were sent ----

    // Only the first call for a batch counts: a crash may split its sending into several parts.
    [[nodiscard]] Result<> sendingFrom(core::BatchId batch, core::TimePoint at);
    [[nodiscard]] Result<> sentUntil(core::BatchId batch, core::TimePoint at);
    // When sending of this retry of the message began, or when the broker delivered it if it held it back; nothing: unknown.
    [[nodiscard]] Result<std::optional<core::TimePoint>> sentFrom(const QString &uniqueId, core::OperationId operation,
                                                                  int attempt);

    // Whether the copy of a retry that asked the endpoint to confirm this message was sent, or may have been.
    [[nodiscard]] Result<bool> hasAsked(const QString &uniqueId);

    // ---- marks ----

    [[nodiscard]] Result<> mark(core::OperationId operation, core::TimePoint at, records::RunMark::Kind kind, int step);
    // The highest marked step; 0: none.
    [[nodiscard]] Result<int> markedStep(core::OperationId operation);

    // ---- watching ----

    // Redrive saw what came back into these queues from `since` to `until`. An interval with the same `since` is
    // extended.
    [[nodiscard]] Result<> watched(core::ConnectionId connection, const QStringList &queues, core::TimePoint since,
                                   core::TimePoint until);
    // How long the queue was watched in total since then, without the gaps.
    [[nodiscard]] Result<core::Milliseconds> watchedFor(core::ConnectionId connection, const QString &queue,
                                                        core::TimePoint since);
    // Removes intervals that ended before this time.
    [[nodiscard]] Result<> forgetWatched(core::ConnectionId connection, core::TimePoint before);

    // ---- proof by a quiet period ----

    // One rule for each connection; records::defaultQuiet where none was set.
    [[nodiscard]] Result<QList<records::QuietRule>> quietRules();
    // The quiet period that resolves messages of this connection; nothing: a quiet period never does.
    [[nodiscard]] Result<std::optional<core::Milliseconds>> quietAfter(core::ConnectionId connection);
    [[nodiscard]] Result<> setQuietRule(const records::QuietRule &rule);
    // Unsettled batches sent and delivered at `sentUntil` or before, ordered by id, after `after`.
    [[nodiscard]] Result<QList<QuietBatch>> batchesToSettle(core::ConnectionId connection, core::TimePoint sentUntil,
                                                            core::BatchId after, int limit);
    // When the oldest unsettled batch was sent and delivered, which may be in the future; nothing: there is none.
    [[nodiscard]] Result<std::optional<core::TimePoint>> oldestUnsettled(core::ConnectionId connection);
    // Resolves, by quiet period, the members of the batch that were sent, did not come back and still own their claim.
    // Members whose destination is in `without` wait, and the batch stays unsettled while some wait. Returns how many
    // were resolved.
    [[nodiscard]] Result<int> resolveQuiet(core::BatchId batch, const QStringList &without, core::TimePoint now,
                                           core::Milliseconds quietFor);

private:
    [[nodiscard]] Result<Returns> returnsWhere(const QString &where, const QVariantList &values);

    Database &m_database;
    RetryLedger &m_ledger;
};

} // namespace store
