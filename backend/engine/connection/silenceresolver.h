#pragma once

#include "backend/broker/broker.h"
#include "backend/engine/enginedependencies.h"
#include "backend/store/retry/evidencestore.h"

#include <QHash>
#include <QStringList>

#include <functional>

namespace engine {

class AuditLog;

// Resolves sent messages that did not come back within the quiet period of their connection. It records when the error
// queues were watched. Only time counts in which all queues were watched where the message could come back; after a
// gap, messages that came back meanwhile are taken before anything is resolved. It resolves no message in doubt, and
// none whose destination has waiting messages but no consumers. The watched times are stored, so a restart continues
// them; a crash loses at most one interval. Engine thread.
class SilenceResolver final
{
public:
    // A longer time between two rounds is a gap in watching.
    static constexpr core::Milliseconds longestGap{120000};
    // How often watched times are stored and messages are resolved.
    static constexpr core::Milliseconds interval{60000};
    static constexpr int batchesAtOnce = 20;

    // The queues in which messages of an operation can come back, by the current listing.
    using Where = std::function<QStringList(const store::Returns &returns)>;

    SilenceResolver(EngineDependencies &dependencies, AuditLog &auditLog, const records::Connection &connection,
                    Where where);

    // Call after each round. `seen`: the queues that were empty or completely taken. True: messages were resolved.
    [[nodiscard]] bool watched(const QStringList &seen, const QList<broker::QueueInfo> &queues);
    // Watching was interrupted; the next round starts again.
    void interrupted() { m_stretches.clear(); }

private:
    // One stretch of watching, in wall-clock time because it is stored. Setting the clock by more than a gap ends it.
    struct Stretch
    {
        core::TimePoint since{};
        core::TimePoint until{};
    };
    [[nodiscard]] core::Result<bool> check(const QList<broker::QueueInfo> &queues);
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
    core::BatchId m_after; // the next round continues after this batch, so that waiting ones do not block later ones
};

} // namespace engine
