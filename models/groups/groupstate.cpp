#include "models/groups/groupstate.h"

#include "models/common/formatters.h"
#include "models/common/text.h"

namespace models {

namespace {

QString joined(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

double fractionOf(const records::RetryOperation &operation)
{
    return operation.total == 0
               ? 0
               : double(operation.counts.ended() - operation.counts.cancelled) / double(operation.total);
}

QString newerText(qint64 newer)
{
    return newer > 0 ? Text::tr("%1 new").arg(formatNumber(newer)) : QString();
}

// The state of a group without a running operation.
GroupState resting(const api::GroupRow &row, records::MessageStatus status, qint64 newer)
{
    if (status == records::MessageStatus::Unresolved && row.browsedOnly > 0 && row.cameBack == 0) {
        const bool all = row.browsedOnly >= row.count;
        const QString seen =
            all ? Text::tr("Browsed only") : Text::tr("%1 browsed only").arg(formatNumber(row.browsedOnly));
        return {joined({seen, newerText(newer)}), std::nullopt, Tone::Muted};
    }
    if (row.count == 0) // all of its messages are in a retry that is not known here yet, or were sent by it
        return {row.inRetry > 0 ? Text::tr("%1 in retry").arg(formatNumber(row.inRetry)) : Text::tr("All sent"),
                std::nullopt, Tone::Muted};
    // Messages that came back matter most. They replace the status, which all rows share, and the number in retry,
    // which the tool tip shows.
    QStringList parts{row.cameBack > 0 ? Text::tr("%1 came back").arg(formatNumber(row.cameBack)) : textOf(status),
                      newerText(newer)};
    if (row.inRetry > 0 && row.cameBack == 0 && status != records::MessageStatus::RetryIssued)
        parts.append(Text::tr("%1 in retry").arg(formatNumber(row.inRetry)));
    return {joined(parts), std::nullopt, row.cameBack > 0 ? Tone::Warn : toneOf(status)};
}

QString percentOf(const records::RetryOperation &operation)
{
    constexpr double percent = 100;
    return formatNumber(qint64(fractionOf(operation) * percent));
}

GroupState running(const api::OperationView &view, const QString &newer)
{
    const QString name = formatNumber(view.operation.id.value);
    QStringList parts{Text::tr("Retry %1: %2 %").arg(name, percentOf(view.operation))};
    if (view.messagesPerSecond > 0)
        parts.append(formatRate(view.messagesPerSecond));
    parts.append(newer);
    return {joined(parts), fractionOf(view.operation), Tone::Accent};
}

} // namespace

// An operation can hold messages of many groups, so its text carries its number. After its end the counts of the group
// say more: a message that is still unresolved here is not done.
GroupState groupState(const api::GroupRow &row, records::MessageStatus status, qint64 newer,
                      const api::OperationView *operation)
{
    if (operation == nullptr)
        return resting(row, status, newer);
    using records::OperationState;
    const records::RetryOperation &retry = operation->operation;
    const double fraction = fractionOf(retry);
    const QString more = newerText(newer);
    const QString name = formatNumber(retry.id.value);
    switch (retry.state) {
    case OperationState::Freezing:
    case OperationState::Preparing:
        return {joined({Text::tr("Retry %1: %2").arg(name, textOf(retry.state)), more}), fraction, Tone::Accent};
    case OperationState::Waiting:
        return {joined({Text::tr("Retry %1 waits for its turn").arg(name), more}), fraction, Tone::Muted};
    case OperationState::Running:
        return running(*operation, more);
    case OperationState::Paused:
        return {joined({Text::tr("Retry %1 paused at %2 %").arg(name, percentOf(retry)), more}), fraction, Tone::Warn};
    case OperationState::Completed:
    case OperationState::Cancelled:
        return resting(row, status, newer);
    }
    Q_UNREACHABLE();
}

} // namespace models
