// Past and current retries and releases: who, why and the outcome.
#pragma once

#include "backend/records/retry.h"

#include <QList>

#include <optional>

namespace api {

enum class OperationsWanted {
    All,
    NotEnded, // includes cancelled operations that still have work left
    Ended,
    CameBack, // some of their messages failed again
    Trouble, // some messages were ejected or are in doubt
    Cancelled,
};

// All parts must match; an empty part matches everything.
struct OperationQuery
{
    core::ConnectionId connection; // none: all
    OperationsWanted wanted = OperationsWanted::All;
    // Every word must be part of the scope, the reason, the person or the connection's name (upper and lower case are
    // the same), or be the operation's number.
    QString text;
    std::optional<core::TimePoint> since{}; // requested at or after
    std::optional<core::TimePoint> until{}; // requested before
    bool dismissed = true; // includes dismissed ones
    core::OperationId before{}; // only operations older than this; none: from the newest
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
    core::OperationId next; // `before` of the next page; none: this is the last
    // Sums over all operations that match, on this page or not:
    qint64 total = 0; // operations
    qint64 sent = 0; // messages
    qint64 cameBack = 0; // messages
};

} // namespace api
