#pragma once

#include "backend/api/queries.h"
#include "models/common/formatters.h"

namespace models {

// What people say about a group, and what of it is about to be lost, in the words of its row. `now` and `zone` as for lists.

// "Muted until 16:00:00"; of one that asks for attention all the same: "Muted, but 1,240 instead of 100". Empty: not muted.
[[nodiscard]] QString muteText(const api::GroupRow &row, core::TimePoint now, TimeZone zone);
// "lost from 16:00:00 on"; empty: nothing that is known of.
[[nodiscard]] QString lossText(const api::GroupRow &row, core::TimePoint now);
// Everything: who, when, the whole note. One line each; empty: nothing is said.
[[nodiscard]] QStringList markLines(const api::GroupRow &row, core::TimePoint now, TimeZone zone);

// "first lost in 3 h 12 min (40 within 24 h)"; empty: nothing.
[[nodiscard]] QString lossSentence(std::optional<core::TimePoint> first, qint64 soon, core::TimePoint now);

} // namespace models
