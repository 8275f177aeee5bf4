// Which browsed messages the broker will expire, first to expire first. Messages that were taken into the store do not
// expire. Times are this machine's clock.
#pragma once

#include "backend/api/request.h"
#include "backend/records/messages/expiry.h"

#include <QList>

namespace api {

struct ExpiryPage;

struct ExpiryQuery
{
    using Answer = ExpiryPage;
    static constexpr RequestRules rules{"ExpiryQuery"};

    core::ConnectionId connection; // none: all
    QString queue;
    core::GroupId group; // none: all
    std::optional<core::TimePoint> until; // expires before then
    int limit = 500;
};

struct ExpiringRow
{
    core::MessageId message;
    core::ConnectionId connection;
    QString queue;
    QString messageType;
    core::GroupId group; // its failure group, by exception
    QString cause; // the title of that group
    records::Expiry expiry;
};

struct ExpiryPage
{
    QList<ExpiringRow> rows;
    qint64 total = 0; // messages with an expiry time that match the whole query
    qint64 never = 0; // messages that do not expire; ignores `until`
    qint64 notKnown = 0; // messages with an unknown expiry; ignores `until`
    qint64 change = 0; // the change number at which this was read
};

} // namespace api
