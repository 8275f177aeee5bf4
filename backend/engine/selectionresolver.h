#pragma once

#include "backend/core/timers.h"
#include "backend/engine/enginedependencies.h"
#include "backend/engine/searchresolver.h"
#include "backend/store/messagestore.h"

namespace engine {

// What people choose messages by, made into a set that can be worked through in slices. Coroutines of this class run in the
// engine's command scope, which ends before its owner does.
class SelectionResolver final
{
public:
    explicit SelectionResolver(EngineDependencies &dependencies);

    // Before a search is asked, the text index has every message.
    [[nodiscard]] core::Task<core::Result<Choice>> choose(records::MessageFilter filter);
    // The one named by the filter, or that of its first message. NotFound when there is none.
    [[nodiscard]] static core::Result<core::ConnectionId> connectionOf(store::Session &session,
                                                                       const records::MessageFilter &filter);
    void cancelAll();

private:
    [[nodiscard]] core::Task<core::Result<>> untilSearchable(records::MessageFilter filter);
    [[nodiscard]] core::Result<store::TextProgress> textProgress();

    EngineDependencies &m_dependencies;
    core::Timers m_timers;
    SearchResolver m_finder;
};

} // namespace engine
