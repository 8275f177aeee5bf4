#pragma once

#include "backend/core/result.h"

struct pg_conn;
struct pg_result;

namespace store {

// Turns an error of PostgreSQL into an Error that tells people what to do. Kinds as those of sqlError(), by SQLSTATE
// (postgresql.org/docs/current/errcodes-appendix.html). `place`: where the store is, for the sentence.
[[nodiscard]] core::Error postgresError(const pg_result *result, pg_conn *connection, const QString &place);

} // namespace store
