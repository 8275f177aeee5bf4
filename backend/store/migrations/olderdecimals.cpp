#include "backend/store/migrations/schema.h"

#include "backend/records/connection.h"
#include "backend/records/messages/decimals.h"
#include "backend/records/messages/headers.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagerow.h"

namespace store {

using core::Result;
using records::MessageFlag;

namespace {

struct OlderMessage
{
    core::MessageId id;
    records::MessageFlags flags;
    records::Receipt receipt;
};

// Headers that the intake of today would have named in the receipt. Headers that cannot be read keep their message out of
// every retry anyway.
QStringList maybeDecimals(const QByteArray &headers, const records::Receipt &receipt)
{
    QStringList names;
    const Result<records::Headers> read = records::headersFromCbor(headers);
    for (const records::Header &header : read.value_or(records::Headers())) {
        if (!receipt.lossyHeaders.contains(header.name) && records::mayHoldDecimals(header.value))
            names.append(header.name);
    }
    return names;
}

// What is not faithful for a reason that only its intake knew cannot be sent in any case.
bool isToBeFlagged(const OlderMessage &message)
{
    return message.receipt.maybeDecimals.isEmpty()
           && (!message.flags.testFlag(MessageFlag::NotFaithful) || !message.receipt.lossyHeaders.isEmpty());
}

Result<> flag(Database &database, OlderMessage message)
{
    if (message.flags.testFlag(MessageFlag::NotFaithful))
        message.flags.setFlag(MessageFlag::EmptyHeaders, false);
    else
        message.flags |= MessageFlag::NotFaithful | MessageFlag::Decimals;
    TRY(database.execute(QStringLiteral("UPDATE failed_message SET flags = ? WHERE id = ?"),
                         {int(message.flags.toInt()), message.id.value}));
    TRY(database.execute(QStringLiteral("UPDATE message_content SET receipt = ? WHERE message = ?"),
                         {receiptToCbor(message.receipt), message.id.value}));
    return {};
}

} // namespace

// Page by page, because the rows that are read are also changed.
Result<> flagOlderDecimals(Database &database)
{
    constexpr int page = 1000;
    core::MessageId last;
    for (int read = page; read == page;) {
        QList<OlderMessage> found;
        {
            // In CBOR a double begins with the byte FB, which no UTF-8 text contains.
            Statement rows =
                database.sql(QStringLiteral("SELECT f.id, f.flags, c.headers, c.receipt FROM failed_message f"
                                            " " SQL_JOIN_IN_ORDER " connection n ON n.id = f.connection"
                                            " " SQL_JOIN_IN_ORDER " message_content c ON c.message = f.id"
                                            " WHERE f.id > ? AND n.kind = %1 AND instr(c.headers, x'fb') > 0"
                                            " ORDER BY f.id LIMIT ?")
                                 .arg(numberOf(records::BrokerKind::RabbitMq)));
            read = 0;
            TRY(rows.bind(last, page).each([&] {
                last = core::MessageId{rows.integer(0)};
                OlderMessage one{last, records::MessageFlags::fromInt(int(rows.integer(1))), receiptFrom(rows.blob(3))};
                ++read;
                if (!isToBeFlagged(one))
                    return;
                one.receipt.maybeDecimals = maybeDecimals(rows.blob(2), one.receipt);
                if (!one.receipt.maybeDecimals.isEmpty())
                    found.append(std::move(one));
            }));
        }
        for (OlderMessage &one : found)
            TRY(flag(database, std::move(one)));
    }
    return {};
}

} // namespace store
