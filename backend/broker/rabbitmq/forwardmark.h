#pragma once

#include "backend/broker/rabbitmq/nodeincarnation.h"
#include "backend/broker/rabbitmq/shovels.h"

namespace broker::rabbitmq {

// What must be known after a crash to go on with forwarding and to tell whether it was interrupted.
struct ForwardMark
{
    NodeIncarnation node; // the run of the broker in which forwarding began
    ShovelWatch watch; // of the shovel that is there, and of those before it
    int shovels = 0; // how many were started
    bool restOnly = false; // the shovel is taken down for good: account for what is left
    bool restInDoubt = false; // it was taken down with messages in hand

    [[nodiscard]] QString toText() const;
    [[nodiscard]] static std::optional<ForwardMark> from(const QString &text);
};

} // namespace broker::rabbitmq
