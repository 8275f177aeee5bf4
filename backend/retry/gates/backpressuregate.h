#pragma once

#include "backend/retry/processordependencies.h"
#include "backend/store/retry/retryrecords.h"

#include <QHash>

#include <deque>

namespace retry {

// How many messages a destination may still get: as many as the operation lets wait there (Plan::mostWaiting), and as
// many as a queue holds that drops its oldest messages or dead-letters the new ones when it is full, less a tenth for its other
// producers. Copies
// handed over recently are added to the broker's message count, which may be several seconds old. Kept in memory only:
// after a restart one batch may go too early. What is unknown about a queue is no reason to wait. Engine thread.
class BackpressureGate final
{
public:
    // How old a broker's statistics may be when they are listed. RabbitMQ's are 4 to 9 s old.
    static constexpr core::Milliseconds statisticsLag{10000};

    explicit BackpressureGate(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    // Why nothing may be sent to these destinations now, as a sentence for people; empty: at least one has room, and
    // beyondRoom() says what waits for the others.
    [[nodiscard]] QString objection(const records::Plan &plan, const QHash<QString, int> &copies,
                                    const QueueObservation &observation);
    // The ordinals of those members, in their order, that go beyond the room at their destination.
    [[nodiscard]] QList<qint64> beyondRoom(const records::Plan &plan, const QList<store::RetryMember> &members,
                                           const QueueObservation &observation);
    // `onItsWay`: the copies wait on the broker until arrived(batch).
    void handedOver(core::BatchId batch, const QHash<QString, int> &copies, bool onItsWay);
    void arrived(core::BatchId batch);

private:
    struct Handed
    {
        core::BatchId batch;
        QHash<QString, int> copies; // by destination
        std::optional<core::SteadyTime> at; // when they arrived at the latest; nothing: still on their way
    };
    // What waits there, with what was handed over recently; nothing: unknown.
    [[nodiscard]] std::optional<qint64> waitingAt(const QString &destination, const broker::QueueInfo *queue) const;
    void forgetOld(core::SteadyTime counted);

    const core::Clock &m_clock;
    std::deque<Handed> m_recent;
};

// The number of members for each destination.
[[nodiscard]] QHash<QString, int> countByDestination(const QList<store::RetryMember> &members);

} // namespace retry
