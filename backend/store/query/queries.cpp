#include "backend/store/query/queries.h"

#include "backend/store/query/expiryqueries.h"
#include "backend/store/query/groupqueries.h"
#include "backend/store/query/historyqueries.h"
#include "backend/store/query/logqueries.h"
#include "backend/store/query/messagequeries.h"
#include "backend/store/query/operationqueries.h"
#include "backend/store/query/retryqueries.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/sqliteconnectionstore.h"
#include "backend/store/sqlite/sqlitemessagestore.h"
#include "backend/store/sqlite/sqliteretrystore.h"
#include "backend/store/sqlite/tallysql.h"
#include "backend/store/sqlite/transactioncounters.h"

namespace store {

struct Queries::Private
{
    Private(std::unique_ptr<Database> opened, Now clock)
        : database(std::move(opened))
        , books(*database)
        , messages(*database, books)
        , retries(makeRetryStore(*database, messages))
        , now(std::move(clock))
    {
    }
    std::unique_ptr<Database> database;
    TransactionCounters books; // never written, because the connection only reads
    SqliteMessageStore messages;
    std::unique_ptr<RetryStore> retries;
    Now now;
};

static core::TimePoint systemNow()
{
    return std::chrono::time_point_cast<core::Milliseconds>(std::chrono::system_clock::now());
}

Result<std::unique_ptr<Queries>> Queries::open(const QString &path, Now now)
{
    TRY(std::unique_ptr<Database> database, Database::open(path, Database::Mode::ReadOnly));
    return std::unique_ptr<Queries>(
        new Queries(std::make_unique<Private>(std::move(database), now ? std::move(now) : Now(systemNow))));
}

Queries::Queries(std::unique_ptr<Private> opened)
    : d(std::move(opened))
{
}

Queries::~Queries() = default;

// One read transaction, so that rows, totals and change number belong together.
template<typename T, typename Ask>
Result<T> Queries::inOneMoment(Ask ask)
{
    TRY(d->database->sql(QStringLiteral("BEGIN")).run());
    Result<T> answer = ask(*d->database);
    const Result<> ended = d->database->rollback(); // nothing was written
    if (answer && !ended)
        return core::fail(ended.error());
    return answer;
}

Result<api::GroupPage> Queries::groups(const api::GroupQuery &query)
{
    return inOneMoment<api::GroupPage>([&](Database &database) { return readGroups(database, query, d->now()); });
}

Result<api::ExpiryPage> Queries::expiring(const api::ExpiryQuery &query)
{
    return inOneMoment<api::ExpiryPage>([&](Database &database) { return readExpiring(database, query); });
}

Result<api::MessagePage> Queries::messages(const api::MessageQuery &query)
{
    return inOneMoment<api::MessagePage>([&](Database &database) { return readMessagePage(database, query); });
}

Result<api::MessageIds> Queries::messageIds(const api::MessageQuery &query)
{
    return inOneMoment<api::MessageIds>([&](Database &database) { return readMessageIds(database, query); });
}

Result<api::OtherMatches> Queries::otherMatches(const api::MessageQuery &query)
{
    return inOneMoment<api::OtherMatches>([&](Database &database) { return readOtherMatches(database, query.filter); });
}

Result<QList<records::FailedMessage>> Queries::messageRows(const QList<core::MessageId> &ids)
{
    return readMessageRows(*d->database, ids);
}

Result<api::MessageDetail> Queries::message(core::MessageId id)
{
    return inOneMoment<api::MessageDetail>([&](Database &database) -> Result<api::MessageDetail> {
        TRY(api::MessageDetail detail, readMessageDetail(database, id));
        TRY(detail.trail, readTrail(database, detail));
        return detail;
    });
}

Result<QByteArray> Queries::body(core::MessageId id)
{
    return readBody(*d->database, id);
}

Result<api::OperationPage> Queries::operations(const api::OperationQuery &query)
{
    return inOneMoment<api::OperationPage>(
        [&](Database &database) { return readHistory(database, *d->retries, query); });
}

Result<api::OperationDetail> Queries::operation(core::OperationId id)
{
    return inOneMoment<api::OperationDetail>(
        [&](Database &database) { return readOperationDetail(database, *d->retries, id, d->now()); });
}

Result<QList<api::MemberRow>> Queries::members(const api::MemberQuery &query)
{
    return inOneMoment<QList<api::MemberRow>>([&](Database &) { return readMembers(*d->retries, query); });
}

Result<QList<records::Event>> Queries::events(const api::EventQuery &query)
{
    return readEvents(*d->database, query);
}

Result<records::TrailCheck> Queries::checkTrail(const QByteArray &seal)
{
    return inOneMoment<records::TrailCheck>([&](Database &database) { return store::checkTrail(database, seal); });
}

Result<QList<api::RunSample>> Queries::series(const api::SeriesQuery &query)
{
    return readSeries(*d->database, query);
}

Result<QList<api::RunMark>> Queries::marks(core::OperationId id)
{
    return readMarks(*d->database, id);
}

Result<QList<records::Connection>> Queries::connections()
{
    return allConnections(*d->database);
}

Result<Tally> Queries::tally(const records::MessageFilter &filter, qint64 asOfChange)
{
    return inOneMoment<Tally>([&](Database &database) { return tallyOf(database, filter, asOfChange); });
}

Result<Counters> Queries::counters()
{
    return inOneMoment<Counters>([&](Database &database) -> Result<Counters> {
        Counters counters;
        TRY(counters.queues, readQueueCounts(database));
        for (const QueueCount &queue : std::as_const(counters.queues))
            counters.unresolvedTotal += queue.unresolved;
        TRY(counters.inDoubtTotal, d->retries->inDoubtTotal());
        Statement row =
            database.sql(QStringLiteral("SELECT change, (SELECT max(sequence) FROM event_log) FROM store_meta"));
        TRY(row.step());
        counters.change = row.integer(0);
        counters.newestEvent = row.integer(1);
        return counters;
    });
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
