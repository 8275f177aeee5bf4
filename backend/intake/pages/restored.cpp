// How a restored store handles messages that it knew before the backup.
#include "backend/intake/pages/identity.h"
#include "backend/intake/pages/pagewriter.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/store.h"

namespace intake {

using core::Result;
using records::MessageStatus;

Result<> PageWriter::learnFormerStores(store::Session &session)
{
    TRY(m_formerStores, session.intakes().formerStores());
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
        TRY(const records::Envelope known, session.messages().loadEnvelope(record.id));
        if (isSameFailure(known, item.held.envelope)) // it was released and has not failed again
            return readAgain(session, item, record);
    }
    TRY(failAgain(session, item, record, true));
    ++m_counts.cameBack;
    return record.status == MessageStatus::RetryIssued ? keepIssued(session, record.id) : Result<>{};
}

Result<bool> PageWriter::foundAgain(store::Session &session, const Item &item, const QString &uniqueId)
{
    if (!m_origin.locks)
        return false;
    TRY(const std::optional<records::FailedMessage> record, recordHere(session, uniqueId));
    if (!record || record->status != MessageStatus::Unknown)
        return false;
    TRY(const records::Envelope known, session.messages().loadEnvelope(record->id));
    if (!isSameFailure(known, item.held.envelope))
        return false;
    const Result<bool> met = meet(session, item, *record);
    if (!met || *met)
        return met;
    TRY(readAgain(session, item, *record));
    return true;
}

} // namespace intake
