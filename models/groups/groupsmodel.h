#pragma once

#include "models/common/consolefilter.h"
#include "models/common/rowmodel.h"
#include "models/groups/groupstate.h"

namespace models {

// One row of the list: what the engine said, and what the person saw when the list was read.
struct GroupItem
{
    api::GroupRow row;
    qint64 shown = 0; // the count as read: what a retry of this row would freeze
    GroupState state;
    QString connectionName;
};

// Failure groups, at most a page of them. Cells only; GroupsFeed fills it.
class GroupsModel final : public RowModel<GroupItem, core::GroupId>
{
    Q_OBJECT

public:
    enum Column { Check, Cause, Messages, LastHour, FirstFailed, LastFailed, State, ColumnCount };

    explicit GroupsModel(const ConsoleFilter &filter, QObject *parent = nullptr);

    // Rows are sorted by what a column shows; the words of a state have no order.
    [[nodiscard]] static bool isSortable(int column) { return column != Check && column != State; }
    void setNow(core::TimePoint now) { m_now = now; } // times of today are written short

protected:
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] core::GroupId keyOf(const GroupItem &item) const override { return item.row.id; }
    [[nodiscard]] bool same(const GroupItem &a, const GroupItem &b) const override;
    [[nodiscard]] QVariant cell(const GroupItem &item, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    [[nodiscard]] QString text(const GroupItem &item, int column) const;
    [[nodiscard]] QString stateText(const GroupItem &item) const;
    [[nodiscard]] static QString noteMark();
    [[nodiscard]] Tone tone(const GroupItem &item, int column) const; // quiet ones are dimmed as a whole
    [[nodiscard]] QString accessible(const GroupItem &item, int column) const;
    [[nodiscard]] static QString spoken(const QList<int> &lastHour); // the sparkline in words
    [[nodiscard]] QString tip(const GroupItem &item, int column) const;

    const ConsoleFilter &m_filter;
    core::TimePoint m_now{};
};

} // namespace models
