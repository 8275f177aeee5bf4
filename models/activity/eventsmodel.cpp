#include "models/activity/eventsmodel.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

EventsModel::EventsModel(const ConsoleFilter &filter, QObject *parent)
    : RowModel(parent)
    , m_filter(filter)
{
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] { touchAll(); });
}

QString EventsModel::text(const records::Event &event, int column) const
{
    switch (Column(column)) {
    case At:
        return formatListTime(event.at, m_now, m_filter.zone());
    case Severity:
        return textOf(event.severity);
    case Who:
        return visibleLine(event.who);
    case What:
        return visibleLine(event.what);
    case OnWhat:
        return visibleLine(event.onWhat);
    case Outcome:
        return visibleLine(event.result);
    case ColumnCount:
        return {};
    }
    Q_UNREACHABLE();
}

QVariant EventsModel::cell(const records::Event &event, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(event, column);
    case Qt::ToolTipRole:
        return column == At ? timeTip(event.at, m_now, m_filter.zone()) : text(event, column);
    case ToneRole:
        return int(column == Severity ? toneOf(event.severity) : column == At ? Tone::Muted : Tone::Normal);
    default:
        return {};
    }
}

QVariant EventsModel::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case At:
        return tr("Time");
    case Severity:
        return tr("Severity");
    case Who:
        return tr("Who");
    case What:
        return tr("Action");
    case OnWhat:
        return tr("Target");
    case Outcome:
        return tr("Result");
    case ColumnCount:
        return {};
    }
    Q_UNREACHABLE();
}

} // namespace models

#include "moc_eventsmodel.cpp"
