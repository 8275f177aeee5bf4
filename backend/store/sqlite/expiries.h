#pragma once

#include "backend/store/messagestore.h"

namespace store {

class Database;

// When brokers throw away what was only looked at (table message_expiry). Nothing is kept of what is not known.
[[nodiscard]] Result<> writeExpiry(Database &database, core::MessageId message, const records::Expiry &expiry);
[[nodiscard]] Result<> forgetExpiry(Database &database, core::MessageId message);
[[nodiscard]] Result<records::Expiry> readExpiry(Database &database, core::MessageId message);
[[nodiscard]] Result<QList<LossCount>> readLossCounts(Database &database, core::TimePoint now);

} // namespace store
