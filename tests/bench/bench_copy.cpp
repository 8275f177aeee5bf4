// Prints how fast stores are copied between files and PostgreSQL on this machine. Release build.
#include "backend/store/connectionstore.h"
#include "backend/store/copy/copysource.h"
#include "backend/store/copy/copytarget.h"
#include "backend/store/copy/storecopier.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/bench/figures.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"

#include <QCoreApplication>
#include <QTemporaryDir>

using bench::milliseconds;
using bench::print;
using records::StoreAddress;
using store::StoreCopier;
using test::must;

namespace {

constexpr int notInstalled = 77; // CTest: skipped

void fill(const QString &path, int messages)
{
    core::SeededRandom random(1);
    const auto store = must(store::SqliteStore::open(path, random));
    core::ConnectionId connection;
    for (int first = 0; first < messages; first += 1'000) {
        must(store->transact([&](store::Session &session) -> core::Result<> {
            if (first == 0)
                connection = must(session.connections().add(test::sampleConnection(QStringLiteral("bench"))));
            for (int n = first; n < std::min(messages, first + 1'000); ++n)
                TRY(session.messages().insert(test::sampleMessage(connection, n, 2'048)));
            return {};
        }));
    }
}

void copy(const char *what, const StoreAddress &from, const StoreAddress &to)
{
    core::SeededRandom random(2);
    const std::unique_ptr<store::CopySource> source = must(store::CopySource::open(from));
    const std::unique_ptr<store::CopyTarget> target = must(store::CopyTarget::open(to));
    store::CopyFacts facts;
    double rowsTime = 0;
    const double whole = milliseconds([&] {
        double begun = 0;
        QElapsedTimer timer;
        timer.start();
        facts = must(StoreCopier(*source, *target, random, [&](StoreCopier::Step step, qint64, qint64) {
                         begun = double(timer.elapsed());
                         if (step == StoreCopier::Step::Rows)
                             rowsTime = begun;
                     }).run({}));
    });
    print(what, double(facts.messages) / whole * 1000, "messages/s", "");
    print("  without the indexes of texts", double(facts.rows) / rowsTime * 1000, "rows/s", "");
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (!support::PostgresServer::isInstalled())
        return notInstalled;
    const int messages = argc > 1 ? QByteArray(argv[1]).toInt() : 100'000;
    support::PostgresServer server;
    if (!server.start(support::PostgresServer::Writes::Durable))
        qFatal("PostgreSQL does not start: %s", qPrintable(server.error()));
    const QTemporaryDir folder;
    const StoreAddress file(folder.filePath(QStringLiteral("a.db")));
    fill(file.file, messages);
    const StoreAddress shared = support::sharedStore(server, QStringLiteral("b"));
    copy("file to PostgreSQL", file, shared);
    copy("PostgreSQL to file", shared, folder.filePath(QStringLiteral("c.db")));
    copy("PostgreSQL to PostgreSQL", shared, support::sharedStore(server, QStringLiteral("d")));
    copy("file to file", file, folder.filePath(QStringLiteral("e.db")));
    return 0;
}
