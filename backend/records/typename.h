#pragma once

#include <QString>

namespace records {

// "SqlException" of "System.Data.SqlClient.SqlException"; keeps a generic arity and nested types.
[[nodiscard]] QString shortTypeName(const QString &fullName);

} // namespace records
