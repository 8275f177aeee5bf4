// Finds the parts of a snapshot that differ from the previous one. Pure functions.
#pragma once

#include "backend/api/snapshot.h"

namespace models {

// True when the window shows both in the same way.
[[nodiscard]] bool same(const api::ConnectionView &a, const api::ConnectionView &b);
[[nodiscard]] bool same(const api::QueueView &a, const api::QueueView &b);
[[nodiscard]] bool same(const api::OperationView &a, const api::OperationView &b);
[[nodiscard]] bool same(const api::BatchView &a, const api::BatchView &b);
[[nodiscard]] bool same(const api::AssignmentView &a, const api::AssignmentView &b);
[[nodiscard]] bool same(const api::PolicyView &a, const api::PolicyView &b);

struct SnapshotDiff
{
    bool engine = false; // state, text, session, store path, secrets
    bool connections = false;
    bool queues = false;
    bool operations = false;
    bool batches = false;
    bool policies = false;
    bool counters = false; // unresolved and in doubt
    bool messagesRevised = false;
    bool operationsRevised = false;
    bool eventsRevised = false;
};

[[nodiscard]] SnapshotDiff compare(const api::Snapshot &before, const api::Snapshot &now);

} // namespace models
