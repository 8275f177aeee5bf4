#include "backend/records/rules/memberrules.h"
#include "backend/records/rules/storecopies.h"
#include "backend/store/backup/restoredstate.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/backend/store/retrywalk/retrywalk.h"
#include "tests/support/must.h"

#include <algorithm>

namespace test {

using records::BatchStage;
using records::MemberEvent;
using records::OperationState;
using records::Outcome;

void RetryWalk::insertMessage()
{
    if (m_model.messages.size() >= 30)
        return;
    ModelMessage message;
    message.connection = m_connections.at(qsizetype(m_random.below(quint64(m_connections.size()))));
    message.number = ++m_inserted;
    message.isPossibleDuplicate = chance(4);
    const store::NewMessage fresh = failureOf(message, message.isPossibleDuplicate);
    message.uniqueId = fresh.message.uniqueId;
    say(QStringLiteral("message %1").arg(message.number));
    must(work([&](store::Session &session) -> core::Result<> {
        TRY(message.id, session.messages().insert(fresh));
        return {};
    }));
    m_model.messages[message.id.value] = message;
}

QList<core::MessageId> RetryWalk::retriedBefore(core::ConnectionId connection)
{
    QList<core::MessageId> all;
    for (const auto &[id, message] : m_model.messages) {
        const QList<ModelMember *> members = m_model.ofMessage(message.id);
        const bool isRetried = std::any_of(members.cbegin(), members.cend(), [](const ModelMember *member) {
            return records::mayHaveArrived(member->fate.outcome);
        });
        if (isRetried && message.connection == connection)
            all.append(message.id);
    }
    return all;
}

// Two sets may share messages while one of them is still Freezing.
void RetryWalk::freeze()
{
    ModelOperation added;
    added.connection = m_connections.at(qsizetype(m_random.below(quint64(m_connections.size()))));
    added.kind = chance(4) ? records::OperationKind::Release : records::OperationKind::Retry;
    store::FreezeRules rules;
    rules.kind = added.kind;
    rules.includeLooped = true;
    rules.includeDuplicates = !chance(4);
    QList<core::MessageId> asked = someMessages();
    asked.removeIf(
        [&](core::MessageId id) { return m_model.messages.at(id.value).connection != added.connection || chance(4); });
    if (chance(2)) // what may have been sent before is sent again
        asked = retriedBefore(added.connection);
    QList<core::MessageId> fitting = asked;
    fitting.removeIf([&](core::MessageId id) {
        const ModelMessage &message = m_model.messages.at(id.value);
        return message.status != records::MessageStatus::Unresolved || m_model.isHeld(id)
               || (message.isPossibleDuplicate && !rules.includeDuplicates);
    });
    if (fitting.isEmpty())
        return;
    QList<store::RetryMember> members;
    must(work([&](store::Session &session) -> core::Result<> {
        records::RetryOperation operation;
        operation.connection = added.connection;
        operation.kind = added.kind;
        operation.requested = m_now;
        TRY(added.id, session.retryOperations().add(operation));
        TRY(rules.asOfChange, session.changeNumber());
        TRY(const store::FreezeTally tally, session.frozenSets().freeze(added.id, asked, rules));
        expect(tally.frozen == fitting.size(), QStringLiteral("it froze %1").arg(tally.frozen));
        TRY(members, session.retryBatches().members(added.id, {}, 0, 100));
        return {};
    }));
    say(QStringLiteral("operation %1, %2 of %3 messages").arg(added.id.value).arg(fitting.size()).arg(asked.size()));
    m_model.operations[added.id.value] = added;
    for (const store::RetryMember &frozen : std::as_const(members)) {
        ModelMember member;
        member.operation = added.id;
        member.ordinal = frozen.ordinal;
        member.message = frozen.message;
        member.destination = frozen.destination;
        expect(frozen.ordinal > 0 && frozen.message == fitting.value(frozen.ordinal - 1),
               QStringLiteral("ordinal %1 is another message").arg(frozen.ordinal));
        m_model.add(member);
    }
}

void RetryWalk::discard()
{
    ModelOperation *operation =
        anyOperation([](const ModelOperation &one) { return one.state == OperationState::Freezing; });
    if (operation == nullptr)
        return;
    const core::OperationId id = operation->id;
    const int rows = 1 + int(m_random.below(6));
    say(QStringLiteral("operation %1, %2 rows").arg(id.value).arg(rows));
    const core::Result<bool> gone =
        m_store->transact<bool>([&](store::Session &session) { return session.frozenSets().discard(id, rows); });
    if (!done(gone, operation->state == OperationState::Freezing))
        return;
    const QList<ModelMember *> all = m_model.ofOperation(id);
    for (const ModelMember *member : all.last(std::min<qsizetype>(rows, all.size())))
        m_model.members.erase({id.value, member->ordinal});
    expect(*gone == m_model.ofOperation(id).isEmpty(), QStringLiteral("it says %1").arg(*gone));
    if (*gone)
        m_model.operations.erase(id.value);
}

void RetryWalk::begin()
{
    ModelOperation *operation =
        anyOperation([](const ModelOperation &one) { return one.state == OperationState::Freezing; });
    if (operation == nullptr || operation->state != OperationState::Freezing)
        return;
    say(QStringLiteral("operation %1").arg(operation->id.value));
    operation->state = OperationState::Running;
    must(work([&](store::Session &session) -> core::Result<> {
        TRY(records::RetryOperation stored, session.retryOperations().load(operation->id));
        stored.state = OperationState::Running;
        return session.retryOperations().update(stored);
    }));
}

// As OperationFinisher.
void RetryWalk::finish()
{
    ModelOperation *operation = anyOperation([&](const ModelOperation &one) {
        return !one.isFinished && one.state != OperationState::Freezing && openMembers(one.id) == 0;
    });
    if (operation == nullptr || operation->isFinished || openMembers(operation->id) > 0
        || operation->state == OperationState::Freezing)
        return;
    say(QStringLiteral("operation %1").arg(operation->id.value));
    if (operation->state != OperationState::Cancelled)
        operation->state = OperationState::Completed;
    operation->isFinished = true;
    must(work([&](store::Session &session) -> core::Result<> {
        TRY(records::RetryOperation stored, session.retryOperations().load(operation->id));
        expect(stored.counts.open() == 0, QStringLiteral("it has open members"));
        stored.state = operation->state;
        stored.finished = m_now;
        return session.retryOperations().update(stored);
    }));
}

void RetryWalk::cancel()
{
    ModelOperation *operation = anyOperation([&](const ModelOperation &one) {
        return !one.isFinished && one.state != OperationState::Freezing && openMembers(one.id) > 0
               && (one.state == OperationState::Cancelled || chance(20));
    });
    if (operation == nullptr || operation->state == OperationState::Freezing
        || (operation->state == OperationState::Running && !chance(4)))
        return;
    const int rows = 1 + int(m_random.below(3));
    say(QStringLiteral("operation %1, %2 rows").arg(operation->id.value).arg(rows));
    const core::Result<int> cancelled = m_store->transact<int>([&](store::Session &session) -> core::Result<int> {
        TRY(records::RetryOperation stored, session.retryOperations().load(operation->id));
        if (!operation->isFinished) {
            stored.state = OperationState::Cancelled;
            TRY(session.retryOperations().update(stored));
        }
        return session.claims().cancelMembers(operation->id, rows);
    });
    if (!operation->isFinished)
        operation->state = OperationState::Cancelled;
    if (!done(cancelled, true))
        return;
    const int expected = cancelIn(*operation, rows);
    expect(*cancelled == expected, QStringLiteral("it cancelled %1, not %2").arg(*cancelled).arg(expected));
}

// First members without a batch, then those of the first batch that has some.
int RetryWalk::cancelIn(ModelOperation &operation, int rows)
{
    QList<ModelMember *> free;
    for (ModelMember *member : m_model.ofOperation(operation.id)) {
        if (!member->batch.isValid() && member->fate.outcome == Outcome::Pending && free.size() < rows)
            free.append(member);
    }
    int ended = int(happen(free, MemberEvent::Cancelled, QString()).size());
    for (auto &[id, batch] : m_model.batches) {
        const bool isWithBroker = batch.stage == BatchStage::Forwarding && !batch.place.isEmpty();
        if (ended > 0 || batch.operation != operation.id || batch.stage == BatchStage::Done || isWithBroker)
            continue;
        for (ModelMember *member : m_model.ofBatch(batch.id)) {
            const QString why = member->fate.possibleDuplicate ? records::cancelledInDoubt() : QString();
            ended += m_model.happen(*member, MemberEvent::Cancelled, why) ? 1 : 0;
        }
        if (batch.stage != BatchStage::Forwarding)
            batch.stage = BatchStage::Done;
    }
    return ended;
}

void RetryWalk::recount()
{
    ModelOperation *operation = anyOperation([](const ModelOperation &) { return true; });
    if (operation == nullptr)
        return;
    say(QStringLiteral("operation %1").arg(operation->id.value));
    must(m_store->read([&](store::Session &session) -> core::Result<> {
        TRY(const records::RetryOperation stored, session.retryOperations().load(operation->id));
        TRY(const records::OutcomeCounts counted, session.retryBatches().recount(operation->id));
        expect(stored.counts == counted, QStringLiteral("its counts are others"));
        return {};
    }));
}

// As StoreRestore.
void RetryWalk::restoreBackup()
{
    if (!chance(3))
        return;
    say(QStringLiteral("all"));
    must(work([&](store::Session &session) -> core::Result<> {
        TRY(store::makeUnknown(session, m_now, {}));
        return session.claims().endAll();
    }));
    for (const core::ConnectionId connection : std::as_const(m_connections))
        endAllOf(connection);
    for (auto &[key, member] : m_model.members)
        m_model.happen(member, MemberEvent::Restored);
    for (const auto &[id, message] : m_model.messages) {
        if (message.status != records::MessageStatus::Resolved && message.status != records::MessageStatus::Archived)
            m_model.decide(message.id, records::MessageStatus::Unknown);
    }
}

void RetryWalk::endAllOf(core::ConnectionId connection)
{
    if (const std::optional<core::BatchId> id = m_model.nowForwarding(connection)) {
        ModelBatch &batch = m_model.batches.at(id->value);
        happen(m_model.ofBatch(*id), MemberEvent::Unanswered, records::sentSinceBackup());
        const QList<ModelMember *> unsent = happen(m_model.ofBatch(*id), MemberEvent::SetAside);
        if (!unsent.isEmpty())
            addBatch(nextBatch(), m_model.operations.at(batch.operation.value), BatchStage::Staging, unsent);
        endForwarding(batch, {});
    }
    QList<core::OperationId> gone;
    for (auto &[id, operation] : m_model.operations) {
        if (operation.isFinished || operation.connection != connection)
            continue;
        if (operation.state == OperationState::Freezing)
            gone.append(operation.id);
        while (operation.state != OperationState::Freezing && cancelIn(operation, 1000) > 0)
            ;
        operation.state = OperationState::Cancelled;
        operation.isFinished = true;
    }
    for (const core::OperationId id : std::as_const(gone)) {
        std::erase_if(m_model.members, [id](const auto &entry) { return entry.second.operation == id; });
        m_model.operations.erase(id.value);
    }
}

} // namespace test
