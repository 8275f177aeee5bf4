#pragma once

#include "tests/scenarios/retryworld.h"

// What the tests of the rules ask of a world.
namespace scenario {

void bothHandOvers(); // the rows of a test that holds for both
[[nodiscard]] qint64 count(RetryWorld &world, records::Outcome outcome); // members, over all operations
[[nodiscard]] bool anyBatchIn(RetryWorld &world, records::BatchStage stage);
void crashOften(RetryWorld &world); // with every fifth step, a dozen times at the most
// Starts it and retries everything: the staging place vanishes under the first batch, whose members are in doubt then.
[[nodiscard]] bool losesAStagingPlace(RetryWorld &world);
[[nodiscard]] bool isQuietEnd(
    RetryWorld &world); // runs it to its end; false, and the log printed, when anything is wrong

} // namespace scenario
