#include "backend/retry/gates/rampgate.h"

#include "backend/core/limits.h"
#include "backend/core/text/counttext.h"
#include "backend/core/time/durationtext.h"
#include "backend/retry/text.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryguardstore.h"

#include <QSet>

#include <limits>

namespace retry {


namespace {

constexpr qint64 everything = std::numeric_limits<qint64>::max();

QString number(qint64 value)
{
    return core::countText(value);
}

// Why the destinations do not allow the next step; empty: they do.
QString objection(const QMap<QString, qint64> &before, const QueueObservation &observation)
{
    for (auto entry = before.cbegin(); entry != before.cend(); ++entry) {
        const broker::QueueInfo *queue = observation.find(entry.key());
        if (queue == nullptr)
            continue; // unknown: only the quiet period counts
        if (queue->consumers == 0)
            return Text::tr("%1 has no consumers").arg(entry.key());
        if (queue->depth && *queue->depth > *entry) {
            return Text::tr("the message count of %2 rose from %3 to %1")
                .arg(number(*queue->depth), entry.key(), number(*entry));
        }
    }
    return {};
}

QString untilQuiet(const records::QuietPeriod &quietPeriod, bool asksEndpoints)
{
    QString text = Text::tr("The next step starts when no message has come back for %1.")
                       .arg(core::durationText(quietPeriod.quiet));
    if (asksEndpoints)
        text += u' ' + Text::tr("It starts at once when the endpoints have confirmed all messages.");
    if (quietPeriod.takesToFail)
        text +=
            u' ' + Text::tr("These messages take up to %1 to fail.").arg(core::durationText(*quietPeriod.takesToFail));
    return text;
}

} // namespace

QString RampGate::blindText(const QString &why)
{
    return Text::tr("Waiting because messages that come back cannot be seen: %1").arg(why);
}

Result<RampGate::Room> RampGate::roomFor(store::Session &session, const records::RetryOperation &operation,
                                         const QueueObservation &observation)
{
    const std::optional<records::Ramp> &ramp = operation.plan.ramp;
    if (!operation.plan.isGuarded())
        return Room{everything, {}, {}};
    if (!observation.blind.isEmpty())
        return Room{0, checkAgain, blindText(observation.blind)};
    if (!ramp)
        return Room{everything, {}, {}};
    const qint64 gone = operation.total - operation.counts.pending;
    const qint64 open = records::allowed(*ramp, operation.provedSteps) - gone;
    if (open > 0) {
        forget(operation.id);
        return Room{open, {}, {}};
    }
    if (operation.counts.claimed + operation.counts.staged > 0)
        return Room{0, core::limits::idleTick, {}}; // still being sent; its end wakes the lane
    TRY(const store::StepState state, session.retryGuards().stepState(operation.id));
    TRY(const records::QuietPeriod quietPeriod, session.evidence().quietPeriod(operation.id));
    const Room found = proof(operation, state, quietPeriod, observation);
    if (found.members == 0)
        return found;
    TRY(session.retryGuards().proveStep(operation.id));
    return Room{records::allowed(*ramp, operation.provedSteps + 1) - gone, {}, {}};
}

// Room::members 0: there is no evidence yet.
RampGate::Room RampGate::proof(const records::RetryOperation &operation, const store::StepState &state,
                               const records::QuietPeriod &quietPeriod, const QueueObservation &observation)
{
    const core::SteadyTime now = m_clock.steady();
    const qint64 cameBack = operation.counts.cameBack;
    const auto known = m_out.constFind(operation.id);
    const bool fresh = known == m_out.cend() || known->step != operation.provedSteps || known->cameBack != cameBack;
    if (fresh)
        m_out.insert(operation.id, {operation.provedSteps, now, cameBack});
    if (!state.awaits && cameBack == operation.forgiven)
        return Room{everything, {}, {}}; // every message is known to be processed
    const core::SteadyTime since = m_out.value(operation.id).quietSince;
    const qint64 gone = operation.total - operation.counts.pending;
    const QString step =
        gone == 1
            ? Text::tr("Step 1 was sent: 1 message.")
            : Text::tr("Step %1 was sent: %2 messages in total.").arg(operation.provedSteps + 1).arg(number(gone));
    if (now - since < quietPeriod.quiet)
        return Room{0, quietPeriod.quiet - (now - since),
                    step + u' ' + untilQuiet(quietPeriod, operation.plan.askEndpoints)};
    if (observation.asOf && *observation.asOf <= since)
        return Room{0, checkAgain,
                    step + u' ' + Text::tr("The next step waits until the broker has counted its queues again.")};
    const QString against = observation.asOf ? objection(state.depthsBefore, observation) : QString();
    if (!against.isEmpty())
        return Room{0, checkAgain, step + u' ' + Text::tr("The next step waits: %1.").arg(against)};
    return Room{everything, {}, {}};
}

Result<> RampGate::markStep(store::Session &session, const records::RetryOperation &operation)
{
    if (!operation.plan.ramp)
        return {};
    TRY(const int marked, session.evidence().markedStep(operation.id));
    const int step = operation.provedSteps + 1;
    return marked < step ? session.evidence().mark(operation.id, m_clock.now(), records::RunMark::Kind::Step, step)
                         : Result<>{};
}

Result<> RampGate::keepDepths(store::Session &session, const records::RetryBatch &batch,
                              const QueueObservation &observation)
{
    TRY(const QList<store::RetryMember> members, session.retryBatches().membersOf(batch.id));
    QMap<QString, qint64> depths;
    for (const store::RetryMember &member : members) {
        if (depths.contains(member.destination))
            continue;
        const broker::QueueInfo *queue = observation.find(member.destination);
        if (queue != nullptr && queue->depth)
            depths.insert(member.destination, *queue->depth);
    }
    return depths.isEmpty() ? Result<>{} : session.retryGuards().keepDepths(batch.operation, depths);
}

} // namespace retry
