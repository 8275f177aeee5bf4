#include "backend/retry/forwarding/intentlogrun.h"

#include "backend/retry/text.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/stagingstore.h"

#include <algorithm>

namespace retry {

using broker::SendOutcome;
using broker::Verdict;
using core::ErrorKind;
using records::OperationState;
using records::SendEnd;

namespace {

// The error that the last failed message of a call has, if one failed. On an unreliable line, one failed call alone
// ends nothing, unless the broker asks for time or refuses.
std::optional<core::Error> failureOf(const QList<SendOutcome> &outcomes)
{
    std::optional<core::Error> failure;
    for (const SendOutcome &outcome : outcomes) {
        if (outcome.verdict != Verdict::NotSent && outcome.verdict != Verdict::Unknown)
            continue;
        failure = outcome.error;
        if (outcome.verdict == Verdict::Unknown)
            failure->kind = ErrorKind::Transient;
    }
    return failure;
}

bool wasAccepted(const SendOutcome &outcome)
{
    return outcome.verdict == Verdict::Accepted;
}

} // namespace

IntentLogRun::IntentLogRun(SharedState &shared, const records::RetryBatch &batch,
                           const broker::Capabilities &capabilities)
    : m_context(shared.context)
    , m_resting(shared.resting)
    , m_reasons(shared.reasons)
    , m_lane(shared.forwarding)
    , m_batch(batch)
    , m_window(shared.context.clock, capabilities)
    , m_intents(shared.context, batch)
{
}

bool IntentLogRun::maySend() const
{
    return !m_closed && !m_error && !m_context.stopping && m_window.canLaunch();
}

bool IntentLogRun::isOver() const
{
    const bool more = !m_window.due().isEmpty() || !m_intents.isDry();
    return !m_window.isUnderWay() && (!more || m_error || m_context.stopping);
}

void IntentLogRun::close()
{
    m_closed = true;
    takeIntentsBack();
}

// The intents of messages that were not handed to the broker yet.
void IntentLogRun::takeIntentsBack()
{
    const QList<qint64> ordinals = m_window.unload();
    for (const qint64 ordinal : ordinals)
        m_window.add({ordinal, SendEnd::NotAccepted, {}});
}

void IntentLogRun::step()
{
    if (m_error || m_context.stopping)
        takeIntentsBack();
    const Result<> stored = storeStep();
    if (!stored) {
        m_error = stored.error();
        m_window.holdSteps();
    }
    if (m_intents.operationState() != OperationState::Running || m_intents.isSlowed())
        takeIntentsBack();
}

Result<> IntentLogRun::storeStep()
{
    QList<store::SendResult> outcomes;
    QList<broker::Outgoing> copies;
    core::BatchId apart;
    QStringList refusing;
    TRY(m_context.store.transact([&](store::Session &session) -> Result<> {
        outcomes = m_window.due();
        TRY(outcomes.isEmpty() ? Result<>{} : session.intents().writeOutcomes(m_batch.id, outcomes));
        TRY(apart, setRefusedAside(session, refusing));
        if (m_error || m_context.stopping)
            return {};
        TRY(copies, m_intents.write(session, m_window.room()));
        return {};
    }));
    m_window.kept();
    m_refusing = false;
    if (apart.isValid()) {
        m_resting.add(apart, m_batch.operation, refusing);
        m_reasons.store(m_batch.operation);
    }
    reportRecorded(outcomes);
    m_window.load(std::move(copies));
    return {};
}

// Moves all members for a destination that accepts nothing now, tried or not, into a batch of their own, where they
// wait; the rest of this batch continues. Sends in progress get their own answer.
Result<core::BatchId> IntentLogRun::setRefusedAside(store::Session &session, QStringList &refusing)
{
    if (!m_refusing)
        return core::BatchId{};
    TRY(const QList<store::RetryMember> members, session.retryBatches().membersOf(m_batch.id));
    const DestinationCircuitBreaker &breaker = m_resting.breaker();
    QList<qint64> waiting;
    refusing.clear();
    for (const store::RetryMember &member : members) {
        const bool unsent = member.outcome == records::Outcome::Staged && !member.intent;
        if (!unsent || breaker.isMissing(member.destination) || breaker.refusal(member.destination).isEmpty())
            continue;
        waiting.append(member.ordinal);
        if (!refusing.contains(member.destination))
            refusing.append(member.destination);
    }
    return waiting.isEmpty() ? core::BatchId{} : session.staging().setAside(m_batch.id, waiting, m_context.session);
}

// A message without an outcome may have been accepted.
void IntentLogRun::answered(const SendWindow::Call &call, const QList<SendOutcome> &outcomes)
{
    QList<SendOutcome> each = outcomes.mid(0, call.messages.size());
    while (each.size() < call.messages.size())
        each.append({Verdict::Unknown, core::Error{ErrorKind::UnknownOutcome, {}, {}, {}}});
    for (qsizetype i = 0; i < each.size(); ++i)
        applyOutcome(call.messages.at(i), each.at(i));
    if (std::any_of(each.cbegin(), each.cend(), wasAccepted))
        m_lane.resetBackoff();
    const std::optional<core::Error> failure = failureOf(each);
    const bool failsAgain = m_window.failsAgain(failure.has_value());
    if (failure && (failsAgain || failure->kind != ErrorKind::Transient || failure->retryAfter.count() > 0))
        m_error = failure;
    m_window.landed(call);
    m_window.wakeWhenDue(); // the code it resumes may end this run
}

void IntentLogRun::applyOutcome(const broker::Outgoing &message, const SendOutcome &outcome)
{
    using Cause = DestinationCircuitBreaker::Cause;
    switch (outcome.verdict) {
    case Verdict::Accepted:
        m_window.add({message.ordinal, SendEnd::Accepted, {}});
        m_resting.breaker().accepted(message.destination);
        break;
    case Verdict::NoSuchDestination:
        m_resting.breaker().refused(message.destination, outcome.error.message, Cause::Missing);
        m_window.add({message.ordinal, SendEnd::Ejected, outcome.error.message});
        break;
    case Verdict::Rejected:
    case Verdict::TooLarge:
        m_window.add({message.ordinal, SendEnd::Ejected, outcome.error.message});
        break;
    case Verdict::Full: // other destinations continue; messages for this one are set aside in the next step
        m_resting.breaker().refused(message.destination, outcome.error.message, Cause::Refusing);
        m_window.add({message.ordinal, SendEnd::NotAccepted, {}});
        m_refusing = true;
        break;
    case Verdict::NotSent:
        m_window.add({message.ordinal, SendEnd::NotAccepted, {}});
        break;
    case Verdict::Unknown:
        if (m_context.stopping)
            break; // the intent stays open: the next start runs an intake before it decides
        const bool again = m_intents.onUnknown() == records::OnUnknown::SendAgain;
        m_window.add({message.ordinal, again ? SendEnd::AcceptedPerhaps : SendEnd::Unanswered,
                      Text::tr("The broker did not answer. It may have accepted the message.")});
        break;
    }
}

Result<> IntentLogRun::recordOutcomes()
{
    const QList<store::SendResult> outcomes = m_window.due();
    if (outcomes.isEmpty())
        return {};
    TRY(m_context.store.transact(
        [&](store::Session &session) { return session.intents().writeOutcomes(m_batch.id, outcomes); }));
    m_window.kept();
    reportRecorded(outcomes);
    return {};
}

void IntentLogRun::reportRecorded(const QList<store::SendResult> &outcomes)
{
    if (outcomes.isEmpty())
        return;
    const auto sent = std::count_if(outcomes.begin(), outcomes.end(),
                                    [](const store::SendResult &outcome) { return outcome.end == SendEnd::Accepted; });
    if (sent > 0)
        m_context.progress.sent(m_batch.operation, sent);
    m_context.progress.operationChanged(m_batch.operation);
}

} // namespace retry
