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
    QString source; // the queue that it takes from; empty: not told
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

// One object for a connection, because it remembers which workers are gone.
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
    // Deletes the parameter and proves that parameter and worker are gone. Transient: the worker does not end.
    // A worker may be listed for ever: on 4.0.5 one that was terminated by then, and before 4.0 one whose parameter was deleted on
    // another node of its cluster (rabbitmq-server, pull request 11101). Without its parameter a worker does not start again.
    // So it is gone if what is listed has not changed for twice the time that a broken one rests, and its source has no consumer.
    [[nodiscard]] Task<Result<>> takeDown(QString name);
    // The same for all shovels of under(). Returns how many there were.
    [[nodiscard]] Task<Result<qsizetype>> takeDownUnder(QString name);

private:
    [[nodiscard]] Task<Result<bool>> mayBeAtWork(ShovelState worker);

    ManagementApi &m_api;
    core::Timers &m_timers;
    QHash<QString, QString> m_ended; // shovels that are listed though they are gone: the run that is listed
};

} // namespace broker::rabbitmq
