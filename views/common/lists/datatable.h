#pragma once

#include <QMap>
#include <QTableView>

#include <optional>

namespace views {

class CellDelegate;
class CheckHeader;
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
    // Widths in pixels; 0 leaves a column unchanged. The stretched column takes the remaining room and at least
    // `least`; if that does not fit, a scroll bar appears.
    void setWidths(const QList<int> &widths, int stretched, int least = 0);
    // As high as its rows, at most `most` of them: the last one is never cut. For a list in a dialog that scrolls.
    void showRows(int most);
    // Fits the column to its content: at least its current width, at most half of the table, and never so wide that the
    // stretched column has less than its least width. Ends when the user resizes it.
    void fitColumn(int column);
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

private:
    void mirrorSelection();
    void updateChosen();
    void sortBy(int column, Qt::SortOrder order);
    [[nodiscard]] bool isSelected(const QModelIndex &row) const;
    void toggleAll();
    void stretch();
    void fit();
    void resized(int column, int before, int now);
    [[nodiscard]] QMap<int, int> fittedWidths() const;
    void pointerAt(const QPointF &place, const QPointF &onScreen);
    void pointerLeft();
    void updateHover();

    CheckHeader *m_header;
    CellDelegate *m_delegate;
    int m_checkColumn;
    int m_stretched = -1; // only with a least width; without one the header stretches the column
    int m_least = 0;
    QMap<int, int> m_fitted; // the columns that fitColumn() fits, with their least widths
    bool m_fits = false; // fit() is resizing, not the user
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
