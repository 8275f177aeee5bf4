#include "backend/records/rules/memberrules.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "tests/backend/store/retrywalk/retrywalk.h"
#include "tests/support/must.h"

#include <algorithm>

namespace test {

using records::Claim;
using records::ClaimClosing;
using records::MemberEvent;
using records::MessageStatus;
using records::OperationState;
using records::Outcome;

// ---- people ----

static bool isInDoubt(const ModelMember *member)
{
    return member->fate.outcome == Outcome::InDoubt;
}

ModelOperation *RetryWalk::anyOperationInDoubt()
{
    return anyOperation([&](const ModelOperation &one) {
        const QList<ModelMember *> all = m_model.ofOperation(one.id);
        return std::any_of(all.cbegin(), all.cend(), isInDoubt);
    });
}

// A client may name a member twice.
QList<qint64> RetryWalk::perhapsTwice(const QList<qint64> &ordinals)
{
    return chance(4) ? ordinals + ordinals : ordinals;
}

void RetryWalk::assumeSent()
{
    ModelOperation *operation = anyOperationInDoubt();
    if (operation == nullptr)
        return;
    const QList<ModelMember *> named = some(m_model.ofOperation(operation->id));
    say(QStringLiteral("operation %1, %2 members").arg(operation->id.value).arg(named.size()));
    const core::Result<> assumed = work([&](store::Session &session) {
        return session.claims().assumeSent(operation->id, perhapsTwice(ordinals(named)));
    });
    if (!done(assumed, true))
        return;
    for (const ModelMember *member : happen(named, MemberEvent::AssumedSent))
        m_model.batches.at(member->batch.value).isSettled = false;
}

void RetryWalk::sendAgain()
{
    ModelOperation *operation = anyOperationInDoubt();
    if (operation == nullptr)
        return;
    const QList<ModelMember *> named = some(m_model.ofOperation(operation->id));
    say(QStringLiteral("operation %1, %2 members").arg(operation->id.value).arg(named.size()));
    const core::Result<> sent = work([&](store::Session &session) {
        return session.claims().sendAgain(operation->id, perhapsTwice(ordinals(named)), QStringLiteral("session"));
    });
    if (!done(sent, operation->state != OperationState::Cancelled || operation->isFinished))
        return;
    const QList<ModelMember *> again = happen(named, MemberEvent::SentAgain);
    if (again.isEmpty())
        return;
    addBatch(nextBatch(), *operation, records::BatchStage::Staging, again);
    if (operation->isFinished)
        operation->state = OperationState::Running;
    operation->isFinished = false;
}

void RetryWalk::close()
{
    static constexpr std::array all{ClaimClosing::ResolvedByHand, ClaimClosing::FailedAgain, ClaimClosing::Restored,
                                    ClaimClosing::TakenBack, ClaimClosing::TakenBack}; // mostly sent again later
    const ClaimClosing closing = all.at(size_t(m_random.below(all.size())));
    const QList<core::MessageId> messages = fewMessages(MessageStatus::RetryIssued);
    say(QStringLiteral("event %1, %2 messages").arg(int(closing)).arg(messages.size()));
    m_model.now.who = QStringLiteral("somebody");
    const core::Result<int> closed = m_store->transact<int>([&](store::Session &session) {
        return session.claims().close(messages, {closing, m_now, m_model.now.who});
    });
    if (!done(closed, true))
        return;
    int count = 0;
    for (const core::MessageId message : messages)
        count += int(happen(m_model.ofMessage(message), records::eventOf(closing)).size());
    expect(*closed == count, QStringLiteral("it closed %1, not %2").arg(*closed).arg(count));
}

void RetryWalk::heldByBroker()
{
    const QList<core::MessageId> messages = someMessages();
    const core::TimePoint until = m_now + core::Milliseconds{60'000};
    for (auto &[key, member] : m_model.members) {
        if (!chance(8))
            continue;
        member.deliverAt = until;
        must(m_store->database().execute(
            QStringLiteral("UPDATE retry_member SET deliver_at = ? WHERE operation = ? AND ordinal = ?"),
            {core::toMs(until), key.first, key.second}));
    }
    say(QStringLiteral("%1 messages").arg(messages.size()));
    const core::Result<int> held =
        m_store->read<int>([&](store::Session &session) { return session.claims().heldByBroker(messages, m_now); });
    int expected = 0;
    for (const auto &[key, member] : m_model.members) {
        if (messages.contains(member.message) && member.fate.claim == Claim::Own
            && member.fate.message == MessageStatus::RetryIssued && records::mayHaveArrived(member.fate.outcome)
            && member.deliverAt > m_now)
            ++expected;
    }
    if (done(held, true))
        expect(*held == expected, QStringLiteral("it says %1, not %2").arg(*held).arg(expected));
}

void RetryWalk::archive()
{
    QList<core::MessageId> messages = fewMessages(MessageStatus::Unresolved);
    messages.removeIf([this](core::MessageId) { return !chance(3); });
    for (const auto &[key, member] : m_model.members) { // those that wait to be sent again, too
        const bool waits = member.fate.outcome == Outcome::Claimed && member.fate.possibleDuplicate;
        if (waits && !messages.contains(member.message) && !chance(3))
            messages.append(member.message);
    }
    say(QStringLiteral("%1 messages").arg(messages.size()));
    const core::Result<int> archived = m_store->transact<int>([&](store::Session &session) {
        return session.messages().decide(messages, {MessageStatus::Unresolved}, MessageStatus::Archived,
                                         {m_now, QStringLiteral("somebody")});
    });
    if (!done(archived, true))
        return;
    for (const core::MessageId message : messages) {
        if (m_model.messages.at(message.value).status == MessageStatus::Unresolved)
            m_model.decide(message, MessageStatus::Archived);
    }
}

void RetryWalk::unarchive()
{
    const QList<core::MessageId> messages = someMessages();
    const QList<MessageStatus> from{chance(4) ? MessageStatus::Unknown : MessageStatus::Archived};
    say(QStringLiteral("%1 messages").arg(messages.size()));
    const core::Result<int> back = m_store->transact<int>([&](store::Session &session) {
        return session.messages().decide(messages, from, MessageStatus::Unresolved,
                                         {m_now, QStringLiteral("somebody")});
    });
    if (!done(back, true))
        return;
    for (const core::MessageId message : messages) {
        if (from.contains(m_model.messages.at(message.value).status))
            m_model.decide(message, MessageStatus::Unresolved);
    }
}

void RetryWalk::removeOld()
{
    const MessageStatus status = chance(2) ? MessageStatus::Archived : MessageStatus::Resolved;
    const QList<core::MessageId> messages = someMessages();
    say(QStringLiteral("status %1, %2 messages").arg(int(status)).arg(messages.size()));
    const core::Result<int> removed =
        m_store->transact<int>([&](store::Session &session) { return session.retention().removeOf(messages, status); });
    if (!done(removed, true))
        return;
    int count = 0;
    for (const core::MessageId message : messages) {
        const QList<ModelMember *> all = m_model.ofMessage(message);
        const bool isOfRetry = std::any_of(all.cbegin(), all.cend(), [this](const ModelMember *member) {
            return member->fate.claim == Claim::Own || member->fate.outcome == records::Outcome::InDoubt
                   || !m_model.operations.at(member->operation.value).isFinished;
        });
        if (isOfRetry || m_model.messages.at(message.value).status != status)
            continue;
        m_model.remove(message);
        ++count;
    }
    expect(*removed == count, QStringLiteral("it removed %1, not %2").arg(*removed).arg(count));
}

// ---- news ----

void RetryWalk::resolveQuiet()
{
    ModelBatch *batch = anyBatch([&](const ModelBatch &one) {
        const QList<ModelMember *> all = m_model.ofBatch(one.id);
        return std::any_of(all.cbegin(), all.cend(), [](const ModelMember *member) {
            return records::transitionOf(member->fate, MemberEvent::Quiet) != nullptr;
        });
    });
    if (batch == nullptr)
        return;
    const QStringList without =
        chance(2) ? QStringList() : QStringList{QStringLiteral("orders.1"), QStringLiteral("error")};
    say(QStringLiteral("batch %1, without %2").arg(QString::number(batch->id.value), without.join(u' ')));
    m_model.now.quietFor = core::Milliseconds{1000 + m_random.below(3)};
    const core::Result<int> resolved = m_store->transact<int>([&](store::Session &session) {
        return session.evidence().resolveQuiet(batch->id, without, m_now, *m_model.now.quietFor);
    });
    if (!done(resolved, true))
        return;
    QList<ModelMember *> quiet = m_model.ofBatch(batch->id);
    bool someWait = false;
    quiet.removeIf([&](const ModelMember *member) {
        const bool waits = without.contains(member->destination);
        someWait |= waits && records::transitionOf(member->fate, MemberEvent::Quiet) != nullptr;
        return waits;
    });
    batch->isSettled |= !someWait;
    const qsizetype count = happen(quiet, MemberEvent::Quiet).size();
    expect(*resolved == count, QStringLiteral("it resolved %1, not %2").arg(*resolved).arg(count));
}

void RetryWalk::awaitedReturn()
{
    const ModelMessage *message =
        anyMessage([&](const ModelMessage &one) { return m_model.awaiting(one.id) != nullptr; });
    if (message == nullptr)
        return;
    say(QStringLiteral("message %1").arg(message->id.value));
    using Awaited = std::optional<store::AwaitedReturn>;
    const core::Result<Awaited> awaited = m_store->read<Awaited>(
        [&](store::Session &session) { return session.claims().awaitedReturn(message->uniqueId); });
    if (!done(awaited, true))
        return;
    const ModelMember *owner = m_model.awaiting(message->id);
    expect(awaited->has_value() == (owner != nullptr), QStringLiteral("the wrong one is awaited"));
    if (!awaited->has_value() || owner == nullptr)
        return;
    const store::AwaitedReturn &found = **awaited;
    expect(
        found.operation == owner->operation && found.attempt == owner->attempt
            && found.mayBeAway == records::mayBeAway(owner->fate) && found.sentAgain == owner->fate.possibleDuplicate,
        QStringLiteral("operation %1, attempt %2, may be away %3, sent again %4 of a member that is %5")
            .arg(QString::number(found.operation.value), QString::number(found.attempt),
                 QString::number(int(found.mayBeAway)), QString::number(int(found.sentAgain)), toString(owner->fate)));
}

// As PageWriter::countReturn.
void RetryWalk::cameBack()
{
    ModelMessage *message = anyMessage([&](const ModelMessage &one) {
        const ModelMember *owner = m_model.awaiting(one.id);
        return owner != nullptr && (owner->fate.outcome != Outcome::Claimed || chance(25));
    });
    if (message == nullptr)
        return;
    ModelMember *owner = m_model.awaiting(message->id);
    const QList<ModelMember *> all = m_model.ofMessage(message->id);
    if (all.isEmpty())
        return;
    // That of an earlier retry is not current.
    const ModelMember *stamped = owner != nullptr && !chance(6) ? owner : all.constFirst();
    const core::OperationId operation = stamped->operation;
    const int attempt = stamped->attempt + (chance(8) ? 1 : 0);
    const bool isCurrent = owner != nullptr && owner->operation == operation && owner->attempt == attempt;
    say(QStringLiteral("message %1, operation %2, attempt %3")
            .arg(message->id.value)
            .arg(operation.value)
            .arg(attempt));
    const core::Result<> back = work([&](store::Session &session) -> core::Result<> {
        TRY(const store::CameBack claim, session.claims().cameBack(message->uniqueId, operation, attempt));
        expect(claim.current == isCurrent, QStringLiteral("it says %1").arg(claim.current));
        return claim.current ? session.messages().failedAgain(message->id, failureOf(*message, false), true)
                             : core::Result<>{};
    });
    if (!done(back, true) || !isCurrent)
        return;
    expect(m_model.happen(*owner, MemberEvent::CameBack), QStringLiteral("the table knows no return"));
    m_model.decide(message->id, MessageStatus::Unresolved);
    m_model.flag(message->id, false);
}

// As PageWriter::confirm.
void RetryWalk::acknowledged()
{
    ModelMessage *message = anyMessage([&](const ModelMessage &one) {
        const ModelMember *owner = m_model.awaiting(one.id);
        return owner != nullptr && records::mayBeAway(owner->fate);
    });
    if (message == nullptr)
        return;
    say(QStringLiteral("message %1").arg(message->id.value));
    const QList<MessageStatus> open{MessageStatus::Unresolved, MessageStatus::RetryIssued, MessageStatus::Unknown};
    const core::Result<> confirmed = work([&](store::Session &session) -> core::Result<> {
        TRY(session.claims().acknowledged(message->uniqueId, m_now));
        TRY(session.messages().setStatus({message->id}, open, MessageStatus::Resolved));
        return {};
    });
    if (!done(confirmed, true))
        return;
    if (ModelMember *owner = m_model.awaiting(message->id))
        expect(m_model.happen(*owner, MemberEvent::Acknowledged), QStringLiteral("the table knows no answer"));
    if (open.contains(message->status))
        m_model.decide(message->id, MessageStatus::Resolved);
}

// As PageWriter::seenAgain: nothing shows that it was our copy.
void RetryWalk::failedElsewhere()
{
    ModelMessage *message =
        anyMessage([this](const ModelMessage &one) { return one.status == MessageStatus::RetryIssued || chance(3); });
    if (message == nullptr)
        return;
    say(QStringLiteral("message %1").arg(message->id.value));
    const bool isIssued = message->status == MessageStatus::RetryIssued;
    int taken = 0;
    const core::Result<> failed = work([&](store::Session &session) -> core::Result<> {
        if (isIssued) {
            TRY(taken, session.claims().close({message->id}, {ClaimClosing::FailedAgain, m_now, {}}));
        }
        TRY(session.messages().failedAgain(message->id, failureOf(*message, message->isPossibleDuplicate), false));
        return isIssued && taken == 0 ? session.claims().earlierFailed(message->id) : core::Result<>{};
    });
    if (!done(failed, true))
        return;
    const QList<ModelMember *> all = m_model.ofMessage(message->id);
    const qsizetype ended = isIssued ? happen(all, MemberEvent::FailedAgain).size() : 0;
    expect(taken == ended, QStringLiteral("it ended %1 claims, not %2").arg(taken).arg(ended));
    m_model.decide(message->id, MessageStatus::Unresolved);
    if (isIssued && ended == 0)
        happen(all, MemberEvent::EarlierFailed);
}

// As PageWriter::cameBack, of a retry that nobody waits for any more.
void RetryWalk::earlierCopyFailed()
{
    ModelMessage *message =
        anyMessage([](const ModelMessage &one) { return one.status == MessageStatus::RetryIssued; });
    if (message == nullptr)
        return;
    say(QStringLiteral("message %1").arg(message->id.value));
    const bool isIssued = message->status == MessageStatus::RetryIssued;
    const core::Result<> failed = work([&](store::Session &session) -> core::Result<> {
        TRY(session.messages().failedAgain(message->id, failureOf(*message, message->isPossibleDuplicate), false));
        return isIssued ? session.claims().earlierFailed(message->id) : core::Result<>{};
    });
    if (!done(failed, true))
        return;
    m_model.decide(message->id, MessageStatus::Unresolved);
    if (isIssued)
        happen(m_model.ofMessage(message->id), MemberEvent::EarlierFailed);
}

// As PageWriter::cameBack: a message that was released and is in its queue as it was.
void RetryWalk::readAgain()
{
    ModelMessage *message = anyMessage([](const ModelMessage &one) { return one.status == MessageStatus::Released; });
    if (message == nullptr || message->status != MessageStatus::Released)
        return;
    say(QStringLiteral("message %1").arg(message->id.value));
    const core::Result<> read = work([&](store::Session &session) {
        return session.messages().readAgain(message->id, failureOf(*message, message->isPossibleDuplicate));
    });
    if (done(read, true))
        m_model.decide(message->id, MessageStatus::Unresolved);
}

} // namespace test
