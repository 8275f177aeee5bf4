#include "backend/report/operationreport.h"

#include "backend/core/limits.h"
#include "backend/core/durationtext.h"
#include "backend/report/page.h"
#include "backend/report/pictures.h"

#include <QCoreApplication>

namespace report {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("report", text);
}

QString title(const records::RetryOperation &operation)
{
    const bool release = operation.kind == records::OperationKind::Release;
    return (release ? tr("Release, operation %1") : tr("Retry, operation %1")).arg(operation.id.value);
}

QString wayOf(records::HandOver handOver)
{
    switch (handOver) {
    case records::HandOver::StagingQueue:
        return tr("through a staging queue on the broker");
    case records::HandOver::Ledger:
        return tr("one by one, with a ledger in the store");
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
    return tr("%1 came back").arg(records::toString(stop));
}

QString head(const OperationReport &report)
{
    const records::RetryOperation &operation = report.detail.operation;
    const records::Plan &plan = operation.plan;
    return QStringLiteral("<h1>") + escaped(title(operation)) + QStringLiteral("</h1>\n")
           + facts({{tr("What"), operation.scope},
                    {tr("Why"), plan.reason},
                    {tr("Who"), operation.who},
                    {tr("Connection"), report.detail.connection},
                    {tr("State"), records::toString(operation.state)},
                    {tr("Messages"), number(operation.total)},
                    {tr("Only the first"), plan.limit ? number(*plan.limit) : QString()},
                    {tr("At most"), plan.perMinute ? records::rateText(*plan.perMinute) : QString()},
                    {tr("Wait at most"), plan.mostWaiting ? number(*plan.mostWaiting) : QString()},
                    {tr("Not before"), whenOf(plan.notBefore)},
                    {tr("In steps"), plan.ramp ? records::toString(*plan.ramp) : QString()},
                    {tr("Pauses when"), plan.stopWhen ? stopText(*plan.stopWhen) : QString()},
                    {tr("How"), wayOf(operation.handOver)},
                    {tr("Requested"), utc(operation.requested)},
                    {tr("Started"), whenOf(operation.started)},
                    {tr("Ended"), whenOf(operation.finished)},
                    {tr("Took"), lengthOf(operation)},
                    {tr("Waits"), operation.waitingReason},
                    {tr("Paused by itself"), operation.stoppedBecause}});
}

QString outcomes(const records::OutcomeCounts &counts)
{
    QString text = outcomeBar(counts);
    if (counts.cameBack > 0)
        text += QStringLiteral("<p>") + escaped(tr("Came back: %1").arg(number(counts.cameBack)))
                + QStringLiteral("</p>\n");
    if (counts.possibleDuplicates > 0)
        text += QStringLiteral("<p>")
                + escaped(tr("May have been sent twice: %1").arg(number(counts.possibleDuplicates)))
                + QStringLiteral("</p>\n");
    return text;
}

QString proofName(const api::ProofShare &share)
{
    switch (share.proof) {
    case api::Proof::Acknowledged:
        return tr("acknowledged by their endpoint");
    case api::Proof::ByHand:
        return tr("a person said so");
    case api::Proof::Quiet:
        return tr("quiet for %1 while it was watched")
            .arg(core::durationText(share.quietFor.value_or(core::Milliseconds{0})));
    }
    Q_UNREACHABLE();
}

QString proofs(const QList<api::ProofShare> &shares)
{
    QList<QStringList> rows;
    for (const api::ProofShare &share : shares)
        rows.append({proofName(share), number(share.count), utc(share.first), utc(share.last)});
    return table({{tr("How that is known")}, {tr("Messages"), true}, {tr("First")}, {tr("Last")}}, rows);
}

QString destinations(const QList<api::DestinationShare> &shares)
{
    QList<QStringList> rows;
    for (const api::DestinationShare &share : shares) {
        const records::OutcomeCounts &counts = share.counts;
        rows.append({share.destination, number(counts.sum()), number(counts.sent), number(counts.ejected),
                     number(counts.inDoubt), number(counts.skipped + counts.cancelled), number(counts.cameBack)});
    }
    return table({{tr("Destination")},
                  {tr("Messages"), true},
                  {tr("Sent"), true},
                  {tr("Ejected"), true},
                  {tr("In doubt"), true},
                  {tr("Left out"), true},
                  {tr("Came back"), true}},
                 rows);
}

QString returns(const QList<api::ReturnShare> &shares)
{
    QList<QStringList> rows;
    for (const api::ReturnShare &share : shares)
        rows.append({share.title.section(QLatin1Char('\n'), 0, 1), number(share.count), number(share.newCause),
                     QString::number(share.group.value), share.note});
    return table(
        {{tr("Cause now")}, {tr("Messages"), true}, {tr("With a new cause"), true}, {tr("Group")}, {tr("Note")}}, rows);
}

QString outcomeName(records::Outcome outcome)
{
    switch (outcome) {
    case records::Outcome::Skipped:
        return tr("skipped");
    case records::Outcome::Ejected:
        return tr("ejected");
    case records::Outcome::InDoubt:
        return tr("in doubt");
    case records::Outcome::Cancelled:
        return tr("cancelled");
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
    return table({{tr("Outcome")}, {tr("Why")}, {tr("Messages"), true}}, rows);
}

QString members(const QList<api::MemberRow> &list)
{
    QList<QStringList> rows;
    for (const api::MemberRow &member : list)
        rows.append({number(member.ordinal), QString::number(member.message.value), member.uniqueId, member.destination,
                     member.reason});
    return table({{tr("Number"), true}, {tr("Message")}, {tr("Unique id")}, {tr("Destination")}, {tr("Why")}}, rows);
}

QString events(const QList<records::Event> &list)
{
    QList<QStringList> rows;
    for (const records::Event &event : list)
        rows.append({utc(event.at), event.who, event.what, event.onWhat, event.result});
    return table({{tr("At")}, {tr("Who")}, {tr("What")}, {tr("On")}, {tr("Result")}}, rows);
}

// Said where a list was cut.
QString cutNote(qsizetype rows)
{
    return rows < core::limits::operationShares
               ? QString()
               : tr("Only the first %1 are listed here.").arg(number(core::limits::operationShares));
}

QString foot(const OperationReport &report)
{
    return QStringLiteral("<p class=\"note\">")
           + escaped(tr("Written by Redrive %1 at %2. All times are UTC.")
                         .arg(QStringLiteral(REDRIVE_VERSION), utc(report.made)))
           + QStringLiteral("</p>\n");
}

} // namespace

QByteArray toHtml(const OperationReport &report)
{
    const api::OperationDetail &detail = report.detail;
    const QString body =
        head(report) + section(tr("Outcomes"), outcomes(detail.operation.counts))
        + section(tr("Course of the run"), course(report.samples))
        + section(tr("Destinations"), destinations(detail.destinations), cutNote(detail.destinations.size()))
        + section(tr("Known to be processed"), proofs(detail.proofs))
        + section(tr("What came back"), returns(detail.returns), cutNote(detail.returns.size()))
        + section(tr("Why messages were not sent, or may not have been"), reasons(detail.reasons),
                  cutNote(detail.reasons.size()))
        + section(tr("In doubt"), members(report.inDoubt), cutNote(report.inDoubt.size()))
        + section(tr("Ejected"), members(report.ejected), cutNote(report.ejected.size()))
        + section(tr("Activity meanwhile"), events(detail.events), cutNote(detail.events.size())) + foot(report);
    return page(title(detail.operation), body).toUtf8();
}

} // namespace report
