// A night on call: four connections, seven causes, nearly twenty thousand failed messages, one retry running and one done.
// What the design pictures show; for screenshots and tests of the window.
#pragma once

#include "tests/support/fakeclient/fakeclient.h"

namespace support {

void fillScene(FakeClient &client);

// The moment at which the scene plays: 2026-11-21 03:02:11 UTC.
[[nodiscard]] core::TimePoint sceneTime();

// Text that tries to be HTML, to turn its direction, to break lines; and is long.
[[nodiscard]] QString hostileText();

} // namespace support
