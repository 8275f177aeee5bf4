#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/messages/headers.h"
#include "backend/sandbox/shop/causes.h"

#include <optional>

namespace sandbox {

// One failed message of the demo, as it will be on the broker.
struct Sample
{
    int number = 0; // 0 to count - 1; also in the header numberHeader, which a retry keeps
    int cause = 0; // index into causes()
    QString queue; // the error queue, or the work queue whose dead-letter queue gets it
    bool deadLetter = false;
    QString reason; // for a dead letter
    QString description;
    core::TimePoint failedAt{};
    records::Envelope envelope;
};

inline constexpr QStringView numberHeader = u"Shop.Number";

// The demo shop as a pure function of its seed: the same seed and count give the same messages, causes and decisions at
// any time. The failure times are in the 26 hours before `end`. Any thread.
class Scenario final
{
public:
    Scenario(quint64 seed, int count, core::TimePoint end);

    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] Sample sample(int number) const;
    [[nodiscard]] int causeOf(int number) const;

    // What the consumer does with a retried message. Nothing: it succeeds, as every message does that is not from the
    // scenario. Otherwise the copy for the error queue: the delivered message with new failure headers.
    [[nodiscard]] std::optional<records::Envelope> processed(const QString &workQueue,
                                                             const records::Envelope &delivered,
                                                             core::TimePoint now) const;

private:
    [[nodiscard]] core::TimePoint failureTime(int number) const;
    void addFailure(records::Headers &headers, int number, core::TimePoint at) const;

    quint64 m_seed;
    int m_count;
    core::TimePoint m_end;
    int m_shares = 0;
};

} // namespace sandbox
