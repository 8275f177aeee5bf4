#include "models/policies/policywords.h"

#include "backend/core/time/durationtext.h"
#include "backend/recovery/files/policyfile.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

#include <algorithm>

namespace models {

namespace {

using recovery::HeldState;

const QString engineName = QStringLiteral("engine"); // who paused it, if no person did

QString counted(const QString &text, qint64 count)
{
    return text.arg(formatNumber(count));
}

QString sentences(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

std::optional<core::TimePoint> probingSince(const api::PolicyView &policy)
{
    std::optional<core::TimePoint> first;
    for (const api::AssignmentView &one : policy.assignments) {
        if (one.probingSince)
            first = std::min(first.value_or(*one.probingSince), *one.probingSince);
    }
    return first;
}

// "at 03:02:31, in 20 s"
QString whenText(core::TimePoint time, core::TimePoint now, TimeZone zone)
{
    constexpr core::Milliseconds noWait{1000}; // "in 0 s" is now
    if (time < now + noWait)
        return Text::tr("now");
    return Text::tr("at %1, %2").arg(formatListTime(time, now, zone), formatRelative(time, now));
}

QString pausedText(const api::PolicyView &policy, core::TimePoint now, TimeZone zone)
{
    const QString since = policy.pausedAt ? formatListTime(*policy.pausedAt, now, zone) : QString();
    const QString who = visibleLine(policy.pausedWho);
    const QString why = visibleLine(policy.pausedWhy);
    if (isStoppedByRedrive(policy))
        return since.isEmpty() ? why : Text::tr("Redrive paused it at %1. %2").arg(since, why);
    const QString paused =
        since.isEmpty() ? Text::tr("%1 paused it.").arg(who) : Text::tr("%1 paused it at %2.").arg(who, since);
    return sentences({paused, why});
}

// The first reason why due messages are not retried.
QString waitingText(const api::PolicyView &policy)
{
    const auto waits = std::find_if(policy.assignments.cbegin(), policy.assignments.cend(),
                                    [](const api::AssignmentView &one) { return !one.waits.isEmpty(); });
    return waits == policy.assignments.cend() ? QString() : Text::tr("Why not now: %1").arg(visibleLine(waits->waits));
}

QString holdsText(qint64 held)
{
    return held == 0 ? Text::tr("It holds no message now.")
                     : counted(Text::tr("It holds %1 messages.", nullptr, int(held)), held);
}

// The reason of one of them.
QString notMovedText(const api::PolicyView &policy)
{
    const qint64 count = policy.notMoved();
    const auto one = std::find_if(policy.assignments.cbegin(), policy.assignments.cend(),
                                  [](const api::AssignmentView &view) { return view.notMoved > 0; });
    if (one == policy.assignments.cend())
        return {};
    return Text::tr("%1 messages could not be moved: %2", nullptr, int(count))
        .arg(formatNumber(count), visibleLine(one->notMovedWhy));
}

bool isPausedNow(const api::PolicyView &policy, const api::Snapshot &snapshot)
{
    return policy.state == api::PolicyState::Paused || snapshot.engine == api::EngineState::Paused;
}

// What no pause holds back.
QString atBrokerText(const api::PolicyView &policy)
{
    const qint64 count = policy.atBroker();
    return count == 0
               ? QString()
               : counted(Text::tr("The broker has %1 of them and delivers them at their times, also when the policy "
                                  "is paused."),
                         count);
}

QString heldText(const api::PolicyView &policy, core::TimePoint now, TimeZone zone)
{
    const QString holds = sentences({holdsText(policy.held()), atBrokerText(policy)});
    const std::optional<core::TimePoint> next = policy.nextDue();
    if (next)
        return sentences({holds, Text::tr("The next retry is %1.").arg(whenText(*next, now, zone))});
    return policy.held() == 0 ? holds
                              : sentences({holds, Text::tr("All of them were retried and may still come back.")});
}

} // namespace

bool isStoppedByRedrive(const api::PolicyView &policy)
{
    return policy.state == api::PolicyState::Paused && policy.pausedWho == engineName;
}

Tone toneOf(const api::PolicyView &policy)
{
    switch (policy.state) {
    case api::PolicyState::Active:
        return policy.assignments.isEmpty() ? Tone::Muted : Tone::Ok;
    case api::PolicyState::Probing:
        return Tone::Warn;
    case api::PolicyState::Paused:
        return isStoppedByRedrive(policy) ? Tone::Bad : Tone::Warn;
    }
    Q_UNREACHABLE();
}

QString policyState(const api::PolicyView &policy, const api::Snapshot &snapshot, TimeZone zone)
{
    switch (policy.state) {
    case api::PolicyState::Paused:
        return isStoppedByRedrive(policy) ? Text::tr("Paused by Redrive")
                                          : Text::tr("Paused by %1").arg(visibleLine(policy.pausedWho));
    case api::PolicyState::Active:
    case api::PolicyState::Probing:
        break;
    }
    if (policy.assignments.isEmpty())
        return Text::tr("Not assigned");
    if (snapshot.engine == api::EngineState::Paused)
        return Text::tr("All paused");
    if (policy.state == api::PolicyState::Active)
        return Text::tr("Active");
    const std::optional<core::TimePoint> since = probingSince(policy);
    return since ? Text::tr("Probing since %1").arg(formatListTime(*since, snapshot.at, zone)) : Text::tr("Probing");
}

QString policySituation(const api::PolicyView &policy, const api::Snapshot &snapshot, TimeZone zone)
{
    if (policy.state == api::PolicyState::Paused)
        return sentences({pausedText(policy, snapshot.at, zone),
                          Text::tr("It starts no retry until a person resumes it."), holdsText(policy.held()),
                          notMovedText(policy), atBrokerText(policy)});
    if (policy.assignments.isEmpty())
        return Text::tr("It is assigned to nothing, so it retries nothing. Assign it to a queue, a group or a rule.");
    const QString held = sentences({heldText(policy, snapshot.at, zone), notMovedText(policy)});
    if (snapshot.engine == api::EngineState::Paused)
        return sentences({Text::tr("Everything is paused, so it starts no retry until a person resumes all."), held});
    if (policy.state == api::PolicyState::Probing)
        return sentences({probingText(policy, Text::tr("It")), holdsText(policy.held())}); // what waits, waits for that
    return sentences({held, waitingText(policy)});
}

QString dueText(core::TimePoint due, core::TimePoint now, TimeZone zone)
{
    return due <= now ? Text::tr("now") : formatListTime(due, now, zone);
}

QString nextRetry(const api::PolicyView &policy, const api::Snapshot &snapshot, TimeZone zone)
{
    const std::optional<core::TimePoint> next = policy.nextDue(); // while it is paused: of what the broker has
    if (!next && isPausedNow(policy, snapshot) && !policy.assignments.isEmpty())
        return Text::tr("paused");
    return next ? dueText(*next, snapshot.at, zone) : QStringLiteral("–");
}

QString policyPurpose(const api::PolicyView &policy)
{
    QStringList all;
    for (const api::AssignmentView &one : policy.assignments)
        all.append(visibleLine(one.words));
    return all.join(QStringLiteral("; "));
}

QString policyResults(const api::PolicyView &policy)
{
    return Text::tr("Retried %1 · came back %2 · resolved %3 · exhausted %4")
        .arg(formatNumber(policy.retried), formatNumber(policy.cameBack), formatNumber(policy.resolved),
             formatNumber(policy.exhausted()));
}

QString probingText(const api::PolicyView &policy, const QString &subject)
{
    const core::Result<recovery::Policy> parts = recovery::policyFrom(policy.file);
    if (!parts || !parts->rateLimit)
        return Text::tr("%1 tries one message at a time because its retries keep coming back. The first success ends "
                        "it.")
            .arg(subject);
    const int after = parts->rateLimit->after;
    return Text::tr("%3 tries one message every %2 because %1 retries in a row came back. The first success ends it.",
                    nullptr, after)
        .arg(formatNumber(after), core::durationText(parts->rateLimit->wait), subject);
}

namespace {

PolicyNotice noticeOf(const api::PolicyView &policy, const api::Snapshot &snapshot, TimeZone zone)
{
    const QString name = visibleLine(policy.name);
    if (isStoppedByRedrive(policy))
        return {Tone::Bad, Text::tr("Policy %1: %2").arg(name, policySituation(policy, snapshot, zone)), policy.name};
    if (policy.state == api::PolicyState::Probing && snapshot.engine != api::EngineState::Paused)
        return {Tone::Warn, probingText(policy, Text::tr("Policy %1").arg(name)), policy.name};
    return {};
}

} // namespace

// The worst one in full; the page shows the others.
PolicyNotice policyNotice(const api::Snapshot &snapshot, TimeZone zone)
{
    PolicyNotice worst;
    int others = -1;
    for (const api::PolicyView &policy : snapshot.policies) {
        const PolicyNotice one = noticeOf(policy, snapshot, zone);
        if (one.text.isEmpty())
            continue;
        ++others;
        if (worst.text.isEmpty() || (one.tone == Tone::Bad && worst.tone != Tone::Bad))
            worst = one;
    }
    if (others > 0)
        worst.text += QLatin1Char(' ') + counted(Text::tr("%1 more policies need attention.", nullptr, others), others);
    return worst;
}

QString policyNote(const api::Snapshot &snapshot)
{
    qint64 held = 0;
    int probing = 0;
    int paused = 0;
    for (const api::PolicyView &policy : snapshot.policies) {
        held += policy.held();
        probing += policy.state == api::PolicyState::Probing ? 1 : 0;
        paused += policy.state == api::PolicyState::Paused ? 1 : 0;
    }
    QStringList parts;
    if (probing > 0)
        parts.append(Text::tr("%1 probing").arg(probing));
    if (paused > 0)
        parts.append(Text::tr("%1 paused").arg(paused));
    if (parts.isEmpty() && held > 0)
        parts.append(Text::tr("%1 held").arg(formatNumber(held)));
    return parts.join(QStringLiteral(" · "));
}

namespace {

// An attempt is any try to process the message; the first one is no retry.
qint64 mostRetries(const api::PolicyStanding &standing)
{
    return std::max<qint64>(0, standing.of - 1);
}

qint64 retriesUsed(const api::PolicyStanding &standing)
{
    return std::max<qint64>(0, standing.attempt - 1);
}

qint64 retryUnderWay(const api::PolicyStanding &standing)
{
    return std::min<qint64>(standing.attempt, mostRetries(standing));
}

QString gaveUpText(const api::PolicyStanding &standing)
{
    const qint64 used = retriesUsed(standing);
    return used == 0 ? Text::tr("The policy gave up without a retry")
                     : Text::tr("The policy gave up after %1 retries", nullptr, int(used)).arg(formatNumber(used));
}

QString usedText(const api::PolicyStanding &standing, int left)
{
    if (retriesUsed(standing) == 0)
        return Text::tr("No retry yet, %1 are left.", nullptr, left).arg(formatNumber(left));
    return Text::tr("%1 of %2 retries failed, %3 are left.", nullptr, left)
        .arg(formatNumber(retriesUsed(standing)), formatNumber(mostRetries(standing)), formatNumber(left));
}

QString waitingStanding(const api::PolicyStanding &standing, const api::Snapshot &snapshot, TimeZone zone)
{
    const qint64 left = std::max<qint64>(0, standing.of - standing.attempt);
    const QString used = usedText(standing, int(left));
    const QString reason = visibleLine(standing.reason);
    const auto policy = std::find_if(snapshot.policies.cbegin(), snapshot.policies.cend(),
                                     [&](const api::PolicyView &one) { return one.name == standing.policy; });
    if (snapshot.engine == api::EngineState::Paused)
        return sentences({used, Text::tr("Everything is paused, so there is no next retry yet.")});
    if (policy != snapshot.policies.cend() && policy->state == api::PolicyState::Paused)
        return sentences({used, Text::tr("The policy is paused, so there is no next retry yet.")});
    if (!standing.nextAttempt)
        return sentences({used, reason});
    const QString next = Text::tr("The next retry is %1.").arg(whenText(*standing.nextAttempt, snapshot.at, zone));
    return sentences({used, next, reason.isEmpty() ? QString() : Text::tr("Why not now: %1").arg(reason)});
}

} // namespace

QString standingText(const api::PolicyStanding &standing, const api::Snapshot &snapshot, TimeZone zone)
{
    const QString reason = visibleLine(standing.reason);
    switch (standing.state) {
    case HeldState::Waiting:
        return waitingStanding(standing, snapshot, zone);
    case HeldState::InRetry:
        if (standing.isAtBroker && standing.nextAttempt && *standing.nextAttempt > snapshot.at)
            return Text::tr("Retry %1 of %2 waits at the broker until %3, %4. The broker delivers it also when Redrive "
                            "does not run, or when the policy is paused.")
                .arg(formatNumber(retryUnderWay(standing)), formatNumber(mostRetries(standing)),
                     formatListTime(*standing.nextAttempt, snapshot.at, zone),
                     formatRelative(*standing.nextAttempt, snapshot.at));
        return Text::tr("Retry %1 of %2 is in progress.")
            .arg(formatNumber(retryUnderWay(standing)), formatNumber(mostRetries(standing)));
    case HeldState::NotMoved:
        return sentences({Text::tr("%1, but could not move the message.").arg(gaveUpText(standing)), reason});
    case HeldState::Exhausted:
        return sentences({Text::tr("%1.").arg(gaveUpText(standing)), reason});
    case HeldState::Leaving:
        return sentences({Text::tr("The policy gave up, and the message leaves the store soon."), reason});
    case HeldState::Excluded:
        return Text::tr("Taken out of the policy: only a person retries this message.");
    case HeldState::Ended:
        return {};
    }
    Q_UNREACHABLE();
}

bool canBeExcluded(const api::PolicyStanding &standing)
{
    return standing.state == HeldState::Waiting || standing.state == HeldState::InRetry;
}

namespace {

template<typename Matches>
AssignedPolicy assignedTo(const api::Snapshot &snapshot, Matches matches)
{
    for (const api::PolicyView &policy : snapshot.policies) {
        for (const api::AssignmentView &one : policy.assignments) {
            if (matches(one.scope))
                return {&policy, one.id};
        }
    }
    return {};
}

} // namespace

AssignedPolicy policyOfQueue(const api::Snapshot &snapshot, core::ConnectionId connection, const QString &queue)
{
    return assignedTo(snapshot, [&](const recovery::Scope &scope) {
        return scope.of == recovery::Scope::Of::Queue && scope.connection == connection && scope.queue == queue;
    });
}

AssignedPolicy policyOfGroup(const api::Snapshot &snapshot, core::GroupId group)
{
    return assignedTo(snapshot, [group](const recovery::Scope &scope) {
        return scope.of == recovery::Scope::Of::Group && scope.group == group;
    });
}

QString groupPolicyText(const QList<api::GroupPolicy> &policies)
{
    constexpr qsizetype longestName = 40;
    QStringList all;
    for (const api::GroupPolicy &one : policies) {
        const QString name = visibleLine(one.name, longestName);
        switch (one.by) {
        case recovery::Scope::Of::Group:
            all.append(Text::tr("Policy %1").arg(name));
            break;
        case recovery::Scope::Of::Rule:
            all.append(Text::tr("Policy %1, by a rule").arg(name));
            break;
        case recovery::Scope::Of::Queue:
            all.append(Text::tr("Policy %1, by the queue").arg(name));
            break;
        }
    }
    return all.join(QStringLiteral("; "));
}

} // namespace models
