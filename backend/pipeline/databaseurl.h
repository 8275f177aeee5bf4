// Where the database of a pipeline is. A value for any thread.
#pragma once

#include "backend/core/result.h"

#include <QString>

namespace pipeline {

enum class DatabaseKind { PostgreSql, Sqlite };

struct DatabaseUrl
{
    DatabaseKind kind = DatabaseKind::Sqlite;
    QString host; // PostgreSQL
    int port = 5432;
    QString user;
    QString database; // PostgreSQL: its name. SQLite: the absolute path of the file
    QString sslMode; // of libpq: "require", "verify-ca", ...; empty: libpq decides

    friend bool operator==(const DatabaseUrl &, const DatabaseUrl &) = default;

    // For people: "reports at db.example", or the path.
    [[nodiscard]] QString place() const;
};

// Reads "postgresql://USER@HOST[:PORT]/DB[?sslmode=MODE]" or "sqlite:PATH" with an absolute path. Rejected otherwise, and
// if the URL has a password: that is a secret. The message does not repeat the text, which may hold one.
[[nodiscard]] core::Result<DatabaseUrl> databaseUrlFrom(const QString &text);

} // namespace pipeline
