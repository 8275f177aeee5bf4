#pragma once

#include <QTableView>

#include <optional>

namespace views {

class CellDelegate;
class CheckHeader;
class Theme;

// The table of every page: whole rows, the row selection is the only selection, check boxes mirror it. Enter and double
// click open a row, Space or a click on its box adds it to the selection or takes it away.
class DataTable final : public QTableView
{
    Q_OBJECT

public:
    // `checkColumn`: -1 for a table without boxes.
    DataTable(const Theme &theme, int checkColumn, QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    // 0: as it is. The stretched column takes what the others leave, and never less than `least`: rather a scroll bar
    // than a list without its first column.
    void setWidths(const QList<int> &widths, int stretched, int least = 0);
    // As wide as what it shows, at least as it is now and at most half of the table, until a person draws it.
    void fitColumn(int column);
    // The columns that a click on their header sorts by, and the one that the rows are sorted by now. Others stay as they are.
    void setSortable(const QList<int> &columns, int column, Qt::SortOrder order);
    [[nodiscard]] QList<int> selectedRowNumbers() const; // ascending
    [[nodiscard]] qint64 selectedCount() const;
    // Of what is selected, the row to tell more about: the current one, else the one told before, else the first.
    [[nodiscard]] QModelIndex chosenRow() const;
    void keepOneSelected(); // of several, the one that is told about
    [[nodiscard]] std::pair<int, int> shownRows() const; // first and last on the screen; {0, -1}: none
    [[nodiscard]] bool isPointerOnRows() const { return m_pointerOnRows; }
    // Entries to show and hide columns, for a header menu. The check column always stays.
    void addColumnEntries(QMenu *menu);

Q_SIGNALS:
    void opened(const QModelIndex &index);
    void sorted(int column, Qt::SortOrder order);
    void rowSelectionChanged();
    // A person chose another row, or none. Not sent when rows go: whoever tells about a row that went goes on with it.
    void chosenChanged();
    // The pointer moves on the rows, or left them. One that only lies there, because the window opened or the list changed
    // under it, does not count.
    void pointerOnRowsChanged(bool onRows);

protected:
    // The keys stay in the list: on the row that follows those that go, which is not selected.
    void rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last) override;
    bool viewportEvent(QEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    // Home and End go to the first and last row: in a list of rows there is no other place to go to.
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
    void pointerAt(const QPointF &place, const QPointF &onScreen);
    void pointerLeft();
    void updateHover();

    CheckHeader *m_header;
    CellDelegate *m_delegate;
    int m_checkColumn;
    int m_stretched = -1; // only where it has a least width; without one the header stretches by itself
    int m_least = 0;
    int m_fitted = -1; // a column as wide as what it shows
    int m_fittedLeast = 0;
    bool m_fits = false; // at this moment
    std::optional<QPointF> m_pointerRests; // on the screen, since it came here
    std::optional<int> m_pointerY; // in the viewport
    bool m_pointerOnRows = false;
    QList<int> m_sortable;
    int m_sortedColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    QPersistentModelIndex m_chosen;
    bool m_rowsGo = false;
};

} // namespace views
