#include "views/common/lists/datatable.h"

#include "views/common/lists/celldelegate.h"
#include "views/common/lists/checkheader.h"
#include "views/common/theme/theme.h"

#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
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

void DataTable::setWidths(const QList<int> &widths, int stretched, int least)
{
    for (int column = 0; column < widths.size(); ++column) {
        if (widths.at(column) > 0)
            m_header->resizeSection(column, widths.at(column));
    }
    if (stretched < 0)
        return;
    m_header->setSectionResizeMode(stretched, least > 0 ? QHeaderView::Fixed : QHeaderView::Stretch);
    if (least == 0)
        return;
    m_stretched = stretched;
    m_least = least;
    connect(m_header, &QHeaderView::sectionResized, this, [this](int column) {
        if (column != m_stretched)
            stretch();
    });
    stretch();
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

void DataTable::stretch()
{
    if (m_stretched < 0)
        return;
    const int others = m_header->length() - m_header->sectionSize(m_stretched);
    m_header->resizeSection(m_stretched, std::max(m_least, viewport()->width() - others));
}

void DataTable::showRows(int most)
{
    const int rows = std::clamp(model()->rowCount(), 1, most);
    setFixedHeight(m_header->height() + rows * lineHeight + 2 * frameWidth());
}

void DataTable::fitColumn(int column)
{
    if (m_fitted.isEmpty()) {
        connect(m_header, &QHeaderView::sectionResized, this, &DataTable::resized);
        connect(model(), &QAbstractItemModel::modelReset, this, &DataTable::fit);
        connect(model(), &QAbstractItemModel::rowsInserted, this, &DataTable::fit);
        connect(model(), &QAbstractItemModel::dataChanged, this, &DataTable::fit);
    }
    m_fitted.insert(column, m_header->sectionSize(column));
    fit();
}

void DataTable::resized(int column, int before, int now)
{
    if (m_fits)
        return;
    const bool appears = before == 0 || now == 0; // or is hidden: the others have other room
    if (appears) // at this moment what is being hidden does not count as hidden yet
        QMetaObject::invokeMethod(this, &DataTable::fit, Qt::QueuedConnection);
    else
        m_fitted.remove(column); // the user chose another width
}

// Where not all of them have the room that they wish, each gets the same part of what it wishes beyond its least width.
QMap<int, int> DataTable::fittedWidths() const
{
    QMap<int, int> widths;
    int wishedMore = 0;
    int room = viewport()->width() - m_header->length() - m_least;
    if (m_stretched >= 0)
        room += m_header->sectionSize(m_stretched);
    for (auto one = m_fitted.cbegin(); one != m_fitted.cend(); ++one) {
        if (isColumnHidden(one.key()))
            continue;
        const int wished = std::max(sizeHintForColumn(one.key()), m_header->sectionSizeHint(one.key()));
        widths.insert(one.key(), std::max(one.value(), std::min(wished, viewport()->width() / 2)));
        room += m_header->sectionSize(one.key()) - one.value();
        wishedMore += widths.value(one.key()) - one.value();
    }
    if (m_stretched < 0 || wishedMore <= std::max(room, 0)) // nothing to share out, even if there is too little room
        return widths;
    for (auto one = widths.begin(); one != widths.end(); ++one) {
        const int least = m_fitted.value(one.key());
        *one = least + int(qint64(*one - least) * std::max(room, 0) / wishedMore);
    }
    return widths;
}

void DataTable::fit()
{
    if (m_fitted.isEmpty() || m_fits)
        return;
    const QScopedValueRollback<bool> now(m_fits, true);
    const QMap<int, int> widths = fittedWidths();
    for (auto one = widths.cbegin(); one != widths.cend(); ++one)
        m_header->resizeSection(one.key(), one.value());
}

void DataTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fit();
    stretch();
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
        connect(entry, &QAction::toggled, this, [this, column](bool shown) { setColumnHidden(column, !shown); });
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
