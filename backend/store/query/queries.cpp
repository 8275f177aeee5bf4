#include "backend/store/query/queries.h"

#include "backend/store/database/opendatabase.h"
#include "backend/store/query/querytable.h"
#include "backend/store/session.h"
#include "backend/store/text.h"

#include <QLoggingCategory>

namespace store {

Q_LOGGING_CATEGORY(logQueries, "redrive.store.query")

struct Queries::Private
{
    Private(std::unique_ptr<Database> opened, Now clock)
        : database(std::move(opened))
        , session(*database)
        , now(std::move(clock))
    {
    }
    std::unique_ptr<Database> database;
    Session session; // whose repositories only read, because the connection only reads
    Now now;
};

static core::TimePoint systemNow()
{
    return std::chrono::time_point_cast<core::Milliseconds>(std::chrono::system_clock::now());
}

Result<std::unique_ptr<Queries>> Queries::open(const records::StoreAddress &address, Now now)
{
    TRY(std::unique_ptr<Database> database, openDatabase(address, Database::Mode::ReadOnly));
    return std::make_unique<Queries>(std::move(database), std::move(now));
}

Queries::Queries(std::unique_ptr<Database> readOnly, Now now)
    : d(std::make_unique<Private>(std::move(readOnly), now ? std::move(now) : Now(systemNow)))
{
}

Queries::~Queries() = default;

// One read transaction, so that rows, totals and change number belong together.
void Queries::answer(api::PendingRequest &request)
{
    const QueryTable::Entry *const entry = QueryTable::all().find(request.rules().name);
    if (entry == nullptr) {
        request.fail({core::ErrorKind::Refused, Text::tr("This is not a query."), {}, {}});
        return;
    }
    const Result<> begun = d->database->beginReading();
    if (!begun) {
        request.fail(begun.error());
        return;
    }
    QueryContext context{*d->database, d->session.retryOperations(), d->session.retryBatches(), d->now()};
    entry->answer(context, request);
    const Result<> ended = d->database->rollback(); // nothing was written
    if (!ended)
        qCWarning(logQueries) << "a read transaction did not end:" << ended.error().message;
}

void Queries::interrupt()
{
    d->database->interrupt();
}

void Queries::resume()
{
    d->database->resume();
}

} // namespace store
