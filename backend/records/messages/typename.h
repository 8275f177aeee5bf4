#pragma once

#include <QString>

namespace records {

// The type name without its namespace: "SqlException" for "System.Data.SqlClient.SqlException". Generic arity and
// nested types stay.
[[nodiscard]] QString shortTypeName(const QString &fullName);

} // namespace records
