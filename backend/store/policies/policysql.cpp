#include "backend/store/policies/policysql.h"

namespace store {

const QString &heldColumns()
{
    static const QString columns =
        QStringLiteral("p.message, p.connection, p.assignment, p.version, p.state, p.failed, p.in_round, p.delayed,"
                       " p.first_failure, p.last_delayed, p.attempts, p.is_delayed, p.decided_at, p.next_attempt,"
                       " p.deliver_at, p.operation, p.has_left, p.reason, p.body, p.returned_as");
    return columns;
}

recovery::HeldMessage readHeld(const Statement &row, int first)
{
    recovery::HeldMessage held;
    held.message = {row.integer(first)};
    held.connection = {row.integer(first + 1)};
    held.assignment = {row.integer(first + 2)};
    held.version = int(row.integer(first + 3));
    held.state = row.as<recovery::HeldState>(first + 4);
    held.progress.failed = int(row.integer(first + 5));
    held.progress.inRound = int(row.integer(first + 6));
    held.progress.delayed = int(row.integer(first + 7));
    held.progress.firstFailure = row.time(first + 8);
    held.progress.lastDelayed = row.optionalTime(first + 9);
    held.attempts = int(row.integer(first + 10));
    held.isDelayed = row.integer(first + 11) != 0;
    held.decidedAt = row.time(first + 12);
    held.nextAttempt = row.optionalTime(first + 13);
    held.deliverAt = row.optionalTime(first + 14);
    held.operation = {row.integer(first + 15)};
    held.hasLeft = row.integer(first + 16) != 0;
    held.reason = row.text(first + 17);
    held.body = row.text(first + 18);
    held.returnedAs = {row.integer(first + 19)};
    return held;
}

} // namespace store
