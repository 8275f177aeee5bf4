#include "backend/store/database/transactioncounters.h"

#include "backend/store/database/database.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/search/textindex.h"
#include "backend/store/search/textsearch.h"

namespace store {

TransactionCounters::TransactionCounters(Database &database)
    : m_database(database)
    , m_groups(database)
{
}

core::Result<> TransactionCounters::load()
{
    Statement meta = m_database.sql(QStringLiteral("SELECT change, last_message FROM store_meta"));
    TRY(const bool row, meta.step());
    if (row)
        m_now = Numbers{meta.integer(0), meta.integer(1)};
    m_durable = m_now;
    return {};
}

core::Result<> TransactionCounters::flush()
{
    const core::Result<> counted = m_groups.flush();
    if (!counted || m_now == m_durable)
        return counted;
    if (m_now.lastMessage != m_durable.lastMessage)
        TRY(m_database.sql(searchNewMessages()).bind(m_durable.lastMessage).run());
    TRY(m_database.sql(QStringLiteral("UPDATE store_meta SET change = ?, last_message = ?"))
            .bind(m_now.change, m_now.lastMessage)
            .run());
    return m_database.search().isExact() && m_now.lastMessage != m_durable.lastMessage ? indexWords()
                                                                                       : core::Result<>();
}

core::Result<> TransactionCounters::indexWords()
{
    TextIndex words(m_database);
    while (true) {
        TRY(const TextProgress progress, words.goOn());
        if (progress.isComplete())
            return {};
    }
}

void TransactionCounters::committed()
{
    m_durable = m_now;
}

void TransactionCounters::rolledBack()
{
    m_now = m_durable;
    m_groups.forget();
}

} // namespace store
