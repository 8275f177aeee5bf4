#pragma once

#include "backend/broker/broker.h"

namespace broker {

// What is known of one broker: what the account can do, and the queues as they were listed last. One object for each open
// connection: commands, intake and retries go by the same answer, whoever asked for it.
//  - Thread: the engine thread. The broker and the clock outlive this object, and it outlives its tasks.
//  - Errors: those of Broker::probe() and Broker::queues(). An error leaves what is known as it was.
//  - Crash: nothing here lasts; the next process asks again.
class BrokerState final
{
public:
    BrokerState(Broker &broker, core::Clock &clock)
        : m_broker(broker)
        , m_clock(clock)
    {
    }
    BrokerState(const BrokerState &) = delete;
    BrokerState &operator=(const BrokerState &) = delete;

    // Asks the broker what the account can do, unless that is known and rightsMayHaveChanged() was not called since.
    [[nodiscard]] Task<Result<>> probe();
    [[nodiscard]] bool isCurrent() const { return m_isCurrent; } // probe() would not ask
    void rightsMayHaveChanged()
    {
        m_isCurrent = false;
        ++m_rightsChanges;
    }
    // As found last: a failing or outdated probe() does not take it away. Before the first one the account can do nothing.
    [[nodiscard]] const Capabilities &capabilities() const { return m_capabilities; }

    [[nodiscard]] Broker &broker() { return m_broker; }

    // Lists the queues now.
    [[nodiscard]] Task<Result<Listing>> list();
    // As listed last, by whomever; empty before the first time.
    [[nodiscard]] const Listing &listing() const { return m_listing; }
    [[nodiscard]] std::optional<core::SteadyTime> listedAt() const { return m_listedAt; }
    [[nodiscard]] core::TimePoint asOf() const { return m_asOf; } // the same for people

private:
    Broker &m_broker;
    core::Clock &m_clock;
    Capabilities m_capabilities;
    bool m_isCurrent = false;
    int m_rightsChanges = 0; // so that an answer from before a change does not count as current
    Listing m_listing;
    std::optional<core::SteadyTime> m_listedAt;
    core::TimePoint m_asOf{};
};

} // namespace broker
