#include "backend/intake/intake.h"

#include "backend/core/limits.h"
#include "backend/core/time/laterequests.h"
#include "backend/intake/pages/pagecommit.h"
#include "backend/intake/stalebrowsedrecords.h"
#include "backend/intake/text.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/intakestore.h"

#include <QScopeGuard>

#include <algorithm>

namespace intake {

using core::Error;
using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;
using records::IntakeCounts;
using records::IntakeRun;
using records::IntakeState;

namespace {

constexpr int fruitlessInARow = 3; // pages of which nothing is new and nothing could be removed

// After a refusal nothing is locked, and the next page shows what there is. Here messages may be locked that never
// arrived.
bool leavesMessagesHidden(ErrorKind kind)
{
    return kind == ErrorKind::UnknownOutcome || kind == ErrorKind::Corrupt;
}

// The page is in the store, so the run must stay open and recognise it. Refused would mean a refusal of our own before
// a page, after which held messages are new.
Error keepsThePage(Error error)
{
    if (error.kind == ErrorKind::Refused)
        error.kind = ErrorKind::Transient;
    return error;
}

} // namespace

Intake::Intake(records::Connection connection, broker::BrokerState &brokerState, store::Store &store,
               core::Clock &clock, core::Random &random, DiskSpace freeShare, int page)
    : m_connection(std::move(connection))
    , m_brokerState(brokerState)
    , m_broker(brokerState.broker())
    , m_store(store)
    , m_clock(clock)
    , m_runs(m_connection.id, store, clock, random)
    , m_budget(m_connection.id, store)
    , m_freeShare(std::move(freeShare))
    , m_page(page)
    , m_since(clock.steady())
    , m_steps(m_connection, m_broker, store, clock, random, m_runs,
              {[this] { return mayGoOn(); },
               [this](const Order &order, const QString &what, const QString &result, records::Severity severity) {
                   note(order, what, result, severity);
               },
               [this](const QString &queue, const QString &reason) {
                   if (m_waiting)
                       m_waiting(queue, reason);
               }})
{
}

Task<Result<IntakeCounts>> Intake::take(Order order)
{
    if (m_busy.contains(order.queue))
        co_return fail(ErrorKind::Conflict, Text::tr("Messages are already being taken from %1.").arg(order.queue));
    m_busy.insert(order.queue);
    const auto free = qScopeGuard([this, queue = order.queue] { m_busy.remove(queue); });
    CO_TRY(co_await allow(order.queue));
    IntakeCounts counts;
    CO_TRY(co_await settleQueue(order.queue, counts));
    CO_TRY(nothingIsUnderWay(order.queue));
    CO_TRY(const IntakeRun run, begin(order.queue, order.limit, nullptr));
    const Result<> taken = co_await takeOpen(run, order, counts);
    note(order, counts, Text::tr("Failed messages taken"));
    if (!taken)
        co_return fail(taken.error());
    co_return counts;
}

Task<Result<>> Intake::allow(QString queue)
{
    if (!m_connection.rights.testFlag(records::Right::Take)) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("The connection %1 does not allow taking messages. Allow it in its settings.")
                           .arg(m_connection.name));
    }
    if (!capabilities().canTake)
        m_brokerState.rightsMayHaveChanged(); // they may have been granted meanwhile
    CO_TRY(co_await m_brokerState.probe());
    CO_TRY(admitAccount(m_connection, capabilities()));
    CO_TRY(const broker::Listing listing, co_await m_brokerState.list());
    const bool isListed = std::any_of(listing.queues.cbegin(), listing.queues.cend(),
                                      [&](const broker::QueueInfo &info) { return info.name == queue; });
    if (listing.complete && !isListed)
        CO_TRY(m_budget.emptied(queue)); // one that is made anew under its name has delivered nothing
    co_return admitQueue(m_connection, listing, queue);
}

Result<> Intake::mayGoOn() const
{
    if (m_stopped)
        return fail(ErrorKind::Cancelled, Text::tr("The intake was stopped."));
    return admitDisk(m_freeShare);
}

Task<Result<>> Intake::takeOpen(IntakeRun run, Order order, IntakeCounts &counts)
{
    if (!capabilities().locks && SteppedIntake::isStepped(run)) {
        const Result<> stepped = co_await takeInSteps(std::move(run), std::move(order), counts);
        co_return stepped;
    }
    m_hidingErrors.remove(order.queue);
    bool sawEmpty = false;
    int fruitless = 0; // in a row
    Result<> going;
    std::optional<IntakeRun> beside; // holds the next page while the current one is taken
    bool isWithheld = false;
    while (!sawEmpty && !isWithheld && (!run.asked || *run.asked > 0)) {
        going = mayGoOn();
        if (!going || (order.wanted && !order.wanted()))
            break;
        const Result<Step> step = co_await takeStep(run, beside, order, counts);
        fruitless = step && *step == Step::Fruitless ? fruitless + 1 : 0;
        if (!step)
            going = fail(step.error());
        else if (fruitless == fruitlessInARow)
            going = fail(ErrorKind::NotFound, Text::tr("Locks on messages in %1 expired before the messages were "
                                                       "removed. The messages are in the store and will be recognised.")
                                                  .arg(run.sourceQueue));
        if (!going)
            break;
        sawEmpty = *step == Step::Empty || *step == Step::Nothing;
        isWithheld = *step == Step::Withheld;
        if (order.progress)
            order.progress(counts);
        if (!sawEmpty && order.pause)
            co_await order.pause();
    }
    if (isWithheld && !order.who.isEmpty())
        co_await noteWithheld(order);
    if (sawEmpty && m_hidingErrors.contains(run.sourceQueue))
        going = fail(partHidden(run.sourceQueue, counts.taken));
    if (!going && going.error().kind != ErrorKind::Refused) {
        co_await leave(run, beside, going.error().kind, counts);
        co_return going;
    }
    CO_TRY(co_await close(run, beside, sawEmpty, counts));
    co_return going;
}

Task<Result<>> Intake::takeInSteps(IntakeRun run, Order order, IntakeCounts &counts)
{
    const QString queue = order.queue;
    m_begun.remove(run.id.value);
    CO_TRY(const bool sawEmpty, co_await m_steps.take(std::move(run), std::move(order), counts));
    if (!sawEmpty)
        co_return Result<>();
    const Result<> forgotten = co_await forgetGone(queue);
    co_return forgotten;
}

Task<Result<Intake::Step>> Intake::takeStep(IntakeRun &run, std::optional<IntakeRun> &beside, Order order,
                                            IntakeCounts &counts)
{
    const int limit = int(std::min<qint64>(run.asked.value_or(m_page), m_page));
    Result<Step> step;
    if (capabilities().locks)
        step = co_await passPage(run, limit, counts);
    else if (run.asked)
        step = co_await takePage(run, limit, counts);
    else
        step = co_await takeInTurns(run, beside, std::move(order), counts);
    co_return step;
}

// After an error that goes to the caller. What may still be held is settled by the next intake or the next start, and the rest is not
// taken without being asked for. Where nothing can arrive any more, the run ends now, or an intake that was refused never would.
Task<> Intake::leave(IntakeRun run, std::optional<IntakeRun> beside, ErrorKind why, IntakeCounts &counts)
{
    const bool isAnswered = why == ErrorKind::Unauthorized && !beside;
    if (!isAnswered)
        m_begun.insert(run.id.value, m_clock.steady());
    if (beside)
        m_begun.insert(beside->id.value, m_clock.steady());
    if (why == ErrorKind::Cancelled)
        co_return;
    run.asked = 0;
    static_cast<void>(m_runs.save(run)); // if this fails too, the next start settles it
    m_waitsForLate = m_waitsForLate || why == ErrorKind::Unauthorized; // it is settled when nothing can arrive any more
    if (!isAnswered && !capabilities().locks)
        co_return;
    const Result<> settled = co_await settle(run, counts);
    static_cast<void>(settled); // likewise
}

// Ends an intake that asks for nothing more. More messages than asked for may be held.
Task<Result<>> Intake::close(IntakeRun run, std::optional<IntakeRun> beside, bool sawEmpty, IntakeCounts &counts)
{
    if (beside) {
        if (!isDoubtful(*beside))
            beside->page.clear();
        CO_TRY(co_await settle(*beside, counts));
    }
    if (sawEmpty || capabilities().locks) {
        const Result<> finished = finish(run, sawEmpty);
        if (!finished || !sawEmpty)
            co_return finished;
        CO_TRY(co_await forgetDeliveries(run.sourceQueue));
        const Result<> forgotten = co_await forgetGone(run.sourceQueue);
        co_return forgotten;
    }
    if (!isDoubtful(run))
        run.page.clear();
    const Result<> settled = co_await settle(run, counts);
    co_return settled;
}

// Takes pages in turns as long as another one is held: while the page of one run is read, stored and released, the holding queue of
// the other is filled. What is held ahead is always taken. Pages are stored in the order in which they were filled.
Task<Result<Intake::Step>> Intake::takeInTurns(IntakeRun &run, std::optional<IntakeRun> &beside, Order order,
                                               IntakeCounts &counts)
{
    Result<broker::PrefetchResult> held = co_await m_broker.prefetch(requestOf(run, m_page));
    if (!held)
        co_return fail(withRisk(run, held.error()));
    IntakeRun *now = &run;
    const IntakeRun *before = nullptr;
    while (*held == broker::PrefetchResult::Part && mayGoOn() && (!order.wanted || order.wanted())) {
        if (!beside) {
            CO_TRY(beside, begin(run.sourceQueue, 0, nullptr));
        }
        IntakeRun *next = now == &run ? &*beside : &run;
        const Task<Result<broker::PrefetchResult>> holding = m_broker.prefetch(requestOf(*next, m_page));
        const Result<Step> step = co_await takePage(*now, m_page, counts, next);
        held = co_await holding;
        if (!step)
            co_return fail(step.error());
        // Refused: perhaps only because the page that has just ended still counted as under way. The next call tells.
        const bool isRefused = !held && held.error().kind == ErrorKind::Refused;
        if (!held && !isRefused)
            co_return fail(held.error());
        if (isRefused || *held == broker::PrefetchResult::Nothing)
            co_return step;
        if (order.progress)
            order.progress(counts);
        if (order.pause)
            co_await order.pause();
        before = std::exchange(now, next);
    }
    const Result<Step> last = co_await takePage(*now, m_page, counts, before);
    co_return last;
}

// before: the run of the previous page, when two take turns.
Task<Result<Intake::Step>> Intake::takePage(IntakeRun &run, int limit, IntakeCounts &counts, const IntakeRun *before,
                                            Turn turn)
{
    broker::TakeRequest request = requestOf(run, limit);
    request.onlyHeld = turn == Turn::Late; // nobody asked for more, or may ask
    const Result<broker::ReceivedPage> held = co_await m_broker.take(request);
    if (!held)
        co_return fail(withRisk(run, held.error()));
    const broker::ReceivedPage &page = *held;
    CO_TRY(countDeliveries(run, page, turn));
    const bool isLost = page.trouble && page.trouble->kind == ErrorKind::NotFound;
    if (isLost)
        noteLost(run.sourceQueue, *page.trouble);
    if (page.messages.isEmpty() && page.more && isLost && turn == Turn::InOrder)
        co_return Result<Step>(Step::GoOn); // that says nothing of what is in the queue
    if (page.messages.isEmpty())
        co_return Result<Step>(page.more ? Step::Withheld : Step::Nothing);
    if (page.interrupted) {
        m_twice.insert(run.id.value);
        if (before != nullptr) // the broker may have forgotten that it delivered those too
            m_twice.insert(before->id.value);
    }
    CO_TRY(const IntakeCounts committed, commit(run, page.messages));
    counts += committed;
    const Result<> removed = co_await m_broker.release(request, page);
    if (!removed)
        co_return fail(keepsThePage(removed.error()));
    run.state = IntakeState::Holding;
    // The page is needed to recognise copies: if there may be some, and until the next page is known to be
    // uninterrupted.
    if (!isDoubtful(run) && before == nullptr)
        run.page.clear();
    CO_TRY(m_runs.save(run));
    co_return Result<Step>(page.more ? Step::GoOn : Step::Empty);
}

// On brokers with locks. A message that could not be removed stays in the page of the run: it is recognised when it comes
// again, and ends nothing.
Task<Result<Intake::Step>> Intake::passPage(IntakeRun &run, int limit, IntakeCounts &counts)
{
    const qint64 before = counts.taken;
    QStringList earlier = run.page; // of earlier pages, and not seen again yet
    bool isAnyKept = false;
    const broker::Keep keep = [&](const QList<broker::ReceivedMessage> &some, const QStringList &left) -> Result<> {
        run.page = earlier + PageWriter::entriesOf(run.page, left);
        TRY(const IntakeCounts committed, commit(run, some));
        counts += committed;
        isAnyKept = true;
        PageWriter::leaveOut(earlier, some);
        return {};
    };
    broker::TakeRequest request = requestOf(run, limit);
    const Result<broker::Passage> passed = co_await m_broker.takeInto(std::move(request), keep);
    if (!passed)
        co_return fail(isAnyKept ? keepsThePage(passed.error()) : passed.error());
    run.state = IntakeState::Holding;
    run.page = earlier + PageWriter::entriesOf(run.page, passed->left);
    CO_TRY(m_runs.save(run));
    if (passed->hidden && leavesMessagesHidden(passed->hidden->kind))
        m_hidingErrors.insert(run.sourceQueue, *passed->hidden);
    if (!passed->more)
        co_return Result<Step>(Step::Empty);
    const bool isFruitless = passed->removed == 0 && counts.taken == before;
    co_return Result<Step>(isFruitless ? Step::Fruitless : Step::GoOn);
}

Error Intake::partHidden(const QString &queue, qint64 taken) const
{
    Error error = m_hidingErrors.value(queue);
    const QString text = error.kind == ErrorKind::Corrupt
                             ? Text::tr("Messages taken from %2: %1. Others could not be read and stay there. %3")
                             : Text::tr("Messages taken from %2: %1. One of several calls failed, so others may be "
                                        "hidden for some minutes; then take from this queue again. %3");
    error.message = text.arg(QString::number(taken), queue, error.message);
    return error;
}

Result<IntakeCounts> Intake::commit(IntakeRun &run, const QList<broker::ReceivedMessage> &messages)
{
    TRY(const QList<IntakeRun> open, m_runs.open(run.sourceQueue));
    Seen seen;
    seen.mayHoldTwice = isDoubtful(run);
    seen.stored = run.page;
    seen.doubtful = seen.mayHoldTwice ? run.page : QStringList();
    for (const IntakeRun &other : open) {
        const bool doubtful = seen.mayHoldTwice || isDoubtful(other) || other.state == IntakeState::Interrupted;
        if (doubtful && other.id != run.id)
            seen.doubtful += other.page;
    }
    PageOrigin origin{m_connection.id, m_connection.kind,    m_store.storeId(),
                      run.sourceQueue, capabilities().locks, m_clock.now()};
    origin.connectionName = m_connection.name;
    TRY(origin.conventions, conventionsOf(m_store));
    PageWriter writer(origin, messages, seen);
    IntakeRun next = run;
    next.state = IntakeState::Committed;
    next.page = seen.mayHoldTwice || capabilities().locks ? run.page + writer.page() : writer.page();
    if (next.asked)
        next.asked = std::max<qint64>(0, *next.asked - writer.freshlyTaken());
    Result<IntakeCounts> stored =
        commitPage(m_store, writer, [&](store::Session &session) { return session.intakes().update(next); });
    if (stored)
        run = next;
    return stored;
}

Result<IntakeRun> Intake::begin(const QString &queue, std::optional<qint64> asked, IntakeRun *before)
{
    Result<IntakeRun> run = m_runs.begin(queue, asked, before, !capabilities().locks && !capabilities().takesInSteps);
    if (run)
        m_begun.insert(run->id.value, std::nullopt);
    return run;
}

bool Intake::isUnanswered(const IntakeRun &run) const
{
    const auto begun = m_begun.constFind(run.id.value);
    return begun == m_begun.constEnd() || begun->has_value();
}

bool Intake::mayStillArrive(const IntakeRun &run) const
{
    return isUnanswered(run)
           && m_clock.steady() - m_begun.value(run.id.value).value_or(m_since) < core::limits::lateRequests;
}

Result<> Intake::finish(const IntakeRun &run, bool sawEmpty)
{
    m_begun.remove(run.id.value);
    const bool notRemoved = capabilities().locks && !run.page.isEmpty();
    const bool copiesMayBeLeft = m_twice.remove(run.id.value) || notRemoved;
    return m_runs.finish(run, copiesMayBeLeft, sawEmpty, capabilities().locks);
}

// Browsed-only records that this intake did not take: somebody else took their messages, if the broker counts none any
// more either.
Task<Result<>> Intake::forgetGone(QString queue)
{
    StaleBrowsedRecords gone(m_store, m_connection.id, queue, StaleBrowsedRecords::whateverChange, 0);
    Result<bool> more = gone.areThere();
    if (!more)
        co_return fail(more.error());
    if (!*more)
        co_return {};
    const Result<broker::Listing> listing = co_await m_brokerState.list();
    if (!listing || !StaleBrowsedRecords::wereAllSeen(*listing, queue, 0))
        co_return {}; // they stay until this is known
    while (more && *more)
        more = gone.next();
    Order order;
    order.queue = queue;
    if (gone.removed() > 0)
        note(order, StaleBrowsedRecords::what(), StaleBrowsedRecords::result(gone.removed()), records::Severity::Info);
    if (!more)
        co_return fail(more.error());
    co_return {};
}

// Only if the broker counts no messages, also none that others hold: they return with what was counted.
Task<Result<>> Intake::forgetDeliveries(QString queue)
{
    CO_TRY(const records::DeliveriesUsed used, m_budget.used(queue));
    if (used == records::DeliveriesUsed{} || m_mayHaveRest.contains(queue))
        co_return {};
    const Result<broker::Listing> listing = co_await m_brokerState.list();
    if (!listing || !StaleBrowsedRecords::wereAllSeen(*listing, queue, 0))
        co_return {}; // they stay counted until this is known
    co_return m_budget.emptied(queue);
}

broker::TakeRequest Intake::requestOf(const IntakeRun &run, int limit)
{
    const auto waiting = [this, queue = run.sourceQueue](const QString &reason) {
        if (m_waiting)
            m_waiting(queue, reason);
    };
    const auto risk = [this, run](const records::DeliveryLimit &known, qint64 inHand) {
        return acceptRisk(run, known, inHand);
    };
    const bool isNew = m_begun.contains(run.id.value);
    return {run.sourceQueue, run.holdingName, limit, core::limits::intakePageBytes, waiting, isNew, risk};
}

// Only the listing knows where the messages go that exceed the limit.
Result<> Intake::acceptRisk(const IntakeRun &run, records::DeliveryLimit limit, qint64 inHand)
{
    for (const broker::QueueInfo &info : m_brokerState.listing().queues) {
        if (info.name == run.sourceQueue && info.deliveryLimit)
            limit.deadLetters = info.deliveryLimit->deadLetters;
    }
    TRY(m_budget.beforePage(run.sourceQueue, limit, inHand));
    m_atRisk.insert(run.id.value);
    return {};
}

// Unless a request of an earlier run may still arrive.
Result<> Intake::nothingIsUnderWay(const QString &queue)
{
    TRY(const QList<IntakeRun> open, m_runs.open(queue));
    const bool isCalm = std::all_of(open.cbegin(), open.cend(),
                                    [](const IntakeRun &run) { return run.state == IntakeState::Interrupted; });
    return isCalm ? m_budget.nothingIsUnderWay(queue) : Result<>{};
}

// A page that was never begun, because there was nothing to take, ends none of those that are under way.
Result<> Intake::countDeliveries(const IntakeRun &run, const broker::ReceivedPage &page, Turn turn)
{
    const QString queue = run.sourceQueue;
    if (page.hasRest)
        return {};
    if (!m_atRisk.remove(run.id.value) && turn == Turn::InOrder) {
        m_mayHaveRest.remove(queue);
        return {};
    }
    TRY(turn == Turn::Late ? m_budget.afterLatePage(queue)
                           : m_budget.afterPage(queue, page.messages.size(), page.interrupted));
    m_mayHaveRest.remove(queue);
    if (!page.interrupted)
        return {};
    m_mayHaveRest.insert(queue);
    Order order;
    order.queue = queue;
    if (const QString risk = riskOf(queue); !risk.isEmpty())
        note(order, Text::tr("Interruption while messages were taken"), risk, records::Severity::Warning);
    return {};
}

// ---- what a crash or an error left open ----

Task<Result<IntakeCounts>> Intake::recover()
{
    IntakeCounts counts;
    CO_TRY(co_await m_brokerState.probe());
    CO_TRY(QList<IntakeRun> open, m_runs.open({}));
    // Runs that ask for nothing more come first: the rest of a queue is taken after all its held messages are stored.
    std::stable_partition(open.begin(), open.end(), [](const IntakeRun &run) { return run.asked && *run.asked <= 0; });
    Result<> all; // the first error; trouble with one queue does not delay the others
    for (const IntakeRun &run : std::as_const(open)) {
        if (run.state == IntakeState::Interrupted || m_busy.contains(run.sourceQueue))
            continue; // it holds nothing any more, or its intake pauses between two pages
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
    const qsizetype runs = all ? open->size() : 0;
    for (qsizetype i = 0; i < runs; ++i) { // trouble with one does not delay the others
        const IntakeRun run = open->at(i);
        if (run.state == IntakeState::Interrupted || m_busy.contains(run.sourceQueue))
            continue;
        Order found;
        found.queue = run.sourceQueue;
        IntakeCounts mine;
        const Result<> settled = co_await settle(run, mine);
        if (!settled && all)
            all = settled;
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
        const Result<> taken = co_await takeOpen(run, rest, counts);
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
    if (!capabilities().locks && SteppedIntake::isStepped(run)) {
        const Result<> settled = co_await m_steps.settle(std::move(run), counts);
        co_return settled;
    }
    run.asked = 0;
    if (capabilities().locks) {
        // Nothing must be returned: locks expire by themselves. Messages that were committed but not removed appear again.
        run.state = run.page.isEmpty() ? IntakeState::Done : IntakeState::Interrupted;
        co_return m_runs.save(run);
    }
    CO_TRY(qint64 held, co_await heldUnder(run.holdingName));
    if (run.state == IntakeState::Holding && !run.page.isEmpty())
        m_twice.insert(run.id.value); // a page that was kept after its release
    if (held == 0 && run.state == IntakeState::Committed) {
        // All messages were removed, only the empty queue was not: no shovel runs in this state.
        CO_TRY(co_await m_broker.release(requestOf(run, m_page), broker::ReceivedPage{}));
        co_return finish(run, false);
    }
    for (bool wasThere = false;; wasThere = true) {
        if (held < 0) {
            const Result<> ended = co_await settleAbsent(run, wasThere);
            if (ended || ended.error().kind != ErrorKind::Conflict)
                co_return ended;
        } // Conflict: when it was listed, its node had not recovered it
        m_twice.insert(run.id.value);
        CO_TRY(const Step step, co_await takePage(run, m_page, counts, nullptr, Turn::Late));
        const bool isNothing = step == Step::Nothing || step == Step::Withheld;
        if (isNothing && mayStillArrive(run)) {
            const Result<> ended = co_await settleAbsent(run, false);
            co_return ended;
        }
        if (step == Step::Empty || isNothing)
            break;
        CO_TRY(held, co_await heldUnder(run.holdingName));
    }
    co_return finish(run, false);
}

// An unanswered request for the holding queue, its exchange or its shovel may still arrive, unless a page of it was taken: the run
// stays open until it cannot.
// Then what it made is removed, and that proves that there is nothing: a list may lack the queues of a node that is down.
Task<Result<>> Intake::settleAbsent(IntakeRun run, bool wasThere)
{
    if (!wasThere && run.state != IntakeState::Committed && mayStillArrive(run)) {
        m_waitsForLate = true;
        co_return m_runs.save(run);
    }
    const Result<> removed = co_await m_broker.release(requestOf(run, m_page), broker::ReceivedPage{});
    if (!removed && removed.error().kind != ErrorKind::Unauthorized)
        co_return removed;
    if (!removed) { // an account that may remove nothing has created nothing either
        CO_TRY(const qint64 held, co_await heldUnder(run.holdingName));
        if (held >= 0)
            co_return removed;
    }
    co_return finish(run, false);
}

Task<Result<qint64>> Intake::heldUnder(QString holdingName)
{
    CO_TRY(const QList<broker::Leftover> leftovers, co_await m_broker.leftovers());
    qint64 held = -1;
    for (const broker::Leftover &leftover : leftovers) {
        if (leftover.kind == broker::Leftover::Kind::Holding && leftover.name == holdingName)
            held = std::max<qint64>(held, 0) + leftover.depth;
    }
    co_return held;
}

} // namespace intake
