// Prints what the retry engine manages on this machine, the broker aside. Release build; the figures that are asked for
// stand beside each line.
#include "backend/core/systemclock.h"
#include "backend/engine/finder.h"
#include "backend/retry/freezer.h"
#include "backend/retry/processor.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/bench/figures.h"
#include "tests/support/fakebroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/samplemessages.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>

using bench::print;
using test::must;

namespace {

constexpr int batch = 1'000;
constexpr int bodyBytes = 2'048;

// Notes how long the store kept the engine's thread at a stretch.
class TimedStore final : public store::Store
{
public:
    explicit TimedStore(store::Store &inner)
        : m_inner(inner)
    {
    }
    core::Result<> transact(const Work &work) override
    {
        return timed([&] { return m_inner.transact(work); });
    }
    core::Result<> read(const Work &work) override
    {
        return timed([&] { return m_inner.read(work); });
    }
    QString storeId() const override { return m_inner.storeId(); }
    qint64 fence() const override { return m_inner.fence(); }

    double slowest = 0; // ms
    int calls = 0;

private:
    template<typename Call>
    core::Result<> timed(Call call)
    {
        QElapsedTimer timer;
        timer.start();
        core::Result<> done = call();
        slowest = std::max(slowest, double(timer.nsecsElapsed()) / 1e6);
        ++calls;
        return done;
    }
    store::Store &m_inner;
};

class Silent final : public retry::Progress
{
public:
    void batchMoved(const retry::BatchProgress &) override {}
    void operationChanged(core::OperationId) override {}
    void staged(core::OperationId, qint64) override {}
    void sent(core::OperationId, qint64) override {}
    void aimed(core::OperationId, const QStringList &) override {}
};

records::Connection fill(store::Store &store, int messages)
{
    records::Connection connection = test::sampleConnection(QStringLiteral("bench"));
    must(store.transact([&](store::Session &session) -> core::Result<> {
        connection.id = must(session.connections().add(connection));
        return {};
    }));
    for (int first = 0; first < messages; first += batch) {
        must(store.transact([&](store::Session &session) -> core::Result<> {
            for (int n = first; n < std::min(first + batch, messages); ++n)
                must(session.messages().insert(test::sampleMessage(connection.id, n, bodyBytes)));
            return {};
        }));
    }
    return connection;
}

retry::FreezeOrder orderOf(store::Store &store, const records::Connection &connection, int messages)
{
    retry::FreezeOrder order;
    order.operation.connection = connection.id;
    order.operation.scope = QStringLiteral("all");
    order.expected = messages;
    order.existing = QStringList{QStringLiteral("orders.0"), QStringLiteral("orders.1"), QStringLiteral("orders.2")};
    must(store.read([&](store::Session &session) -> core::Result<> {
        order.asOfChange = must(session.changeNumber());
        return {};
    }));
    return order;
}

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
        retry::Freezer freezer(store, clock, timers);
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
    bench.run("weigh a set, as the plan shows it", "", [&](retry::Freezer &freezer) -> core::Task<> {
        retry::FreezeOrder order = orderOf(*bench.inner, bench.connection, messages);
        const core::Result<store::FreezeTally> tally = co_await freezer.weigh(std::move(order));
        if (must(tally).frozen != messages)
            qFatal("the set is not what was stored");
    });
    bench.run("freeze it", "goal 1000 for 100,000", [&](retry::Freezer &freezer) -> core::Task<> {
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
    engine::Finder finder(store::QueryService::open(bench.path));
    bench.run("find a set by a search and freeze it", "goal 1000 for 100,000",
              [&](retry::Freezer &freezer) -> core::Task<> {
                  retry::FreezeOrder order = orderOf(*bench.inner, bench.connection, messages);
                  order.filter.search = QStringLiteral("EXCEPTION");
                  const core::Result<engine::Choice> found = co_await finder.find(order.filter);
                  order.filter = must(found).filter;
                  const core::Result<retry::FrozenSet> id = co_await freezer.freeze(std::move(order));
                  static_cast<void>(must(id));
              });
}

// The whole way of a set on a clock that needs no waiting: what is measured is the engine and its store.
void carry(const char *what, records::HandOver handOver, int messages)
{
    const QTemporaryDir folder;
    core::SeededRandom random(1);
    support::FakeClock clock;
    const auto inner = must(store::openSqliteStore(folder.filePath(QStringLiteral("redrive.db")), random));
    const records::Connection connection = fill(*inner, messages);
    broker::Capabilities can;
    can.handOver = handOver;
    can.sendBatch = handOver == records::HandOver::Ledger ? 100 : 1;
    can.sendsInFlight = 16;
    support::FakeBroker broker(clock, random, can);
    for (const char *queue : {"orders.0", "orders.1", "orders.2"})
        broker.addQueue(QLatin1StringView(queue));
    broker.pumpAtOnce = batch;
    Silent silent;
    TimedStore store(*inner);
    retry::Processor processor(connection, {store, broker, clock, random, silent,
                                            []() -> core::Task<core::Result<>> { co_return core::Result<>{}; },
                                            QStringLiteral("bench")});
    core::Timers timers(clock);
    retry::Freezer freezer(*inner, clock, timers);
    std::optional<core::OperationId> id;
    const auto order = [&]() -> core::Task<> {
        const core::Result<retry::FrozenSet> frozen = co_await freezer.freeze(orderOf(*inner, connection, messages));
        id = must(frozen).operation;
    };
    const core::Task<> ordering = order();
    while (!id && clock.step()) {
    }

    QElapsedTimer timer;
    timer.start();
    processor.start();
    const auto isOver = [&] {
        bool over = false;
        must(inner->read([&](store::Session &session) -> core::Result<> {
            over = must(session.retries().operation(*id)).finished.has_value();
            return {};
        }));
        return over;
    };
    while (!isOver() && clock.step()) {
    }
    print(what, messages * 1e9 / double(timer.nsecsElapsed()), "/s", "");
    print("  longest at a stretch", store.slowest, "ms", "goal 50");
    print("  transactions and reads, a thousand messages", store.calls * 1000.0 / messages, "", "");
    processor.stop();
    broker.cancelAll();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const int messages = argc > 1 ? std::atoi(argv[1]) : 100'000;
    std::printf("%d messages\n", messages);
    freeze(messages);
    freezeFound(messages);
    carry("ledger, broker in memory", records::HandOver::Ledger, messages / 5);
    carry("staging queue, broker in memory", records::HandOver::StagingQueue, messages / 5);
    return 0;
}
