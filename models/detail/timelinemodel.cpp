#include "models/detail/timelinemodel.h"

#include "models/common/roles.h"
#include "models/common/visibletext.h"

namespace models {

TimelineModel::TimelineModel(const ConsoleFilter &filter, QObject *parent)
    : RowModel(parent)
    , m_filter(filter)
{
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] { touchAll(); });
}

void TimelineModel::showAttempts(const QList<records::ProcessingAttempt> &attempts, core::TimePoint now)
{
    m_now = now;
    QList<TimelineRow> rows;
    for (const records::ProcessingAttempt &attempt : attempts) {
        QStringList parts;
        const QString type = attempt.failure.exceptionType.section(QLatin1Char('.'), -1);
        for (const QString &part : {type, attempt.failure.exceptionMessage, attempt.failure.host, attempt.queue}) {
            if (!part.isEmpty())
                parts.append(visibleLine(part));
        }
        rows.append(TimelineRow{int(rows.size()), attempt.failure.at.value_or(attempt.takenAt),
                                parts.join(QStringLiteral(" · "))});
    }
    setRows(rows);
}

void TimelineModel::showTrail(const QList<records::TrailEntry> &trail, core::TimePoint now)
{
    m_now = now;
    QList<TimelineRow> rows;
    for (const records::TrailEntry &entry : trail) {
        const QString text = entry.who.isEmpty()
                                 ? visibleLine(entry.what)
                                 : tr("%1 · by %2").arg(visibleLine(entry.what), visibleLine(entry.who));
        rows.append(TimelineRow{int(rows.size()), entry.at, text});
    }
    setRows(rows);
}

bool TimelineModel::same(const TimelineRow &a, const TimelineRow &b) const
{
    return a.at == b.at && a.text == b.text;
}

QVariant TimelineModel::cell(const TimelineRow &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return column == At ? formatListTime(row.at, m_now, m_filter.zone()) : row.text;
    case Qt::ToolTipRole:
        return column == At ? timeTip(row.at, m_now, m_filter.zone()) : row.text;
    case ToneRole:
        return int(column == At ? Tone::Muted : Tone::Normal);
    default:
        return {};
    }
}

QVariant TimelineModel::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == At ? tr("Time") : tr("What happened");
}

} // namespace models

#include "moc_timelinemodel.cpp"
