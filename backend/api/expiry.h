// Which messages a broker will throw away by itself, the first to be lost first.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/expiry.h"

#include <QList>

namespace api {

struct ExpiryQuery
{
    core::ConnectionId connection; // none: all
    QString queue;
    core::GroupId group; // none: all
    std::optional<core::TimePoint> until; // lost before then
    int limit = 500;
};

struct ExpiringRow
{
    core::MessageId message;
    core::ConnectionId connection;
    QString queue;
    QString messageType;
    core::GroupId group; // by exception
    QString cause; // the title of that group
    records::Expiry expiry;
};

struct ExpiryPage
{
    QList<ExpiringRow> rows;
    qint64 total = 0; // with a time, as asked for
    qint64 never = 0; // of that place, whatever `until`
    qint64 notKnown = 0;
    qint64 change = 0;
};

} // namespace api
