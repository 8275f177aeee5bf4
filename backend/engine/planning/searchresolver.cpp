#include "backend/engine/planning/searchresolver.h"

#include <algorithm>

namespace engine {

SearchResolver::SearchResolver(std::shared_ptr<store::QueryService> queries)
    : m_queries(std::move(queries))
{
}

core::Task<core::Result<Choice>> SearchResolver::find(records::MessageFilter filter)
{
    Choice choice;
    choice.filter = filter;
    if (filter.search.isEmpty() || !m_queries.exist())
        co_return choice;
    api::MessageIdQuery query;
    query.list.filter = filter;
    const core::Pending<core::Result<api::MessageIds>> asked = m_queries.ask(query);
    CO_TRY(const api::MessageIds found, co_await asked);
    choice.filter.search.clear();
    choice.filter.messages = found.ids;
    std::sort(choice.filter.messages.begin(), choice.filter.messages.end()); // the order in which slices are processed
    if (found.ids.isEmpty())
        choice.filter.messages = {core::MessageId{}}; // matches nothing; an empty list would match everything
    choice.change = found.change;
    co_return choice;
}

} // namespace engine
