#include "views/common/lists/datatable.h"

#include "views/common/lists/celldelegate.h"
#include "views/common/lists/checkheader.h"
#include "views/common/lists/columnfitter.h"
#include "views/common/theme/theme.h"

#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>
#include <limits>
#include <utility>

namespace views {

namespace {

constexpr int lineHeight = 30;
constexpr int checkWidth = 30;

} // namespace

DataTable::DataTable(const Theme &theme, int checkColumn, QWidget *parent)
    : QTableView(parent)
    , m_header(new CheckHeader(theme, checkColumn, this))
    , m_delegate(new CellDelegate(theme, checkColumn, this))
    , m_fitter(new ColumnFitter(*this, *m_header))
    , m_checkColumn(checkColumn)
{
    setHorizontalHeader(m_header);
    setItemDelegate(m_delegate);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setMouseTracking(true);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setContextMenuPolicy(Qt::CustomContextMenu);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(lineHeight);
    verticalHeader()->setMinimumSectionSize(lineHeight);
    m_header->setMinimumSectionSize(checkWidth);
    m_header->setFixedHeight(lineHeight - 2);
    connect(m_fitter, &ColumnFitter::layoutChanged, this, &DataTable::columnLayoutChanged);
    connect(m_header, &CheckHeader::checkClicked, this, &DataTable::toggleAll);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
        if (index.column() != m_checkColumn)
            Q_EMIT opened(index);
    });
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void DataTable::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    if (m_checkColumn >= 0) {
        m_header->setSectionResizeMode(m_checkColumn, QHeaderView::Fixed);
        m_header->resizeSection(m_checkColumn, checkWidth);
    }
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &DataTable::mirrorSelection);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &DataTable::updateChosen);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DataTable::updateChosen);
    connect(model, &QAbstractItemModel::rowsInserted, this, &DataTable::mirrorSelection);
    connect(model, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_rowsGo = false;
        mirrorSelection();
        if (selectedCount() > 0)
            updateChosen();
    });
    connect(model, &QAbstractItemModel::modelReset, this, &DataTable::mirrorSelection);
    m_fitter->watch(*model);
}

void DataTable::rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last)
{
    m_rowsGo = true;
    const QModelIndex current = currentIndex();
    const bool goes = current.isValid() && current.row() >= first && current.row() <= last;
    if (goes && selectionMode() != SingleSelection) {
        const int next = last + 1 < model()->rowCount(parent) ? last + 1 : first - 1;
        selectionModel()->setCurrentIndex(model()->index(next, current.column(), parent),
                                          QItemSelectionModel::NoUpdate);
    }
    QTableView::rowsAboutToBeRemoved(parent, first, last);
}

void DataTable::updateChosen()
{
    const QModelIndex row = chosenRow();
    if (m_rowsGo || m_chosen == row)
        return;
    m_chosen = row;
    Q_EMIT chosenChanged();
}

bool DataTable::isSelected(const QModelIndex &row) const
{
    return row.isValid() && selectionModel()->isRowSelected(row.row(), row.parent());
}

QModelIndex DataTable::chosenRow() const
{
    for (const QModelIndex &row : {currentIndex(), QModelIndex(m_chosen)}) {
        if (isSelected(row))
            return row.siblingAtColumn(0);
    }
    int first = std::numeric_limits<int>::max();
    for (const QItemSelectionRange &range : selectionModel()->selection())
        first = std::min(first, range.top());
    return model()->index(first, 0); // invalid where nothing is selected
}

void DataTable::keepOneSelected()
{
    if (selectedCount() > 1)
        selectionModel()->select(chosenRow(), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void DataTable::setWidths(const QList<int> &widths, int main, int least)
{
    m_fitter->setWidths(widths, main, least);
}

void DataTable::fitColumn(int column)
{
    m_fitter->letGrow(column);
}

void DataTable::setDispensable(const QList<int> &columns)
{
    m_fitter->setDispensable(columns);
}

bool DataTable::isWanted(int column) const
{
    return !isColumnHidden(column) || m_fitter->isSetAside(column);
}

QByteArray DataTable::columnLayout() const
{
    return m_fitter->save();
}

void DataTable::restoreColumnLayout(const QByteArray &layout)
{
    m_fitter->restore(layout);
}

void DataTable::setSortable(const QList<int> &columns, int column, Qt::SortOrder order)
{
    m_sortable = columns;
    m_header->setSortable(columns);
    m_sortedColumn = column;
    m_sortOrder = order;
    m_header->setSortIndicator(column, order);
    m_header->setSortIndicatorShown(true);
    connect(m_header, &QHeaderView::sortIndicatorChanged, this, &DataTable::sortBy);
}

// The sort arrow stays on the column that the rows are really sorted by.
void DataTable::sortBy(int column, Qt::SortOrder order)
{
    if (!m_sortable.contains(column)) {
        const QSignalBlocker quiet(m_header);
        m_header->setSortIndicator(m_sortedColumn, m_sortOrder);
        return;
    }
    m_sortedColumn = column;
    m_sortOrder = order;
    Q_EMIT sorted(column, order);
}

void DataTable::showRows(int most)
{
    const int rows = std::clamp(model()->rowCount(), 1, most);
    setFixedHeight(m_header->height() + rows * lineHeight + 2 * frameWidth());
}

void DataTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    m_fitter->fit();
}

void DataTable::showEvent(QShowEvent *event)
{
    QTableView::showEvent(event);
    m_fitter->fit(); // what a hidden table holds is not measured
}

bool DataTable::viewportEvent(QEvent *event)
{
    switch (event->type()) {
    case QEvent::Enter:
        m_pointerRests = dynamic_cast<const QEnterEvent &>(*event).globalPosition();
        break;
    case QEvent::MouseMove: {
        const auto &moves = dynamic_cast<const QMouseEvent &>(*event);
        pointerAt(moves.position(), moves.globalPosition());
        break;
    }
    case QEvent::Leave:
        pointerLeft();
        break;
    default:
        break;
    }
    return QTableView::viewportEvent(event);
}

void DataTable::pointerAt(const QPointF &place, const QPointF &onScreen)
{
    m_pointerY = int(place.y());
    updateHover();
    if (!m_pointerRests)
        m_pointerRests = onScreen;
    if (!m_pointerOnRows && m_pointerRests != onScreen) {
        m_pointerOnRows = true;
        Q_EMIT pointerOnRowsChanged(true);
    }
}

void DataTable::pointerLeft()
{
    m_pointerRests.reset();
    m_pointerY.reset();
    updateHover();
    if (std::exchange(m_pointerOnRows, false))
        Q_EMIT pointerOnRowsChanged(false);
}

void DataTable::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    updateHover();
    if (dy != 0)
        m_fitter->schedule(); // of a long list only the visible rows are measured
}

void DataTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    viewport()->update(); // the frame of the current row spans all its cells
}

void DataTable::updateHover()
{
    const int row = m_pointerY ? rowAt(*m_pointerY) : -1;
    if (row == m_delegate->hoveredRow())
        return;
    m_delegate->setHoveredRow(row);
    viewport()->update();
}

QList<int> DataTable::selectedRowNumbers() const
{
    QList<int> rows;
    for (const QItemSelectionRange &range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.resize(std::distance(rows.begin(), std::unique(rows.begin(), rows.end())));
    return rows;
}

qint64 DataTable::selectedCount() const
{
    qint64 count = 0;
    for (const QItemSelectionRange &range : selectionModel()->selection())
        count += range.height();
    return count;
}

std::pair<int, int> DataTable::shownRows() const
{
    if (model() == nullptr || model()->rowCount() == 0)
        return {0, -1};
    const int first = std::max(0, rowAt(0));
    const int last = rowAt(viewport()->height() - 1);
    return {first, last < 0 ? model()->rowCount() - 1 : last};
}

void DataTable::addColumnEntries(QMenu *menu)
{
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (column == m_checkColumn)
            continue;
        QAction *entry = menu->addAction(model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        entry->setCheckable(true);
        entry->setChecked(!isColumnHidden(column));
        connect(entry, &QAction::toggled, this, [this, column](bool shown) { m_fitter->choose(column, shown); });
    }
}

QItemSelectionModel::SelectionFlags DataTable::selectionCommand(const QModelIndex &index, const QEvent *event) const
{
    const bool byMouse = event != nullptr
                         && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease
                             || event->type() == QEvent::MouseMove);
    if (!byMouse || !index.isValid() || index.column() != m_checkColumn)
        return QTableView::selectionCommand(index, event);
    const bool range = dynamic_cast<const QMouseEvent *>(event)->modifiers().testFlag(Qt::ShiftModifier);
    if (range)
        return QTableView::selectionCommand(index, event);
    return event->type() == QEvent::MouseButtonPress ? QItemSelectionModel::Toggle | QItemSelectionModel::Rows
                                                     : QItemSelectionModel::NoUpdate;
}

QModelIndex DataTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    if ((action != MoveHome && action != MoveEnd) || model()->rowCount() == 0)
        return QTableView::moveCursor(action, modifiers);
    const int column = std::max(0, currentIndex().column());
    return model()->index(action == MoveHome ? 0 : model()->rowCount() - 1, column);
}

void DataTable::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex current = currentIndex();
    const bool plain = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
    if (plain && current.isValid() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        Q_EMIT opened(current);
        return;
    }
    if (plain && current.isValid() && event->key() == Qt::Key_Space) {
        selectionModel()->select(current, QItemSelectionModel::Toggle | QItemSelectionModel::Rows);
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::mirrorSelection()
{
    const qint64 count = selectedCount();
    const qint64 all = model()->rowCount();
    m_header->setCheckState(count == 0 || all == 0 ? Qt::Unchecked : count >= all ? Qt::Checked : Qt::PartiallyChecked);
    if (m_checkColumn >= 0)
        viewport()->update(0, 0, columnWidth(m_checkColumn), viewport()->height());
    Q_EMIT rowSelectionChanged();
}

void DataTable::toggleAll()
{
    if (m_header->checkState() == Qt::Checked)
        clearSelection();
    else
        selectAll();
}

} // namespace views

#include "moc_datatable.cpp"
