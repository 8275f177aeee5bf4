// What was only looked at, in the writer of pages: kept as such by a look, taken over by the intake that takes its message.
#include "backend/intake/identity.h"
#include "backend/intake/pagewriter.h"
#include "backend/store/store.h"

namespace intake {

using core::fail;
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

// The id under which the n-th message of this content, from 1, was looked at in this queue.
QString PageWriter::lookedId(const QString &key, int n) const
{
    return uniqueIdOf(m_origin.connection, m_origin.queue, QStringLiteral("looked at\n%1\n%2").arg(key).arg(n));
}

// Perfect twins are told apart by the order in which they are met. What was taken meanwhile is passed by.
Result<PageWriter::Looked> PageWriter::nextBrowsed(store::Session &session, const Item &item)
{
    const QString key = m_origin.locks ? item.held.nativeId : contentKey(item.held.envelope);
    int &n = m_met[key];
    while (true) {
        Looked browsed;
        browsed.uniqueId = lookedId(key, ++n);
        const Result<std::optional<core::MessageId>> id = session.messages().findUnique(browsed.uniqueId);
        if (!id)
            return fail(id.error());
        if (!*id)
            return browsed;
        const Result<records::FailedMessage> record = session.messages().load(**id);
        if (!record)
            return fail(record.error());
        if (!isBrowsedOnly(*record))
            continue;
        browsed.record = *record;
        return browsed;
    }
}

// Not to be told from others by an id of its own: known by what it is and by how many like it there are.
Result<> PageWriter::writeCopy(store::Session &session, const Item &item, const QString &uniqueId)
{
    const Result<bool> found = foundAgain(session, item, uniqueId);
    if (!found)
        return fail(found.error());
    if (*found)
        return {};
    if (!m_origin.onlyLooks && !m_mayBeLookedAt)
        return insertBeside(session, item, uniqueId);
    const Result<Looked> browsed = nextBrowsed(session, item);
    if (!browsed)
        return fail(browsed.error());
    if (browsed->record)
        return writeOver(session, item, *browsed->record);
    if (!m_origin.onlyLooks)
        return insertBeside(session, item, uniqueId);
    return insert(session, item, browsed->uniqueId);
}

// The record of a look gets what is true now. After an intake it is one as any other.
Result<> PageWriter::writeOver(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    (m_origin.onlyLooks ? m_looked.again : m_counts.fresh) += 1;
    return readAgain(session, item, record);
}

// Whether the message is that of a record which decides for itself what becomes of it: a look changes nothing there.
Result<bool> PageWriter::meet(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    if (isBrowsedOnly(record)) {
        const Result<> written = writeOver(session, item, record);
        return written ? Result<bool>(true) : fail(written.error());
    }
    if (m_origin.onlyLooks)
        ++m_looked.known;
    return m_origin.onlyLooks;
}

Result<> PageWriter::learnWhatWasBrowsed(store::Session &session)
{
    const Result<QList<store::QueueCount>> counts = session.messages().queueCounts();
    if (!counts)
        return fail(counts.error());
    m_mayBeLookedAt = std::any_of(counts->cbegin(), counts->cend(), [this](const store::QueueCount &count) {
        return count.connection == m_origin.connection && count.queue == m_origin.queue && count.browsedOnly > 0;
    });
    return {};
}

Result<records::BrowseCounts> PageWriter::writeBrowsed(store::Session &session, int most)
{
    m_looked = {};
    m_counts = {};
    const Result<> learnt = learnFormerStores(session);
    if (!learnt)
        return fail(learnt.error());
    m_met = m_metBefore;
    const size_t end = std::min(m_items.size(), m_from + size_t(most));
    for (m_current = m_from; m_current < end; ++m_current) {
        const Item &item = m_items.at(m_current);
        ++m_looked.seen;
        if (!item.reading.confirms.isEmpty()) {
            ++m_looked.known; // it says that another one is done with, and takes effect when it is taken
            continue;
        }
        const Result<> written = writeOne(session, item);
        if (!written)
            return fail(written.error());
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
