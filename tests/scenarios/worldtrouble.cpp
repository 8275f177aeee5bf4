// What other people and other programs do to the broker while an engine works on it.
#include "tests/scenarios/retryworld.h"

#include "backend/records/stamp.h"
#include "backend/store/messagestore.h"
#include "tests/support/samplemessages.h"

namespace scenario {

// Looks like the failed copy of ours that has just arrived, and is none: each is a message of its own.
void RetryWorld::addStranger(records::Envelope copy)
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

void RetryWorld::vanishSomething()
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

core::Result<> RetryWorld::failUnfaithfully(core::MessageId id)
{
    store::NewMessage again = test::sampleMessage(m_connection.id, int(id.value) - 1);
    again.message = message(id);
    again.message.flags = records::MessageFlag::NotFaithful;
    ++m_failures[again.message.uniqueId];
    return m_store->transact([&](store::Session &session) { return session.messages().failedAgain(id, again, false); });
}

void RetryWorld::fillUp(bool full)
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

} // namespace scenario
