#pragma once

#include "backend/api/requests/queries.h"
#include "backend/engine/dispatch/pendingqueries.h"
#include "backend/records/messages/filter.h"

#include <optional>

namespace engine {

// The messages that a command applies to.
struct Choice
{
    records::MessageFilter filter; // a search is replaced by the messages it found
    std::optional<qint64> change; // the change number of the search; nothing: there was no search
};

// Replaces a search by the messages it finds. The hits are read once, by a read-only connection: if every slice of a
// set queried the text index again, 100,000 hits would block the engine thread for 17 s. Engine thread.
class SearchResolver final
{
public:
    // Without queries (a store without a file) a search stays in the filter, and every slice queries the index itself.
    explicit SearchResolver(std::shared_ptr<store::QueryService> queries);

    // A filter without a search is returned unchanged.
    [[nodiscard]] core::Task<core::Result<Choice>> find(records::MessageFilter filter);
    // Ends searches in progress, and all later ones, with Cancelled.
    void cancelAll() { m_queries.cancelAll(); }

private:
    PendingQueries m_queries;
};

} // namespace engine
