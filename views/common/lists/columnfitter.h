#pragma once

#include <QList>
#include <QMap>
#include <QObject>
#include <QSet>

class QAbstractItemModel;
class QTableView;

namespace views {

class CheckHeader;

// Shares out the width of a table among its columns, by one rule for every table:
// 1. Each column gets what its content and its name need, at most its usual width or that of its name; the main column gets
//    its least width, unless the user hid it. A column that is edited in place keeps its usual width, because its editor
//    needs it.
// 2. If that is too much, the dispensable columns hide, the first one first. What is still too much is a scroll away.
// 3. The room that is left goes to the columns that may grow with their content, then to the content of the main column,
//    then to the usual widths of the others. The rest is the main column's.
// A width that the user chose stays, and so does a column that the user showed or hid. What a column needs only grows
// until the list is read anew, so that columns do not move to and fro. GUI thread.
class ColumnFitter final : public QObject
{
    Q_OBJECT

public:
    ColumnFitter(QTableView &table, CheckHeader &header);

    void watch(QAbstractItemModel &model);
    // See DataTable::setWidths. Forgets what the user chose.
    void setWidths(const QList<int> &widths, int main, int least);
    void letGrow(int column);
    void setDispensable(const QList<int> &columns);
    [[nodiscard]] bool isSetAside(int column) const { return m_setAside.contains(column); } // hidden for lack of room
    void choose(int column, bool isShown); // by the user
    [[nodiscard]] QByteArray save() const;
    void restore(const QByteArray &saved);
    void fit();
    void schedule(); // fits when the events of now are handled

Q_SIGNALS:
    void layoutChanged(); // what save() returns; once for all that one fit changes

private:
    void arrange();
    void resized(int column, int before, int now);
    void measure();
    void setAside();
    void stretch();
    [[nodiscard]] bool isAutomatic(int column) const;
    [[nodiscard]] bool isEdited(int column) const;
    [[nodiscard]] int leastOf(int column) const;
    [[nodiscard]] QMap<int, int> grownWidths() const;
    [[nodiscard]] int leastOfMain() const;
    [[nodiscard]] int room() const;

    QTableView &m_table;
    CheckHeader &m_header;
    int m_main = -1;
    int m_least = 0;
    QMap<int, int> m_usual; // without the main column and those of fixed width
    QMap<int, int> m_content; // what the cells and the name need, as far as seen
    QSet<int> m_growing;
    QList<int> m_dispensable;
    QSet<int> m_setAside;
    QSet<int> m_own; // the user chose their widths
    QSet<int> m_chosen; // the user showed or hid them
    bool m_fits = false; // the widths change through this class, not by the user
    bool m_isDue = false;
    bool m_isChanged = false; // since layoutChanged()
};

} // namespace views
