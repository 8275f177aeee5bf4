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

Result<> DatabaseStore::run(const Work &work)
{
    if (m_latch)
        return latched();
    Q_ASSERT_X(!m_database->inTransaction(), "Store::transact", "transactions are never nested");
    TRY(m_database->begin());
    Result<> done = work(m_session);
    if (done)
        done = m_session.counters().flush();
    if (done && m_database->isDamaged()) // a caller may have ignored the error
        done = core::fail(ErrorKind::Corrupt,
                          Text::tr("The store %1 is damaged. Restore it from a backup.").arg(m_database->path()));
    if (done)
        done = m_database->checkTransaction(); // likewise
    const bool committing = done.has_value();
    if (committing)
        done = m_database->commit();
    if (done) {
        m_session.counters().committed();
        return {};
    }
    const Result<> undone = m_database->rollback();
    m_session.rolledBack();
    if (m_superseded)
        standBack();
    else if (!committing && undone && !m_database->isDamaged())
        return done;
    m_latch = done.error(); // the state on the disk is unknown: nothing may be written on top of it
    return latched();
}

Result<> DatabaseStore::read(const Work &work)
{
    if (m_latch)
        return latched();
    const Result<> done = work(m_session);
    if (!done && m_database->isDamaged()) {
        m_latch = done.error();
        return latched();
    }
    return done;
}

} // namespace store
