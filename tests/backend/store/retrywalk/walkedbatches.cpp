#include "backend/core/limits.h"
#include "backend/records/rules/memberrules.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/stagingstore.h"
#include "tests/backend/store/retrywalk/retrywalk.h"

#include <algorithm>
#include <array>

namespace test {

using records::BatchStage;
using records::MemberEvent;
using records::OperationState;
using records::Outcome;
using records::SendEnd;

static QString batchText(const ModelBatch &batch)
{
    return QStringLiteral("batch %1 of operation %2").arg(batch.id.value).arg(batch.operation.value);
}

static QString ordinalsText(const QList<qint64> &ordinals)
{
    QStringList texts;
    for (const qint64 ordinal : ordinals)
        texts.append(QString::number(ordinal));
    return QStringLiteral("members [%1]").arg(texts.join(u' '));
}

static QList<ModelMember *> with(const QList<ModelMember *> &members,
                                 const std::function<bool(const ModelMember &)> &condition)
{
    QList<ModelMember *> found;
    std::copy_if(members.cbegin(), members.cend(), std::back_inserter(found),
                 [&](const ModelMember *member) { return condition(*member); });
    return found;
}

static QList<ModelMember *> in(const ModelBatch &batch, const QList<ModelMember *> &members)
{
    return with(members, [&](const ModelMember &member) { return member.batch == batch.id; });
}

static QList<ModelMember *> whoAre(Outcome outcome, const QList<ModelMember *> &members)
{
    return with(members, [outcome](const ModelMember &member) { return member.fate.outcome == outcome; });
}

void RetryWalk::addBatch()
{
    ModelOperation *operation = anyOperation(
        [&](const ModelOperation &one) { return one.state == OperationState::Running && openMembers(one.id) > 0; });
    if (operation == nullptr || operation->state == OperationState::Freezing)
        return;
    const int most = 1 + int(m_random.below(8));
    QList<ModelMember *> next = whoAre(Outcome::Pending, m_model.ofOperation(operation->id));
    next.removeIf([](const ModelMember *member) { return member->batch.isValid(); });
    next = next.first(std::min<qsizetype>(most, next.size()));
    if (next.isEmpty() && !chance(4))
        return;
    say(QStringLiteral("operation %1, %2 members").arg(operation->id.value).arg(most));
    using Added = std::optional<records::RetryBatch>;
    const core::Result<Added> added = m_store->transact<Added>([&](store::Session &session) {
        return session.staging().addBatch(operation->id, QStringLiteral("session"), most);
    });
    if (!done(added, true))
        return;
    expect(added->has_value() == !next.isEmpty(), QStringLiteral("a batch of nothing, or none"));
    if (added->has_value())
        addBatch((*added)->id, *operation, BatchStage::MarkingDocuments, happen(next, MemberEvent::Batched));
}

void RetryWalk::claimMembers()
{
    ModelBatch *batch = anyBatch([this](const ModelBatch &one) {
        return one.stage == BatchStage::MarkingDocuments
               && (!whoAre(Outcome::Pending, m_model.ofBatch(one.id)).isEmpty() || chance(6));
    });
    if (batch == nullptr)
        return;
    say(batchText(*batch));
    const core::Result<> claimed =
        work([&](store::Session &session) { return session.staging().claimMembers(batch->id); });
    if (done(claimed, batch->stage == BatchStage::MarkingDocuments))
        happen(m_model.ofBatch(batch->id), MemberEvent::Claiming, records::claimedByAnother());
}

void RetryWalk::beginStaging()
{
    ModelBatch *batch = anyBatch([&](const ModelBatch &one) {
        return one.stage == BatchStage::MarkingDocuments
               && (whoAre(Outcome::Pending, m_model.ofBatch(one.id)).isEmpty() || chance(12));
    });
    if (batch == nullptr)
        return;
    say(batchText(*batch));
    const core::Result<> begun =
        work([&](store::Session &session) { return session.staging().beginStaging(batch->id); });
    if (done(begun, batch->stage == BatchStage::MarkingDocuments))
        batch->stage = BatchStage::Staging;
}

void RetryWalk::nameStaging()
{
    ModelBatch *batch = anyBatch([this](const ModelBatch &one) {
        return one.stage == BatchStage::Staging && (one.stagingId.isEmpty() || chance(8));
    });
    if (batch == nullptr)
        return;
    const QString stagingId = QStringLiteral("staging-%1").arg(++m_names);
    const QString place = chance(2) ? QString() : QStringLiteral("place-%1").arg(m_names);
    say(QStringLiteral("%1, '%2'").arg(batchText(*batch), place));
    using Members = QList<store::RetryMember>;
    const core::Result<Members> named = m_store->transact<Members>(
        [&](store::Session &session) { return session.staging().nameStaging(batch->id, stagingId, place); });
    if (!done(named, batch->stage == BatchStage::Staging))
        return;
    m_model.name(batch->id, stagingId, place);
    for (ModelMember *member : m_model.ofBatch(batch->id))
        m_model.happen(*member, MemberEvent::StagingNamed, records::whySkipped(member->fate.message));
    QList<qint64> returned;
    for (const store::RetryMember &member : *named)
        returned.append(member.ordinal);
    expect(returned == ordinals(whoAre(Outcome::Claimed, m_model.ofBatch(batch->id))),
           QStringLiteral("it returned ") + ordinalsText(returned));
}

void RetryWalk::countRefusals()
{
    ModelBatch *batch = batchIn(BatchStage::Staging);
    if (batch == nullptr)
        return;
    const QList<ModelMember *> refused = someMembers(*batch);
    say(QStringLiteral("%1, %2").arg(batchText(*batch), ordinalsText(ordinals(refused))));
    const core::Result<> counted =
        work([&](store::Session &session) { return session.staging().countRefusals(batch->id, reasons(refused)); });
    if (!done(counted, batch->stage == BatchStage::Staging))
        return;
    for (ModelMember *member : happen(in(*batch, refused), MemberEvent::StagingRefused)) {
        if (member->refusals >= core::limits::stageAttempts)
            m_model.happen(*member, MemberEvent::Ejected, reasonOf(member->ordinal));
    }
}

void RetryWalk::eject()
{
    ModelBatch *batch = batchIn(BatchStage::Staging);
    if (batch == nullptr)
        return;
    const QList<ModelMember *> some = someMembers(*batch);
    say(QStringLiteral("%1, %2").arg(batchText(*batch), ordinalsText(ordinals(some))));
    const core::Result<> ejected =
        work([&](store::Session &session) { return session.staging().eject(batch->id, reasons(some)); });
    if (done(ejected, batch->stage == BatchStage::Staging))
        happen(in(*batch, some), MemberEvent::Ejected);
}

void RetryWalk::setAside()
{
    ModelBatch *batch = anyBatch(
        [](const ModelBatch &one) { return one.stage == BatchStage::Staging || one.stage == BatchStage::Forwarding; });
    if (batch == nullptr)
        return;
    const QList<ModelMember *> some = someMembers(*batch);
    say(QStringLiteral("%1, %2").arg(batchText(*batch), ordinalsText(ordinals(some))));
    const core::Result<core::BatchId> aside = m_store->transact<core::BatchId>([&](store::Session &session) {
        return session.staging().setAside(batch->id, ordinals(some), QStringLiteral("session"));
    });
    if (!done(aside, true))
        return;
    const QList<ModelMember *> moved = happen(in(*batch, some), MemberEvent::SetAside);
    expect(aside->isValid() == !moved.isEmpty(), QStringLiteral("it moved other members"));
    if (aside->isValid())
        addBatch(*aside, m_model.operations.at(batch->operation.value), BatchStage::Staging, moved);
}

void RetryWalk::beginForwarding()
{
    ModelBatch *batch = anyBatch([&](const ModelBatch &one) {
        return one.stage == BatchStage::Staging && !one.stagingId.isEmpty() && !m_model.nowForwarding(one.connection)
               && !whoAre(Outcome::Claimed, m_model.ofBatch(one.id)).isEmpty();
    });
    if (batch == nullptr)
        return;
    const QList<ModelMember *> claimed = whoAre(Outcome::Claimed, m_model.ofBatch(batch->id));
    const QString stagingId = batch->stagingId.isEmpty() || chance(12) ? QStringLiteral("another") : batch->stagingId;
    const int staged = int(claimed.size()) + (chance(12) ? 1 : 0);
    say(QStringLiteral("%1, '%2', %3 staged").arg(batchText(*batch), stagingId).arg(staged));
    const bool allCanBe = std::all_of(claimed.cbegin(), claimed.cend(), [](const ModelMember *member) {
        return records::transitionOf(member->fate, MemberEvent::Staged) != nullptr;
    });
    const bool isAllowed = batch->stage == BatchStage::Staging && stagingId == batch->stagingId
                           && staged == claimed.size() && allCanBe && !m_model.nowForwarding(batch->connection);
    const core::Result<> begun =
        work([&](store::Session &session) { return session.staging().beginForwarding(batch->id, stagingId, staged); });
    if (!done(begun, isAllowed))
        return;
    happen(claimed, MemberEvent::Staged);
    batch->stage = BatchStage::Forwarding;
}

void RetryWalk::finishEmpty()
{
    ModelBatch *batch = batchIn(BatchStage::Staging);
    if (batch == nullptr)
        return;
    say(batchText(*batch));
    const QList<ModelMember *> all = m_model.ofBatch(batch->id);
    const bool isEmpty = std::all_of(all.cbegin(), all.cend(),
                                     [](const ModelMember *member) { return records::hasEnded(member->fate.outcome); });
    const core::Result<> finished =
        work([&](store::Session &session) { return session.staging().finishEmpty(batch->id); });
    if (done(finished, batch->stage == BatchStage::Staging && isEmpty))
        batch->stage = BatchStage::Done;
}

// Of the intent log: a member was not sent, or its answer is missing.
static bool isOpen(const ModelMember &member)
{
    return member.fate.outcome == Outcome::Staged && !member.fate.viaQueue;
}

// Mostly one of the intent log, which has no part in others.
ModelBatch *RetryWalk::anyBatchForIntents(bool areStored)
{
    return anyBatch([&](const ModelBatch &one) {
        const auto waits = [areStored](const ModelMember &member) {
            return isOpen(member) && member.fate.intent == areStored;
        };
        return one.stage == BatchStage::Forwarding
               && (one.place.isEmpty() ? !with(m_model.ofBatch(one.id), waits).isEmpty() : chance(6));
    });
}

QList<store::SendResult> RetryWalk::ends(const QList<ModelMember *> &members)
{
    static constexpr std::array all{SendEnd::Accepted, SendEnd::NotAccepted, SendEnd::AcceptedPerhaps,
                                    SendEnd::Unanswered, SendEnd::Ejected};
    QList<store::SendResult> ends;
    for (const ModelMember *member : members)
        ends.append({member->ordinal, all.at(size_t(m_random.below(all.size()))), reasonOf(member->ordinal)});
    return ends;
}

static QString endsText(const QList<store::SendResult> &ends)
{
    QStringList texts;
    for (const store::SendResult &one : ends)
        texts.append(QStringLiteral("%1: %2").arg(one.ordinal).arg(int(one.end)));
    return QStringLiteral("ends [%1]").arg(texts.join(QStringLiteral(", ")));
}

void RetryWalk::writeIntents()
{
    ModelBatch *batch = anyBatchForIntents(false);
    if (batch == nullptr)
        return;
    const QList<ModelMember *> some = someMembers(*batch);
    say(QStringLiteral("%1, %2").arg(batchText(*batch), ordinalsText(ordinals(some))));
    using Ordinals = QList<qint64>;
    const core::Result<Ordinals> written = m_store->transact<Ordinals>(
        [&](store::Session &session) { return session.intents().writeIntents(batch->id, ordinals(some)); });
    if (!done(written, batch->stage == BatchStage::Forwarding))
        return;
    QList<qint64> expected = ordinals(happen(in(*batch, some), MemberEvent::IntentStored));
    std::sort(expected.begin(), expected.end());
    expect(*written == expected, QStringLiteral("it returned ") + ordinalsText(*written));
}

void RetryWalk::writeOutcomes()
{
    ModelBatch *batch = anyBatchForIntents(true);
    if (batch == nullptr)
        return;
    const QList<ModelMember *> some = someMembers(*batch);
    const QList<store::SendResult> outcomes = ends(some);
    say(QStringLiteral("%1, %2").arg(batchText(*batch), endsText(outcomes)));
    const core::Result<> written =
        work([&](store::Session &session) { return session.intents().writeOutcomes(batch->id, outcomes); });
    if (!done(written, batch->stage == BatchStage::Forwarding))
        return;
    for (qsizetype n = 0; n < some.size(); ++n) {
        if (some.at(n)->batch == batch->id && some.at(n)->fate.intent)
            m_model.happen(*some.at(n), records::eventOf(outcomes.at(n).end), outcomes.at(n).reason);
    }
}

void RetryWalk::closeIntentLogBatch()
{
    ModelBatch *batch = anyBatchForIntents(false);
    if (batch == nullptr)
        return;
    say(batchText(*batch));
    const QList<ModelMember *> all = m_model.ofBatch(batch->id);
    const bool hasIntent =
        std::any_of(all.cbegin(), all.cend(), [](const ModelMember *member) { return member->fate.intent; });
    const core::Result<> closed = work([&](store::Session &session) {
        return session.intents().closeIntentLogBatch(batch->id, QStringLiteral("session"));
    });
    if (!done(closed, batch->stage == BatchStage::Forwarding && batch->place.isEmpty() && !hasIntent))
        return;
    const QList<ModelMember *> unsent = happen(whoAre(Outcome::Staged, all), MemberEvent::SetAside);
    if (!unsent.isEmpty())
        addBatch(nextBatch(), m_model.operations.at(batch->operation.value), BatchStage::Staging, unsent);
    endForwarding(*batch, {});
}

void RetryWalk::finishForwarding()
{
    ModelBatch *batch = anyBatch([this](const ModelBatch &one) {
        return one.stage == BatchStage::Forwarding && (with(m_model.ofBatch(one.id), isOpen).isEmpty() || chance(6));
    });
    if (batch == nullptr)
        return;
    const QList<ModelMember *> all = m_model.ofBatch(batch->id);
    QList<store::SendResult> known = ends(chance(2) ? someMembers(*batch) : QList<ModelMember *>());
    if (!chance(4)) { // a queue does not leave them where they are
        known.removeIf([](const store::SendResult &one) {
            return one.end == SendEnd::NotAccepted || one.end == SendEnd::AcceptedPerhaps;
        });
    }
    const bool isInterrupted = chance(3);
    const bool someStay = std::any_of(all.cbegin(), all.cend(), [&known](const ModelMember *member) {
        const bool stays = std::any_of(known.cbegin(), known.cend(), [member](const store::SendResult &one) {
            return one.ordinal == member->ordinal
                   && (one.end == SendEnd::NotAccepted || one.end == SendEnd::AcceptedPerhaps);
        });
        return isOpen(*member) || (stays && member->fate.outcome == Outcome::Staged);
    });
    say(QStringLiteral("%1, %2, %3")
            .arg(batchText(*batch), isInterrupted ? QStringLiteral("interrupted") : QString(), endsText(known)));
    const core::Result<> finished = work([&](store::Session &session) {
        return session.forwarding().finishForwarding(batch->id, known, isInterrupted);
    });
    if (done(finished, batch->stage == BatchStage::Forwarding && !someStay))
        endForwarding(*batch, known, isInterrupted);
}

void RetryWalk::endForwarding(ModelBatch &batch, const QList<store::SendResult> &ends, bool isInterrupted)
{
    const QList<ModelMember *> all = m_model.ofBatch(batch.id);
    if (isInterrupted)
        happen(all, MemberEvent::Interrupted);
    for (const store::SendResult &one : ends) {
        happen(with(all, [&one](const ModelMember &member) { return member.ordinal == one.ordinal; }),
               records::eventOf(one.end), one.reason);
    }
    happen(all, MemberEvent::Accepted);
    if (m_model.operations.at(batch.operation.value).kind == records::OperationKind::Release)
        happen(all, MemberEvent::GivenBack);
    batch.stage = BatchStage::Done;
}

} // namespace test
