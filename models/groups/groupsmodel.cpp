#include "models/groups/groupsmodel.h"

#include "backend/api/groupcause.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "models/groups/groupmarktext.h"

#include <numeric>
#include <tuple>

namespace models {

QString GroupsModel::spoken(const QList<int> &lastHour)
{
    QStringList numbers;
    for (const int count : lastHour)
        numbers.append(formatNumber(count));
    const int all = failuresOf(lastHour);
    return all == 0 ? tr("no failures in the last hour")
                    : tr("%1 failures in the last hour, per 5 minutes: %2", nullptr, all)
                          .arg(formatNumber(all), numbers.join(QStringLiteral(" ")));
}

GroupsModel::GroupsModel(const ConsoleFilter &filter, QObject *parent)
    : RowModel(parent)
    , m_filter(filter)
{
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] { touchAll(); });
}

int GroupsModel::failuresOf(const QList<int> &lastHour)
{
    return std::accumulate(lastHour.cbegin(), lastHour.cend(), 0);
}

// A time in a file needs its date: nobody knows when the file is read.
QString GroupsModel::fileCell(const GroupItem &item, int column) const
{
    switch (column) {
    case LastHour:
        return formatNumber(failuresOf(item.row.lastHour));
    case FirstFailed:
        return formatFullTime(item.row.firstFailed, m_filter.zone());
    case LastFailed:
        return formatFullTime(item.row.lastFailed, m_filter.zone());
    default:
        return text(item, column);
    }
}

QStringList GroupsModel::line(const GroupItem &item, const QList<int> &columns) const
{
    QStringList cells;
    for (const int column : columns)
        cells.append(fileCell(item, column));
    return cells;
}

bool GroupsModel::same(const GroupItem &a, const GroupItem &b) const
{
    const auto key = [](const GroupItem &one) {
        return std::tie(one.row.title, one.row.example, one.shown, one.row.firstFailed, one.row.lastFailed,
                        one.row.lastHour, one.state, one.connectionName, one.isNamesake, one.policy, one.row.marks.note,
                        one.row.marks.mute, one.row.firstLost, one.row.lostSoon);
    };
    return key(a) == key(b);
}

QString GroupsModel::causeText(const GroupItem &item)
{
    return item.row.title.isEmpty() ? tr("(no exception recorded)") : visibleLine(api::causeOf(item.row));
}

QString GroupsModel::text(const GroupItem &item, int column) const
{
    switch (Column(column)) {
    case Check:
    case LastHour:
    case ColumnCount:
        return {};
    case Cause:
        return (item.row.marks.note ? noteMark() : QString()) + causeText(item)
               + (item.isNamesake ? tr(" · %1").arg(visibleLine(item.connectionName)) : QString());
    case Messages:
        return formatNumber(item.shown);
    case FirstFailed:
        return formatListTime(item.row.firstFailed, m_now, m_filter.zone());
    case LastFailed:
        return formatListTime(item.row.lastFailed, m_now, m_filter.zone());
    case State:
        return stateText(item);
    }
    Q_UNREACHABLE();
}

// A pencil marks a group that has a note. Screen readers get words instead.
QString GroupsModel::noteMark()
{
    return QStringLiteral("\u270e ");
}

// A running operation comes first. Otherwise a mute replaces the status, which is the same in all rows.
QString GroupsModel::stateText(const GroupItem &item) const
{
    const QString muted = muteText(item.row, m_now, m_filter.zone());
    const QString loss = lossText(item.row, m_now);
    if (item.state.fraction)
        return item.state.text;
    // A policy says more than the status, which is the same in all rows.
    const bool hasPolicy = !item.policy.isEmpty();
    const bool isPlain = item.state.text == textOf(records::MessageStatus::Unresolved);
    const QString state = hasPolicy && isPlain ? QString() : item.state.text;
    QStringList parts{muted.isEmpty() || !item.row.marks.isQuiet() ? state : muted, item.policy, loss};
    if (!muted.isEmpty() && !item.row.marks.isQuiet())
        parts.prepend(muted);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

Tone GroupsModel::tone(const GroupItem &item, int column) const
{
    if (column == State && item.state.fraction)
        return item.state.tone;
    if (item.row.marks.isQuiet())
        return Tone::Muted;
    if (column == State)
        return item.row.marks.mute || item.row.lostSoon > 0 ? Tone::Warn : item.state.tone;
    return column == FirstFailed || column == LastFailed ? Tone::Muted : Tone::Normal;
}

QString GroupsModel::tip(const GroupItem &item, int column) const
{
    switch (Column(column)) {
    case Check:
    case ColumnCount:
        return {};
    case Cause: {
        QStringList lines{tr("%1\non %2").arg(causeText(item), visibleLine(item.connectionName))};
        lines += markLines(item.row, m_now, m_filter.zone());
        if (!item.policy.isEmpty())
            lines.append(tr("%1: its messages are retried by themselves.").arg(item.policy));
        return lines.join(QLatin1Char('\n'));
    }
    case Messages:
        return tr("%1 messages in this group, %2 in retry, %3 came back", nullptr, int(item.row.count))
            .arg(formatNumber(item.shown), formatNumber(item.row.inRetry), formatNumber(item.row.cameBack));
    case LastHour:
        return tr("Failures per 5 minutes in the last hour");
    case FirstFailed:
        return timeTip(item.row.firstFailed, m_now, m_filter.zone());
    case LastFailed:
        return timeTip(item.row.lastFailed, m_now, m_filter.zone());
    case State: {
        QStringList lines{item.state.text};
        lines += markLines(item.row, m_now, m_filter.zone());
        return lines.join(QLatin1Char('\n'));
    }
    }
    Q_UNREACHABLE();
}

QString GroupsModel::accessible(const GroupItem &item, int column) const
{
    if (column == Check)
        return tr("Select %1").arg(text(item, Cause));
    if (column == LastHour)
        return spoken(item.row.lastHour);
    if (column == Cause && item.row.marks.note)
        return tr("%1, has a note").arg(text(item, column).mid(noteMark().size()));
    return text(item, column);
}

QVariant GroupsModel::cell(const GroupItem &item, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return text(item, column);
    case Qt::ToolTipRole:
        return tip(item, column);
    case Qt::AccessibleTextRole:
        return accessible(item, column);
    case Qt::TextAlignmentRole:
        return int(column == Messages ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case IdRole:
        return item.row.id.value;
    case ToneRole:
        return int(tone(item, column));
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

#include "moc_groupsmodel.cpp"
