#pragma once

#include "backend/core/result.h"
#include "backend/store/migrations/storetables.h"

#include <QVariantList>

#include <functional>

namespace store {

class Database;
using core::Result;

// Writes the rows of a store's tables into the same tables of another store, whichever databases they are in. The source is
// read in slices by key, so that a large store does not fill the memory; the target gets many rows with each statement.
class TableCopier final
{
public:
    // `written`: called after each slice with the number of its rows; an error ends the copying.
    using Written = std::function<Result<>(qint64 rows)>;
    TableCopier(Database &source, Database &target, Written written);

    // All rows. The target has none, or those that every new store has, which the source's replace.
    [[nodiscard]] Result<> copy(const schema::Table &table);

private:
    struct Slice
    {
        QVariantList last; // the key of its last row
        qint64 rows = 0;
        qint64 bytes = 0;
    };
    [[nodiscard]] Result<> clear(const schema::Table &table);
    [[nodiscard]] Result<Slice> copySlice(const schema::Table &table, const QVariantList &after, qint64 most);
    [[nodiscard]] Result<> put(const schema::Table &table, QVariantList &values, qint64 rowsAtOnce);

    Database &m_source;
    Database &m_target;
    Written m_written;
};

} // namespace store
