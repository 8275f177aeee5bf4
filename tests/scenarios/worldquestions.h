#pragma once

#include "tests/scenarios/retryworld.h"

// What the tests of the rules ask of a world.
namespace scenario {

void bothHandOvers(); // the rows of a test that holds for both
[[nodiscard]] qint64 count(RetryWorld &world, records::Outcome outcome); // members, over all operations
[[nodiscard]] bool anyBatchIn(RetryWorld &world, records::BatchStage stage);
[[nodiscard]] bool isQuietEnd(
    RetryWorld &world); // runs it to its end; false, and the log printed, when anything is wrong

} // namespace scenario
