// Prints how long it takes to choose and freeze a set. Release build; the figures that are asked for stand beside each line.
#include "backend/core/time/systemclock.h"
#include "backend/engine/planning/searchresolver.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/bench/figures.h"
#include "tests/bench/retryfixture.h"
#include "tests/support/must.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>

using bench::fill;
using bench::orderOf;
using bench::print;
using bench::TimedStore;
using test::must;

namespace {

// One store, and runs of a freezer on it that are timed.
struct FreezeBench
{
    explicit FreezeBench(int messages)
        : connection(fill(*inner, messages))
    {
    }
    template<typename Start>
    void run(const char *what, const char *goal, Start start)
    {
        TimedStore store(*inner);
        retry::SelectionFreezer freezer(store, clock, timers);
        bool over = false;
        const auto task = [&]() -> core::Task<> {
            co_await start(freezer);
            over = true;
            QCoreApplication::exit();
        };
        QElapsedTimer timer;
        timer.start();
        const core::Task<> running = task();
        if (!over)
            QCoreApplication::exec();
        print(what, double(timer.nsecsElapsed()) / 1e6, "ms", goal);
        print("  longest at a stretch", store.slowest, "ms", "goal 50");
    }

    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("redrive.db"));
    core::SystemRandom random;
    std::unique_ptr<store::Store> inner = must(store::openSqliteStore(path, random));
    const records::Connection connection;
    core::SystemClock clock;
    core::Timers timers{clock};
};

void freeze(int messages)
{
    FreezeBench bench(messages);
    bench.run("evaluate a set, as the plan shows it", "", [&](retry::SelectionFreezer &freezer) -> core::Task<> {
        retry::FreezeOrder order = orderOf(*bench.inner, bench.connection, messages);
        const core::Result<store::FreezeTally> tally = co_await freezer.evaluate(std::move(order));
        if (must(tally).frozen != messages)
            qFatal("the set is not what was stored");
    });
    bench.run("freeze it", "goal 1000 for 100,000", [&](retry::SelectionFreezer &freezer) -> core::Task<> {
        retry::FreezeOrder order = orderOf(*bench.inner, bench.connection, messages);
        const core::Result<retry::FrozenSet> id = co_await freezer.freeze(std::move(order));
        static_cast<void>(must(id));
    });
}

// A search for a word that every message has.
void freezeFound(int messages)
{
    FreezeBench bench(messages);
    bool indexed = false;
    while (!indexed) {
        must(bench.inner->transact([&](store::Session &session) -> core::Result<> {
            indexed = must(session.messages().indexText()).isComplete();
            return {};
        }));
    }
    engine::SearchResolver finder(store::QueryService::open(bench.path));
    bench.run("find a set by a search and freeze it", "goal 1000 for 100,000",
              [&](retry::SelectionFreezer &freezer) -> core::Task<> {
                  retry::FreezeOrder order = orderOf(*bench.inner, bench.connection, messages);
                  order.filter.search = QStringLiteral("EXCEPTION");
                  const core::Result<engine::Choice> found = co_await finder.find(order.filter);
                  order.filter = must(found).filter;
                  const core::Result<retry::FrozenSet> id = co_await freezer.freeze(std::move(order));
                  static_cast<void>(must(id));
              });
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const int messages = argc > 1 ? std::atoi(argv[1]) : 100'000;
    std::printf("%d messages\n", messages);
    freeze(messages);
    freezeFound(messages);
    return 0;
}
