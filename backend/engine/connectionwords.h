#pragma once

#include "backend/api/commands.h"
#include "backend/broker/broker.h"

namespace engine {

// Rejected, naming the field, when a connection cannot be used as it is.
[[nodiscard]] core::Result<> checkConnection(const records::Connection &connection);
// What a broker account can do, in words for the connection dialog.
[[nodiscard]] api::ConnectionTest testOf(const broker::Capabilities &capabilities);

} // namespace engine
