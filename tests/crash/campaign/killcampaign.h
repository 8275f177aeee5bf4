#pragma once

#include "tests/crash/campaign/killedengine.h"
#include "tests/crash/campaign/verdict.h"
#include "tests/support/brokerrig/brokerrig.h"

namespace killing {

// Failed messages are taken, grouped and retried; some fail again and are retried once more. The program is killed at each
// step of it, again and again. A message that is wrong at the end ends the campaign.
class KillCampaign final
{
public:
    KillCampaign(support::BrokerRig &rig, quint64 seed);

    // What is wrong; empty: nothing. Goes on with other messages over new stores until there were so many kills.
    [[nodiscard]] QString run(records::OnUnknown onUnknown, int messages, int kills);
    [[nodiscard]] QString summary() const;

private:
    // One store from its first message to the last.
    [[nodiscard]] QString round(records::OnUnknown onUnknown, int messages, int kills);
    [[nodiscard]] bool work(const EngineScenario &scenario, int messages, int kills);
    // What became of those that were sent since.
    [[nodiscard]] QString judge(const EngineScenario &scenario, const Copies &expected,
                                const QList<support::Copy> &arrived);
    [[nodiscard]] QString countsOf(const EngineScenario &scenario, qint64 records, qint64 unresolved,
                                   qint64 cameBack) const;

    support::BrokerRig &m_rig;
    const quint64 m_seed;
    core::SeededRandom m_random;
    KilledEngine m_engine{m_random};
    int m_next = 0; // number of the next message
    QSet<core::OperationId> m_judged;
    qint64 m_duplicated = 0;
    qint64 m_inDoubt = 0;
    qint64 m_recovered = 0;
    qint64 m_failedAgain = 0;
};

} // namespace killing
