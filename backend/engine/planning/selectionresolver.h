#pragma once

#include "backend/core/time/timers.h"
#include "backend/engine/enginedependencies.h"
#include "backend/engine/planning/searchresolver.h"
#include "backend/store/messages/messagestore.h"

namespace engine {

// Turns the filter of a command into a set that can be processed in slices. Engine thread. Its coroutines run in the
// engine's command scope, which ends before its owner.
class SelectionResolver final
{
public:
    explicit SelectionResolver(EngineDependencies &dependencies);

    // Waits until the text index has every message before it searches. Transient: the index makes no progress.
    [[nodiscard]] core::Task<core::Result<Choice>> choose(records::MessageFilter filter);
    // The connection of the filter, or of its first message. NotFound: no message matches.
    [[nodiscard]] static core::Result<core::ConnectionId> connectionOf(store::Session &session,
                                                                       const records::MessageFilter &filter);
    void cancelAll();

private:
    [[nodiscard]] core::Task<core::Result<>> untilSearchable(records::MessageFilter filter);
    [[nodiscard]] core::Result<store::TextProgress> textProgress();

    EngineDependencies &m_dependencies;
    core::Timers m_timers;
    SearchResolver m_searchResolver;
};

} // namespace engine
