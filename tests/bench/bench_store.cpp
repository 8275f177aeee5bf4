// Prints what the store manages on this machine: in a file, and then in PostgreSQL, how fast that is beside the file. Release build; the
// figures that are asked for stand beside each line.
#include "backend/api/requests/queries.h"
#include "backend/core/limits.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/groupcounters.h"
#include "backend/store/query/queries.h"
#include "tests/bench/figures.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>
#include <ctime>

using bench::milliseconds;
using test::must;

namespace {

int messages = 100'000;
constexpr int batch = 1'000;
constexpr int bodyBytes = 2'048;

// Of the file, in the order in which they are printed; then those of PostgreSQL beside them.
QList<double> figures;
qsizetype comparedTo = -1; // the next of them; -1: this is the file

void print(const char *what, double value, const char *unit, const char *goal)
{
    if (comparedTo < 0) {
        figures.append(value);
        bench::print(what, value, unit, goal);
        return;
    }
    const double ofFile = figures.value(comparedTo++);
    const double speed = QByteArrayView(unit) == "/s" ? value / ofFile : ofFile / value;
    bench::print(what, value, unit,
                 QByteArray::number(100 * speed, 'f', 0).append(" % as fast as the file").constData());
}

double processorTime()
{
    return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

core::ConnectionId fill(store::Store &store)
{
    core::ConnectionId connection;
    must(store.transact([&](store::Session &session) -> core::Result<> {
        connection = must(session.connections().add(test::sampleConnection(QStringLiteral("bench"))));
        return {};
    }));
    double making = 0;
    double makingProcessor = 0;
    double slowest = 0;
    const double started = processorTime();
    const double all = milliseconds([&] {
        for (int first = 0; first < messages; first += batch) {
            QList<store::NewMessage> page;
            const double makingFrom = processorTime();
            making += milliseconds([&] {
                for (int i = 0; i < batch; ++i)
                    page.append(test::sampleMessage(connection, first + i, bodyBytes));
            });
            makingProcessor += processorTime() - makingFrom;
            slowest = std::max(slowest, milliseconds([&] {
                                   must(store.transact([&](store::Session &session) -> core::Result<> {
                                       for (const store::NewMessage &fresh : std::as_const(page))
                                           must(session.messages().insert(fresh));
                                       return {};
                                   }));
                               }));
        }
    });
    const double processor = processorTime() - started;
    print("complete failed messages, batches of 1,000", messages / (all - making) * 1000, "/s", "goal 8,000");
    print("  by processor time, where the machine is shared", messages / (processor - makingProcessor) * 1000, "/s",
          "");
    print("slowest batch", slowest, "ms", "");
    return connection;
}

void freeze(store::Store &store, const records::MessageFilter &filter, const char *what)
{
    double slowest = 0;
    qint64 count = 0;
    const double all = milliseconds([&] {
        store::SliceEnd after;
        while (true) {
            store::Slice slice;
            slowest = std::max(slowest, milliseconds([&] {
                                   must(store.read([&](store::Session &session) -> core::Result<> {
                                       slice = must(session.messages().slice(filter, after, batch));
                                       return {};
                                   }));
                               }));
            if (slice.ids.isEmpty())
                return;
            count += slice.ids.size();
            after = slice.end;
        }
    });
    std::printf("%s: %lld ids\n", what, static_cast<long long>(count));
    print("  all slices", all, "ms", "");
    print("  slowest slice of 1,000", slowest, "ms", "goal 50");
}

// A retry by search freezes only what the index of words has reached.
void indexText(store::Store &store)
{
    bool complete = false;
    const double all = milliseconds([&] {
        while (!complete) {
            must(store.transact([&](store::Session &session) -> core::Result<> {
                complete = must(session.messages().indexText()).isComplete();
                return {};
            }));
        }
    });
    print("index of words", messages / all * 1000, "/s", "");
}

void changeStatus(store::Store &store, const records::MessageFilter &filter)
{
    double slowest = 0;
    int changed = 0;
    const double all = milliseconds([&] {
        store::SliceEnd after;
        for (int round = 0; round < 20; ++round) {
            slowest = std::max(slowest, milliseconds([&] {
                                   must(store.transact([&](store::Session &session) -> core::Result<> {
                                       const store::Slice slice = must(session.messages().slice(filter, after, batch));
                                       after = slice.end;
                                       changed += must(
                                           session.messages().setStatus(slice.ids, {records::MessageStatus::Unresolved},
                                                                        records::MessageStatus::RetryIssued));
                                       return {};
                                   }));
                               }));
        }
    });
    print("status of messages, batches of 1,000", changed / all * 1000, "/s", "");
    print("  slowest batch", slowest, "ms", "goal 50");
}

void ask(const records::StoreAddress &address, core::ConnectionId connection)
{
    std::unique_ptr<store::Queries> queries;
    print("open read-only", milliseconds([&] { queries = must(store::Queries::open(address)); }), "ms", "");
    api::GroupQuery groups;
    groups.connection = connection;
    print("group list", milliseconds([&] { (void)must(queries->ask(groups)); }), "ms", "goal 16");
    api::MessageQuery query;
    query.filter.connection = connection;
    query.filter.status = records::MessageStatus::Unresolved;
    print("first page of 200", milliseconds([&] { (void)must(queries->ask(query)); }), "ms", "goal 16");
    print("again", milliseconds([&] { (void)must(queries->ask(query)); }), "ms", "");
    query.filter.groups = {must(queries->ask(groups)).rows.constFirst().id};
    print("first page of a group", milliseconds([&] { (void)must(queries->ask(query)); }), "ms", "goal 16");
    query.order = records::MessageOrder::Size;
    print("first page of a group by size", milliseconds([&] { (void)must(queries->ask(query)); }), "ms", "");
    query.filter.groups.clear();
    print("first page by size", milliseconds([&] { (void)must(queries->ask(query)); }), "ms", "goal 16");
    query.order = records::MessageOrder::LastFailed;
    print("all ids in order", milliseconds([&] { (void)must(queries->ask(api::MessageIdQuery{query})); }), "ms", "");
    query.filter.search = QStringLiteral("order 99990");
    print("search, rare", milliseconds([&] { (void)must(queries->ask(query)); }), "ms", "");
    query.filter.search = QStringLiteral("EXCEPTION");
    print("search, in every message", milliseconds([&] { (void)must(queries->ask(query)); }), "ms", "");
    query.countLater = true;
    print("first page of it, the count follows", milliseconds([&] { (void)must(queries->ask(query)); }), "ms",
          "goal 16");
}

void measure(const records::StoreAddress &address)
{
    core::SeededRandom random(1);
    const std::unique_ptr<store::DatabaseStore> store = support::openStore(address, random);
    const core::ConnectionId connection = fill(*store);
    if (!address.isShared())
        bench::print("file", static_cast<double>(QFileInfo(address.file).size()) / 1e6, "MB", "");
    records::MessageFilter filter;
    filter.connection = connection;
    filter.status = records::MessageStatus::Unresolved;
    ask(address, connection);
    freeze(*store, filter, "slices of a connection");
    filter.queue = QStringLiteral("error");
    freeze(*store, filter, "slices of a queue");
    filter.queue.clear();
    filter.groups = {store::groupId(connection, records::Classifier::EndpointName, QStringLiteral("Orders1"))};
    freeze(*store, filter, "slices of a group");
    filter.groups.append(store::groupId(connection, records::Classifier::EndpointName, QStringLiteral("Orders2")));
    freeze(*store, filter, "slices of two groups");
    filter.groups.clear();
    filter.since = test::sampleMessage(connection, 1).message.lastFailed;
    freeze(*store, filter, "slices of a time");
    filter.since.reset();
    indexText(*store);
    filter.search = QStringLiteral("EXCEPTION");
    freeze(*store, filter, "slices of a search that hits everything");
    filter.search = QStringLiteral("order 999");
    freeze(*store, filter, "slices of a search that hits little");
    filter.search.clear();
    changeStatus(*store, filter);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    if (argc > 1)
        messages = std::atoi(argv[1]);
    const QTemporaryDir folder;
    measure(folder.filePath(QStringLiteral("redrive.db")));
    if (!support::PostgresServer::isInstalled())
        return 0;
    support::PostgresServer server;
    if (!server.start(support::PostgresServer::Writes::Durable))
        qFatal("PostgreSQL does not start: %s", qPrintable(server.error()));
    std::printf("\nPostgreSQL\n");
    comparedTo = 0;
    measure(support::sharedStore(server, QStringLiteral("redrive")));
    return 0;
}
