// What brokers throw away by themselves, as far as they tell. Only of originals that lie in their queues: what Redrive has
// taken lies in its store, which forgets nothing.
#pragma once

#include "backend/core/clock.h"

#include <QStringList>

#include <optional>

namespace records {

// When one message is lost. Times are by our clock.
struct Expiry
{
    enum class Known {
        No, // the broker does not tell
        Never,
        At,
        Latest, // then at the latest: how long it has lain there already is not told
    };
    Known known = Known::No;
    core::TimePoint at{}; // of At and Latest

    [[nodiscard]] bool hasTime() const { return known == Known::At || known == Known::Latest; }

    friend bool operator==(const Expiry &, const Expiry &) = default;
};

// How long a queue keeps a message.
struct BrokerRetention
{
    enum class Known { No, Forever, Limited };
    Known known = Known::No;
    core::Milliseconds keeps{}; // of Limited
    QStringList also; // in what other ways it loses messages, for people

    friend bool operator==(const BrokerRetention &, const BrokerRetention &) = default;
};

// What of a queue is known to be lost, and when. The others that lie in it were not looked at, or the broker does not tell.
struct QueueLoss
{
    static constexpr core::Milliseconds soonIs = std::chrono::hours(24);

    std::optional<core::TimePoint> first; // still to come
    qint64 soon = 0; // lost within soonIs
    qint64 past = 0; // whose time is over: gone, unless somebody was quicker
    qint64 dated = 0; // of which a time is known
    qint64 never = 0; // of which is known that they stay
    BrokerRetention retention;

    friend bool operator==(const QueueLoss &, const QueueLoss &) = default;
};

} // namespace records
