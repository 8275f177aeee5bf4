#include "backend/intake/intakerunrepository.h"

#include "backend/store/intakestore.h"

namespace intake {

using core::fail;
using core::Result;
using records::IntakeRun;
using records::IntakeState;

namespace {

// Locks last at most five minutes, but after a crash nobody knows when one was taken. The time is stored over restarts,
// so it is wall-clock time, and long enough for a clock that is changed.
constexpr std::chrono::hours locksForgotten{24};

} // namespace

IntakeRunRepository::IntakeRunRepository(core::ConnectionId connection, store::Store &store, core::Clock &clock,
                                         core::Random &random)
    : m_connection(connection)
    , m_store(store)
    , m_clock(clock)
    , m_random(random)
{
}

Result<IntakeRun> IntakeRunRepository::begin(const QString &queue, std::optional<qint64> asked, IntakeRun *before,
                                             bool holds)
{
    IntakeRun run;
    run.connection = m_connection;
    run.sourceQueue = queue;
    run.asked = asked;
    run.started = m_clock.now();
    if (holds)
        run.holdingName =
            QStringLiteral("redrive.%1.%2.%3").arg(m_store.storeId()).arg(m_store.fence()).arg(m_random.hexId());
    const Result<> begun = m_store.transact([&](store::Session &session) -> Result<> {
        const Result<core::IntakeRunId> id = session.intakes().begin(run);
        if (!id)
            return fail(id.error());
        run.id = *id;
        if (before == nullptr)
            return {};
        before->asked = 0; // the rest is asked for only once
        return session.intakes().update(*before);
    });
    if (!begun)
        return fail(begun.error());
    return run;
}

Result<> IntakeRunRepository::save(const IntakeRun &run)
{
    return m_store.transact([&](store::Session &session) { return session.intakes().update(run); });
}

// Once the source queue was seen empty, copies that an interrupted run left there are gone.
Result<> IntakeRunRepository::finish(IntakeRun run, bool copiesMayBeLeft, bool sawEmpty, bool locks)
{
    run.state = copiesMayBeLeft && !sawEmpty ? IntakeState::Interrupted : IntakeState::Done;
    run.asked = 0;
    if (run.state == IntakeState::Done)
        run.page.clear();
    QList<IntakeRun> ended{run};
    if (sawEmpty) {
        const Result<QList<IntakeRun>> others = open(run.sourceQueue);
        if (!others)
            return fail(others.error());
        for (IntakeRun other : *others) {
            const bool locked = locks && m_clock.now() - other.started < locksForgotten;
            if (other.state != IntakeState::Interrupted || locked)
                continue;
            other.state = IntakeState::Done;
            other.page.clear();
            ended.append(other);
        }
    }
    return m_store.transact([&](store::Session &session) -> Result<> {
        for (const IntakeRun &one : ended) {
            const Result<> updated = session.intakes().update(one);
            if (!updated)
                return updated;
        }
        return {};
    });
}

Result<QList<IntakeRun>> IntakeRunRepository::open(const QString &queue)
{
    QList<IntakeRun> runs;
    const Result<> read = m_store.read([&](store::Session &session) -> Result<> {
        const Result<QList<IntakeRun>> stored = session.intakes().open(m_connection);
        if (!stored)
            return fail(stored.error());
        for (const IntakeRun &run : *stored) {
            if (queue.isEmpty() || run.sourceQueue == queue)
                runs.append(run);
        }
        return {};
    });
    if (!read)
        return fail(read.error());
    return runs;
}

} // namespace intake
