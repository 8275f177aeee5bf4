#include "models/groups/groupsmodel.h"

#include "models/common/visibletext.h"

#include <tuple>

namespace models {

QString GroupsModel::spoken(const QList<int> &lastHour)
{
    QStringList numbers;
    qint64 all = 0;
    for (const int count : lastHour) {
        numbers.append(formatNumber(count));
        all += count;
    }
    return all == 0 ? tr("no failures in the last hour")
                    : tr("%1 failures in the last hour, per 5 minutes: %2", nullptr, int(all))
                          .arg(formatNumber(all), numbers.join(QStringLiteral(" ")));
}

GroupsModel::GroupsModel(const ConsoleFilter &filter, QObject *parent)
    : RowModel(parent)
    , m_filter(filter)
{
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] { touchAll(); });
}

bool GroupsModel::same(const GroupItem &a, const GroupItem &b) const
{
    const auto key = [](const GroupItem &one) {
        return std::tie(one.row.title, one.shown, one.row.firstFailed, one.row.lastFailed, one.row.lastHour, one.state,
                        one.connectionName);
    };
    return key(a) == key(b);
}

QString GroupsModel::text(const GroupItem &item, int column) const
{
    switch (Column(column)) {
    case Check:
    case LastHour:
    case ColumnCount:
        return {};
    case Cause:
        return item.row.title.isEmpty() ? tr("(no exception recorded)") : visibleLine(item.row.title);
    case Messages:
        return formatNumber(item.shown);
    case FirstFailed:
        return formatListTime(item.row.firstFailed, m_now, m_filter.zone());
    case LastFailed:
        return formatListTime(item.row.lastFailed, m_now, m_filter.zone());
    case State:
        return item.state.text;
    }
    Q_UNREACHABLE();
}

QString GroupsModel::tip(const GroupItem &item, int column) const
{
    switch (Column(column)) {
    case Check:
    case ColumnCount:
        return {};
    case Cause:
        return tr("%1\non %2").arg(text(item, Cause), visibleLine(item.connectionName));
    case Messages:
        return tr("%1 messages in this group, %2 in retry, %3 came back", nullptr, int(item.row.count))
            .arg(formatNumber(item.shown), formatNumber(item.row.inRetry), formatNumber(item.row.cameBack));
    case LastHour:
        return tr("Failures per 5 minutes in the last hour");
    case FirstFailed:
        return timeTip(item.row.firstFailed, m_now, m_filter.zone());
    case LastFailed:
        return timeTip(item.row.lastFailed, m_now, m_filter.zone());
    case State:
        return item.state.text;
    }
    Q_UNREACHABLE();
}

QVariant GroupsModel::cell(const GroupItem &item, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return text(item, column);
    case Qt::ToolTipRole:
        return tip(item, column);
    case Qt::AccessibleTextRole:
        return column == LastHour ? spoken(item.row.lastHour) : text(item, column);
    case Qt::TextAlignmentRole:
        return int(column == Messages ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case IdRole:
        return item.row.id.value;
    case ToneRole:
        if (column == State)
            return int(item.state.tone);
        return int(column == FirstFailed || column == LastFailed ? Tone::Muted : Tone::Normal);
    case FractionRole:
        return column == State && item.state.fraction ? QVariant(*item.state.fraction) : QVariant();
    case SparklineRole:
        return column == LastHour ? QVariant::fromValue(item.row.lastHour) : QVariant();
    default:
        return {};
    }
}

QVariant GroupsModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(column == Messages ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && column == Check)
        return tr("Selected");
    if (role == Qt::InitialSortOrderRole) // most and newest first
        return column == Cause ? int(Qt::AscendingOrder) : int(Qt::DescendingOrder);
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Check:
    case ColumnCount:
        return {};
    case Cause:
        return tr("Cause");
    case Messages:
        return tr("Messages");
    case LastHour:
        return tr("Last hour");
    case FirstFailed:
        return tr("First failed");
    case LastFailed:
        return tr("Last failed");
    case State:
        return tr("State");
    }
    Q_UNREACHABLE();
}

} // namespace models
