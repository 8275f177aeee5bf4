#pragma once

#include "backend/core/random.h"
#include "backend/core/result.h"

namespace store {

class Database;

// A person's answer about a store that was last used on another machine.
enum class Provenance { Unknown, Moved, Copied };

struct StoreIdentity
{
    QString id; // 32 hex digits
    qint64 fence = 0;
    QString copiedFrom; // the path of the original: this copy has just got an id of its own; empty: it is no copy
};

// The machine and the path of a store's file, as the store remembers them. For a file that does not exist yet: where it
// will be.
[[nodiscard]] QString homeOf(const QString &path);

// Inside a transaction: gives a new store its id, increases the fence, and gives a copied file its own id. On one
// machine a file is a copy if another file at its remembered path has, or once had, the same id; otherwise it was
// moved. For a store from another machine nobody can tell: without `provenance` this is Refused, and the message says
// what to answer.
[[nodiscard]] core::Result<StoreIdentity> introduceStore(Database &database, core::Random &random,
                                                         Provenance provenance);

// Whether this error of opening a store is that question.
[[nodiscard]] bool asksForProvenance(const core::Error &error);

} // namespace store
