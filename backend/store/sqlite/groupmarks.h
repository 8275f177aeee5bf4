#pragma once

#include "backend/store/groupmarkstore.h"

#include <QVariantList>

namespace store {

class TransactionCounters;
class Database;
class Statement;

// For lists of groups: pieces of SQL about `group_mark k` at the moment `t.now`. What makes a mute loud is said here once,
// for the rows and for their order. `unresolved` is an expression.
struct MarkSql
{
    [[nodiscard]] static QString isMuted();
    [[nodiscard]] static QString isQuiet(const QString &unresolved);
    [[nodiscard]] static QString columns(const QString &unresolved); // what read() reads
    [[nodiscard]] static records::GroupMarks read(const Statement &row, int first);
};

class SqliteGroupMarkStore final : public GroupMarkStore
{
public:
    SqliteGroupMarkStore(Database &database, TransactionCounters &books);

    [[nodiscard]] Result<MarkedGroup> load(core::GroupId group, core::TimePoint now) override;
    [[nodiscard]] Result<> setNote(core::GroupId group, const std::optional<records::GroupNote> &note) override;
    [[nodiscard]] Result<> setMute(core::GroupId group, const std::optional<records::GroupMute> &mute) override;

private:
    [[nodiscard]] Result<> write(core::GroupId group, const QString &assignments, const QVariantList &values);

    Database &m_database;
    TransactionCounters &m_books;
};

} // namespace store
