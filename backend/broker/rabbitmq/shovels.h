// Dynamic shovels: the broker itself moves messages from a queue to an exchange, confirming each. On-confirm lost nothing
// in any kill or restart; what is delivered and not yet confirmed when it is interrupted is delivered again.
#pragma once

#include "backend/broker/rabbitmq/managementapi.h"
#include "backend/core/timers.h"

namespace broker::rabbitmq {

struct ShovelOrder
{
    QString name;
    QString source; // queue
    QString exchange; // never a destination queue: that would overwrite routing keys
    std::optional<qint64> count; // nothing: as many as lie there when it starts
};

struct ShovelState
{
    bool defined = false; // its parameter exists
    QString state; // "starting", "running", "terminated"; empty: nothing known
    QString run; // node and time stamp of the last change of state: while it runs, they name this run of it
    QString reason; // why it terminated
};

// Notices that a shovel broke and was started again by the broker, which sends what was in its hand once more. It rests
// between the two (reconnect-delay): who looks every second sees it.
struct ShovelWatch
{
    QString run; // as first seen; empty: not seen running yet
    bool broke = false;

    // True: something new is known.
    bool note(const ShovelState &shovel);
};

class Shovels final
{
public:
    Shovels(ManagementApi &api, core::Timers &timers);

    // Identical to one that is there already: no effect. Never called with another definition while one is there.
    [[nodiscard]] Task<Result<>> start(ShovelOrder order);
    [[nodiscard]] Task<Result<ShovelState>> look(QString name);
    // The same without its parameter, for who has just seen that.
    [[nodiscard]] Task<Result<ShovelState>> state(QString name);
    [[nodiscard]] Task<Result<bool>> isDefined(QString name);
    // Our consumer on the queue, as the broker lists it (up to 5 s late).
    [[nodiscard]] Task<Result<bool>> hasConsumer(QString queue);
    // Deletes the parameter and proves that it and its worker are gone. Transient when the worker does not end.
    [[nodiscard]] Task<Result<>> takeDown(QString name);

private:
    [[nodiscard]] Task<Result<QCborMap>> status(QString name);

    ManagementApi &m_api;
    core::Timers &m_timers;
};

} // namespace broker::rabbitmq
