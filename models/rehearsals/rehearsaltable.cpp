#include "models/rehearsals/rehearsaltable.h"

#include "backend/core/time/durationtext.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

// The texts are the same for scripts, so their numbers have no separators.
QString forPeople(const QString &value)
{
    bool isNumber = false;
    const qint64 number = value.toLongLong(&isNumber);
    return isNumber ? formatNumber(number) : value;
}

} // namespace

void RehearsalTable::showCounts(const api::RehearsalReport &report)
{
    QList<QStringList> rows;
    const QList<std::pair<QString, QString>> facts = api::textOf(report).rows;
    for (const auto &[what, value] : facts)
        rows.append({visibleLine(what), forPeople(value)});
    show({tr("Outcome"), tr("Count")}, rows);
}

void RehearsalTable::showRounds(const api::RehearsalReport &report)
{
    QList<QStringList> rows;
    for (const api::RehearsalRound &one : report.rounds)
        rows.append({api::roundName(report, one), core::durationText(one.first), core::durationText(one.last),
                     formatNumber(one.tried), formatNumber(one.failed)});
    show({tr("Round"), tr("From"), tr("To"), tr("Tried"), tr("Failed")}, rows);
}

void RehearsalTable::show(const QStringList &header, const QList<QStringList> &rows)
{
    beginResetModel();
    m_header = header;
    m_rows = rows;
    endResetModel();
}

int RehearsalTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int RehearsalTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_header.size());
}

QVariant RehearsalTable::data(const QModelIndex &index, int role) const
{
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return m_rows.at(index.row()).value(index.column());
    if (role == Qt::TextAlignmentRole && index.column() > 0)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant RehearsalTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return m_header.value(section);
    if (role == Qt::TextAlignmentRole)
        return int(section > 0 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

} // namespace models

#include "moc_rehearsaltable.cpp"
