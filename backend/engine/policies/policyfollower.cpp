#include "backend/engine/policies/policyfollower.h"

#include "backend/core/limits.h"
#include "backend/core/time/durationtext.h"
#include "backend/dialect/dialect.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"
#include "backend/records/messages/stamp.h"
#include "backend/records/rules/retrycount.h"
#include "backend/recovery/delivery.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace engine {

using core::Milliseconds;
using core::Result;
using records::MessageStatus;
using recovery::ConsecutiveFailures;
using recovery::Decision;
using recovery::HeldMessage;
using recovery::HeldState;

namespace {

Decision retryOf(const HeldMessage &held)
{
    Decision decision;
    decision.what = held.isDelayed ? Decision::Do::RetryAt : Decision::Do::RetryNow;
    return decision;
}

// It waits for nothing any more.
void clearTimes(HeldMessage &held)
{
    held.nextAttempt.reset();
    held.deliverAt.reset();
}

// The digest of what a retry of this message sends. Some frameworks put the failure into the body.
Result<QString> bodyToSend(store::Session &session, core::MessageId id, const records::Envelope &envelope)
{
    TRY(const records::FailedMessage message, session.messages().load(id)); // with its conventions
    TRY(const records::Conventions all, session.conventions().all());
    const records::Conventions applied = dialect::conventionsNamed(all, message.conventions);
    return records::bodyDigest(dialect::stripped(message.dialect, envelope, applied).body);
}

bool leaves(const recovery::Policy &policy)
{
    return policy.exhausted.what == recovery::Exhausted::Do::Move
           || policy.exhausted.what == recovery::Exhausted::Do::DeadLetter;
}

} // namespace

PolicyFollower::PolicyFollower(PolicyBook &book, core::Clock &clock, core::Random &random, LongestDelay longestDelay)
    : m_book(book)
    , m_clock(clock)
    , m_random(random)
    , m_longestDelay(std::move(longestDelay))
{
}

bool PolicyFollower::isAboutMessage(const core::Error &error)
{
    return error.kind == core::ErrorKind::NotFound || error.kind == core::ErrorKind::Corrupt
           || error.kind == core::ErrorKind::Conflict || error.kind == core::ErrorKind::Rejected;
}

void PolicyFollower::begin()
{
    m_policyOf.clear();
    m_numbers.clear();
    m_limits.clear();
}

Result<> PolicyFollower::follow(store::Session &session, const store::PolicyCandidate &candidate)
{
    m_isNew = candidate.message.change > m_newest; // otherwise it meets changed rules
    m_newest = std::max(m_newest, candidate.message.change);
    return candidate.message.status == MessageStatus::Unresolved ? followUnresolved(session, candidate)
                                                                 : followOther(session, candidate);
}

Result<> PolicyFollower::followUnresolved(store::Session &session, const store::PolicyCandidate &candidate)
{
    const recovery::Assignment *const assignment = m_book.of(candidate);
    if (assignment == nullptr)
        return candidate.held ? letGo(session, candidate) : Result<>();
    const PolicyBook::Prepared &policy = *m_book.policy(assignment->policy);
    TRY(HeldMessage held, candidate.held ? Result<HeldMessage>(*candidate.held) : met(session, candidate));
    core::TimePoint from = m_clock.now();
    if (held.state == HeldState::Excluded) {
        held.attempts = candidate.message.attempts;
    } else if (candidate.message.attempts > held.attempts) {
        TRY(countFailures(session, candidate, held)); // under the assignment that sent it
    } else {
        TRY(const bool stays, leftWithoutFailing(session, candidate, held));
        const bool isSame = held.assignment == assignment->id && held.version == policy.stored.version;
        const bool isDecided = candidate.held && held.state != HeldState::Ended && held.state != HeldState::InRetry;
        if (!stays && isDecided && isSame && recovery::isScheduled(held.state) && !held.nextAttempt) {
            held.nextAttempt = from; // it waits for a queue that is missing, and may go to another one now
            held.reason.clear();
        }
        if (stays || (isDecided && isSame))
            return candidate.held == held ? Result<>() : session.heldMessages().hold(held);
        if (isDecided)
            from = std::min(from, held.decidedAt); // another policy decides about the same failure
    }
    held.assignment = assignment->id;
    held.version = policy.stored.version;
    if (held.state == HeldState::Excluded)
        return candidate.held == held ? Result<>() : session.heldMessages().hold(held);
    return decide(session, policy, held, from);
}

// No policy is for it any more. What it has used stays with it, and so does the word of a person.
Result<> PolicyFollower::letGo(store::Session &session, const store::PolicyCandidate &candidate)
{
    HeldMessage held = *candidate.held;
    bool isUnderWay = false;
    if (held.state == HeldState::Excluded) {
        held.attempts = candidate.message.attempts;
    } else if (candidate.message.attempts > held.attempts) {
        TRY(countFailures(session, candidate, held));
    } else {
        TRY(isUnderWay, leftWithoutFailing(session, candidate, held));
    }
    held.assignment = {};
    held.version = 0;
    if (held.state != HeldState::Excluded && !isUnderWay) {
        held.state = HeldState::Ended;
        clearTimes(held);
        held.reason.clear();
    }
    return candidate.held == held ? Result<>() : session.heldMessages().hold(held);
}

// The first time that a policy has this message.
Result<HeldMessage> PolicyFollower::met(store::Session &session, const store::PolicyCandidate &candidate)
{
    TRY(HeldMessage held, taken(session, candidate));
    if (held.state != HeldState::Excluded)
        TRY(inherit(session, candidate, held));
    if (const recovery::Assignment *const assignment = m_book.of(candidate); assignment != nullptr && m_isNew)
        m_unseen.fresh(groupOf(candidate, assignment->id), m_clock.steady());
    return held;
}

UnseenReturns::Key PolicyFollower::groupOf(const store::PolicyCandidate &candidate, core::AssignmentId assignment)
{
    return {assignment, candidate.groups.at(size_t(records::Classifier::ExceptionAndStack))};
}

// An application that publishes only the body again makes a new message of each return, which would have all attempts
// once more, for ever. So a new record with the body of a message that was sent counts as its return. Each sent message
// has one return at most: among equal bodies, each is counted once.
Result<> PolicyFollower::inherit(store::Session &session, const store::PolicyCandidate &candidate, HeldMessage &held)
{
    TRY(const std::optional<store::PolicyCandidate> sent, session.heldMessages().sentWith(held.body, candidate));
    if (!sent)
        return {};
    HeldMessage before = *sent->held;
    TRY(const std::optional<core::TimePoint> sentAt,
        session.evidence().sentFrom(sent->message.uniqueId, sent->operation, sent->retries));
    const std::optional<core::TimePoint> &failedAt = candidate.message.failure.at;
    if (sentAt && failedAt && *failedAt + core::limits::clocksApart < *sentAt)
        return {}; // it failed before
    held.progress = recovery::progressAfter(before.progress, retryOf(before), before.decidedAt);
    TRY(const QString name, policyOf(session, before.operation));
    if (!name.isEmpty()) {
        ++m_numbers[name].cameBack;
        m_numbers[name].byBody += m_toldByBody.contains(name) ? 0 : 1;
        tell(before.assignment, m_book.failed(before.assignment, m_clock.now()));
        m_unseen.known(groupOf(*sent, before.assignment));
    }
    before.state = HeldState::Ended;
    before.returnedAs = held.message;
    clearTimes(before);
    return session.heldMessages().hold(before);
}

// A count of another store continues, so that a message that travels between stores is not retried for ever. An envelope
// that cannot be read has no count.
Result<HeldMessage> PolicyFollower::taken(store::Session &session, const store::PolicyCandidate &candidate) const
{
    const records::FailedMessage &message = candidate.message;
    const Result<records::Envelope> envelope = session.messages().loadEnvelope(message.id);
    if (!envelope && !isAboutMessage(envelope.error()))
        return core::fail(envelope.error());
    const int count = envelope ? records::retryCountOf(envelope->headers) : 0;
    const int elsewhere = std::max(0, count - candidate.retries);
    HeldMessage held;
    held.message = message.id;
    held.connection = message.connection;
    held.attempts = message.attempts;
    held.operation = candidate.operation;
    held.progress.failed = 1 + elsewhere;
    held.progress.inRound = 1 + elsewhere;
    held.progress.firstFailure = message.firstFailed;
    held.decidedAt = m_clock.now();
    TRY(learnBody(session, held, envelope));
    TRY(const std::optional<records::ImportedFrom> from, session.messages().importedFrom(message.id));
    if (from)
        exclude(
            held,
            Text::tr("It was imported from %1. Another store may have it, too, so a person decides.").arg(from->file));
    return held;
}

// A failure after the retry that was decided moves the progress on. Further ones came from elsewhere, for example after
// a person's retry: they count as attempts, too.
Result<> PolicyFollower::countFailures(store::Session &session, const store::PolicyCandidate &candidate,
                                       HeldMessage &held)
{
    int failures = candidate.message.attempts - held.attempts;
    held.attempts = candidate.message.attempts;
    if (held.state == HeldState::InRetry || held.state == HeldState::Waiting) {
        held.progress = recovery::progressAfter(held.progress, retryOf(held), held.decidedAt);
        --failures;
    }
    held.progress.failed += failures;
    held.progress.inRound += failures;
    TRY(const QString name, policyOf(session, candidate.operation));
    const bool wasResolved = held.state == HeldState::Ended;
    held.operation = candidate.operation;
    if (name.isEmpty())
        return {};
    ++m_numbers[name].cameBack;
    m_numbers[name].resolved -= wasResolved ? 1 : 0;
    tell(held.assignment, m_book.failed(held.assignment, m_clock.now()));
    m_unseen.known(groupOf(candidate, held.assignment));
    return {};
}

// The message is unresolved, and has not failed since. True: the policy leaves it alone. A retry may have begun and ended
// since the last look, a person's among them.
Result<bool> PolicyFollower::leftWithoutFailing(store::Session &session, const store::PolicyCandidate &candidate,
                                                HeldMessage &held)
{
    const bool wasInRetry = held.state == HeldState::InRetry;
    if (!wasInRetry && candidate.operation <= held.operation)
        return false;
    held.operation = std::max(held.operation, candidate.operation); // its own may not have claimed it yet
    TRY(const std::optional<store::MemberEnd> end, session.heldMessages().endIn(held.operation, held.message));
    if (!end)
        return false;
    const bool isUnderWay = end->closure == store::ClaimEndReason::None && !records::hasEnded(end->outcome);
    if (isUnderWay)
        return wasInRetry;
    if (end->closure == store::ClaimEndReason::TakenBack) {
        exclude(held, end->closedBy.isEmpty() ? Text::tr("It was taken back.")
                                              : Text::tr("%1 took it back.").arg(end->closedBy));
        return true;
    }
    if (end->closure == store::ClaimEndReason::Restored) {
        exclude(held, Text::tr("A backup was restored, and it may have been sent since."));
        return true;
    }
    if (end->outcome != records::Outcome::Ejected || !wasInRetry)
        return false; // it was not sent: the same attempt again
    // The broker refused it: an attempt, or it would be refused for ever.
    held.progress = recovery::progressAfter(held.progress, retryOf(held), held.decidedAt);
    held.reason = end->reason;
    return false;
}

void PolicyFollower::exclude(HeldMessage &held, const QString &why)
{
    held.state = HeldState::Excluded;
    clearTimes(held);
    held.reason = why;
}

Result<> PolicyFollower::decide(store::Session &session, const PolicyBook::Prepared &policy, HeldMessage &held,
                                core::TimePoint from)
{
    const QString refused = std::exchange(held.reason, {});
    clearTimes(held);
    if (held.body.isEmpty()) // an older store did not keep it
        TRY(learnBody(session, held, session.messages().loadEnvelope(held.message)));
    const Result<records::FailedMessage> message = session.messages().load(held.message); // with the whole text
    if (!message && !isAboutMessage(message.error()))
        return core::fail(message.error());
    if (!message) {
        giveUp(policy.stored.policy, held, message.error().message);
        return session.heldMessages().hold(held);
    }
    const recovery::Failure failure = recovery::failureOf(*message);
    TRY(countOfApplication(session, policy, failure, held));
    const Decision decision = policy.decider.decide(failure, held.progress, from, &m_random);
    if (decision.reason != recovery::Reason::None) {
        giveUp(policy.stored.policy, held,
               refused.isEmpty() ? recovery::reasonText(decision.reason, policy.stored.policy) : refused);
        return session.heldMessages().hold(held);
    }
    held.state = HeldState::Waiting;
    held.isDelayed = decision.what == Decision::Do::RetryAt;
    held.decidedAt = from;
    const recovery::Delivery delivery = recovery::deliveryOf(policy.stored.policy, decision, from, m_clock.now(),
                                                             longestDelay(*message, held.assignment));
    held.nextAttempt = delivery.sendAt;
    held.deliverAt = delivery.deliverAt;
    return session.heldMessages().hold(held);
}

// The retries that the application has made itself are attempts, and rounds of the schedule (Azure Service Bus, clone and
// schedule). Its number includes ours, because our retries go on counting there.
Result<> PolicyFollower::countOfApplication(store::Session &session, const PolicyBook::Prepared &policy,
                                            const recovery::Failure &failure, HeldMessage &held) const
{
    const recovery::Policy &rules = policy.stored.policy;
    if (rules.counter.isEmpty())
        return {};
    const Result<records::Envelope> envelope = session.messages().loadEnvelope(held.message);
    if (!envelope)
        return isAboutMessage(envelope.error()) ? Result<>() : core::fail(envelope.error());
    const int retries = records::retryCountOf(envelope->headers, rules.counter);
    if (retries < held.progress.failed)
        return {};
    recovery::Progress counted =
        recovery::progressOf(rules, policy.decider.classOf(failure), 1 + retries, held.progress.firstFailure);
    counted.lastDelayed = held.progress.lastDelayed;
    held.progress = counted;
    return {};
}

// A body that cannot be read stays unknown.
Result<> PolicyFollower::learnBody(store::Session &session, HeldMessage &held,
                                   const Result<records::Envelope> &envelope)
{
    const Result<QString> body =
        envelope.and_then([&](const records::Envelope &known) { return bodyToSend(session, held.message, known); });
    if (!body && !isAboutMessage(body.error()))
        return core::fail(body.error());
    held.body = body.value_or(QString());
    return {};
}

// While one message at a time is tried, the store waits: what the broker has cannot be held back.
Milliseconds PolicyFollower::longestDelay(const records::FailedMessage &message, core::AssignmentId assignment) const
{
    const PolicyBook::Assigned *const assigned = m_book.find(assignment);
    const bool isProbing = assigned != nullptr && assigned->limit.isProbing();
    return isProbing ? Milliseconds{0} : m_longestDelay(message.connection, message.destination.queue);
}

void PolicyFollower::giveUp(const recovery::Policy &policy, HeldMessage &held, const QString &reason)
{
    held.reason = reason;
    held.decidedAt = m_clock.now();
    held.state = leaves(policy) && !held.hasLeft ? HeldState::Leaving : HeldState::Exhausted;
    if (held.state == HeldState::Leaving)
        held.nextAttempt = held.decidedAt;
    if (policy.exhausted.what != recovery::Exhausted::Do::Notify)
        return;
    Numbers &numbers = m_numbers[policy.name];
    ++numbers.gaveUp;
    numbers.reason = reason;
}

Result<> PolicyFollower::notMoved(store::Session &session, const store::PolicyCandidate &candidate,
                                  const store::RetryMember &member)
{
    if (!candidate.held || !candidate.held->hasLeft)
        return {};
    store::PolicyCandidate again = candidate;
    HeldMessage &held = *again.held;
    held.hasLeft = false;
    if (held.state == HeldState::Exhausted && member.outcome == records::Outcome::Ejected) {
        leaveToPerson(held, member.reason);
    } else if (held.state == HeldState::Exhausted) {
        held.state = HeldState::Leaving;
        held.nextAttempt = m_clock.now();
    }
    TRY(session.heldMessages().hold(held));
    return follow(session, again); // others may have dealt with it meanwhile
}

Result<> PolicyFollower::cannotSend(store::Session &session, const store::PolicyCandidate &candidate,
                                    const QString &why)
{
    HeldMessage held = *candidate.held;
    clearTimes(held);
    const PolicyBook::Assigned *const assigned = m_book.find(held.assignment);
    if (held.state == HeldState::Leaving)
        leaveToPerson(held, why);
    else if (assigned != nullptr)
        giveUp(m_book.policy(assigned->assignment.policy)->stored.policy, held, why);
    return session.heldMessages().hold(held);
}

void PolicyFollower::leaveToPerson(HeldMessage &held, const QString &why)
{
    held.state = HeldState::NotMoved;
    clearTimes(held);
    held.reason = why;
    const PolicyBook::Assigned *const assigned = m_book.find(held.assignment);
    if (assigned == nullptr)
        return;
    Numbers &numbers = m_numbers[assigned->assignment.policy];
    ++numbers.notMoved;
    numbers.notMovedWhy = why;
}

// Sent, or dealt with by a person. Its count is kept in case it fails again.
Result<> PolicyFollower::followOther(store::Session &session, const store::PolicyCandidate &candidate)
{
    if (!candidate.held)
        return {};
    HeldMessage held = *candidate.held;
    if (candidate.message.attempts > held.attempts)
        TRY(countFailures(session, candidate, held));
    held.attempts = candidate.message.attempts;
    const bool isIssued = candidate.message.status == MessageStatus::RetryIssued;
    if (isIssued && held.returnedAs.isValid() && held.operation == candidate.operation)
        return candidate.held == held ? Result<>() : session.heldMessages().hold(held); // its return is another record
    const bool isGivenUp = held.state == HeldState::Exhausted || held.state == HeldState::NotMoved;
    if (held.state == HeldState::Excluded || held.hasLeft || (isIssued && isGivenUp))
        return candidate.held == held ? Result<>() : session.heldMessages().hold(held);
    if (!isIssued && candidate.message.status == MessageStatus::Resolved && held.state == HeldState::InRetry)
        TRY(countResolved(session, candidate, held));
    const bool isItsRetry =
        isIssued && held.state == HeldState::InRetry && held.operation == candidate.operation; // the broker may hold it
    if (isItsRetry && m_isNew)
        m_unseen.sent(groupOf(candidate, held.assignment), m_clock.steady());
    held.state = isIssued ? HeldState::InRetry : HeldState::Ended;
    if (held.operation != candidate.operation)
        held.returnedAs = {}; // that was a return of the earlier one
    held.operation = candidate.operation;
    held.nextAttempt.reset();
    if (!isItsRetry)
        held.deliverAt.reset();
    held.reason.clear();
    return candidate.held == held ? Result<>() : session.heldMessages().hold(held);
}

// Only what the endpoint or a quiet period says is evidence: a person may know of this one message alone.
Result<> PolicyFollower::countResolved(store::Session &session, const store::PolicyCandidate &candidate,
                                       const HeldMessage &held)
{
    TRY(const QString name, policyOf(session, candidate.operation));
    if (name.isEmpty())
        return {};
    ++m_numbers[name].resolved;
    TRY(const std::optional<store::MemberEnd> end, session.heldMessages().endIn(candidate.operation, held.message));
    if (end && end->closure == store::ClaimEndReason::Acknowledged)
        m_unseen.known(groupOf(candidate, held.assignment));
    if (end && (end->closure == store::ClaimEndReason::Acknowledged || end->closure == store::ClaimEndReason::Quiet))
        succeeded(held.assignment);
    return {};
}

Result<> PolicyFollower::setAside(store::Session &session, const store::PolicyCandidate &candidate, const QString &why)
{
    const recovery::Assignment *const assignment = m_book.of(candidate);
    if (assignment == nullptr && !candidate.held)
        return {};
    HeldMessage held = candidate.held.value_or(HeldMessage{});
    held.message = candidate.message.id;
    held.connection = candidate.message.connection;
    held.attempts = candidate.message.attempts;
    held.decidedAt = m_clock.now();
    if (assignment != nullptr) {
        held.assignment = assignment->id;
        held.version = m_book.policy(assignment->policy)->stored.version;
    }
    exclude(held, Text::tr("Nothing can be decided about it: %1").arg(why));
    return session.heldMessages().hold(held);
}

Result<bool> PolicyFollower::exclude(store::Session &session, const store::PolicyCandidate &candidate, bool exclude,
                                     const QString &who)
{
    const recovery::Assignment *const assignment = m_book.of(candidate, recovery::Covers::Everything);
    const bool isExcluded = candidate.held && candidate.held->state == HeldState::Excluded;
    const bool isUnder = candidate.held && candidate.held->assignment.isValid();
    if (exclude ? isExcluded : !isExcluded && (isUnder || assignment == nullptr))
        return false;
    TRY(HeldMessage held, candidate.held ? Result<HeldMessage>(*candidate.held) : taken(session, candidate));
    if (assignment != nullptr)
        held.assignment = assignment->id; // also one that is for new failures only: a person named this message
    this->exclude(held, exclude ? Text::tr("%1 took it out of the policy.").arg(who) : QString());
    if (!exclude)
        held.state = HeldState::Ended;
    TRY(session.heldMessages().hold(held));
    if (exclude)
        return true;
    store::PolicyCandidate again = candidate;
    again.held = held;
    TRY(follow(session, again));
    return true;
}

void PolicyFollower::succeeded(core::AssignmentId assignment)
{
    tell(assignment, m_book.succeeded(assignment, m_clock.now()));
}

void PolicyFollower::tell(core::AssignmentId assignment, ConsecutiveFailures::Change change)
{
    if (change != ConsecutiveFailures::Change::None)
        m_limits.append({assignment, change});
}

Result<QString> PolicyFollower::policyOf(store::Session &session, core::OperationId operation)
{
    if (!operation.isValid())
        return QString();
    if (const auto known = m_policyOf.constFind(operation); known != m_policyOf.cend())
        return *known;
    const Result<records::RetryOperation> one = session.retryOperations().load(operation);
    if (!one && !isAboutMessage(one.error()))
        return core::fail(one.error());
    return *m_policyOf.insert(operation, one ? one->policy : QString());
}

Result<bool> PolicyFollower::end(store::Session &session)
{
    TRY(m_book.saveLimits(session));
    QList<records::Event> events;
    for (const auto &[name, numbers] : m_numbers) {
        TRY(session.policies().count(name, 0, numbers.cameBack, numbers.resolved));
        const auto tellAbout = [&events, &onWhat = name](const QString &what, qint64 messages, const QString &why) {
            records::Event event;
            event.what = what;
            event.onWhat = onWhat;
            event.result = Text::tr("%1: %2").arg(messagesText(messages), why);
            if (messages > 0)
                events.append(event);
        };
        tellAbout(Text::tr("Policy gave up"), numbers.gaveUp, numbers.reason);
        tellAbout(Text::tr("Policy could not move"), numbers.notMoved, numbers.notMovedWhy);
        tellAbout(Text::tr("Returns known by their bodies"), numbers.byBody,
                  Text::tr("The application publishes them again without the headers of Redrive. Each counts as an "
                           "attempt of the message with the same body."));
        if (numbers.byBody > 0)
            m_toldByBody.insert(name);
    }
    for (const auto &[id, change] : std::as_const(m_limits)) {
        const PolicyBook::Assigned *const assigned = m_book.find(id);
        const bool started = change == ConsecutiveFailures::Change::Started;
        const std::optional<recovery::LimitedSpan> &span = assigned->limit.state().span;
        records::Event event;
        event.what = started ? Text::tr("Rate limit started") : Text::tr("Rate limit ended");
        event.onWhat = assigned->assignment.policy;
        event.result = started ? Text::tr("%1 retries in a row came back. From now on one message at a time is tried.")
                                     .arg(span ? span->failuresBefore : 0)
                               : Text::tr("A retry succeeded. The waiting messages follow.");
        events.append(event);
    }
    for (records::Event &event : events) {
        event.at = m_clock.now();
        event.who = AuditLog::engineName();
        event.severity = records::Severity::Warning;
        TRY(session.events().append(event));
    }
    return !events.isEmpty();
}

} // namespace engine
