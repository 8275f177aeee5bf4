#pragma once

#include "backend/retry/processordependencies.h"
#include "backend/store/retry/retryrecords.h"

#include <QHash>

#include <deque>

namespace retry {

// Checks whether more messages wait at a destination than the operation allows (Plan::mostWaiting). Copies handed over
// recently are added to the broker's message count, which may be several seconds old. Kept in memory only: after a
// restart one batch may go too early. Engine thread.
class BackpressureGate final
{
public:
    // How old a broker's statistics may be when they are listed. RabbitMQ's are 4 to 9 s old.
    static constexpr core::Milliseconds statisticsLag{10000};

    explicit BackpressureGate(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    // Why nothing more may be sent to these destinations now, as a sentence for people; empty: it may.
    [[nodiscard]] QString objection(const records::Plan &plan, const QHash<QString, int> &copies,
                                    const QueueObservation &observation);
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

// The number of members for each destination.
[[nodiscard]] QHash<QString, int> countByDestination(const QList<store::RetryMember> &members);

} // namespace retry
