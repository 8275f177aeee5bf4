#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

#include <QList>

namespace store {

using core::Result;

class ConnectionStore
{
public:
    ConnectionStore() = default;
    ConnectionStore(const ConnectionStore &) = delete;
    ConnectionStore &operator=(const ConnectionStore &) = delete;
    virtual ~ConnectionStore() = default;

    // Conflict when the name is taken.
    [[nodiscard]] virtual Result<core::ConnectionId> add(const records::Connection &connection) = 0;
    [[nodiscard]] virtual Result<> update(const records::Connection &connection) = 0;
    // With all that is known of its messages. Conflict, naming what is left and the way out, while messages are Unresolved
    // or in doubt, or retries or an intake have not ended.
    [[nodiscard]] virtual Result<> remove(core::ConnectionId id) = 0;
    [[nodiscard]] virtual Result<QList<records::Connection>> all() = 0;
};

} // namespace store
