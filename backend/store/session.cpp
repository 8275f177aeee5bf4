#include "backend/store/session.h"

#include "backend/store/connectionstore.h"
#include "backend/store/database/transactioncounters.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/messages/groupmarkstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/pipelinestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryguardstore.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "backend/store/samplestore.h"

namespace store {

struct Session::Repositories
{
    explicit Repositories(Database &database)
        : counters(database)
        , messages(database, counters)
        , ledger(database, messages)
        , connections(database, counters, ledger)
        , intakes(database)
        , events(database)
        , samples(database)
        , evidence(database, ledger)
        , retention(database, messages, ledger)
        , groupMarks(database, counters)
        , policies(database)
        , heldMessages(database, ledger)
        , pipelines(database)
        , conventions(database)
        , batchRows(database)
        , retryOperations(database)
        , frozenSets(database, ledger, retryOperations)
        , retryGuards(database)
        , retryBatches(database, batchRows)
        , staging(ledger, batchRows)
        , forwarding(ledger, retryOperations, batchRows)
        , intents(ledger, staging, forwarding, batchRows)
        , claims(ledger, retryOperations, batchRows)
    {
    }

    TransactionCounters counters;
    MessageStore messages;
    RetryLedger ledger;
    ConnectionStore connections;
    IntakeStore intakes;
    EventStore events;
    SampleStore samples;
    EvidenceStore evidence;
    RetentionStore retention;
    GroupMarkStore groupMarks;
    PolicyStore policies;
    HeldMessageStore heldMessages;
    PipelineStore pipelines;
    ConventionStore conventions;
    BatchRows batchRows;
    RetryOperationStore retryOperations;
    FrozenSetStore frozenSets;
    RetryGuardStore retryGuards;
    RetryBatchStore retryBatches;
    StagingStore staging;
    ForwardingStore forwarding;
    IntentStore intents;
    ClaimStore claims;
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

HeldMessageStore &Session::heldMessages()
{
    return m_all->heldMessages;
}

RetryOperationStore &Session::retryOperations()
{
    return m_all->retryOperations;
}

FrozenSetStore &Session::frozenSets()
{
    return m_all->frozenSets;
}

RetryGuardStore &Session::retryGuards()
{
    return m_all->retryGuards;
}

RetryBatchStore &Session::retryBatches()
{
    return m_all->retryBatches;
}

StagingStore &Session::staging()
{
    return m_all->staging;
}

ForwardingStore &Session::forwarding()
{
    return m_all->forwarding;
}

IntentStore &Session::intents()
{
    return m_all->intents;
}

ClaimStore &Session::claims()
{
    return m_all->claims;
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
