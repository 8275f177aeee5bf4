#include "backend/store/backup/storecheck.h"

#include "backend/records/messages/message.h"
#include "backend/store/database/database.h"
#include "backend/store/query/questions/logqueries.h"
#include "backend/store/text.h"

#include <QFileInfo>

namespace store {

using core::Result;

Result<StoreFacts> factsOf(Database &database)
{
    Statement row =
        database.sql(QStringLiteral("SELECT (SELECT store_id FROM store_meta),"
                                    " (SELECT count(*) FROM retry_operation WHERE finished IS NULL),"
                                    " (SELECT max(at) FROM event_log),"
                                    " (SELECT coalesce(sum(unresolved + retry_issued + released + unknown), 0)"
                                    "  - coalesce(sum(looked_at), 0) FROM queue_count),"
                                    " (SELECT count(*) FROM failed_message)"));
    TRY(row.step());
    StoreFacts facts;
    facts.storeId = row.text(0);
    facts.openOperations = row.integer(1);
    facts.lastEntry = row.optionalTime(2);
    facts.unsettled = row.integer(3);
    facts.messages = row.integer(4);
    facts.bytes = QFileInfo(database.path()).size();
    return facts;
}

Result<> checkWhole(Database &database, const QString &name)
{
    const auto damaged = [&name](const QString &how) {
        return core::fail(core::ErrorKind::Corrupt, Text::tr("%1 is damaged. Use another backup.").arg(name), how);
    };
    {
        Statement pages = database.sql(QStringLiteral("PRAGMA integrity_check(1)"));
        TRY(const bool found, pages.step());
        if (!found || pages.text(0) != QLatin1String("ok"))
            return damaged(found ? pages.text(0) : QString());
    }
    {
        Statement references = database.sql(QStringLiteral("PRAGMA foreign_key_check"));
        TRY(const bool found, references.step());
        if (found)
            return damaged(references.text(0));
    }
    TRY(const records::TrailCheck trail, checkTrail(database, {}));
    if (trail.fault != records::TrailCheck::Fault::None)
        return core::fail(
            core::ErrorKind::Corrupt,
            Text::tr("The activity log in %1 was changed after it was written: %2").arg(name, sentence(trail)));
    return {};
}

} // namespace store
