#include "backend/engine/planning/selectionresolver.h"

#include "backend/engine/text.h"

namespace engine {

namespace {

constexpr core::Milliseconds searchPause{50};
constexpr int searchTimeout = 200;

} // namespace

SelectionResolver::SelectionResolver(EngineDependencies &dependencies)
    : m_dependencies(dependencies)
    , m_timers(dependencies.clock)
    , m_searchResolver(dependencies.queries)
{
}

void SelectionResolver::cancelAll()
{
    m_timers.cancelAll();
    m_searchResolver.cancelAll();
}

core::Result<core::ConnectionId> SelectionResolver::connectionOf(store::Session &session,
                                                                 const records::MessageFilter &filter)
{
    if (filter.connection.isValid())
        return filter.connection;
    TRY(const store::Slice first, session.messages().slice(filter, {}, 1));
    if (first.ids.isEmpty())
        return core::fail(core::ErrorKind::NotFound,
                          Text::tr("No message matches this selection any more. Select messages again."));
    TRY(const records::FailedMessage message, session.messages().load(first.ids.first()));
    return message.connection;
}

core::Result<store::TextProgress> SelectionResolver::textProgress()
{
    return m_dependencies.store.read<store::TextProgress>(
        [](store::Session &session) { return session.messages().textProgress(); });
}

core::Task<core::Result<>> SelectionResolver::untilSearchable(records::MessageFilter filter)
{
    if (filter.search.isEmpty())
        co_return {};
    core::Result<store::TextProgress> now = textProgress();
    const core::MessageId mark = now ? now->newest : core::MessageId{};
    core::MessageId before;
    int still = 0; // rounds without progress of the index
    while (now && now->reached < mark) {
        still = now->reached == before ? still + 1 : 0;
        if (still > searchTimeout)
            co_return core::fail(
                core::ErrorKind::Transient,
                Text::tr("The text index is behind, so the search may miss messages. Select the messages themselves."));
        before = now->reached;
        CO_TRY(co_await m_timers.sleep(searchPause));
        now = textProgress();
    }
    if (!now)
        co_return core::fail(now.error());
    co_return {};
}

core::Task<core::Result<Choice>> SelectionResolver::choose(records::MessageFilter filter)
{
    CO_TRY(co_await untilSearchable(filter));
    const core::Result<Choice> choice = co_await m_searchResolver.find(std::move(filter));
    co_return choice;
}

} // namespace engine
