// How a restored store handles messages that it knew before the backup.
#include "backend/intake/identity.h"
#include "backend/intake/pagewriter.h"
#include "backend/store/intakestore.h"
#include "backend/store/store.h"

namespace intake {

using core::fail;
using core::Result;
using records::MessageStatus;

Result<> PageWriter::learnFormerStores(store::Session &session)
{
    const Result<QStringList> ids = session.intakes().formerStores();
    if (!ids)
        return fail(ids.error());
    m_formerStores = *ids;
    return {};
}

bool PageWriter::isOurs(const records::Stamp &stamp) const
{
    return stamp.store == m_origin.storeId || m_formerStores.contains(stamp.store);
}

// The message was sent before a backup was restored, perhaps by an operation that the backup does not know and whose
// number another operation has now. The stamp says which message it is, and nothing about the current claims.
Result<> PageWriter::cameBackFromBefore(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    if (record.status == MessageStatus::Unknown || record.status == MessageStatus::Released) {
        const Result<records::Envelope> known = session.messages().loadEnvelope(record.id);
        if (!known)
            return fail(known.error());
        if (isSameFailure(*known, item.held.envelope)) // it was released and has not failed again
            return readAgain(session, item, record);
    }
    const Result<> written = failAgain(session, item, record, true);
    if (!written)
        return written;
    ++m_counts.cameBack;
    return record.status == MessageStatus::RetryIssued ? keepIssued(session, record.id) : Result<>{};
}

Result<bool> PageWriter::foundAgain(store::Session &session, const Item &item, const QString &uniqueId)
{
    if (!m_origin.locks)
        return false;
    const Result<std::optional<records::FailedMessage>> record = recordHere(session, uniqueId);
    if (!record)
        return fail(record.error());
    if (!*record || (*record)->status != MessageStatus::Unknown)
        return false;
    const Result<records::Envelope> known = session.messages().loadEnvelope((*record)->id);
    if (!known)
        return fail(known.error());
    if (!isSameFailure(*known, item.held.envelope))
        return false;
    const Result<bool> met = meet(session, item, **record);
    if (!met || *met)
        return met;
    const Result<> written = readAgain(session, item, **record);
    return written ? Result<bool>(true) : fail(written.error());
}

} // namespace intake
