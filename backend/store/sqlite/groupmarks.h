#pragma once

#include "backend/store/groupmarkstore.h"

#include <QVariantList>

namespace store {

class TransactionCounters;
class Database;
class Statement;

// Pieces of SQL for lists of groups, about `group_mark k` at the moment `t.now`. Only this place defines what makes a
// mute loud, for the rows and for their order. `unresolved` is an SQL expression.
struct MarkSql
{
    [[nodiscard]] static QString isMuted();
    [[nodiscard]] static QString isQuiet(const QString &unresolved);
    [[nodiscard]] static QString columns(const QString &unresolved); // the columns that read() expects
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
