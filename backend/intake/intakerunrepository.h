#pragma once

#include "backend/core/random.h"
#include "backend/records/intake.h"
#include "backend/store/store.h"

#include <QList>

namespace intake {

// The intake runs of one connection in the store. Each call is a transaction of its own.
class IntakeRunRepository final
{
public:
    IntakeRunRepository(core::ConnectionId connection, store::Store &store, core::Clock &clock, core::Random &random);

    // A new run; `before` (may be null) hands over what it still asks for. holds: it needs a holding queue of its own name.
    [[nodiscard]] core::Result<records::IntakeRun> begin(const QString &queue, std::optional<qint64> asked,
                                                         records::IntakeRun *before, bool holds);
    [[nodiscard]] core::Result<> save(const records::IntakeRun &run);
    // Done; or Interrupted when copies may be left in the source queue. Once that was seen empty they are not any more.
    [[nodiscard]] core::Result<> finish(records::IntakeRun run, bool copiesMayBeLeft, bool sawEmpty, bool locks);
    // Not Done; empty name: of all queues.
    [[nodiscard]] core::Result<QList<records::IntakeRun>> open(const QString &queue);

private:
    core::ConnectionId m_connection;
    store::Store &m_store;
    core::Clock &m_clock;
    core::Random &m_random;
};

} // namespace intake
