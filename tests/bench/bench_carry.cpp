// Prints how fast a frozen set is carried back, the broker aside: commits are FULL, time is the machine's. Release build; the
// figures that are asked for stand beside each line. Arguments: the largest store of the curves (1000000 takes minutes and 3 GB), and
// one part alone: speed, delay, curve, resume, memory.
#include "backend/broker/broker.h"
#include "backend/core/time/systemclock.h"
#include "backend/core/time/timers.h"
#include "backend/retry/processor.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/bench/figures.h"
#include "tests/bench/retryfixture.h"
#include "tests/support/must.h"
#include "tests/support/silentprogress.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

using bench::orderOf;
using bench::print;
using core::Result;
using core::Task;
using test::must;

namespace {

constexpr int smallBody = 256;
constexpr core::Milliseconds glance{20};

// Takes everything, after a while, and keeps nothing.
class Sink final : public broker::Broker
{
public:
    Sink(core::Clock &clock, core::Milliseconds delay, int sendBatch, int inFlight)
        : m_timers(clock)
        , m_delay(delay)
    {
        m_can.handOver = records::HandOver::IntentLog;
        m_can.sendBatch = sendBatch;
        m_can.sendsInFlight = inFlight;
        m_since.start();
    }

    qint64 messages = 0;
    double firstAfter = 0; // milliseconds from when this was made

    [[nodiscard]] Task<Result<broker::Capabilities>> probe() override
    {
        const broker::Capabilities can = m_can; // a member would be moved out
        co_return can;
    }
    [[nodiscard]] Task<Result<broker::Listing>> queues() override { co_return broker::Listing{}; }
    [[nodiscard]] Task<Result<broker::ReceivedPage>> take(broker::TakeRequest) override
    {
        co_return broker::ReceivedPage{};
    }
    [[nodiscard]] Task<Result<>> release(broker::TakeRequest, broker::ReceivedPage) override { co_return Result<>{}; }
    [[nodiscard]] Task<Result<broker::ReceivedPage>> browse(QString, int, broker::LookRisk) override
    {
        co_return broker::ReceivedPage{};
    }
    [[nodiscard]] Task<QList<broker::SendOutcome>> send(QList<broker::Outgoing> copies) override
    {
        QList<broker::SendOutcome> outcomes(copies.size(), {broker::Verdict::Accepted, {}});
        if (m_delay.count() > 0) {
            const Result<> slept = co_await m_timers.sleep(m_delay);
            if (!slept)
                outcomes.fill({broker::Verdict::Unknown, slept.error()});
        }
        if (messages == 0)
            firstAfter = double(m_since.nsecsElapsed()) / 1e6;
        messages += copies.size();
        co_return outcomes;
    }
    [[nodiscard]] broker::StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<broker::Leftover>>> leftovers() override { co_return QList<broker::Leftover>{}; }
    void cancelAll() override { m_timers.cancelAll(); }

private:
    core::Timers m_timers;
    const core::Milliseconds m_delay;
    broker::Capabilities m_can;
    QElapsedTimer m_since;
};

double residentMb()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() * double(sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

// A store with failed messages, and engines that carry some of them.
class Road final
{
public:
    explicit Road(int stored, int bytes)
        : m_connection(bench::fill(*m_store, stored, bytes))
    {
    }

    core::SystemClock clock;

    core::OperationId freeze(int messages)
    {
        core::Timers timers(clock);
        retry::SelectionFreezer freezer(*m_store, clock, timers);
        core::OperationId id;
        const auto order = [&]() -> Task<> {
            retry::FreezeOrder asked = orderOf(*m_store, m_connection, messages);
            const Result<retry::FrozenSet> frozen = co_await freezer.freeze(std::move(asked));
            id = must(frozen).operation;
        };
        const Task<> ordering = order();
        until([&] { return id.isValid(); });
        return id;
    }

    // An engine at work until `done`; the milliseconds that took. Each is ended as if it had been killed.
    double carry(Sink &sink, const std::function<bool()> &done)
    {
        support::SilentProgress silent;
        broker::BrokerState state(sink, clock);
        QElapsedTimer timer;
        timer.start();
        retry::Processor processor(m_connection,
                                   {*m_store, state, clock, m_random, silent,
                                    []() -> Task<Result<>> { co_return Result<>{}; }, QStringLiteral("bench")});
        processor.start();
        until(done);
        const double took = double(timer.nsecsElapsed()) / 1e6;
        processor.stop();
        sink.cancelAll();
        until([&] { return !processor.isRunning(); });
        return took;
    }

    [[nodiscard]] bool isOver(core::OperationId id)
    {
        bool over = false;
        must(m_store->read([&](store::Session &session) -> Result<> {
            over = must(session.retryOperations().load(id)).finished.has_value();
            return {};
        }));
        return over;
    }

private:
    void until(const std::function<bool()> &done)
    {
        std::function<void()> look = [&] {
            if (done())
                QCoreApplication::exit();
            else
                clock.after(glance, look);
        };
        clock.after(core::Milliseconds{0}, look);
        QCoreApplication::exec();
    }

    const QTemporaryDir m_folder;
    core::SeededRandom m_random{1};
    std::unique_ptr<store::Store> m_store =
        must(store::openSqliteStore(m_folder.filePath(QStringLiteral("redrive.db")), m_random));
    const records::Connection m_connection;
};

double rate(Road &road, Sink &sink, int messages)
{
    const core::OperationId id = road.freeze(messages);
    return messages * 1000.0 / road.carry(sink, [&] { return road.isOver(id); });
}

void speed()
{
    constexpr int messages = 50'000;
    Road road(messages, bench::bodyBytes);
    Sink sink(road.clock, core::Milliseconds{0}, 100, 32);
    print("from claim to Done, broker without delay", rate(road, sink, messages), "/s", "goal 10000");
}

void delay()
{
    constexpr int messages = 20'000;
    Road road(messages, bench::bodyBytes);
    Sink sink(road.clock, core::Milliseconds{5}, 1, 32);
    print("broker answers after 5 ms, 32 in flight", rate(road, sink, messages), "/s", "goal 5000");
}

// What one message costs, whatever else is stored.
void curve(int largest)
{
    constexpr int retried = 10'000;
    for (int stored = retried; stored <= largest; stored *= 10) {
        Road road(stored, smallBody);
        Sink sink(road.clock, core::Milliseconds{0}, 100, 32);
        const QByteArray what = "retry 10000 of " + QByteArray::number(stored) + " stored, each";
        print(what.constData(), 1e6 / rate(road, sink, retried), "us", "goal: flat");
    }
}

void resume(int members)
{
    Road road(members, smallBody);
    Sink first(road.clock, core::Milliseconds{1}, 100, 32); // so that it can be stopped in the middle
    road.freeze(members);
    road.carry(first, [&] { return first.messages > members / 5; });
    Sink second(road.clock, core::Milliseconds{0}, 100, 32);
    const QByteArray what = "goes on in the middle of " + QByteArray::number(members) + ", after";
    road.carry(second, [&] { return second.messages > 0; }); // without a delay nothing stops it there
    print(what.constData(), second.firstAfter, "ms", "goal 1000");
}

// Above what the process had before its engine began.
void memory(int largest)
{
    for (int members = 10'000; members <= largest; members *= 10) {
        Road road(members, smallBody);
        Sink sink(road.clock, core::Milliseconds{0}, 100, 32);
        const core::OperationId id = road.freeze(members);
        const double before = residentMb();
        double most = before;
        road.carry(sink, [&] {
            most = std::max(most, residentMb());
            return road.isOver(id);
        });
        const QByteArray what = "memory of an engine with " + QByteArray::number(members) + " members";
        print(what.constData(), most - before, "MB", "goal: flat");
    }
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const int largest = argc > 1 ? std::atoi(argv[1]) : 100'000;
    const QString part = QCoreApplication::arguments().value(2);
    const auto wanted = [&part](const char *name) { return part.isEmpty() || part == QLatin1String(name); };
    if (wanted("speed"))
        speed();
    if (wanted("delay"))
        delay();
    if (wanted("curve"))
        curve(largest);
    if (wanted("resume"))
        resume(100'000);
    if (wanted("memory"))
        memory(largest);
    return 0;
}
