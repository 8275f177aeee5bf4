#pragma once

#include "backend/api/queries.h"
#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/records/filter.h"
#include "backend/store/query/queryservice.h"

#include <QHash>
#include <QObject>

#include <memory>

namespace engine {

// The messages that a command applies to.
struct Choice
{
    records::MessageFilter filter; // a search is replaced by the messages it found
    std::optional<qint64> change; // the change number of the search; nothing: there was no search
};

// Replaces a search by the messages it finds. The hits are read once, by a read-only connection: if every slice of a
// set queried the text index again, 100,000 hits would block the engine thread for 17 s. Engine thread.
class SearchResolver final : public QObject
{
    Q_OBJECT

public:
    // Without queries (a store without a file) a search stays in the filter, and every slice queries the index itself.
    explicit SearchResolver(std::shared_ptr<store::QueryService> queries, QObject *parent = nullptr);
    ~SearchResolver() override;

    // A filter without a search is returned unchanged.
    [[nodiscard]] core::Task<core::Result<Choice>> find(records::MessageFilter filter);
    // Ends searches in progress, and all later ones, with Cancelled.
    void cancelAll();

private:
    using Found = core::Pending<core::Result<api::MessageIds>>;
    [[nodiscard]] Found ask(const records::MessageFilter &filter);

    std::shared_ptr<store::QueryService> m_queries;
    QHash<int, Found> m_open;
    int m_last = 0;
    bool m_cancelled = false;
};

} // namespace engine
