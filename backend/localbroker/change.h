#pragma once

#include "backend/localbroker/message.h"
#include "backend/localbroker/queuesettings.h"

#include <variant>

namespace localbroker {

// What the engine did, in the order it did it: the file follows by applying these.
struct QueueSaved
{
    QueueSettings settings;
};
struct QueueDropped
{
    QString name;
};
struct MessageAdded
{
    QString queue;
    Message message;
};
struct MessageMoved // state, count or place; never body and properties
{
    Message message; // without its draft
};
struct MessageGone
{
    qint64 sequence = 0;
};
struct IdSeen
{
    QString queue;
    QString messageId;
    core::TimePoint at;
};
struct IdForgotten
{
    QString queue;
    QString messageId;
};

using Change = std::variant<QueueSaved, QueueDropped, MessageAdded, MessageMoved, MessageGone, IdSeen, IdForgotten>;

} // namespace localbroker
