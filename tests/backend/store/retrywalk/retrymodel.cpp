#include "tests/backend/store/retrywalk/retrymodel.h"

#include <algorithm>

namespace test {

using records::Claim;
using records::MemberEvent;
using records::MemberMark;
using records::MessageStatus;
using records::Outcome;

bool RetryModel::happen(ModelMember &member, MemberEvent event, const QString &reason)
{
    const records::Transition *transition = records::transitionOf(member.fate, event);
    if (transition == nullptr)
        return false;
    ++used[transition];
    const records::Fate before = member.fate;
    member.fate = records::apply(before, event, *transition);
    if (member.fate.closure != before.closure)
        member.closing = now;
    const bool isTaken = transition->claim == records::ClaimChange::Taken;
    const bool isFreed = before.claim == Claim::Own && member.fate.claim == Claim::Ended;
    for (ModelMember *other : ofMessage(member.message)) {
        other->fate.message = member.fate.message;
        if (other != &member && (isTaken || isFreed))
            other->fate.claim = isTaken ? Claim::Anothers : Claim::Free;
    }
    ModelMessage &message = messages.at(member.message.value);
    message.status = member.fate.message;
    if (isTaken)
        member.attempt = ++message.attempts;
    if (transition->reason != records::ReasonChange::Stays)
        member.reason = transition->reason == records::ReasonChange::Given ? reason : QString();
    if (transition->marks.contains(MemberMark::OneRefusalMore))
        ++member.refusals;
    if (transition->marks.contains(MemberMark::NoRefusals))
        member.refusals = 0;
    learnEarlierCopies(member.message);
    return true;
}

void RetryModel::learnEarlierCopies(core::MessageId message)
{
    const bool isFlagged = messages.at(message.value).isPossibleDuplicate;
    const QList<ModelMember *> all = ofMessage(message);
    for (ModelMember *member : all) {
        const bool isUnaccounted = std::any_of(all.cbegin(), all.cend(), [member](const ModelMember *other) {
            const records::Fate &fate = other->fate;
            return other->operation != member->operation && !fate.cameBack
                   && (fate.closure == records::ClaimEndReason::TakenBack || fate.outcome == records::Outcome::InDoubt);
        });
        member->fate.earlierCopy = isFlagged || isUnaccounted;
    }
}

void RetryModel::decide(core::MessageId message, MessageStatus status)
{
    messages.at(message.value).status = status;
    for (ModelMember *member : ofMessage(message))
        member->fate.message = status;
}

void RetryModel::flag(core::MessageId message, bool isPossibleDuplicate)
{
    messages.at(message.value).isPossibleDuplicate = isPossibleDuplicate;
    learnEarlierCopies(message);
}

void RetryModel::add(const ModelMember &pending)
{
    members[{pending.operation.value, pending.ordinal}] = pending;
    learnEarlierCopies(pending.message);
}

void RetryModel::remove(core::MessageId message)
{
    std::erase_if(members, [message](const auto &entry) { return entry.second.message == message; });
    messages.erase(message.value);
}

void RetryModel::moveTo(core::BatchId batch, const QList<ModelMember *> &all)
{
    for (ModelMember *member : all)
        member->batch = batch;
}

void RetryModel::name(core::BatchId id, const QString &stagingId, const QString &place)
{
    ModelBatch &batch = batches.at(id.value);
    batch.stagingId = stagingId;
    batch.place = place;
    for (ModelMember *member : ofBatch(id))
        member->fate.viaQueue = !place.isEmpty();
}

QList<ModelMember *> RetryModel::ofBatch(core::BatchId batch)
{
    QList<ModelMember *> found;
    for (auto &[key, member] : members) {
        if (batch.isValid() && member.batch == batch)
            found.append(&member);
    }
    return found;
}

QList<ModelMember *> RetryModel::ofOperation(core::OperationId operation)
{
    QList<ModelMember *> found;
    for (auto &[key, member] : members) {
        if (member.operation == operation)
            found.append(&member);
    }
    return found;
}

QList<ModelMember *> RetryModel::ofMessage(core::MessageId message)
{
    QList<ModelMember *> found;
    for (auto &[key, member] : members) {
        if (member.message == message)
            found.append(&member);
    }
    return found;
}

ModelMember *RetryModel::awaiting(core::MessageId message)
{
    for (ModelMember *member : ofMessage(message)) {
        if (records::holds(records::FateIs::AwaitingNews, member->fate))
            return member;
    }
    return nullptr;
}

std::optional<core::BatchId> RetryModel::nowForwarding(core::ConnectionId connection) const
{
    for (const auto &[id, batch] : batches) {
        if (batch.connection == connection && batch.stage == records::BatchStage::Forwarding)
            return batch.id;
    }
    return {};
}

bool RetryModel::isHeld(core::MessageId message)
{
    const QList<ModelMember *> all = ofMessage(message);
    return std::any_of(all.cbegin(), all.cend(), [this](const ModelMember *member) {
        const records::OperationState state = operations.at(member->operation.value).state;
        return member->fate.claim == Claim::Own
               || (member->fate.outcome == Outcome::Pending && state != records::OperationState::Freezing
                   && state != records::OperationState::Cancelled);
    });
}

QString toString(const records::Fate &fate)
{
    const QStringList claims{QStringLiteral("free"), QStringLiteral("own"), QStringLiteral("ended"),
                             QStringLiteral("another's")};
    const QStringList ends{QStringLiteral("none"),       QStringLiteral("acknowledged"), QStringLiteral("by hand"),
                           QStringLiteral("taken back"), QStringLiteral("failed again"), QStringLiteral("quiet"),
                           QStringLiteral("restored")};
    QStringList words{records::toString(fate.outcome), QStringLiteral("claim %1").arg(claims.value(int(fate.claim))),
                      records::toString(fate.message), QStringLiteral("end %1").arg(ends.value(int(fate.closure)))};
    const QList<std::pair<bool, QString>> facts{{fate.batched, QStringLiteral("batched")},
                                                {fate.viaQueue, QStringLiteral("via queue")},
                                                {fate.intent, QStringLiteral("intent")},
                                                {fate.cameBack, QStringLiteral("came back")},
                                                {fate.possibleDuplicate, QStringLiteral("possible duplicate")},
                                                {fate.earlierCopy, QStringLiteral("earlier copy")}};
    for (const auto &[is, word] : facts) {
        if (is)
            words.append(word);
    }
    return words.join(QStringLiteral(", "));
}

} // namespace test
