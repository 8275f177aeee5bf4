#pragma once

#include "backend/broker/broker.h"
#include "backend/engine/enginedependencies.h"
#include "backend/store/evidencestore.h"

#include <QHash>
#include <QStringList>

#include <functional>

namespace engine {

class AuditLog;

// Keeps account of when the queues of failed messages of one connection were watched, and lets silence prove what it proves:
// what was sent back and did not come back for as long as its connection says, counted over the times in which all queues
// in which it would have shown up were watched, is resolved. A gap in watching does not count; what came back meanwhile lies in
// its queue and is taken when the watching goes on, before anything is concluded. Nothing is concluded either while the
// destination has messages that nobody consumes, or of messages in doubt. Engine thread.
class SilenceResolver final
{
public:
    // A round of watching that is later than that after the one before does not continue it.
    static constexpr core::Milliseconds longestGap{120000};
    // Written and looked at no more often: a crash costs that much of what was watched.
    static constexpr core::Milliseconds interval{60000};
    static constexpr int batchesAtOnce = 20;

    // Where the messages of an operation may show up again, by the broker's list of the moment.
    using Where = std::function<QStringList(const store::Returns &returns)>;

    SilenceResolver(EngineDependencies &dependencies, AuditLog &auditLog, const records::Connection &connection,
                    Where where);

    // After a round: of these queues all was taken, or nothing lay there. True: something was resolved.
    [[nodiscard]] bool watched(const QStringList &seen, const QList<broker::QueueInfo> &queues);
    // Watching was interrupted: the next round begins anew.
    void interrupted() { m_stretches.clear(); }

private:
    // Kept in the store, so it is wall-clock time. A clock that is set by more than a gap ends a stretch, in either direction.
    struct Stretch
    {
        core::TimePoint since{};
        core::TimePoint until{};
    };
    [[nodiscard]] core::Result<bool> browse(const QList<broker::QueueInfo> &queues);
    [[nodiscard]] core::Result<> keep(store::Session &session, core::TimePoint oldest);
    [[nodiscard]] core::Result<core::Milliseconds> quietFor(store::Session &session, const store::QuietBatch &batch,
                                                            QHash<core::OperationId, QStringList> &places) const;
    [[nodiscard]] core::Result<> resolve(const QList<broker::QueueInfo> &queues, core::Milliseconds after, bool *some);
    [[nodiscard]] core::Result<> note(store::Session &session, core::OperationId operation, int resolved,
                                      core::Milliseconds after) const;

    EngineDependencies &m_dependencies;
    AuditLog &m_auditLog;
    const records::Connection m_connection;
    Where m_where;
    QHash<QString, Stretch> m_stretches;
    std::optional<core::SteadyTime> m_looked;
    core::BatchId m_after; // batches that have to wait do not keep those behind them from being looked at
};

} // namespace engine
