#include "backend/intake/steps/steppedintake.h"

#include "backend/core/time/laterequests.h"
#include "backend/intake/intake.h"
#include "backend/intake/pages/identity.h"
#include "backend/intake/pages/pagecommit.h"
#include "backend/intake/steps/stepnote.h"
#include "backend/intake/text.h"
#include "backend/records/takinginsteps.h"
#include "backend/store/messages/intakestore.h"

#include <algorithm>

namespace intake {

using broker::QueueHead;
using broker::ReceivedMessage;
using core::Error;
using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;
using records::IntakeCounts;
using records::IntakeRun;
using records::IntakeState;
using records::IntakeStep;

namespace {

constexpr qsizetype pageEntries = 1000; // of one run, whose page is written with each step
constexpr qsizetype mostPages = 50;
// After so long without a removal it counts as written to the disk of RabbitMQ, which promises nothing. Killed at once, 3.10.8
// and 4.3.6 (one node) brought back all of 2,000; 3 s later none. Not measured under load.
constexpr core::Milliseconds writtenAfter{10000};
constexpr int failuresInARow = 8;

bool mayBeTriedAgain(ErrorKind kind)
{
    return kind == ErrorKind::UnknownOutcome || kind == ErrorKind::Transient || kind == ErrorKind::Throttled
           || kind == ErrorKind::Corrupt;
}

QSet<QString> digestsOf(const QStringList &page)
{
    QSet<QString> digests;
    for (const QString &entry : page)
        digests.insert(entry.section(QLatin1Char(' '), 0, 0));
    return digests;
}

// As many as one step removes: half of what it reads, so that all that it can remove is stored, also if somebody else removes
// some at that moment.
qsizetype wantedOf(const QueueHead &head, const std::optional<qint64> &asked)
{
    const qsizetype shown = head.messages.size();
    const qsizetype most = head.count > shown ? std::max<qsizetype>(1, shown / 2) : shown;
    return std::min<qint64>({most, qint64(records::stepMessages), asked.value_or(records::stepMessages)});
}

} // namespace

SteppedIntake::SteppedIntake(const records::Connection &connection, broker::Broker &broker, store::Store &store,
                             core::Clock &clock, core::Random &random, IntakeRunRepository &runs, Host host)
    : m_connection(connection)
    , m_taker(dynamic_cast<broker::StepTaker *>(&broker))
    , m_store(store)
    , m_clock(clock)
    , m_random(random)
    , m_runs(runs)
    , m_host(std::move(host))
    , m_timers(clock)
    , m_since(clock.steady())
{
}

Task<Result<bool>> SteppedIntake::take(IntakeRun run, Order order, IntakeCounts &counts)
{
    Taking now;
    now.run = std::move(run);
    bool sawEmpty = false;
    Result<> going;
    if (m_taker == nullptr)
        going = fail(ErrorKind::Refused, Text::tr("Messages of %1 cannot be taken in small steps.").arg(order.queue));
    else
        going = co_await awaitLook(order.queue); // what it holds is nobody else's
    if (going)
        going = co_await m_taker->admitSteps(order.queue);
    while (going && !sawEmpty && (!now.run.asked || *now.run.asked > 0)) {
        going = m_host.mayGoOn();
        if (!going || (order.wanted && !order.wanted()))
            break;
        const Result<Step> step = co_await takeStep(now, counts);
        if (!step)
            going = fail(step.error());
        else
            sawEmpty = *step == Step::Empty;
        if (order.progress)
            order.progress(counts);
        if (going && !sawEmpty && order.pause)
            co_await order.pause();
    }
    const bool isStopped = !going && going.error().kind == ErrorKind::Cancelled;
    const Result<> ended = end(now, sawEmpty, isStopped);
    if (!going)
        co_return fail(going.error());
    if (!ended)
        co_return fail(ended.error());
    co_return sawEmpty;
}

Task<Result<SteppedIntake::Step>> SteppedIntake::takeStep(Taking &now, IntakeCounts &counts)
{
    const QString queue = now.run.sourceQueue;
    const bool isPause = now.earlier.size() >= mostPages;
    if (isPause)
        CO_TRY(co_await letThemBeWritten(queue));
    CO_TRY(const QueueHead head, co_await look(queue, 2 * qsizetype(records::stepMessages)));
    CO_TRY(noteRuns(now, head.runs)); // none are earlier any more, if a node restarted meanwhile
    if (isPause)
        CO_TRY(closeEarlier(now));
    if (!head.refusal.isEmpty())
        co_return fail(ErrorKind::Refused, head.refusal);
    if (head.messages.isEmpty())
        co_return Result<Step>(Step::Empty);
    CO_TRY(const QList<ReceivedMessage> noted, noteStep(now, head));
    const Result<QueueHead> answer = co_await m_taker->removeHead(queue, int(now.step.wanted));
    m_touched.insert(queue, m_clock.steady());
    if (answer) {
        now.failures = 0;
        CO_TRY(co_await keepAnswer(now, noted, *answer, counts));
        co_return Result<Step>(Step::GoOn);
    }
    m_unanswered.insert(now.run.id.value, m_clock.steady());
    if (answer.error().kind == ErrorKind::Cancelled)
        co_return fail(answer.error());
    CO_TRY(co_await reconcile(now, counts));
    if (!mayBeTriedAgain(answer.error().kind) || ++now.failures == failuresInARow)
        co_return fail(answer.error());
    co_return Result<Step>(Step::GoOn);
}

// One without an answer may still hold the first messages, so that the next would show those behind them.
Task<Result<QueueHead>> SteppedIntake::look(QString queue, qsizetype limit, int *tries)
{
    for (int failures = 0;;) {
        CO_TRY(co_await awaitLook(queue));
        if (tries != nullptr)
            ++*tries;
        Result<QueueHead> head = co_await m_taker->lookAtHead(queue, int(limit));
        if (head)
            co_return head;
        m_looks.insert(queue, m_clock.steady());
        const ErrorKind kind = head.error().kind;
        if (!mayBeTriedAgain(kind) || kind == ErrorKind::Corrupt || ++failures == failuresInARow)
            co_return head;
        const Result<> admitted = co_await m_taker->admitSteps(queue);
        if (!admitted && admitted.error().kind != ErrorKind::Refused) // refused: perhaps because of what the look holds
            co_return head;
    }
}

Task<Result<>> SteppedIntake::awaitLook(QString queue)
{
    const auto since = m_looks.constFind(queue);
    if (since == m_looks.constEnd())
        co_return Result<>();
    CO_TRY(co_await awaitLate(queue, *since,
                              Text::tr("A look without an answer may still hold messages of %1.").arg(queue)));
    m_looks.remove(queue);
    co_return Result<>();
}

// From here on a crash leaves copies of all that the request can remove.
Result<QList<ReceivedMessage>> SteppedIntake::noteStep(Taking &now, const QueueHead &head)
{
    QList<ReceivedMessage> noted = head.messages;
    const QString part = m_random.hexId();
    for (qsizetype i = 0; i < noted.size(); ++i) {
        noted[i].settleToken.clear();
        noted[i].nativeId = QStringLiteral("%1.%2").arg(QString::number(i), part);
    }
    IntakeStep step = now.step;
    step.wanted = wantedOf(head, now.run.asked);
    step.waiting = head.count;
    step.messages = toStepNote(noted);
    TRY(m_store.transact([&](store::Session &session) { return session.intakes().setStep(now.run.id, step); }));
    now.step = step;
    return noted;
}

Task<Result<>> SteppedIntake::keepAnswer(Taking &now, QList<ReceivedMessage> noted, QueueHead answer,
                                         IntakeCounts &counts)
{
    StepAnswer matched = matchedAnswer(noted, answer.messages);
    const bool isAlone =
        matched.others.isEmpty() && answer.count >= now.step.waiting && answer.messages.size() == now.step.wanted;
    const QString part = m_random.hexId();
    for (qsizetype i = 0; i < matched.others.size(); ++i) {
        matched.others[i].settleToken.clear();
        matched.others[i].nativeId = QStringLiteral("%1.%2").arg(QString::number(i), part);
    }
    if (!matched.others.isEmpty()) // perhaps brought back by a restart
        now.doubtful += digestsOf(now.removed);
    const QString queue = now.run.sourceQueue;
    CO_TRY(commit(now, matched.known + matched.others, false, counts));
    if (isAlone)
        co_return Result<>();
    const QString before = now.step.nodes;
    CO_TRY(const QueueHead head, co_await look(queue, 1));
    CO_TRY(noteRuns(now, head.runs));
    if (!m_taker->areSameRuns(before, head.runs))
        co_return Result<>();
    co_return fail(othersTook(now));
}

// What is not there any more, although it was at the head, was removed by the request without an answer.
Task<Result<>> SteppedIntake::reconcile(Taking &now, IntakeCounts &counts)
{
    const QString queue = now.run.sourceQueue;
    CO_TRY(co_await awaitLate(queue, m_unanswered.value(now.run.id.value, m_since),
                              Text::tr("A request without an answer may still remove messages of %1.").arg(queue)));
    CO_TRY(const QList<ReceivedMessage> noted, messagesFromStepNote(now.step.messages));
    const bool isFirst = !isLookedAt(now.step.messages);
    if (isFirst)
        CO_TRY(noteLook(now, noted));
    int tries = 0;
    Result<QueueHead> head = co_await look(queue, noted.size() + records::stepMessages, &tries);
    if (!head && head.error().kind != ErrorKind::Cancelled) {
        const Result<> admitted = co_await m_taker->admitSteps(queue);
        if (!admitted && admitted.error().kind == ErrorKind::NotFound) // nothing can be compared any more
            head = QueueHead{{}, 0, {}, admitted.error().message};
    }
    if (!head)
        co_return fail(head.error());
    const bool sameRuns = m_taker->areSameRuns(now.step.nodes, head->runs);
    const bool knowsReturned = sameRuns && isFirst && tries == 1 && head->isReadOnce;
    StepRest rest = restOfStep(noted, head->messages, {now.step.wanted, now.step.waiting, head->count, knowsReturned});
    rest.isOurs = rest.isOurs && sameRuns && head->refusal.isEmpty();
    m_unanswered.remove(now.run.id.value);
    if (!rest.gone.isEmpty()) // perhaps only just now
        m_touched.insert(queue, m_clock.steady());
    if (rest.gone.isEmpty())
        CO_TRY(clearNote(now));
    else
        CO_TRY(commit(now, rest.gone, !rest.isOurs, counts));
    note(now, Text::tr("No answer while messages were taken in small steps"),
         rest.isOurs
             ? Text::tr("%1 messages were taken all the same").arg(rest.gone.size())
             : Text::tr("%1 messages are or may be gone from the queue, perhaps taken by others: possible duplicates")
                   .arg(rest.gone.size()));
    if (!head->runs.isEmpty())
        CO_TRY(noteRuns(now, head->runs));
    if (rest.othersTook && sameRuns)
        co_return fail(othersTook(now));
    co_return Result<>();
}

// From here on, what was shown before the look is known only to it.
Result<> SteppedIntake::noteLook(Taking &now, const QList<ReceivedMessage> &noted)
{
    IntakeStep step = now.step;
    step.messages = toStepNote(noted, true);
    TRY(m_store.transact([&](store::Session &session) { return session.intakes().setStep(now.run.id, step); }));
    now.step = step;
    return {};
}

// The request of this process, or of one that died, may still arrive, and would remove or hold what nobody has stored.
Task<Result<>> SteppedIntake::awaitLate(QString queue, core::SteadyTime since, QString why)
{
    const core::Milliseconds left = since + core::limits::lateRequests - m_clock.steady();
    if (left <= core::Milliseconds{0})
        co_return Result<>();
    const Result<> slept = co_await sleep(queue, left, why);
    co_return slept;
}

Task<Result<>> SteppedIntake::sleep(QString queue, core::Milliseconds time, QString why)
{
    m_host.waiting(queue, why);
    const core::Pending<Result<>> sleeping = m_timers.sleep(time);
    const Result<> slept = co_await sleeping;
    m_host.waiting(queue, {});
    co_return slept;
}

// isDoubtful: others may have these messages, too.
Result<> SteppedIntake::commit(Taking &now, const QList<ReceivedMessage> &messages, bool isDoubtful,
                               IntakeCounts &counts)
{
    Seen seen;
    for (const ReceivedMessage &message : messages) {
        const QString digest = contentDigest(message.envelope);
        if (isDoubtful || now.doubtful.contains(digest))
            seen.doubtful.append(digest + QLatin1Char(' '));
    }
    PageOrigin origin{m_connection.id, m_connection.kind, m_store.storeId(), now.run.sourceQueue, false, m_clock.now()};
    origin.connectionName = m_connection.name;
    TRY(origin.conventions, conventionsOf(m_store));
    PageWriter writer(origin, messages, seen);
    IntakeRun next = now.run;
    next.page += writer.page();
    if (next.asked)
        next.asked = std::max<qint64>(0, *next.asked - writer.freshlyTaken());
    const IntakeStep step{now.step.nodes, 0, 0, {}};
    TRY(const IntakeCounts stored, commitPage(m_store, writer, [&](store::Session &session) -> Result<> {
            TRY(session.intakes().update(next));
            return session.intakes().setStep(next.id, step);
        }));
    counts += stored;
    now.run = next;
    now.step = step;
    now.removed += writer.page();
    return now.run.page.size() < pageEntries ? Result<>() : beginPage(now, now.step.nodes);
}

Result<> SteppedIntake::clearNote(Taking &now)
{
    const IntakeStep step{now.step.nodes, 0, 0, {}};
    TRY(m_store.transact([&](store::Session &session) { return session.intakes().setStep(now.run.id, step); }));
    now.step = step;
    return {};
}

// ---- what a restart of the broker may bring back ----

Result<> SteppedIntake::noteRuns(Taking &now, const QString &runs)
{
    if (now.step.nodes.isEmpty()) {
        now.step.nodes = runs;
        return recall(now);
    }
    if (m_taker->areSameRuns(now.step.nodes, runs)) {
        if (!m_taker->areSameRuns(runs, now.step.nodes)) // a node that did not tell its run yet: watched from now on
            now.step.nodes = runs;
        return {};
    }
    note(now, Text::tr("RabbitMQ restarted while messages were taken in small steps"),
         Text::tr("Messages that were taken may be there again: those are possible duplicates"));
    now.doubtful += digestsOf(now.removed);
    now.removed.clear();
    now.earlier.clear();
    return beginPage(now, runs);
}

// Of earlier intakes of this queue. What they removed long enough ago cannot come back.
Result<> SteppedIntake::recall(Taking &now)
{
    const core::SteadyTime touched = m_touched.value(now.run.sourceQueue, m_since);
    const bool isWritten = m_clock.steady() - touched >= writtenAfter;
    TRY(const QList<IntakeRun> open, m_runs.open(now.run.sourceQueue));
    for (IntakeRun run : open) {
        if (run.id == now.run.id || run.state != IntakeState::Interrupted)
            continue;
        TRY(const std::optional<IntakeStep> step, stepOf(run.id));
        const bool sameRuns = step && m_taker->areSameRuns(step->nodes, now.step.nodes);
        if (!sameRuns) {
            now.doubtful += digestsOf(run.page);
        } else if (isWritten) {
            run.state = IntakeState::Done;
            TRY(m_runs.save(run));
        } else {
            now.removed += run.page;
            now.earlier.append(run);
        }
    }
    return {};
}

// A new run for the next page; the one before keeps its own.
Result<> SteppedIntake::beginPage(Taking &now, const QString &runs)
{
    IntakeRun before = now.run;
    before.state = before.page.isEmpty() ? IntakeState::Done : IntakeState::Interrupted;
    TRY(IntakeRun next, m_runs.begin(before.sourceQueue, before.asked, &before, false));
    const IntakeStep step{runs, 0, 0, {}};
    TRY(m_store.transact([&](store::Session &session) { return session.intakes().setStep(next.id, step); }));
    if (before.state == IntakeState::Interrupted && m_taker->areSameRuns(now.step.nodes, runs))
        now.earlier.append(before);
    now.run = next;
    now.step = step;
    return {};
}

Task<Result<>> SteppedIntake::letThemBeWritten(QString queue)
{
    const Result<> slept = co_await sleep(queue, writtenAfter,
                                          Text::tr("RabbitMQ writes to its disk what was removed from %1.").arg(queue));
    co_return slept;
}

// No node restarted since their messages were removed, and that was written meanwhile.
Result<> SteppedIntake::closeEarlier(Taking &now)
{
    for (IntakeRun run : std::as_const(now.earlier)) {
        run.state = IntakeState::Done;
        TRY(m_runs.save(run));
    }
    now.earlier.clear();
    now.removed = now.run.page;
    return {};
}

// ---- the end of a run ----

Task<Result<>> SteppedIntake::settle(IntakeRun run, IntakeCounts &counts)
{
    CO_TRY(const std::optional<IntakeStep> step, stepOf(run.id));
    if (!m_looks.contains(run.sourceQueue)) // of the process that died
        m_looks.insert(run.sourceQueue, m_since);
    Taking now;
    now.run = run;
    now.run.asked = 0;
    now.step = step.value_or(IntakeStep{});
    Result<> settled;
    if (!now.step.messages.isEmpty() && m_taker != nullptr) {
        now.removed = now.run.page;
        settled = co_await reconcile(now, counts);
    }
    const Result<> ended = end(now, false, false);
    if (!settled)
        co_return settled;
    co_return ended;
}

// goesOn: the next start takes what is left. A run of whose request nobody knows the outcome stays open.
Result<> SteppedIntake::end(Taking &now, bool sawEmpty, bool goesOn)
{
    if (goesOn)
        return {};
    now.run.asked = 0;
    if (now.step.messages.isEmpty())
        now.run.state = now.run.page.isEmpty() ? IntakeState::Done : IntakeState::Interrupted;
    TRY(m_runs.save(now.run));
    if (!sawEmpty)
        return {};
    // All that a restart brought back was taken again.
    TRY(const QList<IntakeRun> open, m_runs.open(now.run.sourceQueue));
    for (IntakeRun run : open) {
        TRY(const std::optional<IntakeStep> step, stepOf(run.id));
        const bool sameRuns = step && m_taker->areSameRuns(step->nodes, now.step.nodes);
        if (run.state != IntakeState::Interrupted || sameRuns)
            continue;
        run.state = IntakeState::Done;
        TRY(m_runs.save(run));
    }
    return {};
}

Result<std::optional<IntakeStep>> SteppedIntake::stepOf(core::IntakeRunId run) const
{
    return m_store.read<std::optional<IntakeStep>>(
        [&](store::Session &session) { return session.intakes().step(run); });
}

Error SteppedIntake::othersTook(const Taking &now) const
{
    return Error{
        ErrorKind::Refused,
        Text::tr("Somebody else took or returned messages of %1 while they were taken in small steps, so Redrive "
                 "stopped. What it took is stored. Stop whoever uses the queue, then take again.")
            .arg(now.run.sourceQueue),
        {},
        {}};
}

void SteppedIntake::note(const Taking &now, const QString &what, const QString &result) const
{
    Order order;
    order.queue = now.run.sourceQueue;
    m_host.note(order, what, result, records::Severity::Warning);
}

} // namespace intake
