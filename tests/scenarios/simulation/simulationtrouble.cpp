// What people and other programs do to the broker and the messages while an engine works.
#include "tests/scenarios/simulation/retrysimulation.h"

#include "backend/records/messages/stamp.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/claimstore.h"
#include "tests/support/store/samplemessages.h"

namespace scenario {

// A message that looks like a failed copy which has just arrived, but is another message.
void RetrySimulation::addStranger(records::Envelope copy)
{
    std::optional<records::Stamp> stamp = records::stampOf(copy.headers);
    const int number = m_strangers++;
    records::set(copy.headers, QStringLiteral("NServiceBus.MessageId"),
                 QCborValue(QStringLiteral("stranger-%1").arg(number)));
    switch (number % 3) {
    case 0: // its stamp was copied onto another body
        copy.body += QByteArray::number(number);
        break;
    case 1: // another store sent it
        stamp->store = QStringLiteral("0123456789abcdef0123456789abcdef");
        records::set(copy.headers, records::stampHeader.toString(), QCborValue(records::toText(*stamp)));
        break;
    default: // no stamp at all
        records::remove(copy.headers, records::stampHeader.toString());
        break;
    }
    broker->put(QStringLiteral("error"), copy);
}

void RetrySimulation::vanishSomething()
{
    const QStringList places = broker->places();
    const QStringList held = broker->heldNames();
    switch (random.below(8)) {
    case 0:
        ++deletions;
        note(QStringLiteral("sales is deleted"));
        m_gone.insert(QStringLiteral("sales"));
        broker->removeQueue(QStringLiteral("sales"));
        return;
    case 1:
    case 2:
        if (held.isEmpty())
            return;
        ++deletions;
        note(QStringLiteral("%1 is deleted").arg(held.first()));
        for (const records::Envelope &envelope : broker->dropHeld(held.first())) {
            const std::optional<records::Stamp> stamp = records::stampOf(envelope.headers);
            ++m_deletedHeld;
            if (stamp)
                ++m_deleted[stamp->uniqueId];
        }
        return;
    default:
        if (places.isEmpty())
            return;
        const QString &place = places.at(qsizetype(random.below(quint64(places.size()))));
        ++deletions;
        note(QStringLiteral("%1 is deleted").arg(place));
        broker->vanish(place);
    }
}

core::Result<> RetrySimulation::failUnfaithfully(core::MessageId id)
{
    store::NewMessage again = test::sampleMessage(m_connection.id, int(id.value) - 1);
    again.message = message(id);
    again.message.flags = records::MessageFlag::NotFaithful;
    ++m_failures[again.message.uniqueId];
    return m_store->transact([&](store::Session &session) { return session.messages().failedAgain(id, again, false); });
}

void RetrySimulation::fillUp(bool full)
{
    const QString billing = QStringLiteral("billing");
    if (full == broker->full.contains(billing))
        return;
    note(full ? QStringLiteral("billing is full") : QStringLiteral("billing takes again"));
    if (full) {
        broker->full.insert(billing);
        m_gone.insert(billing);
    } else {
        broker->full.remove(billing);
    }
}

// Members of one operation that are in doubt or with the broker: of these messages, or all.
void RetrySimulation::noteDoubts(core::OperationId operation, const QList<core::MessageId> &messages,
                                 QSet<Member> &into)
{
    for (const store::RetryMember &member : members(operation)) {
        if (member.outcome == records::Outcome::InDoubt && (messages.isEmpty() || messages.contains(member.message)))
            into.insert({operation.value, member.ordinal});
    }
}

core::Result<int> RetrySimulation::decide(Decision decision, const QList<core::MessageId> &messages)
{
    using records::MessageStatus;
    int fitted = 0;
    const bool closes = decision == Decision::TakeBack || decision == Decision::Resolve;
    if (!messages.isEmpty() && closes) { // before: a store that dies after its commit has done it
        for (const records::RetryOperation &operation : operations()) {
            noteDoubts(operation.id, messages, m_settled);
            for (const store::RetryMember &member : members(operation.id)) {
                if (decision == Decision::TakeBack && messages.contains(member.message))
                    m_takenBack.insert(member.message);
            }
        }
    }
    for (const core::MessageId id : messages)
        m_touched.insert(id);
    const core::Result<> done = process->transact([&](store::Session &session) -> core::Result<> {
        const auto claimEnd = [&](records::ClaimClosing closing) {
            return session.claims().close(messages, {closing, clock.now(), QStringLiteral("somebody")});
        };
        core::Result<int> changed = 0;
        switch (decision) {
        case Decision::TakeBack:
            changed = claimEnd(records::ClaimClosing::TakenBack);
            break;
        case Decision::Resolve:
            changed = claimEnd(records::ClaimClosing::ResolvedByHand);
            break;
        case Decision::Archive:
            changed = session.messages().setStatus(messages, {MessageStatus::Unresolved}, MessageStatus::Archived);
            break;
        case Decision::Restore:
            changed = session.messages().setStatus(messages, {MessageStatus::Archived}, MessageStatus::Unresolved);
            break;
        }
        if (!changed)
            return core::fail(changed.error());
        fitted = *changed;
        return {};
    });
    if (!done)
        return core::fail(done.error());
    m_byHand += fitted;
    constexpr std::array words{"taken back", "resolved", "archived", "restored"};
    note(QStringLiteral("%1 %2 by hand").arg(fitted).arg(QLatin1StringView(words.at(size_t(decision)))));
    return fitted;
}

core::Result<> RetrySimulation::settleDoubt(core::OperationId operation, bool again)
{
    if (!again)
        noteDoubts(operation, {}, m_settled);
    return again ? processor->sendAgain(operation, {}) : processor->assumeSent(operation, {});
}

} // namespace scenario
