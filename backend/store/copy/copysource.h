#pragma once

#include "backend/core/result.h"
#include "backend/records/address/storeaddress.h"

#include <QHash>
#include <QString>

#include <memory>

namespace store {

class Database;
using core::Result;

// A store that is being copied, in either database, as it is at one moment: its holder goes on meanwhile.
class CopySource
{
public:
    // Errors: openDatabase(), read-only.
    [[nodiscard]] static Result<std::unique_ptr<CopySource>> open(const records::StoreAddress &address);

    CopySource() = default;
    virtual ~CopySource() = default;
    CopySource(const CopySource &) = delete;
    CopySource &operator=(const CopySource &) = delete;

    [[nodiscard]] virtual Database &database() = 0; // in a transaction that reads
    // The highest number that each table ever gave to a row, as far as the database knows it.
    [[nodiscard]] virtual Result<QHash<QString, qint64>> givenNumbers() = 0;
    [[nodiscard]] virtual QString name() const = 0; // for people
};

// What open() chooses from.
[[nodiscard]] Result<std::unique_ptr<CopySource>> copyFromFile(const QString &path);
[[nodiscard]] Result<std::unique_ptr<CopySource>> copyFromSchema(const records::StoreAddress &address);

} // namespace store
