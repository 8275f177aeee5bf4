#pragma once

#include "backend/store/retentionstore.h"

#include <QList>
#include <QVariantList>

namespace store {

class Database;
class SqliteMessageStore;

class SqliteRetentionStore final : public RetentionStore
{
public:
    SqliteRetentionStore(Database &database, SqliteMessageStore &messages);

    [[nodiscard]] Result<records::RetentionPolicy> retention() override;
    [[nodiscard]] Result<> setRetention(const records::RetentionPolicy &retention) override;
    [[nodiscard]] Result<bool> sweep(core::TimePoint now, int rows) override;
    [[nodiscard]] Result<bool> hasToSweep() override;
    [[nodiscard]] Result<RetentionCounts> due(const records::RetentionPolicy &retention, core::TimePoint now) override;
    [[nodiscard]] Result<RetentionCounts> removeDue(const records::RetentionPolicy &retention, core::TimePoint now,
                                                    int rows) override;
    [[nodiscard]] Result<int> removeOf(const QList<core::MessageId> &messages, records::MessageStatus status) override;

private:
    [[nodiscard]] Result<> execute(const QString &sql, const QVariantList &values);
    [[nodiscard]] Result<int> removeAll(const QList<qint64> &messages);
    [[nodiscard]] Result<> remove(qint64 message);
    // Removes a settled operation of a policy that has no members left.
    [[nodiscard]] Result<> removeEmpty(qint64 operation);
    [[nodiscard]] Result<QList<qint64>> next(int status, std::optional<core::Milliseconds> after, core::TimePoint now,
                                             int rows);

    Database &m_database;
    SqliteMessageStore &m_messages;
};

} // namespace store
