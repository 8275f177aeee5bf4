#pragma once

#include "backend/api/requests/connections.h"
#include "backend/broker/broker.h"

namespace engine {

// Rejected: the name or the address is invalid; the message says which.
[[nodiscard]] core::Result<> checkConnection(const records::Connection &connection);
// Whether secrets can be stored under this name. Conflict: its environment variable is the same as that of another
// connection. Rejected: the name contains "=", which ends a name in the secret file, is longer than 100 characters, or
// cannot be printed in one line as it is.
[[nodiscard]] core::Result<> checkName(const QString &name, const core::Result<QStringList> &others);
// What saving changed, for the activity log: "rights, error queues". Nothing changed: "nothing".
[[nodiscard]] QString changesText(const records::Connection &before, const records::Connection &now, bool secret);
// Describes what a broker account can do, for the connection dialog.
[[nodiscard]] api::ConnectionTest testOf(const broker::Capabilities &capabilities);

// Adds the error queues named in the connection that the broker does not have, and queues that may be meant instead.
// Adds nothing when the listing is incomplete.
void addMissingQueues(api::ConnectionTest &test, const records::Connection &connection, const broker::Listing &listing);

} // namespace engine
