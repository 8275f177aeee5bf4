// A flat table of values with keys. setRows compares the new rows with the shown ones by key and tells the views only
// the differences, so selection, current row and scroll position survive every refresh. Subclasses only provide the
// cells. GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QList>
#include <QSet>

#include <algorithm>
#include <functional>
#include <iterator>

namespace models {

// Keep: known rows stay where they are, so nothing moves under the pointer. AsGiven: rows take the order of the new
// list.
enum class RowOrder { Keep, AsGiven };

template<typename Row, typename Key>
class RowModel : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const final
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const final
    {
        return parent.isValid() ? 0 : columns();
    }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const final
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        return cell(m_rows.at(index.row()), index.column(), role);
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const final
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columns())
            return {};
        return headerCell(section, role);
    }

    [[nodiscard]] const QList<Row> &rows() const { return m_rows; }
    [[nodiscard]] int rowOf(const Key &key) const { return m_index.value(key, -1); }
    // Null when no row has this key. Valid until the next setRows.
    [[nodiscard]] const Row *find(const Key &key) const
    {
        const int row = rowOf(key);
        return row < 0 ? nullptr : &m_rows.at(row);
    }

    // Replaces the rows. Keys must be unique: of two rows with the same key the first one counts.
    void setRows(const QList<Row> &given, RowOrder order = RowOrder::AsGiven)
    {
        const QList<Row> fresh = arranged(given, order);
        QHash<Key, int> target;
        target.reserve(fresh.size());
        for (int i = 0; i < fresh.size(); ++i)
            target.insert(keyOf(fresh.at(i)), i);
        removeGone(target);
        permute(target);
        insertNew(fresh, target);
        updateChanged(fresh);
    }

    // Makes the views draw all rows again after a change outside the rows, such as the time zone.
    void touchAll()
    {
        if (!m_rows.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columns() - 1));
    }

protected:
    [[nodiscard]] virtual int columns() const = 0;
    [[nodiscard]] virtual Key keyOf(const Row &row) const = 0;
    [[nodiscard]] virtual bool same(const Row &a, const Row &b) const = 0;
    [[nodiscard]] virtual QVariant cell(const Row &row, int column, int role) const = 0;
    [[nodiscard]] virtual QVariant headerCell(int column, int role) const = 0;

private:
    [[nodiscard]] QList<Row> arranged(const QList<Row> &given, RowOrder order) const
    {
        QHash<Key, int> at;
        at.reserve(given.size());
        QList<Row> fresh;
        fresh.reserve(given.size());
        for (const Row &row : given) {
            if (at.contains(keyOf(row)))
                continue;
            at.insert(keyOf(row), int(fresh.size()));
            fresh.append(row);
        }
        if (order == RowOrder::AsGiven || m_rows.isEmpty())
            return fresh;
        QList<Row> kept;
        kept.reserve(fresh.size());
        for (const Row &row : m_rows) {
            const int from = at.value(keyOf(row), -1);
            if (from >= 0)
                kept.append(fresh.at(from));
        }
        for (const Row &row : fresh) {
            if (!m_index.contains(keyOf(row)))
                kept.append(row);
        }
        return kept;
    }

    // How many runs of rows are removed or inserted one by one. Each costs the views and the index a pass over all rows, so more
    // of them are brought together first.
    static constexpr int runsAtMost = 16;

    template<typename Predicate>
    [[nodiscard]] static int runs(const QList<Row> &rows, Predicate belongs)
    {
        int count = 0;
        bool inside = false;
        for (const Row &row : rows) {
            const bool now = belongs(row);
            count += now && !inside ? 1 : 0;
            inside = now;
        }
        return count;
    }

    void removeGone(const QHash<Key, int> &target)
    {
        const auto stays = [&](const Row &row) { return target.contains(keyOf(row)); };
        if (runs(m_rows, std::not_fn(stays)) > runsAtMost)
            gather(stays);
        for (int last = int(m_rows.size()) - 1; last >= 0; --last) {
            if (stays(m_rows.at(last)))
                continue;
            int first = last;
            while (first > 0 && !stays(m_rows.at(first - 1)))
                --first;
            beginRemoveRows({}, first, last);
            m_rows.remove(first, last - first + 1);
            reindex();
            endRemoveRows();
            last = first;
        }
    }

    // Makes one run of the rows that do not stay: where the first of them is that a view holds on to (its current row), so that the
    // row behind the run is the neighbour of that one; else at the end.
    template<typename Predicate>
    void gather(Predicate stays)
    {
        qsizetype place = m_rows.size();
        const QModelIndexList held = persistentIndexList();
        for (const QModelIndex &one : held) {
            if (!stays(m_rows.at(one.row())))
                place = std::min<qsizetype>(place, one.row());
        }
        QList<Row> gathered = m_rows;
        std::stable_partition(gathered.begin(), gathered.begin() + place, stays);
        std::stable_partition(gathered.begin() + place, gathered.end(), std::not_fn(stays));
        rearrange(gathered);
    }

    void permute(const QHash<Key, int> &target)
    {
        const auto before = [&](const Row &a, const Row &b) { return target.value(keyOf(a)) < target.value(keyOf(b)); };
        if (std::is_sorted(m_rows.cbegin(), m_rows.cend(), before))
            return;
        QList<Row> sorted = m_rows;
        std::sort(sorted.begin(), sorted.end(), before);
        rearrange(sorted);
    }

    // The same rows in another order.
    void rearrange(const QList<Row> &rows)
    {
        Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
        const QModelIndexList old = persistentIndexList();
        QList<Key> keys;
        keys.reserve(old.size());
        for (const QModelIndex &one : old)
            keys.append(keyOf(m_rows.at(one.row())));
        m_rows = rows;
        reindex();
        QModelIndexList moved;
        moved.reserve(old.size());
        for (qsizetype i = 0; i < old.size(); ++i)
            moved.append(index(rowOf(keys.at(i)), old.at(i).column()));
        changePersistentIndexList(old, moved);
        Q_EMIT layoutChanged({}, VerticalSortHint);
    }

    void insertNew(const QList<Row> &fresh, const QHash<Key, int> &target)
    {
        const auto isNew = [&](const Row &row) { return !m_index.contains(keyOf(row)); };
        if (runs(fresh, isNew) > runsAtMost) {
            QList<Row> added;
            std::copy_if(fresh.cbegin(), fresh.cend(), std::back_inserter(added), isNew);
            insert(int(m_rows.size()), added);
            permute(target);
        }
        for (int first = 0; first < fresh.size(); ++first) {
            if (!isNew(fresh.at(first)))
                continue;
            int last = first;
            while (last + 1 < fresh.size() && isNew(fresh.at(last + 1)))
                ++last;
            insert(first, fresh.mid(first, last - first + 1));
            first = last;
        }
    }

    void insert(int at, const QList<Row> &rows)
    {
        beginInsertRows({}, at, at + int(rows.size()) - 1);
        m_rows = m_rows.mid(0, at) + rows + m_rows.mid(at);
        reindex();
        endInsertRows();
    }

    void updateChanged(const QList<Row> &fresh)
    {
        QList<int> changed;
        for (int i = 0; i < fresh.size(); ++i) {
            if (!same(m_rows.at(i), fresh.at(i)))
                changed.append(i);
        }
        m_rows = fresh;
        if (changed.isEmpty())
            return;
        const int lastColumn = columns() - 1;
        if (changed.size() * 2 > fresh.size()) {
            Q_EMIT dataChanged(index(changed.first(), 0), index(changed.last(), lastColumn));
            return;
        }
        for (const int row : std::as_const(changed))
            Q_EMIT dataChanged(index(row, 0), index(row, lastColumn));
    }

    void reindex()
    {
        m_index.clear();
        m_index.reserve(m_rows.size());
        for (int i = 0; i < m_rows.size(); ++i)
            m_index.insert(keyOf(m_rows.at(i)), i);
    }

    QList<Row> m_rows;
    QHash<Key, int> m_index;
};

} // namespace models
