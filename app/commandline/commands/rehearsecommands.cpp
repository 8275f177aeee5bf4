#include "app/commandline/arguments/named.h"
#include "app/commandline/arguments/policyfiles.h"
#include "app/commandline/arguments/retrydraft.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/api/longwork.h"
#include "backend/api/requests/rehearsals.h"
#include "backend/core/random.h"
#include "backend/core/time/durationtext.h"
#include "backend/core/time/timers.h"
#include "backend/recovery/files/policyfile.h"

#include <QFileInfo>

namespace commandline {

namespace {

using core::ErrorKind;
using core::Result;

constexpr core::Milliseconds firstLook{50};
constexpr core::Milliseconds longestPauseBetweenLooks{500};

// Options of the plan that a policy decides itself.
Result<> checkPolicyAlone(const Arguments &given)
{
    for (const char *name : {"limit", "rate", "most-waiting", "not-before", "ramp", "stop-when", "redirect",
                             "redirect-from", "edit", "on-unknown", "include-looped", "include-duplicates"}) {
        if (given.has(QLatin1String(name)))
            return core::fail(
                ErrorKind::Rejected,
                Text::tr("--%1 is of a retry. With --policy, the policy decides.").arg(QLatin1String(name)));
    }
    return {};
}

Result<> readPolicy(const Arguments &given, api::Rehearse &request)
{
    if (!given.has(QStringLiteral("policy")))
        return {};
    TRY(checkPolicyAlone(given));
    const QString what = given.value(QStringLiteral("policy"));
    if (what.isEmpty())
        return core::fail(ErrorKind::Rejected, Text::tr("--policy must be the name of a policy or a file."));
    if (!QFileInfo::exists(what)) {
        request.policy = what;
        return {};
    }
    TRY(const recovery::Policy policy, policyFromFile(what));
    request.policyFile = recovery::toJson(policy);
    return {};
}

Result<> readFaults(const Arguments &given, api::RehearsalFaults &faults)
{
    const QString share = QStringLiteral("fail");
    if (given.has(share)) {
        faults.share = api::rehearsalShareFrom(given.value(share));
        if (!faults.share)
            return core::fail(
                ErrorKind::Rejected,
                Text::tr("--fail must be a share from 0.01% to 100%, like 30%, not '%1'.").arg(given.value(share)));
    }
    faults.cause = given.value(QStringLiteral("fail-cause"));
    if (given.has(QStringLiteral("fail-cause")) && faults.cause.isEmpty())
        return core::fail(ErrorKind::Rejected, Text::tr("--fail-cause must be a pattern, like *Timeout*."));
    const QString span = QStringLiteral("broken-for");
    if (given.has(span)) {
        faults.lasting = core::durationFrom(given.value(span));
        if (!faults.lasting || faults.lasting->count() == 0)
            return core::fail(
                ErrorKind::Rejected,
                Text::tr("--broken-for must be a span like 60s or 10m, not '%1'.").arg(given.value(span)));
    }
    return {};
}

Result<api::Rehearse> requestFrom(const Context &context)
{
    const Arguments &given = context.arguments;
    api::Rehearse request;
    TRY(request.retry, draftFrom(context, records::OperationKind::Retry, QStringLiteral("rehearse")));
    TRY(readPolicy(given, request));
    TRY(readFaults(given, request.faults));
    TRY(const std::optional<qint64> most, given.number(QStringLiteral("at-most"), 1));
    if (most.value_or(1) > api::Rehearse::most)
        return core::fail(ErrorKind::Rejected, Text::tr("--at-most must be at most %1.").arg(api::Rehearse::most));
    TRY(const std::optional<qint64> seed, given.number(QStringLiteral("seed"), 0));
    request.atMost = int(most.value_or(api::Rehearse::defaultMost));
    request.seed = seed.value_or(1);
    request.mask = given.has(QStringLiteral("mask"));
    core::SystemRandom random;
    request.ticket = random.hexId();
    return request;
}

QJsonArray countsJson(const QList<api::RehearsalCount> &counts, const QString &name)
{
    QJsonArray rows;
    for (const api::RehearsalCount &one : counts)
        rows.append(QJsonObject{{name, one.what}, {QStringLiteral("count"), one.count}});
    return rows;
}

QJsonArray roundsJson(const api::RehearsalReport &report)
{
    QJsonArray rows;
    for (const api::RehearsalRound &one : report.rounds) {
        QJsonValue kind = QStringLiteral("retry");
        if (!report.policy.isEmpty())
            kind = one.delayed ? QStringLiteral("delayed") : QStringLiteral("immediate");
        rows.append(QJsonObject{{QStringLiteral("retry"), one.retry},
                                {QStringLiteral("kind"), kind},
                                {QStringLiteral("first_ms"), qint64(one.first.count())},
                                {QStringLiteral("last_ms"), qint64(one.last.count())},
                                {QStringLiteral("tried"), one.tried},
                                {QStringLiteral("failed"), one.failed}});
    }
    return rows;
}

QJsonArray limitsJson(const api::RehearsalReport &report)
{
    QJsonArray rows;
    for (const api::RehearsalProbing &one : report.probing) {
        rows.append(
            QJsonObject{{QStringLiteral("started_ms"), qint64(one.started.count())},
                        {QStringLiteral("ended_ms"), one.ended ? QJsonValue(qint64(one.ended->count())) : QJsonValue()},
                        {QStringLiteral("failures_before"), one.failuresBefore},
                        {QStringLiteral("failed_probes"), one.failedProbes}});
    }
    return rows;
}

QJsonObject reportJson(const api::RehearsalReport &report)
{
    QJsonObject shape{{QStringLiteral("policy"), report.policy.isEmpty() ? QJsonValue() : QJsonValue(report.policy)},
                      {QStringLiteral("seed"), report.seed},
                      {QStringLiteral("selected"), report.selected},
                      {QStringLiteral("copied"), report.copied},
                      {QStringLiteral("beyond_limit"), report.beyondLimit},
                      {QStringLiteral("browsed_only"), report.browsedOnly},
                      {QStringLiteral("unreadable"), json::unreadable(report.unreadable)},
                      {QStringLiteral("masked"), report.masked},
                      {QStringLiteral("sent"), report.sent},
                      {QStringLiteral("processed"), report.processed},
                      {QStringLiteral("processed_twice"), report.processedTwice},
                      {QStringLiteral("processed_permanent"), report.permanent},
                      {QStringLiteral("came_back"), report.cameBack},
                      {QStringLiteral("came_back_by"), countsJson(report.cameBackBy, QStringLiteral("cause"))},
                      {QStringLiteral("immediate_retries"), report.immediateRetries},
                      {QStringLiteral("delayed_retries"), report.delayedRetries},
                      {QStringLiteral("moved"), report.moved},
                      {QStringLiteral("left_for_a_person"), report.leftForAPerson},
                      {QStringLiteral("left_by"), countsJson(report.leftBy, QStringLiteral("reason"))},
                      {QStringLiteral("unaccounted"), report.unaccounted},
                      {QStringLiteral("rounds"), roundsJson(report)},
                      {QStringLiteral("rate_limit"), limitsJson(report)},
                      {QStringLiteral("took_ms"), qint64(report.took.count())},
                      {QStringLiteral("is_over"), report.isOver}};
    QJsonValue stopped;
    if (report.stopped)
        stopped = QJsonObject{{QStringLiteral("at_ms"), qint64(report.stopped->at.count())},
                              {QStringLiteral("why"), report.stopped->why},
                              {QStringLiteral("sent"), report.stopped->sent}};
    shape.insert(QStringLiteral("stopped"), stopped);
    return shape;
}

void printReport(Context &context, const api::RehearsalReport &report)
{
    if (context.out.json()) {
        context.out.document(reportJson(report));
        return;
    }
    const api::RehearsalText text = api::textOf(report);
    context.out.line(text.sentence);
    Table facts{{Text::tr("COUNT"), Text::tr("WHAT")}, {true}, {}};
    for (const auto &[what, value] : text.rows)
        facts.rows.append({value, what});
    context.out.table(facts);
    if (report.rounds.isEmpty())
        return;
    context.out.line(QString());
    Table rounds{{Text::tr("RETRY"), Text::tr("FROM"), Text::tr("TO"), Text::tr("TRIED"), Text::tr("FAILED")},
                 {false, true, true, true, true},
                 {}};
    for (const api::RehearsalRound &one : report.rounds)
        rounds.rows.append({api::roundName(report, one), core::durationText(one.first), core::durationText(one.last),
                            QString::number(one.tried), QString::number(one.failed)});
    context.out.table(rounds);
}

// Shows how far the rehearsal is until it has ended. What cannot be asked is not shown.
core::Task<> showRehearsal(Context &context, QString ticket, std::function<bool()> isOver)
{
    core::Timers timers(context.clock);
    core::Milliseconds pause = firstLook;
    while (!isOver()) {
        const core::Result<> slept = co_await timers.sleep(pause);
        if (!slept || isOver())
            break;
        pause = std::min(2 * pause, longestPauseBetweenLooks);
        const api::AskRehearsal question{ticket};
        const core::Result<api::RehearsalProgress> now = co_await context.ask(question);
        if (now)
            context.out.progress(Text::tr("%1 of %2 processed, after %3 of simulated time")
                                     .arg(QString::number(now->processed), QString::number(now->copied),
                                          core::durationText(now->simulated)));
    }
    context.out.endProgress();
}

bool wentWell(const api::RehearsalReport &report)
{
    return report.leftForAPerson == 0 && report.unaccounted == 0 && !report.stopped && report.isOver;
}

} // namespace

core::Task<int> rehearseCommand(Context &context)
{
    core::Result<api::Rehearse> request = requestFrom(context);
    if (!request)
        co_return context.misuse(request.error().message);
    const core::Result<api::ConnectionView> connection = co_await context.theConnection();
    if (!connection)
        co_return context.fail(connection.error());
    request->retry.filter.connection = connection->connection.id;
    const core::Result<> named = co_await checkNamed(context, request->retry.filter);
    if (!named)
        co_return context.fail(named.error());
    const core::Pending<core::Result<api::RehearsalReport>> answer = context.ask(*request);
    const std::function<bool()> isOver = [answer] { return answer.isResolved(); };
    co_await showRehearsal(context, request->ticket, isOver);
    const core::Result<api::RehearsalReport> report = co_await answer;
    if (!report && report.error().kind == ErrorKind::Cancelled)
        static_cast<void>(context.client.ask(api::CancelWork{request->ticket})); // interrupted: it need not go on
    if (!report)
        co_return context.fail(report.error());
    printReport(context, *report);
    co_return int(wentWell(*report) ? ExitCode::Done : ExitCode::DoneWithRest);
}

} // namespace commandline
