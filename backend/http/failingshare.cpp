#include "backend/http/failingshare.h"

namespace http {

namespace {

constexpr qint64 minutesCounted = 3; // with the current one
constexpr int fewestFailures = 3; // fewer can happen by chance

} // namespace

qint64 FailingShare::now() const
{
    return std::chrono::floor<std::chrono::minutes>(m_clock.steady().time_since_epoch()).count();
}

void FailingShare::note(bool failed)
{
    const qint64 minute = now();
    m_minutes.removeIf([minute](const Minute &one) { return one.number <= minute - minutesCounted; });
    if (m_minutes.isEmpty() || m_minutes.last().number != minute)
        m_minutes.append({minute, 0, 0});
    ++m_minutes.last().requests;
    m_minutes.last().failed += failed ? 1 : 0;
}

int FailingShare::percent() const
{
    const qint64 minute = now();
    int requests = 0;
    int failed = 0;
    for (const Minute &one : m_minutes) {
        if (one.number <= minute - minutesCounted)
            continue;
        requests += one.requests;
        failed += one.failed;
    }
    return failed < fewestFailures ? 0 : (failed * 100 + requests - 1) / requests;
}

} // namespace http
