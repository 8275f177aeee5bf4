// The invariants of the retry engine, as numbered in its design.
#include "tests/scenarios/simulation/retrysimulation.h"

#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace scenario {

using core::Result;
using records::BatchStage;
using records::Outcome;

// Between two steps only a transaction of the engine can change something.
void RetrySimulation::check()
{
    if (!process || process->transactions() == m_seen)
        return;
    m_seen = process->transactions();
    int forwarding = 0;
    for (const records::RetryOperation &operation : operations()) {
        if (operation.state != records::OperationState::Freezing)
            checkOperation(operation);
        for (const records::RetryBatch &batch : batches(operation.id)) {
            forwarding += batch.stage == BatchStage::Forwarding ? 1 : 0;
            if (int(batch.stage) < m_stages.value(batch.id))
                broken(QStringLiteral("I3: batch %1 went back").arg(batch.id.value));
            m_stages.insert(batch.id, int(batch.stage));
        }
    }
    if (forwarding > 1)
        broken(QStringLiteral("I3: %1 batches in Forwarding").arg(forwarding));
    checkClaims();
    checkRecords(false);
}

// I2, from the rows themselves: every member on its way owns the only live claim of its message, and only members on
// their way, sent or in doubt may own one.
void RetrySimulation::checkClaims()
{
    const QString owns = QStringLiteral(" claim c WHERE c.message = m.message AND c.live = 1"
                                        " AND c.operation = m.operation AND c.ordinal = m.ordinal");
    if (numberOf(
            QStringLiteral("SELECT count(*) FROM (SELECT 1 FROM retry_member WHERE outcome IN (1, 2) AND came_back = 0"
                           " GROUP BY message HAVING count(*) > 1)"))
        > 0)
        broken(QStringLiteral("I2: a message is on its way in two operations"));
    if (numberOf(QStringLiteral("SELECT count(*) FROM retry_member m WHERE outcome IN (1, 2) AND came_back = 0"
                                " AND NOT EXISTS (SELECT 1 FROM%1)")
                     .arg(owns))
        > 0)
        broken(QStringLiteral("I2: a member is on its way without the claim of its message"));
    if (numberOf(QStringLiteral("SELECT count(*) FROM retry_member m WHERE outcome IN (0, 4, 5, 7)"
                                " AND EXISTS (SELECT 1 FROM%1)")
                     .arg(owns))
        > 0)
        broken(QStringLiteral("I2: a member that is not on its way keeps a claim"));
}

// I10: the frozen set is what the sentence described at its change number, without messages changed since, and never
// changes.
void RetrySimulation::checkSet(const records::RetryOperation &operation, const QList<store::RetryMember> &members)
{
    QList<std::pair<core::MessageId, QString>> set;
    for (const store::RetryMember &member : members) {
        set.append({member.message, member.destination});
        if (member.ordinal != set.size())
            broken(QStringLiteral("I10: operation %1 has a gap in its ordinals").arg(operation.id.value));
    }
    const auto known = m_frozen.constFind(operation.id);
    if (known != m_frozen.cend()) {
        if (*known != set)
            broken(QStringLiteral("I10: the set of operation %1 changed").arg(operation.id.value));
        return;
    }
    m_frozen.insert(operation.id, set);
    for (const auto &[id, destination] : std::as_const(set)) {
        m_redirected += message(id).destination.queue == destination ? 0 : 1;
        if (m_shown.destinations.value(id) != destination)
            broken(QStringLiteral("I10: message %1 for %2 was not shown").arg(id.value).arg(destination));
        if (message(id).change > m_shown.asOfChange)
            broken(QStringLiteral("I10: message %1 has changed since it was shown").arg(id.value));
    }
    const auto taken = [&](core::MessageId id) {
        return std::any_of(set.cbegin(), set.cend(), [&](const auto &one) { return one.first == id; });
    };
    // A set is frozen in slices: messages held by another operation at the preview or at the freeze may be left out.
    const QSet<core::MessageId> heldBy = m_shown.held + held(operation.id);
    const bool full = m_shown.limit && set.size() >= *m_shown.limit;
    if (m_shown.limit && set.size() > *m_shown.limit)
        broken(QStringLiteral("I10: operation %1 is beyond its limit").arg(operation.id.value));
    for (auto entry = m_shown.destinations.cbegin(); entry != m_shown.destinations.cend() && !full; ++entry) {
        if (!taken(entry.key()) && !heldBy.contains(entry.key()) && message(entry.key()).change <= m_shown.asOfChange)
            broken(QStringLiteral("I10: message %1 was shown and is left out").arg(entry.key().value));
    }
}

// After every transaction: only what checkRecords needs, in one statement.
QList<RetrySimulation::Record> RetrySimulation::recordsAsStored()
{
    QList<Record> all;
    store::Statement rows =
        m_store->database().sql(QStringLiteral("SELECT id, unique_id, attempts, came_back FROM failed_message"));
    const Result<> read = rows.each([&] {
        all.append({core::MessageId{rows.integer(0)}, rows.text(1), int(rows.integer(2)), int(rows.integer(3))});
    });
    if (!read)
        broken(read.error().message + read.error().detail);
    return all;
}

// I8: a message that came back is the next attempt of its own record; nothing else changes a record, and other messages
// get records of their own.
void RetrySimulation::checkRecords(bool atTheEnd)
{
    const QList<Record> all = recordsAsStored();
    int ours = 0;
    for (const Record &one : all) {
        const auto body = m_bodies.constFind(one.uniqueId);
        if (body == m_bodies.cend())
            continue;
        ++ours;
        if (atTheEnd) { // an edit changes copies alone
            const auto stored = ask<records::Envelope>(
                [&one](store::Session &session) { return session.messages().loadEnvelope(one.id); });
            if (!body->contains(stored.body))
                broken(QStringLiteral("I7: the stored body of %1 changed").arg(one.uniqueId));
        }
        const int most = 1 + m_failures.value(one.uniqueId);
        const int least = most - (atTheEnd ? m_deleted.value(one.uniqueId) : most - 1);
        if (one.attempts > most || one.attempts < least)
            broken(QStringLiteral("I8: %1 has %2 attempts and failed %3 times")
                       .arg(one.uniqueId)
                       .arg(one.attempts)
                       .arg(most));
        if (one.cameBack > one.attempts - 1)
            broken(QStringLiteral("I8: %1 came back more often than it failed").arg(one.uniqueId));
    }
    const auto others = int(all.size()) - ours;
    if (ours != m_settings.messages)
        broken(QStringLiteral("I1: %1 of %2 records").arg(ours).arg(m_settings.messages));
    if (others > m_strangers || (atTheEnd && others < m_strangers - m_deletedHeld))
        broken(QStringLiteral("I8: %1 records for %2 strangers").arg(others).arg(m_strangers));
}

QMap<QString, QString> RetrySimulation::endState()
{
    QMap<QString, QString> lines;
    for (const records::FailedMessage &one : messages()) {
        QSet<QString> places;
        for (const Copy &copy : m_copies.value(one.uniqueId))
            places.insert(copy.destination);
        QStringList reached = places.values();
        reached.sort();
        QStringList ends;
        for (const records::RetryOperation &operation : operations()) {
            for (const store::RetryMember &member : members(operation.id)) {
                if (member.message == one.id)
                    ends += records::toString(member.outcome)
                            + (member.cameBack ? QStringLiteral(", came back") : QString());
            }
        }
        lines.insert(one.uniqueId, QStringLiteral("%1, attempts %2, came back %3, at %4, %5")
                                       .arg(records::toString(one.status))
                                       .arg(one.attempts)
                                       .arg(one.cameBack)
                                       .arg(reached.join(u'+'), ends.join(u'/')));
    }
    return lines;
}

// For the log of a failing seed: what happened to which message, and when.
void RetrySimulation::noteChange(core::OperationId operation, const store::RetryMember &member)
{
    QString now = records::toString(member.outcome);
    if (member.batch.isValid())
        now += QStringLiteral(" in batch %1").arg(member.batch.value);
    if (member.possibleDuplicate)
        now += QStringLiteral(", possible duplicate");
    if (member.cameBack)
        now += QStringLiteral(", came back");
    if (!member.reason.isEmpty())
        now += QStringLiteral(": ") + member.reason;
    QString &last = m_notes[{operation.value, member.ordinal}];
    if (last != now)
        note(QStringLiteral("operation %1, member %2 (message %3): %4")
                 .arg(operation.value)
                 .arg(member.ordinal)
                 .arg(member.message.value)
                 .arg(now));
    last = now;
}

void RetrySimulation::checkOperation(const records::RetryOperation &operation)
{
    const auto counted = ask<records::OutcomeCounts>(
        [&](store::Session &session) { return session.retryBatches().recount(operation.id); });
    if (!(counted == operation.counts) || counted.sum() != operation.total) {
        broken(QStringLiteral("I6: the counts of operation %1 are not those of its members").arg(operation.id.value));
        return;
    }
    const QList<store::RetryMember> now = members(operation.id);
    checkSet(operation, now);
    if (operation.state == records::OperationState::Cancelled)
        m_cancelled.insert(operation.id); // it continues when a message in doubt is sent again
    const QList<store::RetryMember> before = std::exchange(m_members[operation.id], now);
    for (qsizetype i = 0; i < now.size(); ++i) {
        if (i >= before.size() || before.at(i) != now.at(i))
            noteChange(operation.id, now.at(i));
        checkMember(operation, now.at(i));
    }
}

void RetrySimulation::checkMember(const records::RetryOperation &operation, const store::RetryMember &member)
{
    const int copies = deliveries(member.uniqueId, operation.id);
    for (const Copy &copy : m_copies.value(member.uniqueId)) {
        if (copy.stamp.operation == operation.id && copy.destination != member.destination)
            broken(QStringLiteral("I10: %1 is for %2 and reached %3")
                       .arg(member.uniqueId, member.destination, copy.destination));
    }
    const bool ended = member.outcome != Outcome::Staged;
    if (copies > 1 && !member.possibleDuplicate && ended)
        broken(QStringLiteral("I4: %1 copies of %2, not flagged").arg(copies).arg(member.uniqueId));
    const bool went = member.outcome == Outcome::Skipped || member.outcome == Outcome::Ejected
                      || member.outcome == Outcome::Cancelled;
    if (went && copies > 0)
        broken(QStringLiteral("%1 is %2 and was delivered").arg(member.uniqueId, records::toString(member.outcome)));
    const bool said = m_settled.contains({operation.id.value, member.ordinal}); // settled by a person
    if (member.outcome == Outcome::Sent && copies == 0 && !member.cameBack && !said)
        broken(QStringLiteral("I1: %1 is Sent and was never delivered").arg(member.uniqueId));
}

// Whether a later retry has the message, too.
bool RetrySimulation::isInLater(core::OperationId operation, core::MessageId message)
{
    for (const records::RetryOperation &other : operations()) {
        const QList<store::RetryMember> set = operation < other.id ? members(other.id) : QList<store::RetryMember>{};
        if (std::any_of(set.cbegin(), set.cend(), [&](const auto &member) { return member.message == message; }))
            return true;
    }
    return false;
}

// Whether a member may end like this, given the message and what was done to the broker.
bool RetrySimulation::fits(const records::RetryOperation &operation, const store::RetryMember &member)
{
    const bool doubtful =
        m_settings.handOver == records::HandOver::IntentLog && m_settings.onUnknown == records::OnUnknown::LeaveInDoubt;
    const bool mustEject = member.destination == QStringLiteral("nowhere") || broker->poison.contains(member.uniqueId)
                           || message(member.message).flags.testFlag(records::MessageFlag::NotFaithful);
    const bool touched = m_touched.contains(member.message);
    switch (member.outcome) {
    case Outcome::Sent:
        return !mustEject || m_settled.contains({operation.id.value, member.ordinal});
    case Outcome::Ejected:
        return (mustEject || m_gone.contains(member.destination) || line->struckCopies().contains(member.uniqueId))
               && (touched || isInLater(operation.id, member.message)
                   || message(member.message).status == records::MessageStatus::Unresolved);
    case Outcome::InDoubt:
        return doubtful || member.possibleDuplicate || deletions > 0;
    case Outcome::Skipped:
        return touched || operations().size() > 1;
    case Outcome::Cancelled:
        return operation.state == records::OperationState::Cancelled || m_cancelled.contains(operation.id);
    case Outcome::Pending:
    case Outcome::Claimed:
    case Outcome::Staged:
        return false;
    }
    Q_UNREACHABLE();
}

// At the end of a run: nothing is stuck, nothing is lost, and every message has an expected outcome.
QStringList RetrySimulation::finalFaults()
{
    checkRecords(true);
    QStringList wrong = m_problems;
    for (const records::RetryOperation &operation : operations()) {
        for (const store::RetryMember &member : members(operation.id)) {
            const QString name = QStringLiteral("operation %1, member %2 (%3)")
                                     .arg(operation.id.value)
                                     .arg(member.ordinal)
                                     .arg(records::toString(member.outcome));
            if (!fits(operation, member))
                wrong.append(name + QStringLiteral(" has an end it should not have: ") + member.reason);
            const bool ranThrough = restarts == 0 && deletions == 0;
            if (m_settings.handOver == records::HandOver::StagingQueue && member.possibleDuplicate && ranThrough
                && !m_takenBack.contains(member.message))
                wrong.append(name + QStringLiteral(" is flagged although the broker ran through"));
        }
    }
    if (!broker->places().isEmpty())
        wrong.append(QStringLiteral("left on the broker: ") + broker->places().join(u' '));
    return wrong;
}

} // namespace scenario
