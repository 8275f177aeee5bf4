// The question for past and present operations: what was retried or released, by whom, why, and what became of it.
#pragma once

#include "backend/records/retry.h"

#include <QList>

#include <optional>

namespace api {

enum class OperationsWanted {
    All,
    NotEnded, // work is left, also of cancelled ones
    Ended,
    CameBack, // messages of theirs failed again
    Trouble, // messages were ejected or are in doubt
    Cancelled,
};

// Every part narrows; an empty part does not.
struct OperationQuery
{
    core::ConnectionId connection; // none: all
    OperationsWanted wanted = OperationsWanted::All;
    // Each word stands somewhere in the scope, the reason, who asked for it or the connection's name, whatever the case;
    // or it is the operation's number.
    QString text;
    std::optional<core::TimePoint> since{}; // when it was requested, inclusive
    std::optional<core::TimePoint> until{}; // exclusive
    bool dismissed = true; // also those that the list of retries leaves out
    core::OperationId before{}; // older ones than this; none: from the newest
    int limit = 200;
};

struct OperationRow
{
    records::RetryOperation operation;
    QString connection; // its name; empty when it was removed
};

struct OperationPage
{
    QList<OperationRow> rows; // newest first
    core::OperationId next; // `before` of the next page; none: no more
    // Of all that fit, whatever the page:
    qint64 total = 0;
    qint64 sent = 0; // messages
    qint64 cameBack = 0; // messages
};

} // namespace api
