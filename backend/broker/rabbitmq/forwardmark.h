#pragma once

#include "backend/broker/rabbitmq/nodemarks.h"

namespace broker::rabbitmq {

// What must be known after a crash to go on with forwarding and to tell whether it was interrupted.
struct ForwardMark
{
    NodeMark node; // the run of the broker in which forwarding began
    QString shovel; // time stamp of the running shovel; empty: not seen running
    int shovels = 0; // how many were started
    bool restOnly = false; // the shovel is taken down for good: account for what is left
    bool restInDoubt = false; // it was taken down with messages in hand
    bool restarted = false; // the broker's own restart of the shovel was seen

    [[nodiscard]] QString toText() const;
    [[nodiscard]] static std::optional<ForwardMark> from(const QString &text);
};

} // namespace broker::rabbitmq
