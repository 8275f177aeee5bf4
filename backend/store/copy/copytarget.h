#pragma once

#include "backend/core/result.h"
#include "backend/records/address/storeaddress.h"

#include <QString>

#include <memory>

namespace store {

class Database;
using core::Result;

// A store that is being written by a copy, in either database. Until finish() there is no store at its place: a killed program,
// or an error, leaves nothing there that can be opened as one.
class CopyTarget
{
public:
    // Refused: there is something at this place. The others are those of opening a store for writing.
    [[nodiscard]] static Result<std::unique_ptr<CopyTarget>> open(const records::StoreAddress &address);

    CopyTarget() = default;
    virtual ~CopyTarget() = default; // without finish() everything that was written is gone
    CopyTarget(const CopyTarget &) = delete;
    CopyTarget &operator=(const CopyTarget &) = delete;

    [[nodiscard]] virtual Database &database() = 0; // in a transaction, with empty tables
    // What was written so far need not be undone in one piece.
    [[nodiscard]] virtual Result<> goOn() = 0;
    // All rows and texts are there.
    [[nodiscard]] virtual Result<> closeFilling() = 0;
    // The next row of the table gets a higher number.
    [[nodiscard]] virtual Result<> setGivenNumber(const QString &table, qint64 number) = 0;
    // What a store remembers of where it is (store_meta.home).
    [[nodiscard]] virtual Result<QString> home() = 0;
    // For people.
    [[nodiscard]] virtual QString name() const = 0;
    // Everything is on the disk, and the store is at its place. The database is used no more.
    [[nodiscard]] virtual Result<> finish() = 0;
};

// What open() chooses from.
[[nodiscard]] Result<std::unique_ptr<CopyTarget>> copyIntoFile(const QString &path);
[[nodiscard]] Result<std::unique_ptr<CopyTarget>> copyIntoSchema(const records::StoreAddress &address);

} // namespace store
