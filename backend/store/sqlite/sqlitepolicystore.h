#pragma once

#include "backend/store/policystore.h"

namespace store {

class Database;
class Statement;

class SqlitePolicyStore final : public PolicyStore
{
public:
    explicit SqlitePolicyStore(Database &database);

    [[nodiscard]] Result<QList<StoredPolicy>> policies() override;
    [[nodiscard]] Result<StoredPolicy> policy(const QString &name) override;
    [[nodiscard]] Result<> save(const recovery::Policy &policy) override;
    [[nodiscard]] Result<> setPause(const QString &name, const std::optional<PolicyPause> &pause) override;
    [[nodiscard]] Result<> count(const QString &name, qint64 retried, qint64 cameBack, qint64 resolved) override;
    [[nodiscard]] Result<> remove(const QString &name) override;
    [[nodiscard]] Result<QList<StoredAssignment>> assignments() override;
    [[nodiscard]] Result<core::AssignmentId> assign(const recovery::Assignment &assignment) override;
    [[nodiscard]] Result<> unassign(core::AssignmentId id) override;
    [[nodiscard]] Result<> setLimit(core::AssignmentId id, const recovery::LimitState &limit) override;
    [[nodiscard]] Result<qint64> followed() override;
    [[nodiscard]] Result<> setFollowed(qint64 change) override;
    [[nodiscard]] Result<PolicyCandidates> changedSince(qint64 change, int limit) override;
    [[nodiscard]] Result<QList<PolicyCandidate>> letGo(core::MessageId after, int limit) override;
    [[nodiscard]] Result<QList<PolicyCandidate>> candidates(const QList<core::MessageId> &messages) override;
    [[nodiscard]] Result<> hold(const recovery::HeldMessage &held) override;
    [[nodiscard]] Result<> release(core::MessageId message) override;
    [[nodiscard]] Result<bool> forgetOrphans(int rows) override;
    [[nodiscard]] Result<QList<recovery::HeldMessage>> due(core::AssignmentId assignment, core::ConnectionId connection,
                                                           recovery::HeldState state, core::TimePoint now,
                                                           int limit) override;
    [[nodiscard]] Result<std::optional<core::TimePoint>> nextDue(core::AssignmentId assignment) override;
    [[nodiscard]] Result<bool> holdBack(const PolicyLane &lane, const QString &queue, core::TimePoint now,
                                        const QString &reason, int rows) override;
    [[nodiscard]] Result<core::MessageId> heldBack(const PolicyLane &lane, const QString &queue) override;
    [[nodiscard]] Result<bool> releaseHeld(const PolicyLane &lane, const std::optional<QString> &queue,
                                           core::TimePoint now, int rows) override;
    [[nodiscard]] Result<int> capNextAttempts(core::AssignmentId assignment, core::TimePoint now,
                                              const std::function<core::Milliseconds(int round)> &longest) override;
    [[nodiscard]] Result<> entered(core::OperationId operation, core::AssignmentId assignment,
                                   core::TimePoint now) override;
    [[nodiscard]] Result<std::optional<MemberEnd>> endIn(core::OperationId operation, core::MessageId message) override;
    [[nodiscard]] Result<HeldCounts> counts(core::AssignmentId assignment, core::TimePoint now) override;
    [[nodiscard]] Result<QList<PolicyOperation>> unsettled() override;
    [[nodiscard]] Result<> setSettled(core::OperationId operation) override;
    [[nodiscard]] Result<int> dismissSettled(core::TimePoint before) override;

private:
    [[nodiscard]] Result<QList<StoredPolicy>> readPolicies(Statement &rows);
    [[nodiscard]] Result<> freezeDeliveries(core::OperationId operation, core::TimePoint now);
    [[nodiscard]] Result<QList<PolicyCandidate>> readCandidates(const QString &ids);

    Database &m_database;
};

} // namespace store
