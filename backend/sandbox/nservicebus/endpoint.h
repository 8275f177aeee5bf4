#pragma once

#include "backend/broker/broker.h"
#include "backend/recovery/consecutivefailures.h"
#include "backend/recovery/decision.h"
#include "backend/sandbox/faults.h"
#include "backend/sandbox/ledger.h"
#include "backend/sandbox/workergroup.h"

#include <functional>
#include <memory>

namespace sandbox {

// A message as a handler gets it.
struct Incoming
{
    int number = -1; // nobody's of this scenario: -1
    int attempt = 1; // from 1, over all rounds of retries
    records::Envelope envelope;
};

struct EndpointSettings
{
    QString name; // "Shop.Sales"
    QString queue;
    QString errorQueue;
    QString machine;
    int concurrency = 1; // messages at a time
    core::Milliseconds takes{20}; // how long a handler works on a message
    recovery::Policy policy;
};

// An NServiceBus endpoint with the recoverability of NServiceBus: a failed message is put back for an immediate retry,
// scheduled for a delayed one, or moved to the error queue with its failure headers, as recovery::Decider decides. After
// consecutive failures it tries one message at a time. The delivery counter of the broker counts the immediate retries;
// headers of the message count the delayed ones. Each message is processed at least once: a copy that is sent is
// confirmed before its original is removed. Used on the thread of the clock.
class Endpoint final
{
public:
    // Nothing: the message was processed.
    using Handler = std::function<core::Task<std::optional<HandlerFailure>>(Incoming)>;
    using Log = std::function<void(const QString &line)>;

    // Everything but the settings outlives this object. `log` may be null.
    Endpoint(EndpointSettings settings, Handler handler, core::Clock &clock, core::Random &random, Ledger &ledger,
             Log log);

    // Starts the consumers in the group; each uses the broker.
    void start(WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker);

private:
    struct Delivery // one message on its way through this endpoint
    {
        std::shared_ptr<broker::Broker> broker;
        broker::TakeRequest request;
        broker::ReceivedPage page; // of this one message
        Incoming incoming;
        recovery::Progress progress; // if this attempt fails
        bool wasReturned = false;
    };

    [[nodiscard]] core::Task<> consume(WorkerGroup *group, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<bool> handleNext(WorkerGroup *group, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] Delivery deliveryOf(std::shared_ptr<broker::Broker> broker, broker::TakeRequest request,
                                      broker::ReceivedPage page) const;
    [[nodiscard]] core::Task<> succeed(Delivery delivery);
    [[nodiscard]] core::Task<> recover(Delivery delivery, HandlerFailure failure);
    [[nodiscard]] core::Task<> retryLater(Delivery delivery, recovery::Decision decision);
    [[nodiscard]] core::Task<> moveToErrorQueue(Delivery delivery, HandlerFailure failure);
    // Sends the copy and then removes the original. If the broker does not take the copy, the original is put back.
    [[nodiscard]] core::Task<bool> replace(Delivery delivery, QString destination, records::Envelope copy);
    void log(const QString &line) const;

    const EndpointSettings m_settings;
    const Handler m_handler;
    core::Clock &m_clock;
    core::Random &m_random;
    Ledger &m_ledger;
    const Log m_log;
    const recovery::Decider m_decider;
    recovery::ConsecutiveFailures m_failures;
    int m_running = 0; // consumers that have a message, or look for one
};

} // namespace sandbox
