#include "backend/store/query/querytable.h"

#include "backend/store/query/questions/assignmentqueries.h"
#include "backend/store/query/questions/conventionqueries.h"
#include "backend/store/query/questions/expiryqueries.h"
#include "backend/store/query/questions/groupqueries.h"
#include "backend/store/query/questions/historyqueries.h"
#include "backend/store/query/questions/logqueries.h"
#include "backend/store/query/questions/messagequeries.h"
#include "backend/store/query/questions/operationqueries.h"
#include "backend/store/query/questions/retryqueries.h"
#include "backend/store/query/questions/transferqueries.h"

namespace store {

const QueryTable &QueryTable::all()
{
    static const QueryTable table = [] {
        QueryTable filled;
        addAssignmentQueries(filled);
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
