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

// What a set is made of that is about to be frozen or archived.
struct Choice
{
    records::MessageFilter filter; // without a search
    std::optional<qint64> change; // as of which it is true; nothing: as of whenever it is read
};

// Turns a search into the messages it finds. The list of hits is read once, on the read-only side: were every slice of a
// set to ask the text index anew, 100,000 hits would take the engine's thread for 17 s instead of a moment.
// The engine's thread.
class SearchResolver final : public QObject
{
    Q_OBJECT

public:
    // Without queries (no file that a second connection could read) a search stays one, and every slice asks for itself.
    explicit SearchResolver(std::shared_ptr<store::QueryService> queries, QObject *parent = nullptr);
    ~SearchResolver() override;

    // A filter without a search comes back as it is.
    [[nodiscard]] core::Task<core::Result<Choice>> find(records::MessageFilter filter);
    // What is under way, and all that is asked for from now on, ends with Cancelled.
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
