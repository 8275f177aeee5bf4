#pragma once

#include "tests/scenarios/simulation/retrysimulation.h"

namespace scenario {

// A whole life of an engine of which everything comes from one number.
struct SimulatedRun
{
    QStringList wrong;
    QStringList log;
    QByteArray hash;
    int crashes = 0;
    int deletions = 0;
    int strangers = 0;
    int redirected = 0; // members that were frozen for another queue than they say
    int byHand = 0; // messages whose status a person changed
    int mended = 0; // edited copies that were delivered
};

[[nodiscard]] SimulatedRun simulate(quint64 seed);
// No more faults, and a person lets go on what paused by itself, as often as it does. `freed`: rates are lifted, too.
void finish(RetrySimulation &simulation, bool freed = true);

// For the tests: one row for some of these seeds; REDRIVE_SEEDS="from-to" or one number runs others instead.
void seedRows(quint64 first, quint64 last);
// Runs them, and prints those that fail, the first with the end of its log; a single seed with all of it.
[[nodiscard]] bool allKeepTheInvariants(quint64 from, quint64 to);

} // namespace scenario
