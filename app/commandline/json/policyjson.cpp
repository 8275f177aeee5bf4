#include "app/commandline/json/policyjson.h"

#include "app/commandline/json/json.h"
#include "app/commandline/json/jsonparts.h"

#include <QJsonDocument>

#include <algorithm>

namespace commandline::json {

namespace {

QJsonObject assignment(const api::AssignmentView &view)
{
    return {
        {QStringLiteral("id"), id(view.id)},
        {QStringLiteral("to"), view.words},
        {QStringLiteral("held"), view.held},
        {QStringLiteral("due"), view.due},
        {QStringLiteral("at_broker"), view.atBroker},
        {QStringLiteral("next_due"), time(view.nextDue)},
        {QStringLiteral("exhausted"), view.exhausted},
        {QStringLiteral("not_moved"), view.notMoved},
        {QStringLiteral("not_moved_why"), orNull(view.notMovedWhy)},
        {QStringLiteral("probing_since"), time(view.probingSince)},
        {QStringLiteral("waits"), orNull(view.waits)},
        {QStringLiteral("waits_for"), view.waitsFor.isValid() ? QJsonValue(id(view.waitsFor)) : QJsonValue()},
    };
}

// Where the message waits for its next attempt: the words of the file. Null: it does not wait.
QJsonValue waitsAt(const api::PolicyStanding &standing)
{
    if (standing.isAtBroker)
        return QStringLiteral("broker");
    return standing.state == recovery::HeldState::Waiting ? QJsonValue(QStringLiteral("store")) : QJsonValue::Null;
}

} // namespace

QJsonObject policyRow(const api::PolicyView &policy)
{
    QJsonArray assignments;
    for (const api::AssignmentView &one : policy.assignments)
        assignments.append(assignment(one));
    return {
        {QStringLiteral("name"), policy.name},
        {QStringLiteral("sentence"), policy.sentence},
        {QStringLiteral("attempts"), policy.attempts},
        {QStringLiteral("state"), api::toString(policy.state)},
        {QStringLiteral("paused_by"), orNull(policy.pausedWho)},
        {QStringLiteral("paused_at"), time(policy.pausedAt)},
        {QStringLiteral("paused_why"), orNull(policy.pausedWhy)},
        {QStringLiteral("held"), policy.held()},
        {QStringLiteral("due"), policy.due()},
        {QStringLiteral("at_broker"), policy.atBroker()},
        {QStringLiteral("next_due"), time(policy.nextDue())},
        {QStringLiteral("exhausted"), policy.exhausted()},
        {QStringLiteral("not_moved"), policy.notMoved()},
        {QStringLiteral("retried"), policy.retried},
        {QStringLiteral("came_back"), policy.cameBack},
        {QStringLiteral("resolved"), policy.resolved},
        {QStringLiteral("assignments"), assignments},
    };
}

QJsonObject policy(const api::PolicyView &policy)
{
    // "exhausted" is a count here; the field of the file is in "file".
    QJsonObject shape = QJsonDocument::fromJson(policy.file).object();
    const QJsonObject file = shape;
    const QJsonObject state = policyRow(policy);
    for (auto field = state.begin(); field != state.end(); ++field)
        shape.insert(field.key(), field.value());
    shape.insert(QStringLiteral("file"), file);
    return shape;
}

QJsonObject attemptPlan(const recovery::AttemptPlan &plan, const QList<recovery::AttemptBound> &bounds)
{
    qint64 most = plan.attempts;
    QJsonArray counters;
    for (const recovery::AttemptBound &bound : bounds) {
        most = std::max(most, bound.attempts);
        counters.append(QJsonObject{{QStringLiteral("broker"), records::toString(bound.at.broker)},
                                    {QStringLiteral("dialect"), bound.at.dialect},
                                    {QStringLiteral("counter"), orNull(bound.at.counter)},
                                    {QStringLiteral("attempts_at_most"), bound.attempts}});
    }
    QJsonArray steps;
    for (const recovery::PlannedAttempt &step : plan.steps) {
        steps.append(QJsonObject{
            {QStringLiteral("attempt"), step.attempt},
            {QStringLiteral("kind"), recovery::toString(step.kind)},
            {QStringLiteral("delay_ms"), qint64(step.delay.count())},
            {QStringLiteral("at_ms"), qint64(step.at.count())},
            {QStringLiteral("delay_least_ms"), qint64(step.delays.least.count())},
            {QStringLiteral("delay_most_ms"), qint64(step.delays.most.count())},
            {QStringLiteral("at_least_ms"), qint64(step.times.least.count())},
            {QStringLiteral("at_most_ms"), qint64(step.times.most.count())},
        });
    }
    return {
        {QStringLiteral("attempts"), plan.attempts},
        {QStringLiteral("attempts_at_most"), most},
        {QStringLiteral("delivery_counters"), counters},
        {QStringLiteral("instances"), plan.instances},
        {QStringLiteral("gives_up_after_ms"), qint64(plan.givesUpAfter.count())},
        {QStringLiteral("gives_up_least_ms"), qint64(plan.givesUp.least.count())},
        {QStringLiteral("gives_up_most_ms"), qint64(plan.givesUp.most.count())},
        {QStringLiteral("steps"), steps},
    };
}

QJsonValue standing(const std::optional<api::PolicyStanding> &standing)
{
    if (!standing)
        return QJsonValue::Null;
    return QJsonObject{
        {QStringLiteral("name"), standing->policy},
        {QStringLiteral("attempt"), standing->attempt},
        {QStringLiteral("of"), standing->of},
        {QStringLiteral("next_attempt"), time(standing->nextAttempt)},
        {QStringLiteral("state"), recovery::toString(standing->state)},
        {QStringLiteral("waits_at"), waitsAt(*standing)},
        {QStringLiteral("reason"), orNull(standing->reason)},
    };
}

} // namespace commandline::json
