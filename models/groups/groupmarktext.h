#pragma once

#include "backend/api/requests/queries.h"
#include "models/common/formatters.h"

namespace models {

// The texts for the mute, the note and the expiry times of a group, in its row and tool tip. Pure functions.

// "Muted until 16:00", or "Muted at 100 messages, grown since" when the group needs attention again. Empty: not muted.
[[nodiscard]] QString muteText(const api::GroupRow &row, core::TimePoint now, TimeZone zone);
// "first expires in 3 h 12 min"; empty: no browsed message has a known expiry time.
[[nodiscard]] QString lossText(const api::GroupRow &row, core::TimePoint now);
// All of it, one line each: who muted the group until when, the whole note, when browsed messages expire. Empty:
// nothing.
[[nodiscard]] QStringList markLines(const api::GroupRow &row, core::TimePoint now, TimeZone zone);

// "first expires in 3 h 12 min (40 within 24 h)"; empty without `first`.
[[nodiscard]] QString lossSentence(std::optional<core::TimePoint> first, qint64 soon, core::TimePoint now);

} // namespace models
