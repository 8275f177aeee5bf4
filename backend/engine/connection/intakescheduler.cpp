#include "backend/engine/connection/intakescheduler.h"

#include "backend/api/starter.h"
#include "backend/core/text/counttext.h"
#include "backend/engine/text.h"

#include <algorithm>

namespace engine {

namespace {

// Of a round, for one subscribed queue that does not become empty.
constexpr core::Milliseconds longestShare = std::chrono::seconds(10);

qint64 messagesOf(const records::IntakeCounts &counts)
{
    return counts.taken;
}

qint64 messagesOf(const records::BrowseCounts &counts)
{
    return counts.seen;
}

// Adds up the results of several queues and keeps the result of each, so that one failed queue hides nothing of the
// others. The result is an error, the first one, only when every queue failed or the intake was stopped.
template<typename Counts>
class Gathered final
{
public:
    // False: it was stopped; ask no further queue.
    [[nodiscard]] bool add(const QString &queue, const core::Result<Counts> &one)
    {
        records::QueueResult result;
        result.queue = queue;
        if (one) {
            m_sum += *one;
            m_given = true;
            result.messages = messagesOf(*one);
            result.fresh = one->fresh;
        } else {
            m_stopped = one.error().kind == core::ErrorKind::Cancelled;
            if (!m_first)
                m_first = one.error();
            result.refused = one.error().kind;
            result.reason = one.error().message;
        }
        m_queues.append(result);
        return !m_stopped;
    }
    [[nodiscard]] const Counts &sum() const { return m_sum; }
    [[nodiscard]] core::Result<Counts> result() const
    {
        if (m_first && (m_stopped || !m_given))
            return core::fail(*m_first);
        Counts all = m_sum;
        if (m_queues.size() > 1)
            all.queues = m_queues;
        return all;
    }

private:
    Counts m_sum;
    QList<records::QueueResult> m_queues;
    std::optional<core::Error> m_first;
    bool m_given = false;
    bool m_stopped = false;
};

// If the disk space is unknown, the disk counts as empty: the store reports by itself when it is full.
double freeShareOf(const EngineDependencies &dependencies)
{
    const std::optional<DiskSpace> disk = dependencies.disk ? dependencies.disk() : std::nullopt;
    return disk && disk->total > 0 ? double(disk->free) / double(disk->total) : 1.0;
}

core::Error stoppedError()
{
    return core::Error{core::ErrorKind::Cancelled, Text::tr("Taking messages was stopped."), {}, {}};
}

core::Error heldError()
{
    return core::Error{core::ErrorKind::Conflict,
                       Text::tr("A release or a move is using this queue. Try again when it is done."),
                       {},
                       {}};
}

core::Error followedError(const QString &queue)
{
    const QString text = Text::tr("The queue %1 is subscribed: Redrive takes its messages, so there is nothing to "
                                  "browse. Unsubscribe it first, in the menu of the queue or with redrive intake "
                                  "--unsubscribe --queue %1.");
    return core::Error{core::ErrorKind::Refused, text.arg(queue), {}, {}};
}

} // namespace

IntakeScheduler::IntakeScheduler(EngineDependencies &dependencies, const records::Connection &connection,
                                 broker::BrokerState &brokerState, std::function<void()> changed)
    : m_brokerState(brokerState)
    , m_intake(connection, brokerState, dependencies.store, dependencies.clock, dependencies.random,
               [&dependencies] { return freeShareOf(dependencies); })
    , m_browser(connection, brokerState, dependencies.store, dependencies.clock,
                [&dependencies] { return freeShareOf(dependencies); })
    , m_subscription(connection.id, dependencies.store, dependencies.clock, dependencies.random,
                     [this](QString queue) { return takeFollowedOne(std::move(queue)); })
    , m_changed(std::move(changed))
    , m_goesRound(dependencies.starter == api::Starter::Program)
    , m_clock(dependencies.clock)
{
    m_intake.onWaiting([this](const QString &queue, const QString &reason) { tellWaiting(queue, reason); });
}

void IntakeScheduler::tellWaiting(const QString &queue, const QString &reason)
{
    if (!reason.isEmpty())
        show(queue, Text::tr("waiting: %1").arg(reason));
    else // messages of an interrupted intake have no other caller that clears the text
        show(queue, m_intake.isTaking(queue) ? Text::tr("taking") : QString());
}

void IntakeScheduler::stop()
{
    m_stopped = true;
    m_intake.stop();
    m_browser.stop();
}

core::Result<> IntakeScheduler::know()
{
    return m_subscription.load();
}

core::Task<core::Result<>> IntakeScheduler::recover()
{
    CO_TRY(know());
    co_await m_turns.enter();
    core::Result<> done = core::fail(stoppedError());
    if (!m_stopped) {
        const core::Result<records::IntakeCounts> recovered = co_await m_intake.recover();
        done = recovered ? core::Result<>{} : core::Result<>(core::fail(recovered.error()));
    }
    m_turns.leave();
    m_changed();
    co_return done;
}

core::Task<core::Result<records::IntakeCounts>> IntakeScheduler::take(QStringList queues, std::optional<qint64> limit,
                                                                      QString who, core::LongWorkPtr work)
{
    Gathered<records::IntakeCounts> all;
    bool isCutShort = false;
    const auto goesOn = [&work, &isCutShort] {
        isCutShort = isCutShort || (work && work->isCancelled);
        return !isCutShort;
    };
    const qint64 before = work ? work->done : 0;
    if (work) {
        work->of = expected(queues, limit ? *limit + before : limit);
        work->isAbout = true;
    }
    for (qsizetype i = 0; i < queues.size(); ++i) {
        std::optional<qint64> left;
        if (limit)
            left = *limit - all.sum().taken;
        if ((left && *left <= 0) || !goesOn())
            break;
        intake::Order order;
        order.queue = queues.at(i);
        order.limit = left;
        order.who = who;
        order.wanted = goesOn;
        order.progress = [&work, &all, before](const records::IntakeCounts &counts) {
            if (work)
                work->done = before + all.sum().taken + counts.taken;
        };
        const core::Result<records::IntakeCounts> one = co_await takeOne(std::move(order), work);
        if (!all.add(queues.at(i), one))
            break;
    }
    core::Result<records::IntakeCounts> counts = all.result();
    if (counts)
        counts->isCancelled = counts->isCancelled || isCutShort;
    co_return counts;
}

records::IntakeCounts IntakeScheduler::claimRecovered(const QStringList &queues)
{
    records::IntakeCounts all;
    if (m_goesRound)
        return all;
    for (const QString &queue : queues)
        all += m_intake.claimAdopted(queue);
    return all;
}

core::Task<core::Result<records::BrowseCounts>> IntakeScheduler::browse(QStringList queues, int limit, QString who,
                                                                        bool acceptsDelivery)
{
    Gathered<records::BrowseCounts> all;
    for (qsizetype i = 0; i < queues.size(); ++i) {
        intake::BrowseOrder order{queues.at(i), limit, who, acceptsDelivery};
        const core::Result<records::BrowseCounts> one = co_await lookOne(std::move(order));
        if (!all.add(queues.at(i), one))
            break;
    }
    co_return all.result();
}

core::Task<core::Result<records::BrowseCounts>> IntakeScheduler::lookOne(intake::BrowseOrder order)
{
    const QString queue = order.queue;
    AsyncMutex &ofQueue = m_queueTurns[queue];
    co_await ofQueue.enter();
    co_await m_turns.enter();
    std::optional<core::Error> refusal = refusalOf(queue);
    if (!refusal && subscribed().contains(queue))
        refusal = followedError(queue);
    core::Result<records::BrowseCounts> counts;
    if (refusal) {
        counts = core::fail(*refusal);
    } else {
        show(queue, Text::tr("browsing"));
        counts = co_await m_browser.browse(std::move(order));
        show(queue, {});
    }
    m_turns.leave();
    ofQueue.leave();
    co_return counts;
}

core::Task<core::Result<records::IntakeCounts>> IntakeScheduler::takeSubscribed(broker::Listing listed)
{
    co_await checkAgain();
    core::Result<records::IntakeCounts> counts = co_await m_subscription.round(std::move(listed), !m_goesRound);
    m_changed(); // a queue may have begun to wait
    co_return counts;
}

core::Task<> IntakeScheduler::checkAgain()
{
    if (!m_intake.isWaitingForLate())
        co_return;
    co_await m_turns.enter();
    if (!m_stopped) {
        const core::Result<records::IntakeCounts> found = co_await m_intake.checkAgain();
        static_cast<void>(found); // the next round tries again
    }
    m_turns.leave();
}

core::Task<core::Result<intake::QueueSubscription::Share>> IntakeScheduler::takeFollowedOne(QString queue)
{
    intake::QueueSubscription::Share share;
    std::optional<core::SteadyTime> until; // counted from its first turn, which may come late
    intake::Order order;
    order.queue = queue;
    order.wanted = [&] {
        until = until.value_or(m_clock.steady() + longestShare);
        share.isAll = share.isAll && m_clock.steady() < *until;
        return share.isAll && m_subscription.isWanted(queue);
    };
    const core::Result<records::IntakeCounts> counts = co_await takeOne(std::move(order), {});
    const std::optional<core::Error> brokenOff =
        refusalOf(queue); // the queue is held now, so the round did not see all of it
    if (!counts || brokenOff)
        co_return core::fail(counts ? *brokenOff : counts.error());
    share.counts = *counts;
    co_return share;
}

core::Task<core::Result<records::IntakeCounts>> IntakeScheduler::takeOne(intake::Order order, core::LongWorkPtr work)
{
    AsyncMutex &ofQueue = m_queueTurns[order.queue];
    const core::Pending<bool> turn = ofQueue.enter();
    if (work) // the intake before it may take hours
        work->onCancel = [turn] { turn.resolve(false); };
    const bool isTurn = co_await turn;
    if (work)
        work->onCancel = {};
    if (!isTurn) {
        records::IntakeCounts none;
        none.isCancelled = true;
        co_return none;
    }
    co_await m_turns.enter();
    const core::Result<records::IntakeCounts> counts = co_await takeInTurn(std::move(order));
    m_turns.leave();
    ofQueue.leave();
    co_return counts;
}

core::Task<core::Result<records::IntakeCounts>> IntakeScheduler::takeInTurn(intake::Order order)
{
    const QString queue = order.queue;
    if (const std::optional<core::Error> refusal = refusalOf(queue))
        co_return core::fail(*refusal);
    order.wanted = [this, queue, asked = std::move(order.wanted)] {
        return !m_held.contains(queue) && (!asked || asked());
    };
    if (!order.wanted())
        co_return records::IntakeCounts{};
    order.progress = [this, queue, about = expected({queue}, order.limit),
                      told = std::move(order.progress)](const records::IntakeCounts &counts) {
        if (told)
            told(counts);
        const QString taken = core::countText(counts.taken);
        const bool fits = about && counts.taken <= *about; // otherwise more have come
        show(queue, fits ? Text::tr("taking: %1 of about %2").arg(taken, core::countText(*about))
                         : Text::tr("taking: %1 so far").arg(taken));
    };
    order.pause = [this]() -> core::Task<> {
        m_turns.leave();
        co_await m_turns.enter();
    };
    show(queue, Text::tr("taking"));
    const core::Result<records::IntakeCounts> counts = co_await m_intake.take(std::move(order));
    show(queue, {});
    co_return counts;
}

std::optional<qint64> IntakeScheduler::expected(const QStringList &queues, std::optional<qint64> limit) const
{
    const QList<broker::QueueInfo> &all = m_brokerState.listing().queues;
    qint64 messages = 0;
    for (const QString &queue : queues) {
        const auto listed = std::find_if(all.cbegin(), all.cend(),
                                         [&queue](const broker::QueueInfo &one) { return one.name == queue; });
        if (listed == all.cend() || !listed->depth)
            return std::nullopt;
        messages += *listed->depth;
    }
    return limit ? std::min(messages, *limit) : messages;
}

std::optional<core::Error> IntakeScheduler::refusalOf(const QString &queue) const
{
    if (m_stopped)
        return stoppedError();
    if (m_held.contains(queue))
        return heldError();
    return std::nullopt;
}

core::Task<> IntakeScheduler::hold(QStringList queues)
{
    m_held += queues;
    for (const QString &queue : std::as_const(queues)) {
        if (!m_intake.isTaking(queue))
            continue;
        AsyncMutex &ofQueue = m_queueTurns[queue];
        co_await ofQueue.enter();
        ofQueue.leave();
    }
}

void IntakeScheduler::letGo(const QStringList &queues)
{
    for (const QString &queue : queues)
        m_held.removeOne(queue);
}

void IntakeScheduler::show(const QString &queue, const QString &activity)
{
    if (activity.isEmpty())
        m_activity.remove(queue);
    else
        m_activity.insert(queue, activity);
    m_changed();
}

QString IntakeScheduler::activity(const QString &queue) const
{
    const QString activity = m_activity.value(queue);
    const QString reason = m_subscription.waitingReason(queue);
    if (!activity.isEmpty())
        return activity;
    return reason.isEmpty() ? QString() : Text::tr("waiting: %1").arg(reason);
}

bool IntakeScheduler::isWatched(const QString &queue) const
{
    return m_subscription.needed().contains(queue) && !subscribed().contains(queue);
}

core::Result<> IntakeScheduler::subscribe(const QString &queue, bool subscribe)
{
    const core::Result<> kept = m_subscription.setSubscribed(queue, subscribe);
    if (kept)
        m_changed();
    return kept;
}

} // namespace engine
