#include "backend/store/migrations/schema.h"

#include "backend/records/connection.h"
#include "backend/records/messages/decimals.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagerow.h"

namespace store {

using core::Result;
using records::MessageFlag;
using records::MessageFlags;

namespace {

struct OlderMessage
{
    core::MessageId id;
    MessageFlags flags;
};

// What is not faithful for a reason that only its intake knew cannot be sent in any case, and neither can a message whose
// headers cannot be read.
bool mayNeedFlags(MessageFlags flags, const QByteArray &headers, const records::Receipt &receipt)
{
    if (flags.testFlag(MessageFlag::NotFaithful) && receipt.lossyHeaders.isEmpty())
        return false;
    const Result<records::Headers> read = records::headersFromCbor(headers);
    return read && !records::headersWithDecimals(*read, receipt.lossyHeaders).isEmpty();
}

MessageFlags flagged(MessageFlags flags)
{
    if (flags.testFlag(MessageFlag::NotFaithful))
        return flags.setFlag(MessageFlag::EmptyHeaders, false);
    return flags | MessageFlag::NotFaithful | MessageFlag::Decimals;
}

} // namespace

// Page by page, because the rows that are read are also changed. Only these small rows: a change of a row in message_content
// would write its whole body into the log, and a big store would need its size once more to be opened.
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
                const MessageFlags flags = MessageFlags::fromInt(int(rows.integer(1)));
                ++read;
                if (mayNeedFlags(flags, rows.blob(2), receiptFrom(rows.blob(3))))
                    found.append({last, flagged(flags)});
            }));
        }
        for (const OlderMessage &one : std::as_const(found))
            TRY(database.execute(QStringLiteral("UPDATE failed_message SET flags = ? WHERE id = ?"),
                                 {int(one.flags.toInt()), one.id.value}));
    }
    return {};
}

} // namespace store
