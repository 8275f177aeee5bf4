#pragma once

#include "backend/broker/broker.h"
#include "backend/recovery/decision.h"
#include "backend/sandbox/ledger.h"
#include "backend/sandbox/workergroup.h"

namespace sandbox {

struct ReturnSettings
{
    QString errorQueue;
    core::Milliseconds every{15000}; // between two looks into the error queue
    recovery::Policy policy;
};

// Returns failed messages from the error queue to the queue where they failed, by a recovery policy, when nobody else
// does. A message that the policy gives up stays in the error queue for a person. The copy that is sent is confirmed
// before its original is removed. Used on the thread of the clock.
class ErrorQueueReturn final
{
public:
    // Everything but the settings outlives this object.
    ErrorQueueReturn(ReturnSettings settings, core::Clock &clock, core::Random &random, Ledger &ledger);

    void start(WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker);

private:
    [[nodiscard]] core::Task<> look(WorkerGroup *group, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<> sweep(std::shared_ptr<broker::Broker> broker);
    // Returns what may be returned of the page, and gives back the rest of it, which is still locked.
    [[nodiscard]] core::Task<broker::ReceivedPage> returnSome(std::shared_ptr<broker::Broker> broker,
                                                              broker::TakeRequest request, broker::ReceivedPage page);
    // Nothing: it stays.
    [[nodiscard]] std::optional<broker::Outgoing> copyOf(const broker::ReceivedMessage &held);

    const ReturnSettings m_settings;
    core::Clock &m_clock;
    core::Random &m_random;
    Ledger &m_ledger;
    const recovery::Decider m_decider;
};

} // namespace sandbox
