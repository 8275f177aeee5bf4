// Browsed-only records in the page writer: browsing keeps them as such, and an intake that takes the message makes them
// normal records.
#include "backend/intake/pages/identity.h"
#include "backend/intake/pages/pagewriter.h"
#include "backend/store/store.h"

namespace intake {

using core::Result;
using records::MessageFlag;

namespace {

bool isBrowsedOnly(const records::FailedMessage &record)
{
    return record.flags.testFlag(MessageFlag::BrowsedOnly);
}

QString contentKey(const records::Envelope &envelope)
{
    records::Envelope same = envelope;
    same.headers.removeIf([](const records::Header &header) { return isDeliveryCount(header.name); });
    return contentDigest(same);
}

} // namespace

// The id of the browsed record of the n-th message (from 1) with this content in this queue. The text is part of stored
// ids: never change it.
QString PageWriter::lookedId(const QString &key, int n) const
{
    return uniqueIdOf(m_origin.connection, m_origin.queue, QStringLiteral("looked at\n%1\n%2").arg(key).arg(n));
}

// Perfect twins are told apart by their order. Messages that were taken meanwhile are skipped.
Result<PageWriter::Looked> PageWriter::nextBrowsed(store::Session &session, const Item &item)
{
    const QString key = m_origin.locks ? item.held.nativeId : contentKey(item.held.envelope);
    int &n = m_met[key];
    while (true) {
        Looked browsed;
        browsed.uniqueId = lookedId(key, ++n);
        TRY(const std::optional<core::MessageId> id, session.messages().findUnique(browsed.uniqueId));
        if (!id)
            return browsed;
        TRY(const records::FailedMessage record, session.messages().load(*id));
        if (!isBrowsedOnly(record))
            continue;
        browsed.record = record;
        return browsed;
    }
}

// A message without an id of its own: known by its content and by how many like it there are.
Result<> PageWriter::writeCopy(store::Session &session, const Item &item, const QString &uniqueId)
{
    TRY(const bool found, foundAgain(session, item, uniqueId));
    if (found)
        return {};
    if (!m_origin.browsesOnly && !m_mayBeBrowsed)
        return insertBeside(session, item, uniqueId);
    TRY(const Looked browsed, nextBrowsed(session, item));
    if (browsed.record)
        return writeOver(session, item, *browsed.record);
    if (!m_origin.browsesOnly)
        return insertBeside(session, item, uniqueId);
    return insert(session, item, browsed.uniqueId);
}

// The browsed record gets the current facts. After an intake it is a normal record.
Result<> PageWriter::writeOver(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    (m_origin.browsesOnly ? m_looked.again : m_counts.fresh) += 1;
    return readAgain(session, item, record);
}

// True: a record of this message exists and nothing more is to be done. Browsing never changes the record of a message
// that was taken.
Result<bool> PageWriter::meet(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    if (isBrowsedOnly(record)) {
        TRY(writeOver(session, item, record));
        return true;
    }
    if (m_origin.browsesOnly)
        ++m_looked.known;
    return m_origin.browsesOnly;
}

Result<> PageWriter::learnWhatWasBrowsed(store::Session &session)
{
    TRY(const QList<store::QueueCount> counts, session.messages().queueCounts());
    m_mayBeBrowsed = std::any_of(counts.cbegin(), counts.cend(), [this](const store::QueueCount &count) {
        return count.connection == m_origin.connection && count.queue == m_origin.queue && count.browsedOnly > 0;
    });
    return {};
}

Result<records::BrowseCounts> PageWriter::writeBrowsed(store::Session &session, int most)
{
    m_looked = {};
    m_counts = {};
    TRY(learnFormerStores(session));
    m_met = m_metBefore;
    const size_t end = std::min(m_items.size(), m_from + size_t(most));
    for (m_current = m_from; m_current < end; ++m_current) {
        const Item &item = m_items.at(m_current);
        ++m_looked.seen;
        if (!item.reading.confirms.isEmpty()) {
            ++m_looked.known; // a confirmation of another message: it takes effect when it is taken
            continue;
        }
        TRY(writeOne(session, item));
    }
    m_looked.fresh = m_counts.fresh;
    m_looked.undecodable = m_counts.undecodable;
    return m_looked;
}

bool PageWriter::nextSlice()
{
    m_from = m_current;
    m_metBefore = m_met;
    return m_from < m_items.size();
}

} // namespace intake
