#include "backend/intake/pages/importwriter.h"

#include "backend/intake/pages/identity.h"
#include "backend/intake/pages/interpretation.h"
#include "backend/intake/pages/recordfrom.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/store.h"

#include <algorithm>

namespace intake {

using core::Result;
using records::MessageFlag;

namespace {

// A cause and a destination that the other store knew from elsewhere: from its broker, or from a newer table.
records::FileFacts factsOf(const records::ExportedMessage &message)
{
    return {message.messageId, message.messageType, message.correlationId, message.conversationId,
            message.failure,   message.firstFailed, message.lastFailed,    message.destination};
}

} // namespace

ImportWriter::ImportWriter(ImportTarget target, const QList<records::ExportedMessage> &messages)
    : m_target(std::move(target))
{
    m_items.reserve(static_cast<size_t>(messages.size()));
    for (const records::ExportedMessage &message : messages) {
        Item item;
        item.message = message;
        item.arrival = {m_target.broker, message.queue, {}, message.envelope, {}, {}, m_target.connectionName};
        read(item);
        m_items.push_back(std::move(item));
    }
}

void ImportWriter::read(Item &item) const
{
    item.asItIs = !isReadable(item.message.envelope) || item.asItIs;
    item.reading = item.asItIs ? undecoded() : readTaken(item.arrival, m_target.conventions, m_target.now);
    item.idIsUnique = item.reading.messageIdIsUnique
                      && item.message.uniqueId == uniqueIdOf(item.reading.messageId, item.reading.failure.endpoint);
    if (!item.asItIs)
        complete(item.reading, factsOf(item.message));
}

bool ImportWriter::setAside(const core::Error &error)
{
    const bool isAboutMessage = error.kind == core::ErrorKind::Rejected || error.kind == core::ErrorKind::Corrupt;
    if (!isAboutMessage || m_current >= m_items.size() || m_items.at(m_current).asItIs)
        return false;
    m_items.at(m_current).asItIs = true;
    read(m_items.at(m_current));
    return true;
}

Result<ImportWriter::Counts> ImportWriter::write(store::Session &session, bool dryRun)
{
    Counts counts;
    m_counted.clear();
    TRY(m_formerStores, session.intakes().formerStores());
    for (m_current = 0; m_current < m_items.size(); ++m_current) {
        TRY(const bool isNew, writeOne(session, m_items.at(m_current), dryRun));
        ++(isNew ? counts.imported : counts.known);
    }
    return counts;
}

Result<bool> ImportWriter::writeOne(store::Session &session, const Item &item, bool dryRun)
{
    TRY(const std::optional<QString> id, freeId(session, item));
    if (!id || (dryRun && m_counted.contains(*id)))
        return false;
    if (dryRun) {
        m_counted.insert(*id);
        return true;
    }
    TRY(const core::MessageId stored, session.messages().insert(recordOf(item, *id)));
    const records::ImportedFrom from{m_target.now,          m_target.who,        m_target.file,     item.message.store,
                                     item.message.uniqueId, item.message.status, item.message.trail};
    TRY(session.messages().noteImport(stored, from, factsOf(item.message)));
    return true;
}

bool ImportWriter::isOurs(const QString &store) const
{
    return store == m_target.storeId || m_formerStores.contains(store);
}

// The same id names the same message if the bodies are equal too: without a guarantee of its framework, two messages can
// get the same id. A body may have been edited by a retry that came back.
Result<bool> ImportWriter::isSame(store::Session &session, const Item &item, const records::FailedMessage &record) const
{
    if (record.attempts > 1)
        return true;
    TRY(const records::Envelope known, session.messages().loadEnvelope(record.id));
    return known.body == item.message.envelope.body;
}

Result<std::optional<QString>> ImportWriter::freeId(store::Session &session, const Item &item) const
{
    // Ids that a store makes up for itself may name another message here.
    const QString id = item.idIsUnique || isOurs(item.message.store)
                           ? item.message.uniqueId
                           : anotherUniqueId(item.message.uniqueId, QStringLiteral("store ") + item.message.store);
    const QString here = QStringLiteral("connection %1").arg(m_target.connection.value);
    const QString body = records::bodyDigest(item.message.envelope.body);
    for (const QString &candidate : {id, anotherUniqueId(id, here), anotherUniqueId(id, here + u' ' + body)}) {
        TRY(const std::optional<core::MessageId> found, session.messages().findUnique(candidate));
        if (!found)
            return std::optional(candidate);
        TRY(const records::FailedMessage record, session.messages().load(*found));
        if (record.connection != m_target.connection) // the same message in two connections: a record for each
            continue;
        TRY(const bool same, isSame(session, item, record));
        if (same)
            break;
    }
    return std::optional<QString>();
}

store::NewMessage ImportWriter::recordOf(const Item &item, const QString &uniqueId) const
{
    const records::ExportedMessage &message = item.message;
    const records::Conventions applied = dialect::conventionsNamed(m_target.conventions, item.reading.conventions);
    // What only the broker's interface, or the intake of the other store, could know is in the flags.
    store::NewMessage fresh = recordFrom({m_target.connection, message.nativeId, m_target.now}, item.arrival,
                                         item.reading, applied, {}, message.flags.testFlag(MessageFlag::NotFaithful));
    fresh.message.uniqueId = uniqueId;
    if (!item.reading.failure.at) {
        fresh.message.lastFailed = std::min(message.lastFailed, m_target.now);
        fresh.message.firstFailed = std::min(message.firstFailed, fresh.message.lastFailed);
    }
    records::MessageFlags &flags = fresh.message.flags;
    flags.setFlag(MessageFlag::PossibleDuplicate, message.flags.testFlag(MessageFlag::PossibleDuplicate));
    flags.setFlag(MessageFlag::Decimals,
                  flags.testFlag(MessageFlag::NotFaithful) && message.flags.testFlag(MessageFlag::Decimals));
    flags.setFlag(MessageFlag::Undecodable, item.asItIs);
    const std::optional<records::Stamp> stamp = records::stampOf(sentAs(item.arrival, item.reading).headers);
    flags.setFlag(MessageFlag::ForeignStamp, stamp && !isOurs(stamp->store));
    return fresh;
}

} // namespace intake
