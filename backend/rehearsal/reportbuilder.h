#pragma once

#include "backend/engine/commands/rehearser.h"
#include "backend/rehearsal/standin.h"
#include "backend/store/store.h"

namespace rehearsal {

// What there is to report about when a rehearsal has ended.
struct Ending
{
    const engine::RehearsalJob &job;
    const std::vector<Delivery> &deliveries;
    const QList<core::MessageId> &ids; // of the copies
    const api::PlanPreview &preview; // of a retry
    core::ConnectionId connection;
    core::TimePoint begin{};
    core::TimePoint end{};
    bool isOver = true;
    qint64 moved = 0; // messages in the queue to which the policy moves what it gives up
    qint64 onTheWay = 0; // messages in the other queues
};

// Compares what the store, the stand-in and the broker know about each copy. Reads only.
[[nodiscard]] core::Result<api::RehearsalReport> reportOf(store::Session &session, const Ending &ending);

} // namespace rehearsal
