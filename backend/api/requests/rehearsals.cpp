#include "backend/api/requests/rehearsals.h"

#include "backend/core/time/durationtext.h"

#include <cmath>

namespace api {

namespace {

using Rows = QList<std::pair<QString, QString>>;

QString copiesText(qint64 count)
{
    return count == 1 ? Text::tr("1 message") : Text::tr("%1 messages").arg(count);
}

void addCount(Rows &rows, const QString &what, qint64 count)
{
    if (count > 0)
        rows.append({what, QString::number(count)});
}

void addCounts(Rows &rows, const QString &pattern, const QList<RehearsalCount> &counts)
{
    for (const RehearsalCount &one : counts)
        rows.append({pattern.arg(one.what), QString::number(one.count)});
}

QString endOf(const RehearsalReport &report)
{
    if (report.stopped && report.policy.isEmpty())
        return Text::tr("The retry would have stopped after %1: %2")
            .arg(core::durationText(report.stopped->at), report.stopped->why);
    if (report.stopped)
        return Text::tr("The policy would have stopped after %1: %2")
            .arg(core::durationText(report.stopped->at), report.stopped->why);
    if (!report.isOver)
        return Text::tr("It would not have ended within %1.").arg(core::durationText(report.took));
    return Text::tr("It would have taken %1.").arg(core::durationText(report.took));
}

// The stand-in accepts whatever the faults do not name, but the real service refuses the same content again.
QString permanentText(qint64 count)
{
    if (count == 0)
        return {};
    return count == 1
               ? Text::tr("1 message processed here has a permanent failure. It fails again unless its cause is "
                          "repaired.")
               : Text::tr("%1 messages processed here have a permanent failure. They fail again unless its cause "
                          "is repaired.")
                     .arg(count);
}

QString sentenceOf(const RehearsalReport &report)
{
    if (report.sent == 0)
        return Text::tr("Nothing would have been sent.");
    const QString outcome =
        Text::tr("Simulated outcome: %1 of %2 processed, %3 left for a person.")
            .arg(QString::number(report.processed), copiesText(report.copied), QString::number(report.leftForAPerson));
    const QString permanent = permanentText(report.permanent);
    return permanent.isEmpty() ? outcome + QLatin1Char(' ') + endOf(report)
                               : outcome + QLatin1Char(' ') + permanent + QLatin1Char(' ') + endOf(report);
}

void addPolicyRows(Rows &rows, const RehearsalReport &report)
{
    if (report.policy.isEmpty())
        return;
    rows.append({Text::tr("Retries at once"), QString::number(report.immediateRetries)});
    rows.append({Text::tr("Delayed retries"), QString::number(report.delayedRetries)});
    for (const RehearsalProbing &one : report.probing) {
        const QString from = core::durationText(one.started);
        const QString value = one.ended ? Text::tr("from %1 to %2").arg(from, core::durationText(*one.ended))
                                        : Text::tr("from %1 to the end").arg(from);
        rows.append({Text::tr("One message at a time after %1 failures in a row").arg(one.failuresBefore), value});
    }
    addCount(rows, Text::tr("Given up and moved to another queue"), report.moved);
}

} // namespace

std::optional<int> rehearsalShareFrom(QStringView text)
{
    const QStringView trimmed = text.trimmed();
    if (!trimmed.endsWith(u'%'))
        return std::nullopt;
    bool isNumber = false;
    const double percent = trimmed.chopped(1).trimmed().toDouble(&isNumber);
    const double share = std::round(percent * RehearsalFaults::wholeShare / 100);
    if (!isNumber || !(share >= 1) || share > RehearsalFaults::wholeShare)
        return std::nullopt;
    return int(share);
}

QString roundName(const RehearsalReport &report, const RehearsalRound &round)
{
    if (report.policy.isEmpty())
        return Text::tr("Retry %1").arg(round.retry);
    return round.delayed ? Text::tr("Retry %1, delayed").arg(round.retry)
                         : Text::tr("Retry %1, at once").arg(round.retry);
}

RehearsalText textOf(const RehearsalReport &report)
{
    RehearsalText text;
    text.sentence = sentenceOf(report);
    Rows &rows = text.rows;
    rows.append({Text::tr("Copies sent, every retry counted"), QString::number(report.sent)});
    rows.append({Text::tr("Messages processed"), QString::number(report.processed)});
    addCount(rows, Text::tr("Processed, but with a permanent failure: they fail again without a repair"),
             report.permanent);
    addCount(rows, Text::tr("Processed more than once"), report.processedTwice);
    rows.append({Text::tr("Copies that came back"), QString::number(report.cameBack)});
    addCounts(rows, QStringLiteral("  %1"), report.cameBackBy);
    addPolicyRows(rows, report);
    rows.append({Text::tr("Left for a person"), QString::number(report.leftForAPerson)});
    addCounts(rows, QStringLiteral("  %1"), report.leftBy);
    addCount(rows, Text::tr("Not rehearsed, because there are too many"), report.beyondLimit);
    addCount(rows, Text::tr("Not rehearsed, because they are browsed only"), report.browsedOnly);
    if (report.unreadable.count > 0)
        rows.append({Text::tr("Not rehearsed, because they cannot be read"), report.unreadable.text()});
    rows.append({Text::tr("Unaccounted"), QString::number(report.unaccounted)});
    return text;
}

} // namespace api
