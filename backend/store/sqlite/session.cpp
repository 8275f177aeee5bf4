#include "backend/store/session.h"

#include "backend/store/connectionstore.h"
#include "backend/store/conventionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/evidencestore.h"
#include "backend/store/groupmarkstore.h"
#include "backend/store/intakestore.h"
#include "backend/store/messagestore.h"
#include "backend/store/pipelinestore.h"
#include "backend/store/retentionstore.h"
#include "backend/store/samplestore.h"
#include "backend/store/sqlite/sqlitepolicystore.h"
#include "backend/store/sqlite/sqliteretrystore.h"
#include "backend/store/sqlite/transactioncounters.h"

namespace store {

struct Session::Repositories
{
    explicit Repositories(Database &database)
        : counters(database)
        , connections(database, counters)
        , messages(database, counters)
        , retries(database, messages)
        , intakes(database)
        , events(database)
        , samples(database)
        , evidence(database, messages)
        , retention(database, messages)
        , groupMarks(database, counters)
        , policies(database)
        , pipelines(database)
        , conventions(database)
    {
    }

    TransactionCounters counters;
    ConnectionStore connections;
    MessageStore messages;
    SqliteRetryStore retries;
    IntakeStore intakes;
    EventStore events;
    SampleStore samples;
    EvidenceStore evidence;
    RetentionStore retention;
    GroupMarkStore groupMarks;
    SqlitePolicyStore policies;
    PipelineStore pipelines;
    ConventionStore conventions;
};

Session::Session(Database &database)
    : m_all(std::make_unique<Repositories>(database))
{
}

Session::~Session() = default;

ConnectionStore &Session::connections()
{
    return m_all->connections;
}

MessageStore &Session::messages()
{
    return m_all->messages;
}

RetryStore &Session::retries()
{
    return m_all->retries;
}

IntakeStore &Session::intakes()
{
    return m_all->intakes;
}

EventStore &Session::events()
{
    return m_all->events;
}

SampleStore &Session::samples()
{
    return m_all->samples;
}

EvidenceStore &Session::evidence()
{
    return m_all->evidence;
}

RetentionStore &Session::retention()
{
    return m_all->retention;
}

GroupMarkStore &Session::groupMarks()
{
    return m_all->groupMarks;
}

PolicyStore &Session::policies()
{
    return m_all->policies;
}

PipelineStore &Session::pipelines()
{
    return m_all->pipelines;
}

ConventionStore &Session::conventions()
{
    return m_all->conventions;
}

Result<qint64> Session::changeNumber()
{
    return m_all->counters.change();
}

TransactionCounters &Session::counters()
{
    return m_all->counters;
}

void Session::rolledBack()
{
    m_all->counters.rolledBack();
    m_all->messages.rolledBack();
    m_all->conventions.rolledBack();
}

} // namespace store
