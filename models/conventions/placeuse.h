// What a person says about a place in a message. Pure functions.
#pragma once

#include "backend/records/conventions/convention.h"

namespace models {

enum class PlaceUse {
    CauseType,
    CauseMessage,
    StackTrace,
    MessageType,
    ReturnTo,
    FailedAt,
    Remove,
    SetToZero,
    EmptyIsMissing,
};
inline constexpr int placeUseCount = int(PlaceUse::EmptyIsMissing) + 1;

[[nodiscard]] QString textOf(PlaceUse use); // "This is the cause (type)"
// Why this cannot be said about the place; empty: it can.
[[nodiscard]] QString refusalOf(PlaceUse use, const records::MessagePlace &place);
// Adds it to the convention. Of several places for one fact the newest counts first.
void say(records::Convention &convention, PlaceUse use, const records::MessagePlace &place);

} // namespace models
