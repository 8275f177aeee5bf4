#include "backend/engine/searchresolver.h"

#include "backend/api/whendone.h"
#include "backend/engine/text.h"

#include <algorithm>
#include <utility>

namespace engine {

static core::Error stopped()
{
    return {core::ErrorKind::Cancelled, Text::tr("The search was stopped."), {}, {}};
}

SearchResolver::SearchResolver(std::shared_ptr<store::QueryService> queries, QObject *parent)
    : QObject(parent)
    , m_queries(std::move(queries))
{
}

SearchResolver::~SearchResolver()
{
    cancelAll();
}

SearchResolver::Found SearchResolver::ask(const records::MessageFilter &filter)
{
    const Found found;
    if (m_cancelled) {
        found.resolve(core::fail(stopped()));
        return found;
    }
    const int number = ++m_last;
    m_open.insert(number, found);
    api::MessageIdQuery query;
    query.list.filter = filter;
    api::whenDone(this, m_queries->ask(query), [this, number](const core::Result<api::MessageIds> &answer) {
        const Found due = m_open.take(number);
        due.resolve(answer);
    });
    return found;
}

core::Task<core::Result<Choice>> SearchResolver::find(records::MessageFilter filter)
{
    Choice choice;
    choice.filter = filter;
    if (filter.search.isEmpty() || !m_queries)
        co_return choice;
    const Found asked = ask(filter);
    CO_TRY(const api::MessageIds found, co_await asked);
    choice.filter.search.clear();
    choice.filter.messages = found.ids;
    std::sort(choice.filter.messages.begin(), choice.filter.messages.end()); // the order in which slices are processed
    if (found.ids.isEmpty())
        choice.filter.messages = {core::MessageId{}}; // matches nothing; an empty list would match everything
    choice.change = found.change;
    co_return choice;
}

void SearchResolver::cancelAll()
{
    m_cancelled = true;
    const QHash<int, Found> open = std::exchange(m_open, {});
    for (const Found &due : open)
        due.resolve(core::fail(stopped()));
}

} // namespace engine
