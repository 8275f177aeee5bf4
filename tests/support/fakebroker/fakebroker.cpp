#include "tests/support/fakebroker/fakebroker.h"

#include <array>

namespace support {

using broker::SendOutcome;
using broker::Verdict;
using core::Error;
using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;

FakeBroker::FakeBroker(core::Clock &clock, core::Random &random, broker::Capabilities capabilities)
    : m_clock(clock)
    , m_random(random)
    , m_capabilities(std::move(capabilities))
    , m_timers(std::make_unique<core::Timers>(clock))
{
}

FakeBroker::~FakeBroker() = default;

void FakeBroker::addQueue(const QString &name)
{
    m_queues.insert(name, {});
}

void FakeBroker::put(const QString &queue, const records::Envelope &envelope)
{
    m_queues[queue].append({QString::number(++m_lastNative), envelope});
}

bool FakeBroker::isQuiet() const
{
    return m_held.isEmpty() && m_places.empty() && m_late == 0 && heldBack == 0;
}

QStringList FakeBroker::places() const
{
    QStringList names;
    for (const auto &entry : m_places)
        names.append(entry.first);
    return names;
}

void FakeBroker::restart()
{
    ++m_boot;
    for (auto &[name, place] : m_places) {
        // The acknowledgements were not on disk yet. A shovel that had ended has removed itself: nobody forwards again.
        place.copies = std::exchange(place.forwarded, {}) + place.copies;
        if (std::exchange(place.shovel, false))
            pump(name);
    }
}

void FakeBroker::vanish(const QString &place)
{
    m_places.erase(place);
}

QStringList FakeBroker::heldNames() const
{
    QStringList names = m_held.keys();
    names.sort();
    return names;
}

QList<records::Envelope> FakeBroker::dropHeld(const QString &name)
{
    QList<records::Envelope> gone;
    for (const Stored &stored : m_held.take(name))
        gone.append(stored.envelope);
    return gone;
}

Task<Result<>> FakeBroker::trip()
{
    const int mine = ++calls;
    const Result<> travelled =
        co_await m_timers->sleep(core::Milliseconds{1 + qint64(m_random.below(quint64(slowest.count())))});
    if (!travelled)
        co_return travelled;
    if (mine == failCall)
        m_withdrawn = failWithdraws;
    if (mine == failCall || chance(m_faults.transient) || (network > 0 && chance(network)))
        co_return fail(ErrorKind::Transient, QStringLiteral("The broker did not answer."));
    if (chance(m_faults.throttled)) {
        Error wait{ErrorKind::Throttled, QStringLiteral("The broker asks for less."), {}, throttledFor};
        co_return fail(std::move(wait));
    }
    co_return {};
}

Result<> FakeBroker::answered()
{
    if (network > 0 && chance(network))
        return fail(ErrorKind::Transient, QStringLiteral("The answer of the broker was lost."));
    return {};
}

FakeBroker::SendFate FakeBroker::networkFate()
{
    if (network == 0 || !chance(network))
        return SendFate::Arrives;
    constexpr std::array fates{SendFate::LostBefore, SendFate::LostAfter, SendFate::Late};
    return fates.at(m_random.below(fates.size()));
}

void FakeBroker::later(const std::function<void()> &arrive, core::Milliseconds atMost)
{
    if (keepLate)
        return keepLate(arrive);
    ++m_late;
    m_clock.after(core::Milliseconds{1 + qint64(m_random.below(quint64(atMost.count())))}, [this, arrive] {
        --m_late;
        arrive();
    });
}

Task<Result<broker::Capabilities>> FakeBroker::probe()
{
    ++probes;
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    if (noLogin)
        co_return fail(*noLogin);
    m_withdrawn = false;
    const broker::Capabilities can = m_capabilities; // a member would be moved out
    co_return can;
}

Task<Result<broker::Listing>> FakeBroker::queues()
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    broker::Listing listing;
    listing.complete = !onlyNamed;
    QStringList names = onlyNamed.value_or(m_queues.keys());
    names.sort();
    for (const QString &name : std::as_const(names)) {
        broker::QueueInfo info;
        info.name = name;
        info.depth = countsLag ? 0 : m_queues.value(name).size();
        info.depthIsExact = !countsLag;
        info.limits = limits.value(name);
        info.stagingRefusal = stagingRefusals.value(name);
        listing.queues.append(info);
    }
    for (auto it = m_held.constBegin(); it != m_held.constEnd(); ++it) {
        broker::QueueInfo info;
        info.name = it.key();
        info.role = broker::QueueRole::Ours;
        info.depth = it->size();
        listing.queues.append(info);
    }
    co_return listing;
}

void FakeBroker::fill(const broker::TakeRequest &request)
{
    QList<Stored> &source = m_queues[request.queue];
    const qsizetype count = std::min<qsizetype>(request.limit, source.size());
    if (count == 0 || !m_held.value(request.holdingName).isEmpty())
        return;
    m_held.insert(request.holdingName, source.first(count));
    source.remove(0, count);
}

Task<Result<broker::PrefetchResult>> FakeBroker::prefetch(broker::TakeRequest request)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    if (depthOf(request.queue) == 0)
        co_return broker::PrefetchResult::Nothing;
    fill(request);
    const Result<> back = co_await trip();
    if (!back)
        co_return fail(back.error());
    co_return depthOf(request.queue) == 0 ? broker::PrefetchResult::AllThereWas : broker::PrefetchResult::Part;
}

Task<Result<broker::ReceivedPage>> FakeBroker::take(broker::TakeRequest request)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    if (unreadable.contains(request.queue))
        co_return fail(ErrorKind::Corrupt, QStringLiteral("A message came without a receipt."));
    if (!request.onlyHeld)
        fill(request);
    broker::ReceivedPage page;
    for (const Stored &stored : m_held.value(request.holdingName)) {
        broker::ReceivedMessage held;
        held.nativeId = stored.nativeId;
        held.envelope = stored.envelope;
        page.messages.append(held);
    }
    page.more = depthOf(request.queue) > 0;
    co_return page;
}

Task<Result<>> FakeBroker::release(broker::TakeRequest request, broker::ReceivedPage)
{
    const Result<> there = co_await trip();
    if (there)
        m_held.remove(request.holdingName);
    co_return there;
}

Task<Result<broker::ReceivedPage>> FakeBroker::browse(QString queue, int limit, broker::LookRisk)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    broker::ReceivedPage page;
    for (const Stored &stored : m_queues.value(queue).mid(0, limit)) {
        broker::ReceivedMessage held;
        held.nativeId = stored.nativeId;
        held.envelope = stored.envelope;
        page.messages.append(held);
    }
    co_return page;
}

SendOutcome FakeBroker::outcomeOf(const broker::Outgoing &copy, SendFate fate, const Effect &effect)
{
    const auto lost = [] {
        return SendOutcome{Verdict::Unknown, Error{ErrorKind::UnknownOutcome, QStringLiteral("No answer."), {}, {}}};
    };
    if (poison.contains(copy.uniqueId))
        return {Verdict::Rejected, Error{ErrorKind::Rejected, QStringLiteral("400: it cannot be accepted."), {}, {}}};
    if (tooLarge.contains(copy.uniqueId))
        return {Verdict::TooLarge, Error{ErrorKind::Rejected, QStringLiteral("413: too large."), {}, {}}};
    constexpr core::Milliseconds latest{30000};
    if (fate == SendFate::Late)
        later([effect] { static_cast<void>(effect(true)); }, latest);
    if (fate == SendFate::Late || fate == SendFate::LostBefore || chance(m_faults.lostBefore))
        return lost();
    if (chance(m_faults.throttled))
        return {Verdict::NotSent, Error{ErrorKind::Throttled, QStringLiteral("429: too many requests."), {}, {}}};
    if (chance(m_faults.nacked))
        return {Verdict::NotSent, Error{ErrorKind::Transient, QStringLiteral("The queue did not take it."), {}, {}}};
    if (!effect(false)) {
        return {Verdict::NoSuchDestination,
                Error{ErrorKind::NotFound, QStringLiteral("Queue %1 does not exist.").arg(copy.destination), {}, {}}};
    }
    if (fate == SendFate::LostAfter || chance(m_faults.lostAfter))
        return lost();
    return {Verdict::Accepted, {}};
}

bool FakeBroker::deliver(const broker::Outgoing &copy, bool late)
{
    if (!m_queues.contains(copy.destination))
        return false;
    if (copy.deliverAt && *copy.deliverAt > m_clock.now()) {
        broker::Outgoing due = copy;
        due.deliverAt.reset();
        ++heldBack;
        m_clock.after(*copy.deliverAt - m_clock.now(), [this, due, late] {
            --heldBack;
            static_cast<void>(deliver(due, late));
        });
        return true;
    }
    put(copy.destination, copy.envelope);
    if (delivered)
        delivered({copy.destination, copy.envelope, late});
    return true;
}

// What a program sent last outlives it: the next one is at work already when it arrives.
bool FakeBroker::comesLate(const core::Result<> &trip)
{
    const bool cutOff = !trip && trip.error().kind == ErrorKind::Cancelled;
    return cutOff && chance(m_faults.late);
}

Task<QList<SendOutcome>> FakeBroker::send(QList<broker::Outgoing> messages)
{
    const bool early = chance(500); // whether what is cut off on the way had arrived
    QList<SendOutcome> outcomes;
    const auto act = [&] {
        for (const broker::Outgoing &message : std::as_const(messages)) {
            const QString words = QStringLiteral("Queue %1 refuses, full.").arg(message.destination);
            const bool refused = full.contains(message.destination);
            refusedSends += refused ? 1 : 0;
            if (refused)
                outcomes.append({Verdict::Full, Error{ErrorKind::Throttled, words, {}, {}}});
            else
                outcomes.append(outcomeOf(message, networkFate(), [this, message](bool late) {
                    return !full.contains(message.destination) && deliver(message, late);
                }));
        }
    };
    if (early)
        act();
    const Result<> there = co_await trip();
    if (!there && there.error().kind == ErrorKind::Cancelled) {
        outcomes.fill({Verdict::Unknown, there.error()}, messages.size());
        if (!early && comesLate(there)) {
            const auto arrive = [this, messages] {
                for (const broker::Outgoing &message : messages) {
                    if (!full.contains(message.destination) && !poison.contains(message.uniqueId))
                        (void)deliver(message, true);
                }
            };
            later(arrive, lateAtMost);
        }
        co_return outcomes;
    }
    if (early)
        co_return outcomes;
    if (!there) {
        outcomes.fill({Verdict::NotSent, there.error()}, messages.size());
        co_return outcomes;
    }
    act();
    co_return outcomes;
}

core::Task<core::Result<broker::LoadReading>> FakeBroker::load()
{
    ++measurements;
    core::Result<broker::LoadReading> told = core::fail(core::ErrorKind::Transient, QStringLiteral("not counted"));
    if (reading)
        told = *reading;
    co_return told;
}

broker::StagingQueue *FakeBroker::stagingQueue()
{
    const bool offered = m_capabilities.handOver == records::HandOver::StagingQueue && !m_withdrawn;
    return offered ? this : nullptr;
}

Task<Result<QList<broker::Leftover>>> FakeBroker::leftovers()
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    QList<broker::Leftover> all;
    for (const auto &[name, place] : m_places) {
        broker::Leftover leftover;
        leftover.kind = broker::Leftover::Kind::Staging;
        leftover.name = name;
        leftover.storeId = name.section(u'.', 1, 1);
        leftover.depth = place.copies.size();
        all.append(leftover);
    }
    for (auto it = m_held.constBegin(); it != m_held.constEnd(); ++it) {
        broker::Leftover leftover;
        leftover.kind = broker::Leftover::Kind::Holding;
        leftover.name = it.key();
        leftover.depth = it->size();
        all.append(leftover);
    }
    co_return all;
}

void FakeBroker::cancelAll()
{
    m_timers->cancelAll();
    m_timers = std::make_unique<core::Timers>(m_clock);
}

} // namespace support
