#pragma once

#include <utility>

namespace models {

// One question at a time: what changes while it is on its way is asked for once more, however often it changed.
class OneQuestion
{
public:
    [[nodiscard]] bool mayBegin()
    {
        m_again = m_asking;
        return !std::exchange(m_asking, true);
    }
    // True: ask again.
    [[nodiscard]] bool end()
    {
        m_asking = false;
        return std::exchange(m_again, false);
    }

private:
    bool m_asking = false;
    bool m_again = false;
};

} // namespace models
