#pragma once

#include "backend/api/snapshot.h"

namespace models {

enum class Verb {
    Take, // take messages, and subscribe
    Browse, // browse without taking
    Retry,
    Archive,
    Delete, // for good
    Mute, // groups, for a time
    Note, // on groups
    Redirect, // make and remove standing redirects
    Edit, // change messages before they are sent again
    Pause, // pause, resume and cancel: allowed to everyone while the store can be written
    EditConnections,
};

// Why this cannot be done now, as one sentence for the tool tip of the disabled action; empty: it can. With an invalid
// `connection` one connection that allows it is enough. A viewer can request retries, archiving and pauses from the
// process that holds the store; only that process changes connections and takes or browses messages. Pure function.
[[nodiscard]] QString refusal(const api::Snapshot &snapshot, Verb verb, core::ConnectionId connection = {});

} // namespace models
