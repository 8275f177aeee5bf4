#include "backend/recovery/files/policytext.h"

#include "backend/core/text/counttext.h"
#include "backend/core/time/durationtext.h"
#include "backend/recovery/attemptplan.h"
#include "backend/recovery/text.h"

namespace recovery {

namespace {

constexpr int mostDelaysNamed = 5;

QString atOnce(int immediate)
{
    return immediate == 1 ? Text::tr("1 at once") : Text::tr("%1 at once").arg(immediate);
}

// "10 s, 20 s, 30 s" or "0 s to 5 s, 0 s to 10 s", of many delays the first ones and the last.
QString delaysOf(const AttemptPlan &plan)
{
    QStringList all;
    for (const PlannedAttempt &step : plan.steps) {
        if (step.kind == PlannedAttempt::Kind::Delayed)
            all.append(rangeText(step.delays));
    }
    if (all.size() <= mostDelaysNamed)
        return all.join(QStringLiteral(", "));
    const QStringList first = all.mid(0, mostDelaysNamed - 2);
    return first.join(QStringLiteral(", ")) + QStringLiteral(", \u2026, ") + all.last();
}

QString delayedPart(const Policy &policy, const AttemptPlan &plan)
{
    const QString with = policy.immediate == 0 ? QString() : Text::tr(" with %1 each").arg(policy.immediate);
    if (policy.schedule.kind == Schedule::Kind::Cadence)
        return Text::tr("at every turn of %1").arg(core::durationText(policy.schedule.every)) + with;
    return Text::tr("after %1").arg(delaysOf(plan)) + with;
}

QString retriesOf(const Policy &policy)
{
    const AttemptPlan plan = planAttempts(policy);
    if (policy.immediate == 0 && policy.delayed == 0)
        return Text::tr("No retry");
    const qint64 most = plan.attempts - 1; // the first attempt is no retry
    const QString count = most == 1 ? Text::tr("1 retry") : Text::tr("%1 retries").arg(core::countText(most));
    QString retries = policy.immediate == 0 ? QString() : atOnce(policy.immediate);
    if (policy.delayed > 0) {
        const QString delayed = delayedPart(policy, plan);
        retries = retries.isEmpty() ? delayed : Text::tr("%1, then %2").arg(retries, delayed);
    }
    retries.front() = retries.front().toUpper();
    if (plan.givesUp.most.count() == 0)
        return Text::tr("%1: %2").arg(retries, count);
    return Text::tr("%1: %2 in at most %3").arg(retries, count, core::durationText(plan.givesUp.most));
}

} // namespace

QString rangeText(const DelayRange &range)
{
    if (range.least == range.most)
        return core::durationText(range.most);
    return Text::tr("%1 to %2").arg(core::durationText(range.least), core::durationText(range.most));
}

QString sentenceOf(const Policy &policy)
{
    QStringList parts{retriesOf(policy)};
    if (policy.waitAt == WaitAt::Broker && policy.delayed > 0)
        parts.append(
            Text::tr("Delayed messages wait at the broker if it can hold them that long (Service Bus; SQS for up to 15 "
                     "minutes), otherwise, as with RabbitMQ, in Redrive, which must run when they are due"));
    if (!policy.counter.isEmpty())
        parts.append(Text::tr("Retries of the application count, too: %1").arg(policy.counter));
    return parts.join(QStringLiteral(". "));
}

QString endingOf(const Policy &policy)
{
    switch (policy.exhausted.what) {
    case Exhausted::Do::Leave:
        return Text::tr("Then the message stays unresolved, marked as exhausted.");
    case Exhausted::Do::Move:
        return Text::tr("Then the message goes to the queue %1.").arg(policy.exhausted.queue);
    case Exhausted::Do::DeadLetter:
        if (!policy.exhausted.queue.isEmpty())
            return Text::tr("Then the message goes back to the queue that it was taken from, or to the queue %1 if "
                            "nothing can be put there.")
                .arg(policy.exhausted.queue);
        return Text::tr("Then the message goes back to the queue that it was taken from.");
    case Exhausted::Do::Notify:
        return Text::tr("Then the message stays unresolved, and a warning says so.");
    }
    Q_UNREACHABLE();
}

} // namespace recovery
