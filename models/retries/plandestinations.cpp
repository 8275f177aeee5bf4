#include "models/retries/plandestinations.h"

#include "models/common/formatters.h"
#include "models/common/roles.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "models/retries/plantext.h"

#include <algorithm>

namespace models {

namespace {

bool isMissing(const api::PlannedDestination &row)
{
    return row.destination.queue.isEmpty() || row.exists == std::optional(false) || !row.cannotSend.isEmpty();
}

QString whyNothingWaits(const api::PlannedDestination &row)
{
    if (row.destination.queue.isEmpty())
        return PlanDestinations::tr("left out");
    return row.cannotSend.isEmpty() ? PlanDestinations::tr("does not exist") : PlanDestinations::tr("cannot be used");
}

bool isCount(int column)
{
    return column == PlanDestinations::Messages || column == PlanDestinations::Waiting
           || column == PlanDestinations::Consumers;
}

} // namespace

QString PlanDestinations::keyOf(const api::PlannedDestination &row) const
{
    // A queue that is known from two places has two rows. A redirect does not change the key of a row.
    const records::Destination &said = row.insteadOf ? *row.insteadOf : row.destination;
    return said.queue + QChar(0) + said.knownFrom + QChar(0) + QString::number(int(said.certainty));
}

QList<api::PlannedDestination> PlanDestinations::rowsOf(const api::PlanPreview &preview)
{
    QList<api::PlannedDestination> rows = preview.destinations;
    rows += preview.missingDestinations;
    if (preview.unknown.count > 0)
        rows.append(preview.unknown);
    return rows;
}

bool PlanDestinations::knowsConsumers() const
{
    return std::any_of(rows().cbegin(), rows().cend(),
                       [](const api::PlannedDestination &row) { return row.consumers.has_value(); });
}

bool PlanDestinations::same(const api::PlannedDestination &a, const api::PlannedDestination &b) const
{
    return a.destination == b.destination && a.count == b.count && a.exists == b.exists && a.waiting == b.waiting
           && a.consumers == b.consumers && a.straightBack == b.straightBack && a.insteadOf == b.insteadOf
           && a.standing == b.standing && a.why == b.why && a.route == b.route && a.choices == b.choices
           && a.cannotSend == b.cannotSend;
}

QVariant PlanDestinations::cell(const api::PlannedDestination &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, Column(column));
    case Qt::ToolTipRole:
        return explained(row, Column(column));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isCount(column) ? Qt::AlignRight : Qt::AlignLeft));
    case ToneRole:
        if (isMissing(row))
            return int(Tone::Bad);
        if (row.straightBack > 0)
            return int(Tone::Warn);
        if (column == GoesTo && row.insteadOf)
            return int(Tone::Warn);
        return int(column == KnownFrom ? Tone::Muted : Tone::Normal);
    default:
        return {};
    }
}

// A cell may be too narrow for what it says.
QString PlanDestinations::explained(const api::PlannedDestination &row, Column column) const
{
    QStringList lines{text(row, column)};
    if (column == Queue || column == KnownFrom)
        lines.append(PlanText::evidence(row));
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString PlanDestinations::text(const api::PlannedDestination &row, Column column) const
{
    switch (column) {
    case Queue:
        if (row.straightBack > 0 && !row.insteadOf)
            return tr("%1 (the queue they came from)").arg(visibleLine(row.destination.queue));
        return row.origin().isEmpty() ? tr("unknown") : visibleLine(row.origin());
    case GoesTo:
        return visibleLine(row.destination.queue);
    case Messages:
        return formatNumber(row.count);
    case KnownFrom:
        if (row.insteadOf)
            return row.standing ? tr("standing redirect") : tr("your choice");
        return row.destination.knownFrom.isEmpty()
                   ? textOf(row.destination.certainty)
                   : tr("%1, %2").arg(textOf(row.destination.certainty), visibleLine(row.destination.knownFrom));
    case Waiting:
        if (isMissing(row))
            return whyNothingWaits(row);
        return row.waiting ? formatNumber(*row.waiting) : tr("unknown");
    case Consumers:
        if (isMissing(row))
            return {};
        return row.consumers ? formatNumber(*row.consumers) : tr("unknown");
    }
    Q_UNREACHABLE();
}

QVariant PlanDestinations::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isCount(column) ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Queue:
        return tr("Queue");
    case GoesTo:
        return tr("Goes to");
    case Messages:
        return tr("Messages");
    case KnownFrom:
        return tr("Known from");
    case Waiting:
        return tr("Waiting now");
    case Consumers:
        return tr("Consumers");
    }
    Q_UNREACHABLE();
}

} // namespace models

#include "moc_plandestinations.cpp"
