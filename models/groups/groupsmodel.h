#pragma once

#include "models/common/consolefilter.h"
#include "models/common/csvtable.h"
#include "models/common/rowmodel.h"
#include "models/groups/groupstate.h"

namespace models {

// One row: the data of the engine, and the count that the person saw when the list was read.
struct GroupItem
{
    api::GroupRow row;
    qint64 shown = 0; // the count as read: a retry of this row freezes this many
    GroupState state;
    QString connectionName;
    bool isNamesake = false; // a group of another connection has the same title: the row says which one it is
    QString policy; // which policies hold its messages, and why; empty: none does
};

// The rows of the list of failure groups, at most one page. GroupsFeed fills it. GUI thread.
class GroupsModel final : public RowModel<GroupItem, core::GroupId>, public PagedRows
{
    Q_OBJECT

public:
    enum Column { Check, Cause, Messages, LastHour, FirstFailed, LastFailed, State, ColumnCount };

    explicit GroupsModel(const ConsoleFilter &filter, QObject *parent = nullptr);

    // The texts of the State column have no order.
    [[nodiscard]] static bool isSortable(int column) { return column != Check && column != State; }
    [[nodiscard]] static int failuresOf(const QList<int> &lastHour);
    void setNow(core::TimePoint now) { m_now = now; } // times on this day are shown short
    // What reads the groups that are not on this page; see readCsv.
    using Reader = std::function<api::Answer<CsvTable>(const QList<int> &columns)>;
    void setReader(Reader reader) { m_reader = std::move(reader); }
    [[nodiscard]] api::Answer<CsvTable> readCsv(const QList<int> &columns) override { return m_reader(columns); }
    // Of one line of a CSV file: the cells of the list, and a number in place of a picture.
    [[nodiscard]] QString fileCell(const GroupItem &item, int column) const;
    [[nodiscard]] QStringList line(const GroupItem &item, const QList<int> &columns) const;

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
    [[nodiscard]] static QString causeText(const GroupItem &item);
    [[nodiscard]] Tone tone(const GroupItem &item, int column) const; // muted groups are dimmed as a whole
    [[nodiscard]] QString accessible(const GroupItem &item, int column) const;
    [[nodiscard]] static QString spoken(const QList<int> &lastHour); // the sparkline as text
    [[nodiscard]] QString tip(const GroupItem &item, int column) const;

    const ConsoleFilter &m_filter;
    core::TimePoint m_now{};
    Reader m_reader;
};

} // namespace models
