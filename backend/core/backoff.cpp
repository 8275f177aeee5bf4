#include "backend/core/backoff.h"

#include <algorithm>

namespace core {

Backoff::Backoff(Milliseconds base, Milliseconds cap)
    : m_base(base)
    , m_cap(cap)
{
}

Milliseconds Backoff::next(Random &random, Milliseconds atLeast)
{
    constexpr int doublingsBeforeOverflow = 30;
    const qint64 ceiling = std::min(m_cap.count(), m_base.count() << std::min(m_failures, doublingsBeforeOverflow));
    ++m_failures;
    return std::max(atLeast, Milliseconds{qint64(random.unit() * double(ceiling + 1))});
}

} // namespace core
