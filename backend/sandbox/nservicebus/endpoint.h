#pragma once

#include "backend/broker/broker.h"
#include "backend/recovery/consecutivefailures.h"
#include "backend/recovery/decision.h"
#include "backend/sandbox/faults.h"
#include "backend/sandbox/ledger.h"
#include "backend/sandbox/nservicebus/failurememory.h"
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
    // What the handler sends. It leaves when the handler has succeeded, and is rolled back with it otherwise; without
    // transactions it leaves in any case.
    std::shared_ptr<QList<broker::Outgoing>> sends = std::make_shared<QList<broker::Outgoing>>();
};

// NServiceBus, "Transport transaction requirements". Higher modes need a transaction over several queues, which the
// embedded broker does not have.
enum class Transactions {
    ReceiveOnly, // the message is removed when its handler has succeeded
    None, // it is removed before: no retry is possible, and a failed message goes to the error queue at once
};

struct EndpointSettings
{
    QString name; // "Shop.Sales"
    QString queue;
    QString errorQueue;
    QString machine; // also the id of this instance in the log
    int concurrency = 1; // messages at a time
    core::Milliseconds takes{20}; // how long a handler works on a message
    recovery::Policy policy;
    Transactions transactions = Transactions::ReceiveOnly;
    bool countsInMemory = false; // immediate retries, as on transports without a delivery counter
};

// An NServiceBus endpoint with the recoverability of NServiceBus: a failed message is put back for an immediate retry,
// scheduled for a delayed one, or moved to the error queue with its failure headers, as recovery::Decider decides. After
// consecutive failures it tries one message at a time. The delivery counter of the broker counts the immediate retries, or
// the memory of this instance; headers of the message count the delayed ones. Each message is processed at least once, unless it has no
// transactions: a copy that is sent is confirmed before its original is removed. Used on the thread of the clock.
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
        bool isRemoved = false; // before it was handled: without transactions
    };

    [[nodiscard]] core::Task<> consume(WorkerGroup *group, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] core::Task<bool> handleNext(WorkerGroup *group, std::shared_ptr<broker::Broker> broker);
    [[nodiscard]] Delivery deliveryOf(std::shared_ptr<broker::Broker> broker, broker::TakeRequest request,
                                      broker::ReceivedPage page) const;
    // Removes the message from its queue, if it is still there. The errors of the broker.
    [[nodiscard]] core::Task<core::Result<>> remove(Delivery *delivery);
    [[nodiscard]] core::Task<bool> sendAll(Delivery *delivery);
    [[nodiscard]] core::Task<> settle(Delivery delivery, std::optional<HandlerFailure> failure);
    [[nodiscard]] core::Task<> succeed(Delivery delivery);
    [[nodiscard]] recovery::Decision decisionOf(const Delivery &delivery, const HandlerFailure &failure);
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
    FailureMemory m_memory;
    int m_running = 0; // consumers that have a message, or look for one
};

} // namespace sandbox
