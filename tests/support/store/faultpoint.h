#pragma once

#include "backend/core/result.h"

namespace test {

// Decides at which of many points something goes wrong: every call and every commit asks before and after its effect. A
// failure hits once; a crash also stops everything that comes after it, until revive().
struct FaultPoint
{
    enum class Kind { Failure, Crash };

    Kind kind = Kind::Failure;
    int at = 0; // the number of the point, from 1; 0: never
    int passed = 0;
    bool dead = false;

    [[nodiscard]] core::Result<> pass()
    {
        if (dead)
            return core::fail(core::ErrorKind::Cancelled, QStringLiteral("The program is dead."));
        if (++passed != at)
            return {};
        dead = kind == Kind::Crash;
        return core::fail(dead ? core::ErrorKind::Cancelled : core::ErrorKind::Transient,
                          QStringLiteral("It fails here."));
    }

    void revive()
    {
        dead = false;
        at = 0;
    }
};

} // namespace test
