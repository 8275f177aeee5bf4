#pragma once

#include "models/conventions/placeuse.h"

#include <functional>

class QMenu;

namespace views {

// Adds what a person can say about this place in a message. What cannot be said is disabled, with the reason.
void addUses(QMenu &menu, const records::MessagePlace &place, const std::function<void(models::PlaceUse)> &said);

} // namespace views
