#include "models/messages/messagecells.h"

#include "backend/records/messages/typename.h"
#include "models/common/roles.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

int alignmentOf(int column)
{
    const bool number = column == MessageCells::Attempts || column == MessageCells::Size;
    return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

// The namespace is only in the tool tip: in a narrow column it would hide the part that differs.
QString shortType(const QString &type)
{
    const QString name = records::shortTypeName(type);
    return visibleLine(name.isEmpty() ? type : name);
}

QString attempts(const records::FailedMessage &message)
{
    return message.cameBack > 0
               ? Text::tr("%1 · %2 back").arg(formatNumber(message.attempts), formatNumber(message.cameBack))
               : formatNumber(message.attempts);
}

bool isBrowsedOnly(const records::FailedMessage &message)
{
    return message.flags.testFlag(records::MessageFlag::BrowsedOnly);
}

QString statusOf(const records::FailedMessage &message)
{
    return isBrowsedOnly(message) ? Text::tr("Browsed only") : textOf(message.status);
}

} // namespace

QString MessageCells::text(const records::FailedMessage &message, int column) const
{
    switch (Column(column)) {
    case Check:
    case ColumnCount:
        return {};
    case FailedAt:
        return formatListTime(message.lastFailed, now, zone);
    case Type:
        return shortType(message.messageType);
    case Exception:
        return shortType(message.failure.exceptionType);
    case Reason:
        return visibleLine(message.failure.exceptionMessage);
    case Queue:
        return shortQueueName(message.queue);
    case ReturnsTo:
        return message.destination.queue.isEmpty() ? Text::tr("unknown") : shortQueueName(message.destination.queue);
    case Attempts:
        return attempts(message);
    case Size:
        return formatSize(message.bodySize);
    case Status:
        return statusOf(message);
    case Id:
        return visibleLine(message.messageId.isEmpty() ? message.uniqueId : message.messageId);
    }
    Q_UNREACHABLE();
}

QString MessageCells::tip(const records::FailedMessage &message, int column) const
{
    if (column == FailedAt)
        return timeTip(message.lastFailed, now, zone);
    if (column == Queue)
        return visibleLine(message.queue);
    if (column == Type)
        return visibleLine(message.messageType);
    if (column == Exception)
        return visibleLine(message.failure.exceptionType);
    if (column == Status && isBrowsedOnly(message))
        return Text::tr("The original is still in %1. Take it before you retry or archive it.")
            .arg(visibleLine(message.queue));
    if (column == ReturnsTo && !message.destination.knownFrom.isEmpty())
        return Text::tr("%1, from %2")
            .arg(textOf(message.destination.certainty), visibleLine(message.destination.knownFrom));
    return text(message, column);
}

QVariant MessageCells::cell(const records::FailedMessage &message, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return text(message, column);
    case Qt::AccessibleTextRole: // the view draws the check box from the selection
        return column == Check ? Text::tr("Select message %1").arg(text(message, Id)) : text(message, column);
    case Qt::ToolTipRole:
        return tip(message, column);
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case IdRole:
        return message.id.value;
    case ToneRole:
        if (column == Status)
            return int(isBrowsedOnly(message) ? Tone::Muted : toneOf(message.status));
        if (column == Attempts && message.cameBack > 0)
            return int(Tone::Warn);
        if (column == ReturnsTo && message.destination.queue.isEmpty())
            return int(Tone::Warn);
        return int(column == FailedAt || column == Reason || column == Id ? Tone::Muted : Tone::Normal);
    default:
        return {};
    }
}

QVariant MessageCells::headerCell(int column, int role)
{
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column);
    if (role == Qt::AccessibleTextRole && column == Check)
        return Text::tr("Selected");
    if (role == Qt::InitialSortOrderRole) // newest, most and largest first
        return int(column == FailedAt || column == Attempts || column == Size ? Qt::DescendingOrder
                                                                              : Qt::AscendingOrder);
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Check:
    case ColumnCount:
        return {};
    case FailedAt:
        return Text::tr("Failed at");
    case Type:
        return Text::tr("Message type");
    case Exception:
        return Text::tr("Exception");
    case Reason:
        return Text::tr("Exception message");
    case Queue:
        return Text::tr("Queue");
    case ReturnsTo:
        return Text::tr("Returns to");
    case Attempts:
        return Text::tr("Failures");
    case Size:
        return Text::tr("Size");
    case Status:
        return Text::tr("Status");
    case Id:
        return Text::tr("Id");
    }
    Q_UNREACHABLE();
}

std::optional<records::MessageOrder> MessageCells::orderOf(int column)
{
    switch (Column(column)) {
    case FailedAt:
        return records::MessageOrder::LastFailed;
    case Queue:
        return records::MessageOrder::Queue;
    case Attempts:
        return records::MessageOrder::Attempts;
    case Size:
        return records::MessageOrder::Size;
    case Type: // the index has the whole name, the column shows its last part
    case Exception:
    case Check:
    case Reason:
    case ReturnsTo:
    case Status:
    case Id:
    case ColumnCount:
        return std::nullopt;
    }
    Q_UNREACHABLE();
}

} // namespace models
