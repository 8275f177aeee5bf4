#pragma once

#include "backend/api/commands.h"
#include "backend/broker/broker.h"

namespace engine {

// Rejected, naming the field, when a connection cannot be used as it is.
[[nodiscard]] core::Result<> checkConnection(const records::Connection &connection);
// Conflict when a place for secrets cannot tell a new name from one of the others, Rejected when it cannot hold the name.
[[nodiscard]] core::Result<> checkName(const QString &name, const core::Result<QStringList> &others);
// What a broker account can do, in words for the connection dialog.
[[nodiscard]] api::ConnectionTest testOf(const broker::Capabilities &capabilities);

// Which of the error queues that it names the broker does not have, and which are meant perhaps. Nothing where the listing is not
// complete.
void addMissingQueues(api::ConnectionTest &test, const records::Connection &connection, const broker::Listing &listing);

} // namespace engine
