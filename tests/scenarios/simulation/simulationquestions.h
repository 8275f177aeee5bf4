#pragma once

#include "tests/scenarios/simulation/retrysimulation.h"

// What the tests of the rules ask of a world.
namespace scenario {

void bothHandOvers(); // the rows of a test that holds for both
[[nodiscard]] qint64 count(RetrySimulation &simulation, records::Outcome outcome); // members, over all operations
[[nodiscard]] bool anyBatchIn(RetrySimulation &simulation, records::BatchStage stage);
void crashOften(RetrySimulation &simulation); // with every fifth step, a dozen times at the most
// Starts it and retries everything: the staging place vanishes under the first batch, whose members are in doubt then.
[[nodiscard]] bool losesAStagingPlace(RetrySimulation &simulation);
[[nodiscard]] bool isQuietEnd(
    RetrySimulation &simulation); // runs it to its end; false, and the log printed, when anything is wrong

} // namespace scenario
