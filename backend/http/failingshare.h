#pragma once

#include "backend/core/time/clock.h"

#include <QList>

namespace http {

// The percentage of requests to a host that failed in the last three minutes. One thread: that of the clock.
class FailingShare final
{
public:
    explicit FailingShare(core::Clock &clock)
        : m_clock(clock)
    {
    }

    void note(bool failed);
    // Rounded up. 0 if fewer than three requests failed.
    [[nodiscard]] int percent() const;

private:
    struct Minute
    {
        qint64 number = 0; // of the steady clock
        int requests = 0;
        int failed = 0;
    };
    [[nodiscard]] qint64 now() const;

    core::Clock &m_clock;
    QList<Minute> m_minutes; // the last minutes with a request
};

} // namespace http
