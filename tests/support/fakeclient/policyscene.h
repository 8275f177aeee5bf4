// The night of consolescene.h with three recovery policies: one that holds messages, one that a person paused, and one
// that is assigned to nothing. For screenshots and tests of the window.
#pragma once

#include "tests/support/fakeclient/fakeclient.h"

namespace support {

// After fillScene() or over a client of its own.
void addPolicies(FakeClient &client);

// What happens to the policy "standard". The names are those of gallery --trouble.
void startProbing(FakeClient &client); // its retries keep coming back
void stopByRule(FakeClient &client); // its stop rule paused it
void stopAsCopy(FakeClient &client); // the store is a copy

} // namespace support
