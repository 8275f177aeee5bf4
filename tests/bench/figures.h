#pragma once

#include <QElapsedTimer>

#include <cstdio>

// How every benchmark says what it measured.
namespace bench {

inline void print(const char *what, double value, const char *unit, const char *goal)
{
    std::printf("%-58s %10.1f %-6s %s\n", what, value, unit, goal);
    std::fflush(stdout);
}

template<typename Work>
double milliseconds(Work work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

} // namespace bench
