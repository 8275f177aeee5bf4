// Which store this is, and whether it is a copy of another one: two that believe to be the same would have queues of the same
// names on a broker.
#pragma once

#include "backend/core/random.h"
#include "backend/core/result.h"

#include <functional>
#include <optional>

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

// Where a store is, as it remembers it.
struct StoreHome
{
    QString machine; // without blanks; empty: unknown
    QString place; // on that machine
    // Whether the store with this id is at another place of the same machine.
    std::function<bool(const QString &place, const QString &id)> isAt;

    [[nodiscard]] QString text() const { return machine + u' ' + place; }
};

struct StoredIdentity
{
    QString id;
    qint64 fence = 0;
    QString home;
};

// Nothing: the store is new.
[[nodiscard]] core::Result<std::optional<StoredIdentity>> readIdentity(Database &database);

// Inside a transaction: gives a new store its id, sets the fence (nothing: the next one), and gives a copy its own id. On
// one machine a store is a copy if another one at its remembered place has, or once had, the same id; otherwise it was
// moved. For a store from another machine nobody can tell: without `provenance` this is Refused, and the message says
// what to answer.
[[nodiscard]] core::Result<StoreIdentity> introduceStore(Database &database, core::Random &random,
                                                         Provenance provenance, const StoreHome &home,
                                                         std::optional<qint64> fence = {});

// Whether this error of opening a store is that question.
[[nodiscard]] bool asksForProvenance(const core::Error &error);

} // namespace store
