#pragma once

#include "backend/core/result.h"
#include "backend/records/failurelatency.h"
#include "backend/records/retentionpolicy.h"
#include "backend/store/retryrecords.h"

namespace store {

using core::Result;

// What a chart marks in the course of an operation. Stored as numbers.
enum class MarkKind { Step, Stopped, GoesOn };

// A batch all of whose copies went, so long ago that silence may prove something.
struct QuietBatch
{
    core::BatchId id;
    core::OperationId operation;
    core::TimePoint sentUntil{};
};

// What tells how a retry does: how long its messages took to fail, since when its copies are gone, whether somebody watched
// since, and what silence proved. Every call runs inside one transaction, as with RetryStore.
class EvidenceStore
{
public:
    EvidenceStore() = default;
    EvidenceStore(const EvidenceStore &) = delete;
    EvidenceStore &operator=(const EvidenceStore &) = delete;
    virtual ~EvidenceStore() = default;

    // ---- how long a step waits ----

    [[nodiscard]] virtual Result<> addFailingTimes(const QList<core::MessageId> &messages,
                                                   records::FailureLatency &times) = 0;
    // Frozen with the set. watchBack: what comes back is taken for so long after the end.
    [[nodiscard]] virtual Result<> setQuietPeriod(core::OperationId operation, const records::QuietPeriod &quietPeriod,
                                                  core::Milliseconds watchBack) = 0;
    [[nodiscard]] virtual Result<records::QuietPeriod> quietPeriod(core::OperationId operation) = 0;
    // Where retries that have ended are watched for as long as was asked for.
    [[nodiscard]] virtual Result<Returns> stillWatched(core::ConnectionId connection, core::TimePoint now) = 0;
    // Where the messages of an operation may show up again, whatever became of it.
    [[nodiscard]] virtual Result<Returns> whereBack(core::OperationId operation) = 0;

    // ---- when copies went ----

    [[nodiscard]] virtual Result<> sendingFrom(core::BatchId batch, core::TimePoint at) = 0;
    [[nodiscard]] virtual Result<> sentUntil(core::BatchId batch, core::TimePoint at) = 0;
    // When this retry of the message began to be sent; nothing: not known.
    [[nodiscard]] virtual Result<std::optional<core::TimePoint>> sentFrom(const QString &uniqueId,
                                                                          core::OperationId operation, int attempt) = 0;

    // ---- marks ----

    [[nodiscard]] virtual Result<> mark(core::OperationId operation, core::TimePoint at, MarkKind kind, int step) = 0;
    // The highest step that is marked; 0: none.
    [[nodiscard]] virtual Result<int> markedStep(core::OperationId operation) = 0;

    // ---- watching ----

    // What came back into these queues was seen from `since` to `until`; goes on with the stretch that has this beginning.
    [[nodiscard]] virtual Result<> watched(core::ConnectionId connection, const QStringList &queues,
                                           core::TimePoint since, core::TimePoint until) = 0;
    // For how long in all since then. Gaps do not count.
    [[nodiscard]] virtual Result<core::Milliseconds> watchedFor(core::ConnectionId connection, const QString &queue,
                                                                core::TimePoint since) = 0;
    // Stretches that ended before are of no use any more.
    [[nodiscard]] virtual Result<> forgetWatched(core::ConnectionId connection, core::TimePoint before) = 0;

    // ---- silence ----

    // Where nobody said anything: records::defaultQuiet.
    [[nodiscard]] virtual Result<QList<records::QuietRule>> quietRules() = 0;
    [[nodiscard]] virtual Result<std::optional<core::Milliseconds>> quietAfter(core::ConnectionId connection) = 0;
    [[nodiscard]] virtual Result<> setQuietRule(const records::QuietRule &rule) = 0;
    // Not settled, sent until then or before, by id after `after`.
    [[nodiscard]] virtual Result<QList<QuietBatch>> batchesToSettle(core::ConnectionId connection,
                                                                    core::TimePoint sentUntil, core::BatchId after,
                                                                    int limit) = 0;
    // When the oldest batch that is not settled was sent; nothing: there is none.
    [[nodiscard]] virtual Result<std::optional<core::TimePoint>> oldestUnsettled(core::ConnectionId connection) = 0;
    // Members of the batch that were sent, did not come back and still own their message: Resolved, by silence. Those for
    // `without` wait, and the batch with them. Returns how many were resolved.
    [[nodiscard]] virtual Result<int> resolveQuiet(core::BatchId batch, const QStringList &without, core::TimePoint now,
                                                   core::Milliseconds quietFor) = 0;
};

} // namespace store
