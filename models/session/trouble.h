#pragma once

#include "backend/api/snapshot.h"
#include "models/common/roles.h"

namespace models {

// What the person should know before anything else, and the one thing to do about it.
struct Trouble
{
    enum class Remedy { None, ResumeAll, OpenConnection, AskAgain, ReopenStore };

    Tone tone = Tone::Normal;
    QString text; // empty: no trouble
    Remedy remedy = Remedy::None;
    QString remedyText;
    core::ConnectionId connection; // for OpenConnection

    friend bool operator==(const Trouble &, const Trouble &) = default;
};

// The worst one: the store before the engine before the connections.
[[nodiscard]] Trouble troubleOf(const api::Snapshot &snapshot);

} // namespace models
