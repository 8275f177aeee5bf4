#pragma once

#include "backend/api/snapshot.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/commands/pauseallservice.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/engine/snapshot/throughputrecorder.h"
#include "backend/store/messages/messagestore.h"

namespace engine {

// Builds snapshots from the store and the open connections. Caches what it reads until it may have changed. Engine
// thread.
class SnapshotBuilder final
{
public:
    SnapshotBuilder(EngineDependencies &dependencies, const AuditLog &auditLog, ThroughputRecorder &recorder,
                    const ConnectionService &connections, const PauseAllService &pausing, PolicyService &policies);

    [[nodiscard]] api::SnapshotPtr make(quint64 sequence);
    // Call when the connections were opened, or could not be read.
    void setStarted(const core::Result<> &started);

private:
    [[nodiscard]] core::Result<> readStore(store::Session &session, api::Snapshot &snapshot);
    [[nodiscard]] core::Result<> readOperations(store::Session &session, api::Snapshot &snapshot);
    [[nodiscard]] core::Result<api::OperationView> viewOf(store::Session &session,
                                                          const records::RetryOperation &operation, bool isNewest,
                                                          api::Snapshot &snapshot);
    [[nodiscard]] core::Result<> readBatches(store::Session &session, api::Snapshot &snapshot);
    [[nodiscard]] core::Result<> readQueueCounts(store::Session &session, api::Snapshot &snapshot);
    [[nodiscard]] core::Result<> readLosses(store::Session &session, const api::Snapshot &snapshot);
    [[nodiscard]] core::Result<> readDeliveries(store::Session &session);
    [[nodiscard]] core::Result<> readRedirects(store::Session &session);
    [[nodiscard]] core::Result<> readQuietRules(store::Session &session);
    void addConnections(api::Snapshot &snapshot) const;
    [[nodiscard]] QList<api::CandidateQueue> unanswered(const ConnectionRuntime &runtime) const;
    [[nodiscard]] QStringList foreignQueues(const ConnectionRuntime &runtime) const;
    void addDisk(api::Snapshot &snapshot);
    void addQueues(api::Snapshot &snapshot, const ConnectionRuntime &runtime) const;
    void addState(api::Snapshot &snapshot, const core::Result<> &read) const;

    EngineDependencies &m_dependencies;
    const AuditLog &m_auditLog;
    ThroughputRecorder &m_recorder;
    const ConnectionService &m_connections;
    const PauseAllService &m_pausing;
    PolicyService &m_policies;
    bool m_started = false;
    QString m_trouble; // why the connections could not be read; empty: they were
    qint64 m_countedAt = -1; // change number of m_held
    QHash<std::pair<core::ConnectionId, QString>, store::QueueCount> m_held;
    qint64 m_lossesAt = -1; // change number of m_losses
    core::TimePoint m_lossesRead{};
    QHash<std::pair<core::ConnectionId, QString>, records::QueueLoss> m_losses;
    QHash<std::pair<core::ConnectionId, QString>, records::DeliveriesUsed> m_deliveries;
    QHash<core::ConnectionId, QList<records::Redirect>> m_redirects;
    QHash<core::ConnectionId, QStringList> m_found; // taken from before queues had to be named, without an answer yet
    QHash<core::ConnectionId, std::optional<core::Milliseconds>> m_resolvedAfter;
    core::TimePoint m_diskAsked{};
    std::optional<qint64> m_diskFree;
};

} // namespace engine
