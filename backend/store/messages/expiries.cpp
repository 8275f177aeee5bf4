#include "backend/store/messages/expiries.h"

#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"

namespace store {

using records::Expiry;

Result<> forgetExpiry(Database &database, core::MessageId message)
{
    return database.sql(QStringLiteral("DELETE FROM message_expiry WHERE message = ?"))
        .bind(message)
        .run()
        .map([](int) {});
}

Result<Expiry> readExpiry(Database &database, core::MessageId message)
{
    Statement row = database.sql(QStringLiteral("SELECT known, at FROM message_expiry WHERE message = ?"));
    TRY(const bool found, row.bind(message).step());
    return found ? Expiry{row.as<Expiry::Known>(0), row.time(1)} : Expiry{};
}

// "At the latest" never becomes later when the message is browsed again: only the first time tells how long the message
// has been there at least.
static Result<Expiry> noLater(Database &database, core::MessageId message, const Expiry &expiry)
{
    if (expiry.known != Expiry::Known::Latest)
        return expiry;
    TRY(const Expiry before, readExpiry(database, message));
    return before.hasTime() && before.at < expiry.at ? before : expiry;
}

Result<> writeExpiry(Database &database, core::MessageId message, const Expiry &expiry)
{
    TRY(const Expiry kept, noLater(database, message, expiry));
    const Result<> gone = forgetExpiry(database, message);
    if (!gone || kept.known == Expiry::Known::No)
        return gone;
    const std::optional<core::TimePoint> at = kept.hasTime() ? std::optional(kept.at) : std::nullopt;
    return database.sql(QStringLiteral("INSERT INTO message_expiry (message, known, at) VALUES (?, ?, ?)"))
        .bind(message, kept.known, at)
        .run()
        .map([](int) {});
}

Result<QList<LossCount>> readLossCounts(Database &database, core::TimePoint now)
{
    Statement rows = database.sql(QStringLiteral(
        "SELECT m.connection, m.queue, min(CASE WHEN e.at > t.now THEN e.at END), count(e.at),"
        " count(CASE WHEN e.at > t.now AND e.at <= t.soon THEN 1 END), count(CASE WHEN e.at <= t.now THEN 1 END),"
        " count(*) - count(e.at) FROM (SELECT ? AS now, ? AS soon) t " SQL_JOIN_IN_ORDER
        " message_expiry e ON TRUE " SQL_JOIN_IN_ORDER
        " failed_message m ON m.id = e.message GROUP BY m.connection, m.queue"));
    rows.bind(now, now + records::QueueLoss::soonIs);
    QList<LossCount> counts;
    TRY(rows.each([&] {
        LossCount one{core::ConnectionId{rows.integer(0)}, rows.text(1), {}};
        one.loss.first = rows.optionalTime(2);
        one.loss.dated = rows.integer(3);
        one.loss.soon = rows.integer(4);
        one.loss.past = rows.integer(5);
        one.loss.never = rows.integer(6);
        counts.append(one);
    }));
    return counts;
}

} // namespace store
