// Staging queues of the broker in memory, and the shovels that empty them.
#include "backend/records/messages/stamp.h"
#include "tests/support/fakebroker/fakebroker.h"

namespace support {

using broker::SendOutcome;
using broker::Verdict;
using core::Error;
using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;

Task<Result<>> FakeBroker::open(broker::StagingPlace place)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return there;
    placesOpened += m_places.contains(place.name) ? 0 : 1;
    m_places[place.name];
    co_return answered();
}

Task<QList<SendOutcome>> FakeBroker::stage(broker::StagingPlace place, QList<broker::Outgoing> copies)
{
    const Result<> there = co_await trip();
    QList<SendOutcome> outcomes;
    if (!there) {
        const bool cancelled = there.error().kind == ErrorKind::Cancelled;
        outcomes.fill({cancelled ? Verdict::Unknown : Verdict::NotSent, there.error()}, copies.size());
        if (comesLate(there)) {
            const auto arrive = [this, place, copies] {
                for (const broker::Outgoing &copy : copies) {
                    if (!poison.contains(copy.uniqueId))
                        static_cast<void>(enters(place, copy)(true));
                }
            };
            later(arrive, lateAtMost);
        }
        co_return outcomes;
    }
    for (const broker::Outgoing &copy : std::as_const(copies)) {
        if (chance(m_faults.refused)) {
            outcomes.append(
                {Verdict::Rejected, Error{ErrorKind::Rejected, QStringLiteral("400: bad request."), {}, {}}});
            continue;
        }
        outcomes.append(outcomeOf(copy, fateOf ? fateOf(copy) : networkFate(), enters(place, copy)));
    }
    co_return outcomes;
}

// By its entrance, as long as that is open.
FakeBroker::Effect FakeBroker::enters(const broker::StagingPlace &place, const broker::Outgoing &copy)
{
    return [this, name = place.name, entrance = place.entrance, copy](bool late) {
        const auto found = m_places.find(name);
        const bool taken = found != m_places.end() && found->second.entrance == entrance;
        if (taken)
            found->second.copies.append(copy);
        lateCopies += late && !taken ? 1 : 0;
        return taken;
    };
}

Task<Result<QStringList>> FakeBroker::reconcile(broker::StagingPlace place)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    const auto claimEnd = m_places.find(place.name);
    if (claimEnd == m_places.end())
        co_return fail(ErrorKind::NotFound, QStringLiteral("The staging queue is gone."));
    entrancesClosed += claimEnd->second.entrance < 0 ? 0 : 1;
    claimEnd->second.entrance = -1;
    const Result<> closed = co_await trip();
    if (!closed)
        co_return fail(closed.error());
    const auto found = m_places.find(place.name);
    if (found == m_places.end())
        co_return fail(ErrorKind::NotFound, QStringLiteral("The staging queue is gone."));
    QStringList held;
    for (const broker::Outgoing &copy : std::as_const(found->second.copies))
        held.append(copy.uniqueId);
    found->second.entrance = place.entrance + 1;
    const Result<> back = co_await trip();
    if (!back)
        co_return fail(back.error());
    co_return held;
}

Task<Result<qint64>> FakeBroker::depth(broker::StagingPlace place)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    const auto found = m_places.find(place.name);
    if (found == m_places.end())
        co_return fail(ErrorKind::NotFound, QStringLiteral("The staging queue is gone."));
    co_return found->second.copies.size();
}

// The shovel: a part of the broker, which nobody on our side can stop by dying.
void FakeBroker::pump(const QString &name)
{
    const auto found = m_places.find(name);
    if (found == m_places.end() || found->second.shovel)
        return;
    found->second.shovel = true;
    found->second.hadShovel = true;
    const int boot = m_boot;
    const auto turn = std::make_shared<std::function<void()>>();
    *turn = [this, name, boot, weak = std::weak_ptr(turn)] {
        const auto place = m_places.find(name);
        if (place == m_places.end() || boot != m_boot)
            return;
        for (int i = 0; i < pumpAtOnce && !place->second.copies.isEmpty(); ++i) {
            const broker::Outgoing copy = place->second.copies.takeFirst();
            const std::optional<records::Stamp> stamp = records::stampOf(copy.envelope.headers);
            const bool refused = full.contains(copy.destination);
            if (!refused && deliver(copy)) {
                place->second.forwarded.append(copy);
                continue;
            }
            place->second.refused.append({copy.uniqueId, stamp ? stamp->stagingId : QString{},
                                          refused ? QStringLiteral("Queue %1 refuses, full.").arg(copy.destination)
                                                  : QStringLiteral("Queue %1 does not exist.").arg(copy.destination)});
        }
        if (place->second.copies.isEmpty())
            place->second.shovel = false; // it removes itself
        else if (const auto again = weak.lock())
            m_clock.after(core::Milliseconds{5}, [again] { (*again)(); });
    };
    m_clock.after(core::Milliseconds{5}, [turn] { (*turn)(); });
}

Task<Result<QList<broker::Unreachable>>> FakeBroker::openWays(broker::StagingPlace place)
{
    QList<broker::Unreachable> found;
    for (const QString &destination : std::as_const(place.destinations)) {
        if (const auto one = unreachable.constFind(destination); one != unreachable.constEnd())
            found.append({destination, *one});
    }
    co_return found;
}

Task<Result<bool>> FakeBroker::withdraw(broker::ForwardRequest request)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    const auto found = m_places.find(request.place.name);
    if (found == m_places.end() || found->second.hadShovel)
        co_return false;
    m_places.erase(found);
    co_return true;
}

Task<Result<broker::ForwardReport>> FakeBroker::forward(broker::ForwardRequest request, broker::ForwardHooks hooks)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return fail(there.error());
    if (forwardsNothing)
        co_return fail(ErrorKind::Transient, QStringLiteral("No shovel starts."));
    QString mark = request.mark;
    if (mark.isEmpty()) {
        mark = QString::number(m_boot);
        const Result<> kept = hooks.keepMark(mark);
        if (!kept)
            co_return fail(kept.error());
    }
    pump(request.place.name);
    while (true) {
        const Result<> looked = co_await trip();
        if (!looked)
            co_return fail(looked.error());
        const auto found = m_places.find(request.place.name);
        if (found == m_places.end())
            co_return fail(ErrorKind::NotFound, QStringLiteral("The staging queue is gone."));
        hooks.progress(found->second.copies.size());
        if (!found->second.copies.isEmpty()) {
            pump(request.place.name);
            continue;
        }
        broker::ForwardReport report;
        report.ejected = found->second.refused;
        report.interrupted = mark != QString::number(m_boot);
        co_return report;
    }
}

Task<Result<>> FakeBroker::discard(broker::StagingPlace place)
{
    const Result<> there = co_await trip();
    if (!there)
        co_return there;
    m_places.erase(place.name);
    co_return answered();
}

} // namespace support
