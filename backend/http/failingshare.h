#pragma once

#include "backend/core/clock.h"

#include <QList>

namespace http {

// How many of a hundred requests to a host fail, over the last minutes.
class FailingShare final
{
public:
    explicit FailingShare(core::Clock &clock)
        : m_clock(clock)
    {
    }

    void note(bool failed);
    // Rounded up. 0: fewer than three failed.
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
    QList<Minute> m_minutes; // the last ones in which there was a request
};

} // namespace http
