#pragma once

#include "backend/api/snapshot.h"

namespace models {

enum class Verb {
    Take, // intake and follow
    Look, // without taking
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

// Why this cannot be done at the moment, as one sentence for the tooltip of the disabled action; empty: it can.
// `connection` none: asks whether any connection allows it. A viewer may file retries, archiving and pauses with the
// process that holds the store; connections and intake belong to that process alone.
[[nodiscard]] QString refusal(const api::Snapshot &snapshot, Verb verb, core::ConnectionId connection = {});

} // namespace models
