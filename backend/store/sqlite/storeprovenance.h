#pragma once

#include "backend/core/random.h"
#include "backend/core/result.h"

namespace store {

class Database;

// What a person says about a store that was last used on another machine.
enum class Provenance { Unknown, Moved, Copied };

struct StoreIdentity
{
    QString id; // 32 hex digits
    qint64 fence = 0;
    QString copiedFrom; // where its original lay: this copy has just been given an id of its own; empty: it is none
};

// The machine and the place of a store's file, as the store remembers them. A file that is not there yet: where it will be.
[[nodiscard]] QString homeOf(const QString &path);

// Inside a transaction: gives a new store its id, counts the fence up, and gives a copied file an id of its own. On one
// machine a file is a copy when another one at its remembered place has, or once had, the same id; otherwise it was moved. What comes
// from another machine cannot be told apart: without `provenance` that is Refused, and the message says what to answer.
[[nodiscard]] core::Result<StoreIdentity> introduceStore(Database &database, core::Random &random,
                                                         Provenance provenance);

} // namespace store
