#pragma once

#include <utility>

namespace models {

// Allows one request at a time. However many changes happen during a request, they lead to one more request. One
// thread.
class OneQuestion
{
public:
    // True: start the request now. False: one is running, and its end() will return true.
    [[nodiscard]] bool mayBegin()
    {
        m_again = m_asking;
        return !std::exchange(m_asking, true);
    }
    // The request has ended. True: start another one.
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
