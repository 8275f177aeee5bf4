#pragma once

#include "backend/core/clock.h"
#include "backend/records/headers.h"
#include "backend/sandbox/causes.h"

#include <optional>

namespace sandbox {

// One failed message of the demo, as it is to lie on the broker.
struct Sample
{
    int number = 0; // 0 .. count - 1; also in the header numberHeader, which survives a retry
    int cause = 0; // index into causes()
    QString queue; // where it is put: the error queue, or the work queue whose dead-letter queue gets it
    bool deadLetter = false;
    QString reason; // of a dead letter
    QString description;
    core::TimePoint failedAt{};
    records::Envelope envelope;
};

inline constexpr QStringView numberHeader = u"Shop.Number";

// The demo shop as a pure function of its seed: the same seed and count give the same messages, causes and decisions,
// whatever the time; failure times lie in the 26 hours before `end`.
class Scenario final
{
public:
    Scenario(quint64 seed, int count, core::TimePoint end);

    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] Sample sample(int number) const;
    [[nodiscard]] int causeOf(int number) const;

    // What happens to a retried message at its consumer: nothing, or the failed copy for the error queue, which is the
    // message as it was delivered with fresh failure headers. Messages that are not of the scenario succeed.
    [[nodiscard]] std::optional<records::Envelope> processed(const QString &workQueue,
                                                             const records::Envelope &delivered,
                                                             core::TimePoint now) const;

private:
    [[nodiscard]] quint64 dice(int number, quint64 purpose) const;
    [[nodiscard]] core::TimePoint failureTime(int number) const;
    [[nodiscard]] QString uuid(int number, quint64 purpose) const;
    void addFailureHeaders(records::Headers &headers, int number, core::TimePoint at) const;

    quint64 m_seed;
    int m_count;
    core::TimePoint m_end;
    int m_shares = 0;
};

} // namespace sandbox
