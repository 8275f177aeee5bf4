// Dynamic shovels: the broker itself moves messages from a queue to an exchange and confirms each. In tests with kills
// and restarts on-confirm lost no message; messages that were delivered and not yet confirmed are delivered again.
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"
#include "backend/core/time/timers.h"

namespace broker::rabbitmq {

struct ShovelOrder
{
    QString name;
    QString source; // queue
    QString exchange; // never a destination queue, because that would overwrite routing keys
    std::optional<qint64> count; // messages to move; nothing: as many as the queue holds when the shovel starts
};

struct ShovelState
{
    bool defined = false; // the shovel's parameter exists
    QString state; // "starting", "running", "terminated"; empty: unknown
    QString run; // node and time of the last change of state: while it is running, they identify this run
    QString reason; // why it terminated
};

// Notices that a shovel broke and was restarted by the broker, which sends its unconfirmed messages again. The broker
// waits in between (reconnect-delay), so reading the state every second shows it.
struct ShovelWatch
{
    QString run; // the first run seen; empty: not seen running yet
    bool broke = false;

    // Returns true if this changed something that must be kept.
    bool note(const ShovelState &shovel);
};

class Shovels final
{
public:
    Shovels(ManagementApi &api, core::Timers &timers);

    // Creates a shovel. No effect if an identical one exists. Never call it with another definition while one exists.
    // The answer says how often the request was sent: if more than once, an earlier one may still arrive. So may it after an error.
    [[nodiscard]] Task<Result<int>> start(ShovelOrder order);
    [[nodiscard]] Task<Result<ShovelState>> readState(QString name);
    // The same without reading the parameter, for a caller who has just done that.
    [[nodiscard]] Task<Result<ShovelState>> state(QString name);
    [[nodiscard]] Task<Result<bool>> isDefined(QString name);
    // Whether the queue has a consumer, as the broker lists it (up to 5 s late).
    [[nodiscard]] Task<Result<bool>> hasConsumer(QString queue);
    // Deletes the parameter and proves that parameter and worker are gone. Transient: the worker does not end.
    [[nodiscard]] Task<Result<>> takeDown(QString name);

private:
    [[nodiscard]] Task<Result<QCborMap>> status(QString name);

    ManagementApi &m_api;
    core::Timers &m_timers;
};

} // namespace broker::rabbitmq
