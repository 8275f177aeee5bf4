#pragma once

#include "backend/store/evidencestore.h"

#include <QVariantList>

namespace store {

class Database;
class MessageStore;

class SqliteEvidenceStore final : public EvidenceStore
{
public:
    SqliteEvidenceStore(Database &database, MessageStore &messages);

    [[nodiscard]] Result<> addFailingTimes(const QList<core::MessageId> &messages,
                                           records::FailureLatency &times) override;
    [[nodiscard]] Result<> setQuietPeriod(core::OperationId operation, const records::QuietPeriod &quietPeriod,
                                          core::Milliseconds watchBack) override;
    [[nodiscard]] Result<records::QuietPeriod> quietPeriod(core::OperationId operation) override;
    [[nodiscard]] Result<Returns> stillWatched(core::ConnectionId connection, core::TimePoint now) override;
    [[nodiscard]] Result<Returns> whereBack(core::OperationId operation) override;
    [[nodiscard]] Result<> sendingFrom(core::BatchId batch, core::TimePoint at) override;
    [[nodiscard]] Result<> sentUntil(core::BatchId batch, core::TimePoint at) override;
    [[nodiscard]] Result<std::optional<core::TimePoint>> sentFrom(const QString &uniqueId, core::OperationId operation,
                                                                  int attempt) override;
    [[nodiscard]] Result<> mark(core::OperationId operation, core::TimePoint at, records::RunMark::Kind kind,
                                int step) override;
    [[nodiscard]] Result<int> markedStep(core::OperationId operation) override;
    [[nodiscard]] Result<> watched(core::ConnectionId connection, const QStringList &queues, core::TimePoint since,
                                   core::TimePoint until) override;
    [[nodiscard]] Result<core::Milliseconds> watchedFor(core::ConnectionId connection, const QString &queue,
                                                        core::TimePoint since) override;
    [[nodiscard]] Result<> forgetWatched(core::ConnectionId connection, core::TimePoint before) override;
    [[nodiscard]] Result<QList<records::QuietRule>> quietRules() override;
    [[nodiscard]] Result<std::optional<core::Milliseconds>> quietAfter(core::ConnectionId connection) override;
    [[nodiscard]] Result<> setQuietRule(const records::QuietRule &rule) override;
    [[nodiscard]] Result<QList<QuietBatch>> batchesToSettle(core::ConnectionId connection, core::TimePoint sentUntil,
                                                            core::BatchId after, int limit) override;
    [[nodiscard]] Result<std::optional<core::TimePoint>> oldestUnsettled(core::ConnectionId connection) override;
    [[nodiscard]] Result<int> resolveQuiet(core::BatchId batch, const QStringList &without, core::TimePoint now,
                                           core::Milliseconds quietFor) override;

private:
    [[nodiscard]] Result<> execute(const QString &sql, const QVariantList &values);
    [[nodiscard]] Result<Returns> returnsWhere(const QString &where, const QVariantList &values);

    Database &m_database;
    MessageStore &m_messages;
};

} // namespace store
