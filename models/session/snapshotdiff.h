// Which parts of a snapshot differ from the one before.
#pragma once

#include "backend/api/snapshot.h"

namespace models {

[[nodiscard]] bool same(const api::ConnectionView &a, const api::ConnectionView &b);
[[nodiscard]] bool same(const api::QueueView &a, const api::QueueView &b);
[[nodiscard]] bool same(const api::OperationView &a, const api::OperationView &b);
[[nodiscard]] bool same(const api::BatchView &a, const api::BatchView &b);

struct SnapshotDiff
{
    bool engine = false; // state, words, session, store
    bool connections = false;
    bool queues = false;
    bool operations = false;
    bool batches = false;
    bool counters = false; // unresolved and in doubt
    bool messagesRevised = false;
    bool operationsRevised = false;
    bool eventsRevised = false;
};

[[nodiscard]] SnapshotDiff compare(const api::Snapshot &before, const api::Snapshot &now);

} // namespace models
