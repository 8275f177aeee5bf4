#pragma once

#include <QTableView>

#include <optional>

namespace views {

class CellDelegate;
class CheckHeader;
class ColumnFitter;
class Theme;

// The table of every page. It selects whole rows, and the check boxes show the selection. Enter and double click open
// a row; Space or a click on its box toggles its selection. GUI thread.
class DataTable final : public QTableView
{
    Q_OBJECT

public:
    // `checkColumn`: -1 for a table without boxes.
    DataTable(const Theme &theme, int checkColumn, QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    // Usual widths in pixels; 0 leaves a column unchanged. The main column takes the remaining room and at least `least`
    // pixels; 0: so many that its text can be read. ColumnFitter has the rule by which columns get their widths.
    void setWidths(const QList<int> &widths, int main, int least = 0);
    // As high as its rows, at most `most` of them: the last one is never cut. For a list in a dialog that scrolls.
    void showRows(int most);
    // Lets the column grow beyond its usual width with its content, to at most half of the table.
    void fitColumn(int column);
    // Where the main column would have less than its least width, these hide, the first one first. Nothing else may
    // hide or show them but the user.
    void setDispensable(const QList<int> &columns);
    [[nodiscard]] bool isWanted(int column) const; // shown, or hidden only for lack of room
    // Order, widths and columns as the user arranged them, to be stored.
    [[nodiscard]] QByteArray columnLayout() const;
    void restoreColumnLayout(const QByteArray &layout);
    // The columns that a click on their header sorts by, and the current sort column. Clicks on other headers do
    // nothing.
    void setSortable(const QList<int> &columns, int column, Qt::SortOrder order);
    [[nodiscard]] QList<int> selectedRowNumbers() const; // ascending
    [[nodiscard]] qint64 selectedCount() const;
    // The selected row whose details are shown: the current one, else the previous one, else the first. Invalid: none
    // is selected.
    [[nodiscard]] QModelIndex chosenRow() const;
    void keepOneSelected(); // reduces the selection to chosenRow()
    [[nodiscard]] std::pair<int, int> shownRows() const; // first and last visible row; {0, -1}: none
    [[nodiscard]] bool isPointerOnRows() const { return m_pointerOnRows; }
    // Adds entries that show and hide columns. The check column has none.
    void addColumnEntries(QMenu *menu);

Q_SIGNALS:
    void opened(const QModelIndex &index);
    void sorted(int column, Qt::SortOrder order);
    void rowSelectionChanged();
    void columnLayoutChanged(); // what columnLayout() returns, by the user or for lack of room
    // The user chose another row, or none. Not emitted when rows are removed, so that the details of a removed row
    // stay.
    void chosenChanged();
    // The pointer moves on the rows, or left them. A resting pointer does not count: the window may have opened or
    // the list may have changed under it.
    void pointerOnRowsChanged(bool onRows);

protected:
    // Moves the current row to the one after the removed rows, without selecting it, so that the keyboard focus stays.
    void rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last) override;
    bool viewportEvent(QEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    // Home and End go to the first and last row, because lists act on rows.
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex &index,
                                                                       const QEvent *event) const override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void mirrorSelection();
    void updateChosen();
    void sortBy(int column, Qt::SortOrder order);
    [[nodiscard]] bool isSelected(const QModelIndex &row) const;
    void toggleAll();
    void pointerAt(const QPointF &place, const QPointF &onScreen);
    void pointerLeft();
    void updateHover();

    CheckHeader *m_header;
    CellDelegate *m_delegate;
    ColumnFitter *m_fitter;
    int m_checkColumn;
    std::optional<QPointF> m_pointerRests; // screen position where the pointer entered
    std::optional<int> m_pointerY; // in the viewport
    bool m_pointerOnRows = false;
    QList<int> m_sortable;
    int m_sortedColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    QPersistentModelIndex m_chosen;
    bool m_rowsGo = false;
};

} // namespace views
