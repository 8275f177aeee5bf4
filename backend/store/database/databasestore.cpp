#include "backend/store/database/databasestore.h"

#include "backend/store/database/transactioncounters.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;

DatabaseStore::DatabaseStore(std::unique_ptr<Database> database)
    : m_database(std::move(database))
    , m_session(*m_database)
{
}

DatabaseStore::~DatabaseStore() = default;

Result<> DatabaseStore::load()
{
    return m_session.counters().load(); // a new store has none, and counts from 0
}

Result<> DatabaseStore::latched() const
{
    if (m_superseded)
        return core::fail(*m_latch);
    return core::fail(ErrorKind::StoreFailed,
                      Text::tr("The store accepts no more writes because one failed: %1").arg(m_latch->message),
                      m_latch->detail);
}

Result<> DatabaseStore::transact(const Work &work)
{
    return run([this, &work](Session &session) -> Result<> {
        const Result<> mine = checkFence();
        m_superseded = !mine && mine.error().kind == ErrorKind::StoreFailed;
        return mine ? work(session) : mine;
    });
}

Result<> DatabaseStore::latch(const core::Error &error)
{
    m_latch = error; // the state on the disk is unknown: nothing may be written on top of it
    return latched();
}

Result<bool> DatabaseStore::wasCommitted()
{
    return core::fail(ErrorKind::UnknownOutcome, Text::tr("Nobody knows whether the last change was stored."));
}

Result<> DatabaseStore::reach()
{
    if (m_latch)
        return latched();
    if (!m_database->isLost())
        return {};
    const Result<> reached = reconnect();
    return reached ? reached : latch(reached.error());
}

Result<> DatabaseStore::attempt(const Work &work)
{
    TRY(work(m_session));
    TRY(m_session.counters().flush());
    if (m_database->isDamaged()) // a caller may have ignored the error
        return core::fail(ErrorKind::Corrupt,
                          Text::tr("The store %1 is damaged. Restore it from a backup.").arg(m_database->path()));
    return m_database->checkTransaction(); // likewise
}

Result<> DatabaseStore::run(const Work &work)
{
    TRY(reach());
    Q_ASSERT_X(!m_database->inTransaction(), "Store::transact", "transactions are never nested");
    TRY(m_database->begin());
    Result<> done = attempt(work);
    const bool committing = done.has_value();
    if (committing)
        done = m_database->commit();
    if (!done)
        return end(done.error(), committing);
    m_session.counters().committed();
    return {};
}

Result<> DatabaseStore::end(const core::Error &error, bool committing)
{
    if (committing && m_database->isLost()) {
        const Result<bool> kept = wasCommitted();
        if (!kept || *kept) {
            m_session.counters().committed();
            return kept ? Result<>() : latch(kept.error());
        }
        m_session.rolledBack();
        return core::fail(error);
    }
    const bool undone = m_database->isLost() || m_database->rollback();
    m_session.rolledBack();
    if (m_superseded)
        standBack();
    else if (!committing && undone && !m_database->isDamaged())
        return core::fail(error);
    return latch(error);
}

Result<> DatabaseStore::read(const Work &work)
{
    TRY(reach());
    const Result<> done = work(m_session);
    return !done && m_database->isDamaged() ? latch(done.error()) : done;
}

} // namespace store
