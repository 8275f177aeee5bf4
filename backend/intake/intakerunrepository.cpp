#include "backend/intake/intakerunrepository.h"

#include "backend/store/messages/intakestore.h"

namespace intake {

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
    TRY(m_store.transact([&](store::Session &session) -> Result<> {
        TRY(run.id, session.intakes().begin(run));
        if (before == nullptr)
            return {};
        before->asked = 0; // the rest is asked for only once
        return session.intakes().update(*before);
    }));
    return run;
}

Result<> IntakeRunRepository::save(const IntakeRun &run)
{
    return m_store.transact([&](store::Session &session) { return session.intakes().update(run); });
}

// Once the source queue was seen empty, copies that an interrupted run left there are gone; those that are locked are not
// seen.
Result<> IntakeRunRepository::finish(IntakeRun run, bool copiesMayBeLeft, bool sawEmpty, bool locks)
{
    run.state = copiesMayBeLeft && (locks || !sawEmpty) ? IntakeState::Interrupted : IntakeState::Done;
    run.asked = 0;
    if (run.state == IntakeState::Done)
        run.page.clear();
    QList<IntakeRun> ended{run};
    if (sawEmpty) {
        TRY(const QList<IntakeRun> others, open(run.sourceQueue));
        for (IntakeRun other : others) {
            const bool locked = locks && m_clock.now() - other.started < locksForgotten;
            if (other.state != IntakeState::Interrupted || locked)
                continue;
            other.state = IntakeState::Done;
            other.page.clear();
            ended.append(other);
        }
    }
    return m_store.transact([&](store::Session &session) -> Result<> {
        for (const IntakeRun &one : ended)
            TRY(session.intakes().update(one));
        return {};
    });
}

Result<QList<IntakeRun>> IntakeRunRepository::open(const QString &queue)
{
    return m_store.read<QList<IntakeRun>>([&](store::Session &session) -> Result<QList<IntakeRun>> {
        QList<IntakeRun> runs;
        TRY(const QList<IntakeRun> stored, session.intakes().open(m_connection));
        for (const IntakeRun &run : stored) {
            if (queue.isEmpty() || run.sourceQueue == queue)
                runs.append(run);
        }
        return runs;
    });
}

} // namespace intake
