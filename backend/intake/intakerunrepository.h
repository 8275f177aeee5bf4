#pragma once

#include "backend/core/random.h"
#include "backend/records/intake.h"
#include "backend/store/store.h"

#include <QList>

namespace intake {

// The intake runs of one connection in the store. Each call is one transaction, on the disk when it returns. Errors:
// those of Store::transact. Engine thread.
class IntakeRunRepository final
{
public:
    IntakeRunRepository(core::ConnectionId connection, store::Store &store, core::Clock &clock, core::Random &random);

    // Adds a run. `before` (may be null): in the same transaction that run asks for nothing more, because the new one
    // does. holds: the run needs a holding queue of its own name.
    [[nodiscard]] core::Result<records::IntakeRun> begin(const QString &queue, std::optional<qint64> asked,
                                                         records::IntakeRun *before, bool holds);
    [[nodiscard]] core::Result<> save(const records::IntakeRun &run);
    // Ends a run: Done, or Interrupted when copies may be left in the source queue. sawEmpty: the source queue was seen
    // empty, which also ends its other interrupted runs.
    [[nodiscard]] core::Result<> finish(records::IntakeRun run, bool copiesMayBeLeft, bool sawEmpty, bool locks);
    // Runs that are not Done; empty name: of all queues.
    [[nodiscard]] core::Result<QList<records::IntakeRun>> open(const QString &queue);

private:
    core::ConnectionId m_connection;
    store::Store &m_store;
    core::Clock &m_clock;
    core::Random &m_random;
};

} // namespace intake
