#include "backend/report/operationreport.h"

#include "backend/core/limits.h"
#include "backend/core/time/durationtext.h"
#include "backend/report/page.h"
#include "backend/report/pictures.h"
#include "backend/report/text.h"

namespace report {

namespace {

QString title(const records::RetryOperation &operation)
{
    const bool release = operation.kind == records::OperationKind::Release;
    return (release ? Text::tr("Report on release %1") : Text::tr("Report on retry %1")).arg(operation.id.value);
}

QString wayOf(records::HandOver handOver)
{
    switch (handOver) {
    case records::HandOver::StagingQueue:
        return Text::tr("through a staging queue on the broker");
    case records::HandOver::IntentLog:
        return Text::tr("one by one, with an intent log in the store");
    case records::HandOver::None:
        break;
    }
    return {};
}

QString lengthOf(const records::RetryOperation &operation)
{
    if (!operation.started || !operation.finished)
        return {};
    return span(std::chrono::duration_cast<core::Milliseconds>(*operation.finished - *operation.started));
}

QString whenOf(const std::optional<core::TimePoint> &at)
{
    return at ? utc(at) : QString();
}

QString stopText(const records::StopWhen &stop)
{
    return Text::tr("Pause when %1 of the sent messages come back").arg(records::toString(stop));
}

QString head(const OperationReport &report)
{
    const records::RetryOperation &operation = report.detail.operation;
    const records::Plan &plan = operation.plan;
    return QStringLiteral("<h1>") + escaped(title(operation)) + QStringLiteral("</h1>\n")
           + facts(
               {{Text::tr("Scope"), operation.scope},
                {Text::tr("Reason"), plan.reason},
                {Text::tr("Requested by"), operation.who},
                {Text::tr("Connection"), report.detail.connection},
                {Text::tr("State"), records::toString(operation.state)},
                {Text::tr("Messages"), number(operation.total)},
                {Text::tr("Message limit"), plan.limit ? number(*plan.limit) : QString()},
                {Text::tr("Rate limit"), plan.perMinute ? records::rateText(*plan.perMinute) : QString()},
                {Text::tr("Waiting limit per destination"), plan.mostWaiting ? number(*plan.mostWaiting) : QString()},
                {Text::tr("Share of the broker"),
                 plan.brokerShare ? Text::tr("at most %1 % of its time").arg(*plan.brokerShare) : QString()},
                {Text::tr("Messages that destinations drop"), plan.acceptDrops ? Text::tr("accepted") : QString()},
                {Text::tr("Confirmation"), plan.askEndpoints ? Text::tr("endpoints are asked") : QString()},
                {Text::tr("Order"), plan.keepOrder ? Text::tr("kept for each destination") : QString()},
                {Text::tr("Earliest start"), whenOf(plan.notBefore)},
                {Text::tr("Ramp steps"), plan.ramp ? records::toString(*plan.ramp) : QString()},
                {Text::tr("Stop rule"), plan.stopWhen ? stopText(*plan.stopWhen) : QString()},
                {Text::tr("Sending method"), wayOf(operation.handOver)},
                {Text::tr("Requested"), utc(operation.requested)},
                {Text::tr("Started"), whenOf(operation.started)},
                {Text::tr("Ended"), whenOf(operation.finished)},
                {Text::tr("Duration"), lengthOf(operation)},
                {Text::tr("Waiting because"), operation.waitingReason},
                {Text::tr("Paused by the stop rule"), operation.stoppedBecause}});
}

QString outcomes(const records::OutcomeCounts &counts)
{
    QStringList lines;
    if (counts.cameBack > 0)
        lines.append(Text::tr("Came back (failed again after this operation): %1").arg(number(counts.cameBack)));
    if (counts.possibleDuplicates > 0)
        lines.append(
            Text::tr("Possible duplicates (may have been sent twice): %1").arg(number(counts.possibleDuplicates)));
    if (counts.inDoubt > 0)
        lines.append(Text::tr("In doubt: Redrive sent the message but got no answer. The message may have arrived."));
    if (counts.ejected > 0)
        lines.append(Text::tr("Ejected: the message was not delivered and went back to the unresolved messages."));
    QString text = outcomeBar(counts);
    for (const QString &line : std::as_const(lines))
        text += QStringLiteral("<p>") + escaped(line) + QStringLiteral("</p>\n");
    return text;
}

QString proofName(const api::ProofShare &share)
{
    switch (share.proof) {
    case api::Proof::Acknowledged:
        return Text::tr("Confirmed by the endpoint");
    case api::Proof::ByHand:
        return Text::tr("A person marked the messages as resolved");
    case api::Proof::Quiet:
        return Text::tr("Nothing came back for %1 while Redrive watched the error queue")
            .arg(core::durationText(share.quietFor.value_or(core::Milliseconds{0})));
    }
    Q_UNREACHABLE();
}

QString proofs(const QList<api::ProofShare> &shares)
{
    QList<QStringList> rows;
    for (const api::ProofShare &share : shares)
        rows.append({proofName(share), number(share.count), utc(share.first), utc(share.last)});
    return table(
        {{Text::tr("Evidence")}, {Text::tr("Messages"), true}, {Text::tr("First known")}, {Text::tr("Last known")}},
        rows);
}

QString destinations(const QList<api::DestinationShare> &shares)
{
    QList<QStringList> rows;
    for (const api::DestinationShare &share : shares) {
        const records::OutcomeCounts &counts = share.counts;
        rows.append({share.destination, number(counts.sum()), number(counts.sent), number(counts.ejected),
                     number(counts.inDoubt), number(counts.skipped + counts.cancelled), number(counts.cameBack)});
    }
    return table({{Text::tr("Destination")},
                  {Text::tr("Messages"), true},
                  {Text::tr("Sent"), true},
                  {Text::tr("Ejected"), true},
                  {Text::tr("In doubt"), true},
                  {Text::tr("Skipped or cancelled"), true},
                  {Text::tr("Came back"), true}},
                 rows);
}

QString returns(const QList<api::ReturnShare> &shares)
{
    QList<QStringList> rows;
    for (const api::ReturnShare &share : shares)
        rows.append({share.title.section(QLatin1Char('\n'), 0, 1), number(share.count), number(share.newCause),
                     QString::number(share.group.value), share.note});
    return table({{Text::tr("Current cause")},
                  {Text::tr("Messages"), true},
                  {Text::tr("With a new cause"), true},
                  {Text::tr("Failure group")},
                  {Text::tr("Note")}},
                 rows);
}

QString outcomeName(records::Outcome outcome)
{
    switch (outcome) {
    case records::Outcome::Skipped:
        return Text::tr("skipped");
    case records::Outcome::Ejected:
        return Text::tr("ejected");
    case records::Outcome::InDoubt:
        return Text::tr("in doubt");
    case records::Outcome::Cancelled:
        return Text::tr("cancelled");
    case records::Outcome::Pending:
    case records::Outcome::Claimed:
    case records::Outcome::Staged:
    case records::Outcome::Sent:
        break;
    }
    return records::toString(outcome);
}

QString reasons(const QList<api::ReasonShare> &shares)
{
    QList<QStringList> rows;
    for (const api::ReasonShare &share : shares)
        rows.append({outcomeName(share.outcome), share.reason, number(share.count)});
    return table({{Text::tr("Outcome")}, {Text::tr("Reason")}, {Text::tr("Messages"), true}}, rows);
}

QString members(const QList<records::RetryMember> &list)
{
    QList<QStringList> rows;
    for (const records::RetryMember &member : list)
        rows.append({number(member.ordinal), QString::number(member.message.value), member.uniqueId, member.destination,
                     member.reason});
    return table({{Text::tr("Number"), true},
                  {Text::tr("Message")},
                  {Text::tr("Unique id")},
                  {Text::tr("Destination")},
                  {Text::tr("Reason")}},
                 rows);
}

QString events(const QList<records::Event> &list)
{
    QList<QStringList> rows;
    for (const records::Event &event : list)
        rows.append({utc(event.at), event.who, event.what, event.onWhat, event.result});
    return table(
        {{Text::tr("Time")}, {Text::tr("Who")}, {Text::tr("Action")}, {Text::tr("Target")}, {Text::tr("Result")}},
        rows);
}

// Below a list that has the most rows that the engine gives.
QString cutNote(qsizetype rows)
{
    return rows < core::limits::operationShares
               ? QString()
               : Text::tr("The list ends at %1 rows. There may be more.").arg(number(core::limits::operationShares));
}

QString foot(const OperationReport &report)
{
    return QStringLiteral("<p class=\"note\">")
           + escaped(Text::tr("Created by Redrive %1 on %2. All times are UTC.")
                         .arg(QStringLiteral(REDRIVE_VERSION), utc(report.made)))
           + QStringLiteral("</p>\n");
}

} // namespace

QByteArray toHtml(const OperationReport &report)
{
    const api::OperationDetail &detail = report.detail;
    const QString body =
        head(report) + section(Text::tr("Outcomes"), outcomes(detail.operation.counts))
        + section(Text::tr("Progress over time"), course(report.samples))
        + section(Text::tr("Destinations"), destinations(detail.destinations), cutNote(detail.destinations.size()))
        + section(Text::tr("Messages known to be processed"), proofs(detail.proofs))
        + section(Text::tr("Messages that came back"), returns(detail.returns), cutNote(detail.returns.size()))
        + section(Text::tr("Reasons for messages not sent or in doubt"), reasons(detail.reasons),
                  cutNote(detail.reasons.size()))
        + section(Text::tr("Messages in doubt"), members(report.inDoubt), cutNote(report.inDoubt.size()))
        + section(Text::tr("Ejected messages"), members(report.ejected), cutNote(report.ejected.size()))
        + section(Text::tr("Activity about the operation"), events(detail.events), cutNote(detail.events.size()))
        + foot(report);
    return page(title(detail.operation), body).toUtf8();
}

} // namespace report
