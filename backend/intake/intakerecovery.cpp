// Finishes what a crash or an error left open.
#include "backend/intake/intake.h"
#include "backend/intake/text.h"

#include <algorithm>

namespace intake {

using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;
using records::IntakeCounts;
using records::IntakeRun;
using records::IntakeState;

Task<Result<IntakeCounts>> Intake::recover()
{
    IntakeCounts counts;
    CO_TRY(co_await m_brokerState.probe());
    CO_TRY(QList<IntakeRun> open, m_runs.open({}));
    // Runs that ask for nothing more come first: the rest of a queue is taken after all its held messages are stored.
    std::stable_partition(open.begin(), open.end(), [](const IntakeRun &run) { return run.asked && *run.asked <= 0; });
    Result<> all; // the first error; trouble with one queue does not delay the others
    for (const IntakeRun &run : std::as_const(open)) {
        if (run.state == IntakeState::Interrupted)
            continue; // it holds nothing any more
        CO_TRY(co_await m_brokerState.probe());
        const Result<> recovered = co_await recoverOne(run, counts);
        if (!recovered && all)
            all = recovered;
    }
    if (!all)
        co_return fail(all.error());
    co_return counts;
}

Task<Result<IntakeCounts>> Intake::checkAgain()
{
    if (!std::exchange(m_waitsForLate, false))
        co_return IntakeCounts{};
    Result<> all = co_await m_brokerState.probe();
    const Result<QList<IntakeRun>> open = m_runs.open({});
    if (!open)
        all = fail(open.error());
    IntakeCounts counts;
    for (qsizetype i = 0; all && i < open->size(); ++i) {
        const IntakeRun run = open->at(i);
        if (run.state == IntakeState::Interrupted || m_busy.contains(run.sourceQueue))
            continue;
        Order found;
        found.queue = run.sourceQueue;
        IntakeCounts mine;
        all = co_await settle(run, mine);
        counts += mine;
        noteAdopted(found, mine);
    }
    if (all)
        co_return counts;
    m_waitsForLate = true;
    co_return fail(all.error());
}

Task<Result<>> Intake::recoverOne(IntakeRun run, IntakeCounts &counts)
{
    Order rest;
    rest.queue = run.sourceQueue;
    IntakeCounts mine;
    if (run.asked && *run.asked <= 0) {
        const Result<> settled = co_await settle(run, mine);
        counts += mine;
        noteAdopted(rest, mine);
        co_return settled;
    }
    // A new run asks for what was not taken yet: a crash costs nothing but time.
    CO_TRY(const IntakeRun next, begin(run.sourceQueue, run.asked, &run));
    Result<> taken = co_await settle(run, mine);
    if (taken)
        taken = co_await takeRest(rest, next, mine);
    counts += mine;
    noteAdopted(rest, mine);
    co_return taken;
}

// Rights, and what the broker allows, may have changed since the intake was asked for.
Task<Result<>> Intake::takeRest(Order rest, IntakeRun run, IntakeCounts &counts)
{
    const Result<> allowed = co_await allow(rest.queue);
    if (allowed) {
        const Result<> taken = co_await takePages(rest, run, counts);
        co_return taken;
    }
    if (allowed.error().kind != ErrorKind::Refused && allowed.error().kind != ErrorKind::NotFound)
        co_return allowed;
    note(rest, Text::tr("Interrupted intake not continued"), allowed.error().message, records::Severity::Warning);
    m_begun.remove(run.id.value);
    co_return m_runs.finish(run, false, false, capabilities().locks);
}

Task<Result<>> Intake::settleQueue(QString queue, IntakeCounts &counts)
{
    CO_TRY(const QList<IntakeRun> open, m_runs.open(queue));
    for (const IntakeRun &run : open) {
        if (run.state == IntakeState::Interrupted)
            continue;
        CO_TRY(co_await settle(run, counts));
    }
    co_return Result<>();
}

Task<Result<>> Intake::settle(IntakeRun run, IntakeCounts &counts)
{
    run.asked = 0;
    if (capabilities().locks) {
        // Nothing must be returned: locks expire by themselves. Messages that were committed but not removed appear
        // again.
        run.state = run.page.isEmpty() ? IntakeState::Done : IntakeState::Interrupted;
        co_return m_runs.save(run);
    }
    CO_TRY(qint64 held, co_await heldUnder(run.holdingName));
    if (run.state == IntakeState::Holding && !run.page.isEmpty())
        m_twice.insert(run.id.value); // a page that was kept after its release
    if (held < 0) {
        const Result<> ended = co_await settleAbsent(run);
        co_return ended;
    }
    if (held == 0 && run.state == IntakeState::Committed) {
        // All messages were removed, only the empty queue was not: no shovel runs in this state.
        CO_TRY(co_await m_broker.release(requestOf(run, m_page), broker::ReceivedPage{}));
        co_return finish(run, false);
    }
    m_twice.insert(run.id.value);
    while (held >= 0) {
        CO_TRY(const Step step, co_await takePage(run, m_page, counts));
        if (step == Step::Nothing && mayStillArrive(run)) {
            const Result<> ended = co_await settleAbsent(run);
            co_return ended;
        }
        if (step == Step::Empty || step == Step::Nothing)
            break;
        CO_TRY(held, co_await heldUnder(run.holdingName));
    }
    co_return finish(run, false);
}

// An unanswered request for the holding queue, its exchange or its shovel may still arrive. The run stays open until
// that is no longer possible; then whatever the request created is removed.
Task<Result<>> Intake::settleAbsent(IntakeRun run)
{
    if (run.state == IntakeState::Committed || !isUnanswered(run))
        co_return finish(run, false);
    if (mayStillArrive(run)) {
        m_waitsForLate = true;
        co_return m_runs.save(run);
    }
    CO_TRY(co_await m_broker.release(requestOf(run, m_page), broker::ReceivedPage{}));
    co_return finish(run, false);
}

Task<Result<qint64>> Intake::heldUnder(QString holdingName)
{
    CO_TRY(const QList<broker::Leftover> leftovers, co_await m_broker.leftovers());
    for (const broker::Leftover &leftover : leftovers) {
        if (leftover.kind == broker::Leftover::Kind::Holding && leftover.name == holdingName)
            co_return leftover.depth;
    }
    co_return qint64(-1);
}

} // namespace intake
