#pragma once

#include "tests/crash/campaign/killedengine.h"
#include "tests/crash/campaign/verdict.h"
#include "tests/peers/peerrun.h"

#include <QSet>

namespace peers {

// Redrive is killed again and again while it takes what a peer gave up and sends it back, to a peer that works on it at the same
// time. A third of it fails there once more, and is taken and sent back under kills, too. Sends that a kill left without an answer
// stay in doubt. A message that is wrong at the end ends the campaign.
class PeerCampaign final
{
public:
    PeerCampaign(PeerRun &run, quint64 seed);

    // What is wrong; empty: nothing. Goes on with other orders over new stores until there were so many kills.
    [[nodiscard]] QString run(int kills);
    [[nodiscard]] QString summary() const;

private:
    [[nodiscard]] QString round(int kills);
    // Until the scenario is done and the peer has come to rest. What is wrong.
    [[nodiscard]] QString work(const killing::EngineScenario &scenario, int kills);
    [[nodiscard]] QString judge(const killing::EngineScenario &scenario, const killing::Copies &expected,
                                const killing::Copies &arrived);
    [[nodiscard]] QString countsOf(const killing::EngineScenario &scenario, qint64 records) const;

    PeerRun &m_run;
    const quint64 m_seed;
    core::SeededRandom m_random;
    killing::KilledEngine m_engine{m_random};
    QSet<core::OperationId> m_judged;
    qint64 m_orders = 0;
    qint64 m_failedAgain = 0;
    qint64 m_inDoubt = 0;
};

} // namespace peers
