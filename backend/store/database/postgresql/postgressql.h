#pragma once

#include <QString>

namespace store {

// A statement in the SQL of sqldialect.h as PostgreSQL understands it: question marks become $1, $2 ..., and each of its macros
// what stands for it here. Nothing else is changed, and nothing inside quotes.
[[nodiscard]] QString postgresSql(const QString &text);

} // namespace store
