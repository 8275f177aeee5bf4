#include "backend/store/query/querytable.h"

#include "backend/store/query/conventionqueries.h"
#include "backend/store/query/expiryqueries.h"
#include "backend/store/query/groupqueries.h"
#include "backend/store/query/historyqueries.h"
#include "backend/store/query/logqueries.h"
#include "backend/store/query/messagequeries.h"
#include "backend/store/query/operationqueries.h"
#include "backend/store/query/retryqueries.h"
#include "backend/store/query/transferqueries.h"

namespace store {

const QueryTable &QueryTable::all()
{
    static const QueryTable table = [] {
        QueryTable filled;
        addConventionQueries(filled);
        addExpiryQueries(filled);
        addGroupQueries(filled);
        addHistoryQueries(filled);
        addLogQueries(filled);
        addMessageQueries(filled);
        addOperationQueries(filled);
        addRetryQueries(filled);
        addTransferQueries(filled);
        return filled;
    }();
    return table;
}

const QueryTable::Entry *QueryTable::find(std::string_view name) const
{
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

} // namespace store
