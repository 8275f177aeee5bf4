#pragma once

#include "backend/records/connection.h"
#include "backend/store/messages/messagestore.h"

namespace test {

// Failed message number `n` of a connection: every field set and different for each n, 7 causes, 3 destinations.
[[nodiscard]] store::NewMessage sampleMessage(core::ConnectionId connection, int n, qsizetype bodyBytes = 64);

[[nodiscard]] records::Connection sampleConnection(const QString &name);

} // namespace test
