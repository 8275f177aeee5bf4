#pragma once

#include "backend/api/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

// Questions about messages. For a read-only connection, inside one read transaction.
[[nodiscard]] core::Result<api::MessagePage> readMessagePage(Database &database, const api::MessageQuery &query);
[[nodiscard]] core::Result<api::MessageIds> readMessageIds(Database &database, const api::MessageQuery &query);
[[nodiscard]] core::Result<api::OtherMatches> readOtherMatches(Database &database,
                                                               const records::MessageFilter &filter);
[[nodiscard]] core::Result<QList<records::FailedMessage>> readMessageRows(Database &database,
                                                                          const QList<core::MessageId> &ids);
// Without the history of the message: see readTrail.
[[nodiscard]] core::Result<api::MessageDetail> readMessageDetail(Database &database, core::MessageId id);
[[nodiscard]] core::Result<QByteArray> readBody(Database &database, core::MessageId id);
[[nodiscard]] core::Result<qint64> readChangeNumber(Database &database);

} // namespace store
