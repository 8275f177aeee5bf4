// When messages expire in the queues of a broker, as far as the broker tells. This concerns browsed messages and others
// that still lie in a queue. Messages that Redrive took are in the store and do not expire.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/time/clock.h"

#include <QStringList>

#include <optional>

namespace records {

// When one message expires. Times are by the clock of this machine.
struct Expiry
{
    enum class Known {
        No, // the broker does not tell
        Never,
        At,
        Latest, // at the latest: the broker does not tell how long the message has been in the queue
    };
    Known known = Known::No;
    core::TimePoint at{}; // for At and Latest only

    [[nodiscard]] bool hasTime() const { return known == Known::At || known == Known::Latest; }

    friend bool operator==(const Expiry &, const Expiry &) = default;
};

// How long a queue keeps a message.
struct BrokerRetention
{
    enum class Known { No, Forever, Limited };
    friend constexpr Known lastOf(Known) { return Known::Limited; }
    Known known = Known::No;
    core::Milliseconds keeps{}; // for Limited only
    QStringList also; // other ways in which the queue loses or delays messages, in words for people

    REDRIVE_FIELDS(known, keeps, also)
    friend bool operator==(const BrokerRetention &, const BrokerRetention &) = default;
};

// What is known about the expiry of the browsed messages of a queue. For all other messages in the queue nothing is
// known.
struct QueueLoss
{
    static constexpr core::Milliseconds soonIs = std::chrono::hours(24);

    std::optional<core::TimePoint> first; // the next expiry in the future
    qint64 soon = 0; // messages that expire within soonIs
    qint64 past = 0; // messages whose time is over: they expired, unless a consumer took them before
    qint64 dated = 0; // messages with a known time
    qint64 never = 0; // messages that are known to stay
    BrokerRetention retention;

    REDRIVE_FIELDS(first, soon, past, dated, never, retention)
    friend bool operator==(const QueueLoss &, const QueueLoss &) = default;
};

} // namespace records
