// Dynamic shovels: the broker itself moves messages from a queue to an exchange and confirms each. In tests with kills
// and restarts on-confirm lost no message; messages that were delivered and not yet confirmed are delivered again.
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"
#include "backend/core/time/timers.h"

#include <QHash>
#include <QMap>

namespace broker::rabbitmq {

struct ShovelOrder
{
    QString name; // never used before
    QString source; // queue
    QString exchange; // never a destination queue, because that would overwrite routing keys
    std::optional<qint64> count; // messages to move; nothing: as many as the queue holds when the shovel starts
    qint64 inHand = 1000; // most messages that it has taken from the queue and not confirmed
    bool startsOnce = false; // the broker does not start it again after it broke, except when a node starts
};

struct ShovelState
{
    QString state; // "starting", "running", "terminated"; empty: unknown
    QString run; // node and time of the last change of state: while it is running, they identify this run
    QString reason; // why it terminated
};

// Notices that a shovel broke and was restarted by the broker, which sends its unconfirmed messages again. The broker
// waits in between (reconnect-delay), so reading the state every second shows it.
struct ShovelWatch
{
    QMap<QString, QString> runs; // by shovel: the first run seen
    bool broke = false; // one of them did

    // Returns true if this changed something that must be kept.
    bool note(const QString &name, const ShovelState &shovel);
};

class Shovels final
{
public:
    Shovels(ManagementApi &api, core::Timers &timers);

    // Creates a shovel under a name that none had before: requests to start or remove another one may still arrive.
    [[nodiscard]] Task<Creation> start(ShovelOrder order);
    // The shovels with that name, and those whose names continue it with a dot: those whose parameter exists.
    [[nodiscard]] Task<Result<QStringList>> under(QString name);
    // What the broker shows of the workers of such shovels, by name, without those that are proved to be gone.
    [[nodiscard]] Task<Result<QMap<QString, ShovelState>>> statesUnder(QString name);
    // Of a shovel whose parameter the caller has just read.
    [[nodiscard]] Task<Result<ShovelState>> state(QString name);
    [[nodiscard]] Task<Result<bool>> isDefined(QString name);
    // Whether the broker leaves it ended after it broke (ShovelOrder::startsOnce), whoever made it. False also if it is gone.
    [[nodiscard]] Task<Result<bool>> startsOnce(QString name);
    // Whether the queue has a consumer, as the broker lists it (up to 5 s late).
    [[nodiscard]] Task<Result<bool>> hasConsumer(QString queue);
    // Deletes the parameter and proves that parameter and worker are gone. Transient: the worker does not end. RabbitMQ 4.0
    // goes on to list a worker that was terminated by then: it is gone if it has not started again in twice the time that a
    // broken one rests.
    [[nodiscard]] Task<Result<>> takeDown(QString name);
    // The same for all shovels of under(). Returns how many there were.
    [[nodiscard]] Task<Result<qsizetype>> takeDownUnder(QString name);

private:
    ManagementApi &m_api;
    core::Timers &m_timers;
    QHash<QString, QString> m_ended; // shovels that are listed though they are gone: the run that is listed
};

} // namespace broker::rabbitmq
