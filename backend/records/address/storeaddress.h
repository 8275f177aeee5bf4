// Where a store is. A value for any thread.
#pragma once

#include "backend/core/result.h"

#include <QString>

namespace records {

// A file of SQLite for one person, or a schema of a PostgreSQL database that several people share.
struct StoreAddress
{
    StoreAddress() = default;
    StoreAddress(QString path) // not explicit: a path is the address of a file
        : file(std::move(path))
    {
    }

    QString file; // absolute path, or ":memory:"; empty if shared
    QString url; // as libpq reads it: postgresql://USER@HOST[:PORT]/DATABASE[?sslmode=...]; without password and schema
    QString schema;
    QString password; // never shown and never stored; null: libpq looks for it (PGPASSWORD, the password file)

    [[nodiscard]] bool isShared() const { return !url.isEmpty(); }
    [[nodiscard]] bool isEmpty() const { return file.isEmpty() && url.isEmpty(); }
    // For people: the path, or the URL with its schema unless that is the usual one. The same for the same store.
    [[nodiscard]] QString text() const;

    friend bool operator==(const StoreAddress &, const StoreAddress &) = default;
};

inline constexpr auto usualStoreSchema = "redrive";

// Whether the text is meant to be the URL of a shared store.
[[nodiscard]] bool isSharedStoreUrl(const QString &text);
// Reads "postgresql://[USER@]HOST[:PORT][,HOST[:PORT]...]/DATABASE[?schema=NAME][&KEY=VALUE...]", where KEY is one of libpq's
// that say how to connect, or "postgresql://?service=NAME". Rejected otherwise, and if the URL has a password: that is a
// secret. The message does not repeat the text, which may hold one.
// Source: PostgreSQL 15 manual, "Connection URIs" and "Parameter Key Words".
[[nodiscard]] core::Result<StoreAddress> sharedStoreFrom(const QString &text);

} // namespace records
