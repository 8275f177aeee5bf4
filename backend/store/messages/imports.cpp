#include "backend/store/messages/imports.h"

#include "backend/core/text/cborcodec.h"
#include "backend/store/database/database.h"
#include "backend/store/text.h"

namespace store {

Result<> writeImport(Database &database, core::MessageId id, const records::ImportedFrom &from)
{
    return database
        .sql(QStringLiteral("INSERT INTO message_import (message, at, who, file, store, unique_id, status, trail)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
        .bind(id, from.at, from.who, from.file, from.store, from.uniqueId, from.status,
              core::encode(from.trail).toCbor())
        .run()
        .map([](int) {});
}

Result<> writeFileFacts(Database &database, core::MessageId id, const records::FileFacts &facts)
{
    return database.sql(QStringLiteral("UPDATE message_import SET facts = ? WHERE message = ?"))
        .bind(core::encode(facts).toCbor(), id)
        .run()
        .map([](int) {});
}

Result<std::optional<records::FileFacts>> readFileFacts(Database &database, core::MessageId id)
{
    Statement row = database.sql(QStringLiteral("SELECT facts FROM message_import WHERE message = ?"));
    TRY(const bool found, row.bind(id).step());
    const QByteArray cbor = found ? row.blob(0) : QByteArray();
    records::FileFacts facts;
    if (cbor.isEmpty() || !core::decode(QCborValue::fromCbor(cbor), facts))
        return std::optional<records::FileFacts>();
    return std::optional(std::move(facts));
}

Result<std::optional<records::ImportedFrom>> readImport(Database &database, core::MessageId id)
{
    Statement row = database.sql(
        QStringLiteral("SELECT at, who, file, store, unique_id, status, trail FROM message_import WHERE message = ?"));
    TRY(const bool found, row.bind(id).step());
    if (!found)
        return std::optional<records::ImportedFrom>();
    records::ImportedFrom from;
    from.at = row.time(0);
    from.who = row.text(1);
    from.file = row.text(2);
    from.store = row.text(3);
    from.uniqueId = row.text(4);
    from.status = row.as<records::MessageStatus>(5);
    if (!core::decode(QCborValue::fromCbor(row.blob(6)), from.trail))
        return core::fail(core::ErrorKind::Corrupt,
                          Text::tr("The history of the imported message %1 cannot be read.").arg(id.value));
    return std::optional(std::move(from));
}

} // namespace store
