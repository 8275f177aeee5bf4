#pragma once

#include "backend/core/result.h"
#include "backend/records/intake.h"

#include <QList>

namespace store {

using core::Result;

// Intake runs (committed before the broker is touched) and which queues are followed.
class IntakeStore
{
public:
    IntakeStore() = default;
    IntakeStore(const IntakeStore &) = delete;
    IntakeStore &operator=(const IntakeStore &) = delete;
    virtual ~IntakeStore() = default;

    [[nodiscard]] virtual Result<core::IntakeRunId> begin(const records::IntakeRun &run) = 0;
    // State, asked and page as given; the rest of a run never changes. NotFound for an unknown id.
    [[nodiscard]] virtual Result<> update(const records::IntakeRun &run) = 0;
    // Runs that are not Done, oldest first: under way, or what a crash interrupted.
    [[nodiscard]] virtual Result<QList<records::IntakeRun>> open(core::ConnectionId connection) = 0;

    [[nodiscard]] virtual Result<> setSubscribed(core::ConnectionId connection, const QString &queue,
                                                 bool subscribed) = 0;
    [[nodiscard]] virtual Result<QStringList> subscribed(core::ConnectionId connection) = 0;

    // Ids that this store had before a backup of it was restored: stamps of them are of messages that it knows.
    [[nodiscard]] virtual Result<QStringList> formerStores() = 0;
};

} // namespace store
