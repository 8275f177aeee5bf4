#pragma once

#include "backend/core/result.h"
#include "backend/records/intake.h"

#include <QList>

namespace store {

using core::Result;

// Intake runs and queue subscriptions. Each call is part of the caller's transaction (store.h). Engine thread.
//
// An intake run is the durable note that messages are being taken from one queue. It is committed before the broker is
// touched, so after a crash the next start finds every run that may have left messages in a holding queue or under a
// lock (backend/intake/README.md has the table).
class IntakeStore
{
public:
    IntakeStore() = default;
    IntakeStore(const IntakeStore &) = delete;
    IntakeStore &operator=(const IntakeStore &) = delete;
    virtual ~IntakeStore() = default;

    // Adds a run and returns its id; the id in `run` is ignored.
    [[nodiscard]] virtual Result<core::IntakeRunId> begin(const records::IntakeRun &run) = 0;
    // Stores state, asked and page of the run; the other values never change. NotFound: unknown id.
    [[nodiscard]] virtual Result<> update(const records::IntakeRun &run) = 0;
    // Runs that are not Done, oldest first: in progress, or left by a crash.
    [[nodiscard]] virtual Result<QList<records::IntakeRun>> open(core::ConnectionId connection) = 0;

    // Subscribed queues are the ones Redrive keeps taking messages from. Setting the same value twice changes nothing.
    [[nodiscard]] virtual Result<> setSubscribed(core::ConnectionId connection, const QString &queue,
                                                 bool subscribed) = 0;
    [[nodiscard]] virtual Result<QStringList> subscribed(core::ConnectionId connection) = 0;

    // The ids that this store had before backups were restored. Stamps with one of these ids name messages that this
    // store knows.
    [[nodiscard]] virtual Result<QStringList> formerStores() = 0;
};

} // namespace store
