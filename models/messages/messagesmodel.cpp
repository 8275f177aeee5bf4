#include "models/messages/messagesmodel.h"

#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/messages/messagecsv.h"

#include <algorithm>

namespace models {

// A newer list of the same caller cancels the older one and its count, because a search of many bodies takes long.
static constexpr quint32 listAsker = 1;

MessagesModel::MessagesModel(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent)
    : QAbstractTableModel(parent)
    , m_session(session)
    , m_filter(filter)
    , m_rows(session)
    , m_firstPage(session)
    , m_list(session)
    , m_count(session)
{
    m_query.limit = MessageRows::pageSize;
    m_query.caller = listAsker;
    m_query.countLater = true;
    connect(&m_rows, &MessageRows::arrived, this, &MessagesModel::drawArrived);
    connect(&m_rows, &MessageRows::failed, this, &MessagesModel::fail);
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] {
        if (!m_ids.isEmpty())
            Q_EMIT dataChanged(index(0, MessageCells::FailedAt), index(rowCount() - 1, MessageCells::FailedAt));
    });
}

int MessagesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_ids.size());
}

int MessagesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(MessageCells::ColumnCount);
}

QVariant MessagesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    MessageCells cells = m_cells;
    cells.zone = m_filter.zone();
    const core::MessageId id = m_ids.at(index.row());
    const records::FailedMessage *message = m_rows.find(id);
    // A row of an earlier list stays visible until it is read again. It is not requested before the new list has come,
    // because it may not be part of it.
    if (role == Qt::DisplayRole && message != nullptr && m_listed && !m_rows.isFresh(id))
        wantPageOf(index.row());
    if (message != nullptr)
        return cells.cell(*message, index.column(), role);
    if (role == Qt::DisplayRole) {
        wantPageOf(index.row());
        return index.column() == MessageCells::FailedAt ? QVariant(QStringLiteral("…")) : QVariant();
    }
    if (role == IdRole)
        return id.value;
    return {};
}

QVariant MessagesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool known = orientation == Qt::Horizontal && section >= 0 && section < MessageCells::ColumnCount;
    return known ? MessageCells::headerCell(section, role) : QVariant();
}

void MessagesModel::sort(int column, Qt::SortOrder order)
{
    const std::optional<records::MessageOrder> by = MessageCells::orderOf(column);
    const auto direction =
        order == Qt::AscendingOrder ? records::SortDirection::Ascending : records::SortDirection::Descending;
    if (!by || (m_query.order == *by && m_query.direction == direction))
        return;
    m_query.order = *by;
    m_query.direction = direction;
    if (m_asked)
        reload();
}

api::Answer<CsvTable> MessagesModel::readCsv(const QList<int> &columns)
{
    if (!m_listed) {
        const api::Reply<CsvTable> reply;
        reply.answer(core::fail(core::ErrorKind::Rejected, tr("The list is still being read. Try again in a moment.")));
        return reply.future();
    }
    MessageCells cells = m_cells;
    cells.zone = m_filter.zone();
    return (new MessageCsv(m_session, m_ids, columns, cells, {csvTitles(*this, columns), 0}, this))->answer();
}

void MessagesModel::setFilter(const records::MessageFilter &filter)
{
    if (m_asked && m_query.filter == filter)
        return; // also during a reload: rows and selection stay
    m_query.filter = filter;
    setIds({});
    m_total = 0;
    m_counted = false;
    m_loading = true;
    start();
}

void MessagesModel::reload()
{
    start();
}

void MessagesModel::start()
{
    m_asked = true;
    m_rows.clear();
    m_error.clear();
    m_newer = 0;
    m_listed = false;
    m_count.drop();
    m_firstPage.ask(m_query, [this](const core::Result<api::MessagePage> &page) { takeFirstPage(page); });
    m_list.ask(api::MessageIdQuery{m_query}, [this](const core::Result<api::MessageIds> &list) { takeIds(list); });
    Q_EMIT stateChanged();
}

void MessagesModel::takeFirstPage(const core::Result<api::MessagePage> &page)
{
    if (!page) {
        fail(page.error());
        return;
    }
    m_rows.put(page->rows);
    if (m_listed) {
        QList<core::MessageId> ids;
        for (const records::FailedMessage &row : page->rows)
            ids.append(row.id);
        drawArrived(ids);
    } else if (m_ids.isEmpty()) {
        QList<core::MessageId> ids;
        for (const records::FailedMessage &row : page->rows)
            ids.append(row.id);
        m_total = page->total;
        m_counted = page->isCounted;
        m_change = page->change;
        setIds(ids);
    }
    m_loading = false;
    Q_EMIT stateChanged();
}

void MessagesModel::takeIds(const core::Result<api::MessageIds> &list)
{
    if (!list) {
        fail(list.error());
        return;
    }
    m_listed = true;
    m_loading = false;
    m_total = list->ids.size();
    m_counted = true;
    m_change = list->change;
    setIds(list->ids);
    if (!m_ids.isEmpty()) // rows that stayed are requested again when they are drawn
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    Q_EMIT stateChanged();
}

void MessagesModel::setIds(const QList<core::MessageId> &fresh)
{
    if (fresh == m_ids)
        return;
    // Equal rows at both ends stay untouched: usually all but a few new ones at the top.
    const auto same = std::mismatch(m_ids.cbegin(), m_ids.cend(), fresh.cbegin(), fresh.cend());
    const qsizetype head = same.first - m_ids.cbegin();
    qsizetype tail = 0;
    const qsizetype most = std::min(m_ids.size(), fresh.size()) - head;
    while (tail < most && m_ids.at(m_ids.size() - 1 - tail) == fresh.at(fresh.size() - 1 - tail))
        ++tail;
    Q_EMIT idsAboutToChange();
    const qsizetype gone = m_ids.size() - head - tail;
    if (gone > 0) {
        beginRemoveRows({}, int(head), int(head + gone - 1));
        m_ids.remove(head, gone);
        endRemoveRows();
    }
    const qsizetype come = fresh.size() - head - tail;
    if (come > 0) {
        beginInsertRows({}, int(head), int(head + come - 1));
        m_ids = fresh;
        endInsertRows();
    }
    Q_EMIT idsChanged();
}

void MessagesModel::wantPageOf(int row) const
{
    const int page = row / MessageRows::pageSize;
    m_rows.want(page, m_ids.mid(qsizetype(page) * MessageRows::pageSize, MessageRows::pageSize));
}

void MessagesModel::refreshRows(int first, int last)
{
    if (m_ids.isEmpty())
        return;
    const int lastPage = std::min(last, rowCount() - 1) / MessageRows::pageSize;
    for (int page = std::max(0, first) / MessageRows::pageSize; page <= lastPage; ++page)
        m_rows.want(page, m_ids.mid(qsizetype(page) * MessageRows::pageSize, MessageRows::pageSize));
}

void MessagesModel::countNewer()
{
    if (!m_listed || m_count.isPending())
        return;
    m_count.ask(api::MessageCountQuery{m_query}, [this](const core::Result<qint64> &count) {
        if (!count)
            return;
        m_newer = *count - m_total;
        Q_EMIT stateChanged();
    });
}

const records::FailedMessage *MessagesModel::messageAt(int row) const
{
    return row >= 0 && row < m_ids.size() ? m_rows.find(m_ids.at(row)) : nullptr;
}

void MessagesModel::drawArrived(const QList<core::MessageId> &ids)
{
    if (ids.isEmpty() || m_ids.isEmpty())
        return;
    const qsizetype at = m_ids.indexOf(ids.first());
    if (at < 0 || at + ids.size() > m_ids.size() || m_ids.at(at + ids.size() - 1) != ids.last()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    Q_EMIT dataChanged(index(int(at), 0), index(int(at + ids.size() - 1), columnCount() - 1));
}

void MessagesModel::fail(const core::Error &error)
{
    m_loading = false;
    m_error = visibleLine(error.message);
    Q_EMIT stateChanged();
}

} // namespace models

#include "moc_messagesmodel.cpp"
