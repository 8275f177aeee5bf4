#pragma once

#include "backend/retry/processordependencies.h"
#include "backend/store/retryrecords.h"

#include <QHash>

#include <deque>

namespace retry {

// Whether more messages wait at a destination than an operation allows (Plan::mostWaiting). What was handed over lately is
// added to what the broker counts: its numbers are old by then. In memory alone; after a restart one batch may go early.
// Engine thread.
class BackpressureGate final
{
public:
    // A broker's statistics may be as old as that when they are listed: RabbitMQ's are 4 to 9 s.
    static constexpr core::Milliseconds statisticsLag{10000};

    explicit BackpressureGate(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    // Why nothing more for these destinations goes now, for people; empty: it may.
    [[nodiscard]] QString objection(const records::Plan &plan, const QHash<QString, int> &copies,
                                    const QueueObservation &observe);
    void handedOver(const QHash<QString, int> &copies);

private:
    struct Handed
    {
        core::SteadyTime at{};
        QHash<QString, int> copies; // by destination
    };
    const core::Clock &m_clock;
    std::deque<Handed> m_recent;
};

// By destination.
[[nodiscard]] QHash<QString, int> countByDestination(const QList<store::RetryMember> &members);

} // namespace retry
