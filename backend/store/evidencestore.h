#pragma once

#include "backend/core/result.h"
#include "backend/records/failurelatency.h"
#include "backend/records/retentionpolicy.h"
#include "backend/records/throughput.h"
#include "backend/store/retryrecords.h"

namespace store {

using core::Result;

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
class EvidenceStore
{
public:
    EvidenceStore() = default;
    EvidenceStore(const EvidenceStore &) = delete;
    EvidenceStore &operator=(const EvidenceStore &) = delete;
    virtual ~EvidenceStore() = default;

    // ---- quiet period of a step ----

    // Adds to `times` how long each of these messages took to fail.
    [[nodiscard]] virtual Result<> addFailingTimes(const QList<core::MessageId> &messages,
                                                   records::FailureLatency &times) = 0;
    // Stores the quiet period with the frozen set. watchBack: for how long after the end of the operation Redrive still
    // takes what comes back.
    [[nodiscard]] virtual Result<> setQuietPeriod(core::OperationId operation, const records::QuietPeriod &quietPeriod,
                                                  core::Milliseconds watchBack) = 0;
    [[nodiscard]] virtual Result<records::QuietPeriod> quietPeriod(core::OperationId operation) = 0;
    // The queues of finished retries that are still within their watchBack time at `now`.
    [[nodiscard]] virtual Result<Returns> stillWatched(core::ConnectionId connection, core::TimePoint now) = 0;
    // The queues in which messages of this operation may come back, whatever its state.
    [[nodiscard]] virtual Result<Returns> whereBack(core::OperationId operation) = 0;

    // ---- when copies were sent ----

    // Only the first call for a batch counts: a crash may split its sending into several parts.
    [[nodiscard]] virtual Result<> sendingFrom(core::BatchId batch, core::TimePoint at) = 0;
    [[nodiscard]] virtual Result<> sentUntil(core::BatchId batch, core::TimePoint at) = 0;
    // When sending of this retry of the message began, or when the broker delivered it if it held it back; nothing: unknown.
    [[nodiscard]] virtual Result<std::optional<core::TimePoint>> sentFrom(const QString &uniqueId,
                                                                          core::OperationId operation, int attempt) = 0;

    // ---- marks ----

    [[nodiscard]] virtual Result<> mark(core::OperationId operation, core::TimePoint at, records::RunMark::Kind kind,
                                        int step) = 0;
    // The highest marked step; 0: none.
    [[nodiscard]] virtual Result<int> markedStep(core::OperationId operation) = 0;

    // ---- watching ----

    // Redrive saw what came back into these queues from `since` to `until`. An interval with the same `since` is
    // extended.
    [[nodiscard]] virtual Result<> watched(core::ConnectionId connection, const QStringList &queues,
                                           core::TimePoint since, core::TimePoint until) = 0;
    // How long the queue was watched in total since then, without the gaps.
    [[nodiscard]] virtual Result<core::Milliseconds> watchedFor(core::ConnectionId connection, const QString &queue,
                                                                core::TimePoint since) = 0;
    // Removes intervals that ended before this time.
    [[nodiscard]] virtual Result<> forgetWatched(core::ConnectionId connection, core::TimePoint before) = 0;

    // ---- proof by a quiet period ----

    // One rule for each connection; records::defaultQuiet where none was set.
    [[nodiscard]] virtual Result<QList<records::QuietRule>> quietRules() = 0;
    // The quiet period that resolves messages of this connection; nothing: a quiet period never does.
    [[nodiscard]] virtual Result<std::optional<core::Milliseconds>> quietAfter(core::ConnectionId connection) = 0;
    [[nodiscard]] virtual Result<> setQuietRule(const records::QuietRule &rule) = 0;
    // Unsettled batches sent and delivered at `sentUntil` or before, ordered by id, after `after`.
    [[nodiscard]] virtual Result<QList<QuietBatch>> batchesToSettle(core::ConnectionId connection,
                                                                    core::TimePoint sentUntil, core::BatchId after,
                                                                    int limit) = 0;
    // When the oldest unsettled batch was sent and delivered, which may be in the future; nothing: there is none.
    [[nodiscard]] virtual Result<std::optional<core::TimePoint>> oldestUnsettled(core::ConnectionId connection) = 0;
    // Resolves, by quiet period, the members of the batch that were sent, did not come back and still own their claim.
    // Members whose destination is in `without` wait, and the batch stays unsettled while some wait. Returns how many
    // were resolved.
    [[nodiscard]] virtual Result<int> resolveQuiet(core::BatchId batch, const QStringList &without, core::TimePoint now,
                                                   core::Milliseconds quietFor) = 0;
};

} // namespace store
