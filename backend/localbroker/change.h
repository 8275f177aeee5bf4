#pragma once

#include "backend/localbroker/message.h"
#include "backend/localbroker/queuesettings.h"

#include <variant>

namespace localbroker {

// The changes that the engine makes, in their order. The journal writes them to the file.
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
struct MessageMoved // changes state, count or place, never body or properties
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
