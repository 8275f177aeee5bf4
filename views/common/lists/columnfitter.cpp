#include "views/common/lists/columnfitter.h"

#include "views/common/lists/checkheader.h"

#include <QDataStream>
#include <QIODevice>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace views {

namespace {

constexpr int fewRows = 100; // of a longer list only the visible rows are measured: reading others may fetch them
constexpr int readableCharacters = 16;
constexpr int cellPadding = 18;

// Each column gets the same part of what it lacks. Returns the room that is left.
int shareOut(QMap<int, int> &widths, const QMap<int, int> &wished, int room)
{
    int lacking = 0;
    for (auto one = wished.cbegin(); one != wished.cend(); ++one)
        lacking += std::max(0, one.value() - widths.value(one.key()));
    const int given = std::clamp(room, 0, lacking);
    if (given == 0)
        return room;
    for (auto one = wished.cbegin(); one != wished.cend(); ++one) {
        const int lacks = std::max(0, one.value() - widths.value(one.key()));
        widths[one.key()] += int(qint64(lacks) * given / lacking);
    }
    return room - given;
}

} // namespace

ColumnFitter::ColumnFitter(QTableView &table, CheckHeader &header)
    : QObject(&table)
    , m_table(table)
    , m_header(header)
{
    connect(&header, &QHeaderView::sectionResized, this, &ColumnFitter::resized);
    connect(&header, &QHeaderView::sectionMoved, this, [this] {
        m_isChanged = true;
        schedule();
    });
}

void ColumnFitter::watch(QAbstractItemModel &model)
{
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        m_content.clear();
        schedule();
    });
    connect(&model, &QAbstractItemModel::rowsInserted, this, &ColumnFitter::schedule);
    connect(&model, &QAbstractItemModel::dataChanged, this, &ColumnFitter::schedule);
}

void ColumnFitter::setWidths(const QList<int> &widths, int main, int least)
{
    const QScopedValueRollback<bool> now(m_fits, true);
    for (const int column : std::as_const(m_setAside))
        m_header.showSection(column);
    if (m_main >= 0 && m_main < m_header.count())
        m_header.setSectionResizeMode(m_main, QHeaderView::Interactive);
    for (QSet<int> *all : {&m_setAside, &m_growing, &m_own, &m_chosen})
        all->clear();
    m_usual.clear();
    m_content.clear();
    m_dispensable.clear();
    m_main = main;
    for (int column = 0; column < m_header.count(); ++column) {
        if (widths.value(column) > 0)
            m_header.resizeSection(column, widths.at(column));
        if (column != main && m_header.sectionResizeMode(column) != QHeaderView::Fixed)
            m_usual.insert(column, m_header.sectionSize(column));
    }
    if (main < 0)
        return;
    const int readable = readableCharacters * m_table.fontMetrics().averageCharWidth() + cellPadding;
    m_least = least > 0 ? least : readable;
    m_header.setSectionResizeMode(main, QHeaderView::Fixed);
    stretch();
    schedule();
}

void ColumnFitter::letGrow(int column)
{
    m_growing.insert(column);
    schedule();
}

void ColumnFitter::setDispensable(const QList<int> &columns)
{
    m_dispensable = columns;
    schedule();
}

void ColumnFitter::choose(int column, bool isShown)
{
    m_chosen.insert(column);
    m_setAside.remove(column);
    m_table.setColumnHidden(column, !isShown);
}

void ColumnFitter::resized(int column, int before, int now)
{
    m_isChanged = true;
    if (m_fits)
        return;
    const bool appears = before == 0 || now == 0; // or is hidden
    if (m_main >= 0 && !appears && m_usual.contains(column))
        m_own.insert(column);
    stretch();
    schedule(); // later, because a column that is being hidden does not count as hidden yet
}

void ColumnFitter::schedule()
{
    if (m_isDue)
        return;
    m_isDue = true;
    QMetaObject::invokeMethod(this, &ColumnFitter::fit, Qt::QueuedConnection);
}

void ColumnFitter::measure()
{
    if (!m_table.isVisible()) // then a list measures all its rows, however many they are
        return;
    const QAbstractItemView &view = m_table;
    m_header.setResizeContentsPrecision(m_table.model()->rowCount() <= fewRows ? fewRows : 0);
    for (int column = 0; column < m_header.count(); ++column) {
        if (m_header.isSectionHidden(column) && !m_setAside.contains(column))
            continue;
        int &needed = m_content[column];
        needed = std::max({needed, view.sizeHintForColumn(column), m_header.neededWidth(column)});
    }
}

bool ColumnFitter::isAutomatic(int column) const
{
    return m_usual.contains(column) && !m_own.contains(column);
}

bool ColumnFitter::isEdited(int column) const
{
    return m_table.model()->index(0, column).flags().testFlag(Qt::ItemIsEditable);
}

int ColumnFitter::leastOf(int column) const
{
    if (!isAutomatic(column))
        return m_header.sectionSize(column);
    const int usual = std::max(m_usual.value(column), m_header.neededWidth(column));
    return isEdited(column) ? usual : std::min(usual, m_content.value(column, usual));
}

int ColumnFitter::leastOfMain() const
{
    return m_header.isSectionHidden(m_main) ? 0 : std::max(m_least, m_header.neededWidth(m_main));
}

int ColumnFitter::room() const
{
    int others = 0;
    for (int column = 0; column < m_header.count(); ++column) {
        if (column != m_main && !m_header.isSectionHidden(column))
            others += leastOf(column);
    }
    return m_table.viewport()->width() - leastOfMain() - others;
}

void ColumnFitter::setAside()
{
    int left = room();
    for (const int column : std::as_const(m_setAside))
        left -= leastOf(column);
    for (const int column : std::as_const(m_dispensable)) {
        const bool isAside = m_setAside.contains(column);
        const bool isTheirs = m_chosen.contains(column) || m_own.contains(column);
        if (isTheirs || (m_header.isSectionHidden(column) && !isAside))
            continue;
        const bool goes = left < 0;
        left += goes ? leastOf(column) : 0;
        if (goes == isAside)
            continue;
        if (goes)
            m_setAside.insert(column);
        else
            m_setAside.remove(column);
        m_header.setSectionHidden(column, goes);
    }
}

QMap<int, int> ColumnFitter::grownWidths() const
{
    QMap<int, int> widths;
    for (const int column : m_growing) {
        if (!isAutomatic(column) || m_header.isSectionHidden(column))
            continue;
        const int content = std::min(m_content.value(column), m_table.viewport()->width() / 2);
        widths.insert(column, std::max(m_usual.value(column), content));
    }
    return widths;
}

void ColumnFitter::fit()
{
    m_isDue = false;
    if (m_fits) // the table is resized by what is being done: that began with the room of before
        return schedule();
    if (m_main >= 0 && m_main < m_header.count())
        arrange();
    if (std::exchange(m_isChanged, false))
        Q_EMIT layoutChanged();
}

void ColumnFitter::arrange()
{
    const QScopedValueRollback<bool> now(m_fits, true);
    measure();
    setAside();
    QMap<int, int> widths;
    QMap<int, int> usual;
    for (auto one = m_usual.cbegin(); one != m_usual.cend(); ++one) {
        if (!isAutomatic(one.key()) || one.key() >= m_header.count() || m_header.isSectionHidden(one.key()))
            continue;
        widths.insert(one.key(), leastOf(one.key()));
        usual.insert(one.key(), one.value());
    }
    int left = shareOut(widths, grownWidths(), room());
    if (!m_header.isSectionHidden(m_main))
        left -= std::max(0, m_content.value(m_main) - leastOfMain());
    shareOut(widths, usual, left);
    for (auto one = widths.cbegin(); one != widths.cend(); ++one)
        m_header.resizeSection(one.key(), one.value());
    stretch();
}

void ColumnFitter::stretch()
{
    if (m_main < 0 || m_main >= m_header.count())
        return;
    const QScopedValueRollback<bool> now(m_fits, true);
    const int others = m_header.length() - m_header.sectionSize(m_main);
    m_header.resizeSection(m_main, std::max(leastOfMain(), m_table.viewport()->width() - others));
}

QByteArray ColumnFitter::save() const
{
    QByteArray saved;
    QDataStream out(&saved, QIODevice::WriteOnly);
    out << m_header.saveState() << m_own.values() << m_chosen.values() << m_setAside.values();
    return saved;
}

void ColumnFitter::restore(const QByteArray &saved)
{
    const QScopedValueRollback<bool> now(m_fits, true);
    QDataStream in(saved);
    QByteArray header;
    QList<int> own;
    QList<int> chosen;
    QList<int> aside;
    in >> header >> own >> chosen >> aside;
    const bool isHeaderAlone = in.status() != QDataStream::Ok || !in.atEnd(); // as earlier versions saved it
    if (!m_header.restoreState(isHeaderAlone ? saved : header))
        return;
    if (isHeaderAlone) { // then only the user changed widths
        for (auto one = m_usual.cbegin(); one != m_usual.cend(); ++one) {
            if (!m_header.isSectionHidden(one.key()) && m_header.sectionSize(one.key()) != one.value())
                own.append(one.key());
        }
    }
    m_own = {own.cbegin(), own.cend()};
    m_chosen = {chosen.cbegin(), chosen.cend()};
    m_setAside = {aside.cbegin(), aside.cend()};
    schedule();
}

} // namespace views

#include "moc_columnfitter.cpp"
