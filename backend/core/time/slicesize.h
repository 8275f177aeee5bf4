#pragma once

#include "backend/core/limits.h"
#include "backend/core/time/clock.h"

#include <algorithm>

namespace core {

// How many rows one transaction takes, so that it stays within limits::transactionSlice on this machine and this disk:
// learned from how long those before took. The aim is half of it, so that a slow disk does not exceed it at once.
class SliceSize final
{
public:
    constexpr SliceSize(int first, int fewest, int most)
        : m_rows(first)
        , m_fewest(fewest)
        , m_most(most)
    {
    }

    [[nodiscard]] int rows() const { return m_rows; }
    void learn(Milliseconds took)
    {
        const Milliseconds aim = limits::transactionSlice / 2;
        if (took > aim)
            m_rows = std::max(m_fewest, m_rows / 2);
        else if (took < aim / 3)
            m_rows = std::min(m_most, m_rows * 2);
    }

private:
    int m_rows;
    int m_fewest;
    int m_most;
};

} // namespace core
