#pragma once

#include "backend/core/result.h"
#include "backend/records/deliverylimit.h"
#include "backend/records/intake.h"

#include <QList>

#include <optional>

namespace store {

using core::Result;

class Database;

// Intake runs and queue subscriptions. Each call is part of the caller's transaction (store.h). Engine thread.
//
// An intake run is the durable note that messages are being taken from one queue. It is committed before the broker is
// touched, so after a crash the next start finds every run that may have left messages in a holding queue or under a
// lock (backend/intake/README.md has the table).
class IntakeStore final
{
public:
    explicit IntakeStore(Database &database);
    IntakeStore(const IntakeStore &) = delete;
    IntakeStore &operator=(const IntakeStore &) = delete;

    // Adds a run and returns its id; the id in `run` is ignored.
    [[nodiscard]] Result<core::IntakeRunId> begin(const records::IntakeRun &run);
    // Stores state, asked and page of the run; the other values never change. A run that is Done is removed, because
    // nothing of it is left anywhere. NotFound: unknown id.
    [[nodiscard]] Result<> update(const records::IntakeRun &run);
    // Removes the Done runs that earlier versions kept.
    [[nodiscard]] Result<> removeDone();
    // The step of a run that takes in small steps; it is removed with the run.
    [[nodiscard]] Result<> setStep(core::IntakeRunId run, const records::IntakeStep &step);
    [[nodiscard]] Result<std::optional<records::IntakeStep>> step(core::IntakeRunId run);
    // Runs in progress, or left by a crash, oldest first.
    [[nodiscard]] Result<QList<records::IntakeRun>> open(core::ConnectionId connection);

    // Subscribed queues are the ones Redrive keeps taking messages from. Setting the same value twice changes nothing.
    [[nodiscard]] Result<> setSubscribed(core::ConnectionId connection, const QString &queue, bool subscribed);
    [[nodiscard]] Result<QStringList> subscribed(core::ConnectionId connection);

    // What Redrive may have used of the deliveries that a queue allows; nothing is stored where that is nothing.
    [[nodiscard]] Result<> setDeliveriesUsed(core::ConnectionId connection, const QString &queue,
                                             const records::DeliveriesUsed &used);
    [[nodiscard]] Result<records::DeliveriesUsed> deliveriesUsed(core::ConnectionId connection, const QString &queue);
    struct UsedIn
    {
        core::ConnectionId connection;
        QString queue;
        records::DeliveriesUsed used;
    };
    [[nodiscard]] Result<QList<UsedIn>> allDeliveriesUsed();

    // The ids that this store had before backups were restored. Stamps with one of these ids name messages that this
    // store knows.
    [[nodiscard]] Result<QStringList> formerStores();

private:
    Database &m_database;
};

} // namespace store
