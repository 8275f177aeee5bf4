#pragma once

#include "backend/api/snapshot.h"
#include "models/common/roles.h"

namespace models {

// The most important problem, and the action that helps.
struct Trouble
{
    enum class Remedy { None, ResumeAll, OpenConnection, AskAgain, ReopenStore };

    Tone tone = Tone::Normal;
    QString text; // empty: there is no problem
    Remedy remedy = Remedy::None;
    QString remedyText;
    core::ConnectionId connection; // for OpenConnection

    friend bool operator==(const Trouble &, const Trouble &) = default;
};

// The worst problem: the store comes before the engine, the engine before the connections. Pure function.
[[nodiscard]] Trouble troubleOf(const api::Snapshot &snapshot);

} // namespace models
