#pragma once

#include "backend/records/ledger/transitions.h"

#include <optional>

namespace records {

// What the event makes of the member; nothing: it leaves the member as it is. Pure.
[[nodiscard]] std::optional<Fate> apply(const Fate &fate, MemberEvent event);
// The same where the transition is known.
[[nodiscard]] Fate apply(const Fate &fate, MemberEvent event, const Transition &transition);

} // namespace records
