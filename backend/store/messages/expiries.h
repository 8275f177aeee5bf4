#pragma once

#include "backend/store/messages/messagestore.h"

namespace store {

class Database;

// When browsed-only messages expire on their brokers (table message_expiry). Unknown expiries have no row.
[[nodiscard]] Result<> writeExpiry(Database &database, core::MessageId message, const records::Expiry &expiry);
[[nodiscard]] Result<> forgetExpiry(Database &database, core::MessageId message);
[[nodiscard]] Result<records::Expiry> readExpiry(Database &database, core::MessageId message);
[[nodiscard]] Result<QList<LossCount>> readLossCounts(Database &database, core::TimePoint now);

} // namespace store
