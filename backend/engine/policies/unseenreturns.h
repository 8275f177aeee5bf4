#pragma once

#include "backend/core/ids.h"
#include "backend/core/time/clock.h"

#include <map>
#include <optional>

namespace engine {

// Suspects that the retries of a policy come back unseen: the application publishes failed messages again with another
// body and without our headers, so each return is a new message, and the policy would retry it for ever. Two things look
// alike then: a loop, and new failures of the same cause whose retries succeed. So what was sent and what came new is
// counted for each failure group. More new failures than retries are no loop. When nothing is known of many retries, and
// nearly as many new failures of their group came, the policy sends nothing for a while (a trial of minutes): new failures
// go on without it, returns do not. Failures of an incident that is over do not go on either, so after a silence the policy
// sends a few, and only if as many come again it is a loop. Any outcome that is known, a return with our headers or body or
// a success that an endpoint confirms, begins the count anew. A pure state machine: the caller says what happened and when,
// in time that this process has seen pass. A restart forgets it, which costs one more count. Not thread-safe.
class UnseenReturns final
{
public:
    static constexpr qint64 enough = 20; // retries without any known outcome
    static constexpr qint64 probes = 3; // retries after a silence

    struct Key
    {
        core::AssignmentId assignment;
        core::GroupId group;

        friend auto operator<=>(const Key &, const Key &) = default;
    };
    void sent(const Key &key, core::SteadyTime now);
    void fresh(const Key &key, core::SteadyTime now); // a new message of this group
    void known(const Key &key); // the outcome of a retry of this group

    struct Verdict
    {
        enum class What { Go, Wait, Loop };
        What what = What::Go;
        core::Milliseconds rest{0}; // of Wait
        bool isProbed = false; // of Wait: a few were sent, otherwise none
        std::optional<qint64> most{}; // of Go: no more than so many retries
        qint64 sent = 0; // of Loop: so many retries
        qint64 fresh = 0; // and so many new messages
    };
    // Whether judge() may say anything but Go of a group under this assignment.
    [[nodiscard]] bool suspects(core::AssignmentId assignment) const;
    // To be asked before each retry of this group.
    [[nodiscard]] Verdict judge(const Key &key, core::SteadyTime now);

private:
    struct Trial // nothing is sent
    {
        core::Milliseconds draining{0}; // then what was on its way is back
        core::SteadyTime drained{};
        core::SteadyTime until{};
        qint64 fresh = 0; // between these two
        qint64 expected = 0; // at the pace before it
    };
    struct Probe // a few are sent after the silence of a trial
    {
        core::Milliseconds draining{0};
        core::SteadyTime until{}; // of the last one
        qint64 sent = 0;
        qint64 fresh = 0;
    };
    struct Series
    {
        core::SteadyTime since{};
        qint64 sent = 0;
        qint64 fresh = 0;
        qint64 scale = 1; // grows each time that there was no loop
        std::optional<Trial> trial{};
        std::optional<Probe> probe{}; // after the trial
    };
    static void begin(Series &series, core::SteadyTime now);
    static void beginAnew(Series &series);
    [[nodiscard]] static bool isSuspect(const Series &series);
    [[nodiscard]] static Verdict judge(Series &series, core::SteadyTime now);
    [[nodiscard]] static Verdict judgeProbe(Series &series, core::SteadyTime now);

    std::map<Key, Series> m_series;
};

} // namespace engine
