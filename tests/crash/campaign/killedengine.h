#pragma once

#include "backend/core/random.h"
#include "tests/crash/campaign/enginescenario.h"
#include "tests/crash/campaign/killedprogram.h"

namespace killing {

// The program at its work (engine_child), killed at each step of it and started again.
class KilledEngine final
{
public:
    explicit KilledEngine(core::Random &random);

    struct Work
    {
        EngineScenario scenario;
        int messages = 0; // of the whole scenario: a moment may come later where there is more to do
        int kills = 0; // at most
        std::function<void()> letTimePass; // between two lives: what a dead program held comes in sight again
    };
    // Returns when the scenario is done. False: it does not come to its end.
    [[nodiscard]] bool run(const Work &work);

    [[nodiscard]] int kills() const { return m_kills; } // of all runs
    [[nodiscard]] QString summary() const; // "12 kills (3 starting, 5 taking, 4 sending)"

private:
    [[nodiscard]] Moment moment(double share, int messages);

    core::Random &m_random;
    int m_kills = 0;
    int m_haste = 1; // by which moments come sooner, where the program is quicker than they are
    QMap<QByteArray, int> m_during;
};

} // namespace killing
