#include "backend/store/query/queryservice.h"

#include "backend/api/requests/queries.h"
#include "backend/store/query/querytable.h"
#include "backend/store/query/queryworker.h"
#include "backend/store/text.h"

namespace store {

struct QueryService::Private
{
    Private(const records::StoreAddress &address, const Queries::Now &now)
        : visible(address, now)
        , searching(address, now)
    {
    }
    QueryWorker visible;
    QueryWorker searching;
};

// Identifies what a newer request of the same caller replaces. 0: nothing.
static quint64 replacedBy(const QueryTable::Entry &entry, quint32 caller)
{
    return caller == 0 ? 0 : (quint64(entry.number) << 32) | caller;
}

std::unique_ptr<QueryService> QueryService::open(const records::StoreAddress &address, Queries::Now now)
{
    return std::unique_ptr<QueryService>(new QueryService(std::make_unique<Private>(address, now)));
}

QueryService::QueryService(std::unique_ptr<Private> opened)
    : d(std::move(opened))
{
}

QueryService::~QueryService() = default;

void QueryService::send(api::RequestPtr request)
{
    const QueryTable &table = QueryTable::all();
    const QueryTable::Entry *const entry = table.find(request->rules().name);
    if (entry == nullptr) {
        request->fail({core::ErrorKind::Refused, Text::tr("This is not a query."), {}, {}});
        return;
    }
    const quint32 caller = entry->caller(*request);
    const quint64 replaced = replacedBy(*entry, caller);
    const bool isLong = entry->lane(*request) == QueryLane::Searching;
    QueryWorker &worker = isLong ? d->searching : d->visible;
    QueryWorker &other = isLong ? d->visible : d->searching;
    other.cancel(replaced);
    if (request->rules().name == api::MessageQuery::rules.name) {
        for (const std::string_view beside : {api::OtherMatchesQuery::rules.name, api::MessageCountQuery::rules.name})
            d->searching.cancel(replacedBy(*table.find(beside), caller));
    }
    worker.enqueue(replaced, std::move(request));
}

} // namespace store
