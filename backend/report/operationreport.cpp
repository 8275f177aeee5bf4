#include "backend/report/operationreport.h"

#include "backend/core/durationtext.h"
#include "backend/core/limits.h"
#include "backend/report/page.h"
#include "backend/report/pictures.h"
#include "backend/report/text.h"

namespace report {

namespace {

QString title(const records::RetryOperation &operation)
{
    const bool release = operation.kind == records::OperationKind::Release;
    return (release ? Text::tr("Release, operation %1") : Text::tr("Retry, operation %1")).arg(operation.id.value);
}

QString wayOf(records::HandOver handOver)
{
    switch (handOver) {
    case records::HandOver::StagingQueue:
        return Text::tr("through a staging queue on the broker");
    case records::HandOver::IntentLog:
        return Text::tr("one by one, with a ledger in the store");
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
    return Text::tr("%1 came back").arg(records::toString(stop));
}

QString head(const OperationReport &report)
{
    const records::RetryOperation &operation = report.detail.operation;
    const records::Plan &plan = operation.plan;
    return QStringLiteral("<h1>") + escaped(title(operation)) + QStringLiteral("</h1>\n")
           + facts({{Text::tr("What"), operation.scope},
                    {Text::tr("Why"), plan.reason},
                    {Text::tr("Who"), operation.who},
                    {Text::tr("Connection"), report.detail.connection},
                    {Text::tr("State"), records::toString(operation.state)},
                    {Text::tr("Messages"), number(operation.total)},
                    {Text::tr("Only the first"), plan.limit ? number(*plan.limit) : QString()},
                    {Text::tr("At most"), plan.perMinute ? records::rateText(*plan.perMinute) : QString()},
                    {Text::tr("Wait at most"), plan.mostWaiting ? number(*plan.mostWaiting) : QString()},
                    {Text::tr("Not before"), whenOf(plan.notBefore)},
                    {Text::tr("In steps"), plan.ramp ? records::toString(*plan.ramp) : QString()},
                    {Text::tr("Pauses when"), plan.stopWhen ? stopText(*plan.stopWhen) : QString()},
                    {Text::tr("How"), wayOf(operation.handOver)},
                    {Text::tr("Requested"), utc(operation.requested)},
                    {Text::tr("Started"), whenOf(operation.started)},
                    {Text::tr("Ended"), whenOf(operation.finished)},
                    {Text::tr("Took"), lengthOf(operation)},
                    {Text::tr("Waits"), operation.waitingReason},
                    {Text::tr("Paused by itself"), operation.stoppedBecause}});
}

QString outcomes(const records::OutcomeCounts &counts)
{
    QString text = outcomeBar(counts);
    if (counts.cameBack > 0)
        text += QStringLiteral("<p>") + escaped(Text::tr("Came back: %1").arg(number(counts.cameBack)))
                + QStringLiteral("</p>\n");
    if (counts.possibleDuplicates > 0)
        text += QStringLiteral("<p>")
                + escaped(Text::tr("May have been sent twice: %1").arg(number(counts.possibleDuplicates)))
                + QStringLiteral("</p>\n");
    return text;
}

QString proofName(const api::ProofShare &share)
{
    switch (share.proof) {
    case api::Proof::Acknowledged:
        return Text::tr("acknowledged by their endpoint");
    case api::Proof::ByHand:
        return Text::tr("a person said so");
    case api::Proof::Quiet:
        return Text::tr("quiet for %1 while it was watched")
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
        {{Text::tr("How that is known")}, {Text::tr("Messages"), true}, {Text::tr("First")}, {Text::tr("Last")}}, rows);
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
                  {Text::tr("Left out"), true},
                  {Text::tr("Came back"), true}},
                 rows);
}

QString returns(const QList<api::ReturnShare> &shares)
{
    QList<QStringList> rows;
    for (const api::ReturnShare &share : shares)
        rows.append({share.title.section(QLatin1Char('\n'), 0, 1), number(share.count), number(share.newCause),
                     QString::number(share.group.value), share.note});
    return table({{Text::tr("Cause now")},
                  {Text::tr("Messages"), true},
                  {Text::tr("With a new cause"), true},
                  {Text::tr("Group")},
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
    return table({{Text::tr("Outcome")}, {Text::tr("Why")}, {Text::tr("Messages"), true}}, rows);
}

QString members(const QList<api::MemberRow> &list)
{
    QList<QStringList> rows;
    for (const api::MemberRow &member : list)
        rows.append({number(member.ordinal), QString::number(member.message.value), member.uniqueId, member.destination,
                     member.reason});
    return table({{Text::tr("Number"), true},
                  {Text::tr("Message")},
                  {Text::tr("Unique id")},
                  {Text::tr("Destination")},
                  {Text::tr("Why")}},
                 rows);
}

QString events(const QList<records::Event> &list)
{
    QList<QStringList> rows;
    for (const records::Event &event : list)
        rows.append({utc(event.at), event.who, event.what, event.onWhat, event.result});
    return table({{Text::tr("At")}, {Text::tr("Who")}, {Text::tr("What")}, {Text::tr("On")}, {Text::tr("Result")}},
                 rows);
}

// Said where a list was cut.
QString cutNote(qsizetype rows)
{
    return rows < core::limits::operationShares
               ? QString()
               : Text::tr("Only the first %1 are listed here.").arg(number(core::limits::operationShares));
}

QString foot(const OperationReport &report)
{
    return QStringLiteral("<p class=\"note\">")
           + escaped(Text::tr("Written by Redrive %1 at %2. All times are UTC.")
                         .arg(QStringLiteral(REDRIVE_VERSION), utc(report.made)))
           + QStringLiteral("</p>\n");
}

} // namespace

QByteArray toHtml(const OperationReport &report)
{
    const api::OperationDetail &detail = report.detail;
    const QString body =
        head(report) + section(Text::tr("Outcomes"), outcomes(detail.operation.counts))
        + section(Text::tr("Course of the run"), course(report.samples))
        + section(Text::tr("Destinations"), destinations(detail.destinations), cutNote(detail.destinations.size()))
        + section(Text::tr("Known to be processed"), proofs(detail.proofs))
        + section(Text::tr("What came back"), returns(detail.returns), cutNote(detail.returns.size()))
        + section(Text::tr("Why messages were not sent, or may not have been"), reasons(detail.reasons),
                  cutNote(detail.reasons.size()))
        + section(Text::tr("In doubt"), members(report.inDoubt), cutNote(report.inDoubt.size()))
        + section(Text::tr("Ejected"), members(report.ejected), cutNote(report.ejected.size()))
        + section(Text::tr("Activity meanwhile"), events(detail.events), cutNote(detail.events.size())) + foot(report);
    return page(title(detail.operation), body).toUtf8();
}

} // namespace report
