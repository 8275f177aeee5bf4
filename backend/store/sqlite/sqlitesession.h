#pragma once

#include "backend/store/sqlite/groupmarks.h"
#include "backend/store/sqlite/sqliteconnectionstore.h"
#include "backend/store/sqlite/sqliteconventionstore.h"
#include "backend/store/sqlite/sqliteeventstore.h"
#include "backend/store/sqlite/sqliteevidencestore.h"
#include "backend/store/sqlite/sqliteintakestore.h"
#include "backend/store/sqlite/sqlitemessagestore.h"
#include "backend/store/sqlite/sqlitepipelinestore.h"
#include "backend/store/sqlite/sqlitepolicystore.h"
#include "backend/store/sqlite/sqliteretentionstore.h"
#include "backend/store/sqlite/sqliteretrystore.h"
#include "backend/store/sqlite/sqlitesamplestore.h"
#include "backend/store/sqlite/transactioncounters.h"
#include "backend/store/store.h"

namespace store {

// The roles on one writing connection. It lives as long as the store, so compiled statements and known groups stay in
// memory.
class SqliteSession final : public Session
{
public:
    explicit SqliteSession(Database &database);

    [[nodiscard]] ConnectionStore &connections() override { return m_connections; }
    [[nodiscard]] MessageStore &messages() override { return m_messages; }
    [[nodiscard]] RetryStore &retries() override { return *m_retries; }
    [[nodiscard]] IntakeStore &intakes() override { return m_intakes; }
    [[nodiscard]] EventStore &events() override { return m_events; }
    [[nodiscard]] SampleStore &samples() override { return m_samples; }
    [[nodiscard]] EvidenceStore &evidence() override { return m_evidence; }
    [[nodiscard]] RetentionStore &retention() override { return m_keeping; }
    [[nodiscard]] GroupMarkStore &groupMarks() override { return m_groupMarks; }
    [[nodiscard]] PolicyStore &policies() override { return m_policies; }
    [[nodiscard]] PipelineStore &pipelines() override { return m_pipelines; }
    [[nodiscard]] ConventionStore &conventions() override { return m_conventions; }
    [[nodiscard]] Result<qint64> changeNumber() override { return m_books.change(); }

    [[nodiscard]] TransactionCounters &books() { return m_books; }
    // The transaction was rolled back: forgets everything that was remembered from it.
    void rolledBack();

private:
    TransactionCounters m_books;
    SqliteConnectionStore m_connections;
    SqliteMessageStore m_messages;
    std::unique_ptr<RetryStore> m_retries;
    SqliteIntakeStore m_intakes;
    SqliteEventStore m_events;
    SqliteSampleStore m_samples;
    SqliteEvidenceStore m_evidence;
    SqliteRetentionStore m_keeping;
    SqliteGroupMarkStore m_groupMarks;
    SqlitePolicyStore m_policies;
    SqlitePipelineStore m_pipelines;
    SqliteConventionStore m_conventions;
};

} // namespace store
