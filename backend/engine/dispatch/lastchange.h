#pragma once

#include "backend/core/ids.h"
#include "backend/engine/dispatch/pendingqueries.h"

namespace engine {

// Says who changed something last, for the error that tells a person why a decision came too late. Reads the history of
// the message and the activity log on a query thread. Engine thread.
class LastChange final
{
public:
    // Without queries (a store without a file) nobody is named.
    explicit LastChange(std::shared_ptr<store::QueryService> queries);

    // "Message 17: archived by ada@desk at 2026-03-12 12:03 UTC." "Message 17 was deleted." Never an error: what cannot be
    // read is left out.
    [[nodiscard]] core::Task<QString> ofMessage(core::MessageId message);
    // The newest entry of the activity log about this, of one of these activities. Empty: there is none.
    [[nodiscard]] core::Task<QString> entryAbout(QString onWhat, QStringList activities);
    void cancelAll() { m_queries.cancelAll(); }

private:
    PendingQueries m_queries;
};

} // namespace engine
