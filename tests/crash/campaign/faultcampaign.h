#pragma once

#include "tests/crash/campaign/verdict.h"
#include "tests/support/brokerrig/brokerrig.h"
#include "tests/support/network/faultyproxy.h"

namespace killing {

// Messages of a broker rig are taken and sent back over a line that fails one request in so many: intake, freezing, staging,
// forwarding, the intent log and settling, each run over a store of its own.
class FaultCampaign final
{
public:
    FaultCampaign(support::BrokerRig &rig, quint64 seed);

    // Each send stored before and after it, on a broker that could forward copies by itself.
    void useIntentLog() { m_usesIntentLog = true; }
    // What is wrong; empty: nothing. 0: no request fails, though all go through the proxy.
    [[nodiscard]] QString run(int messages, int oneIn);
    // Of the last run, from the first click to the last stored outcome.
    [[nodiscard]] core::Milliseconds retryTime() const { return m_retryTime; }
    [[nodiscard]] int failures() const { return m_failures; } // of requests, in the last run
    [[nodiscard]] QString summary() const { return m_summary; } // of the last run

private:
    struct Run // one store, and the line to the broker
    {
        support::Console &console;
        support::FaultyProxy &proxy;
        qint64 messages = 0;
        qint64 sent = 0; // are to be
        Copies expected;
    };
    [[nodiscard]] Run begin(support::Console &console, support::FaultyProxy &proxy, int messages);
    [[nodiscard]] QString through(Run &run, int oneIn);
    [[nodiscard]] QString take(Run &run);
    [[nodiscard]] QString retry(Run &run);
    void freeze(Run &run);
    [[nodiscard]] QString judge(Run &run);

    support::BrokerRig &m_rig;
    const quint64 m_seed;
    bool m_usesIntentLog = false;
    int m_next = 0; // number of the next message
    int m_failures = 0;
    core::Milliseconds m_retryTime{0};
    QString m_trouble; // the last
    QString m_summary;
};

} // namespace killing
