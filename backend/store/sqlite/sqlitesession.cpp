#include "backend/store/sqlite/sqlitesession.h"

namespace store {

SqliteSession::SqliteSession(Database &database)
    : m_books(database)
    , m_connections(database, m_books)
    , m_messages(database, m_books)
    , m_retries(makeRetryStore(database, m_messages))
    , m_intakes(database)
    , m_events(database)
    , m_samples(database)
    , m_evidence(database, m_messages)
    , m_keeping(database, m_messages)
    , m_groupMarks(database, m_books)
    , m_policies(database)
    , m_pipelines(database)
    , m_conventions(database)
{
}

void SqliteSession::rolledBack()
{
    m_books.rolledBack();
    m_messages.rolledBack();
    m_conventions.rolledBack();
}

} // namespace store
