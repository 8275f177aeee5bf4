#include "backend/broker/rabbitmq/staging/stagingplaces.h"

#include "backend/broker/rabbitmq/holding/pagereader.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/staging/whenall.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/time/laterequests.h"
#include "backend/records/messages/stamp.h"

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

StagingPlaces::StagingPlaces(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Timers &timers)
    : m_api(api)
    , m_clock(clock)
    , m_timers(timers)
    , m_queues(api)
    , m_returnExchange(api)
    , m_policies(api)
    , m_quotas(api)
    , m_shovels(shovels)
    , m_publisher(api)
{
}

Task<Result<>> StagingPlaces::open(StagingPlace place)
{
    const PlaceNames names(place.name);
    std::vector<Task<Result<>>> looks;
    const QStringList ours{names.staging, names.dead, names.unroutable};
    looks.push_back(m_policies.guard(ours));
    looks.push_back(m_quotas.roomFor(ours));
    looks.push_back(m_queues.noAlarm());
    CO_TRY(co_await whenAll(std::move(looks)));
    // Creates the queues first: leftovers() finds a place that a crash left half made by its queues.
    const QCborMap arguments{{QStringLiteral("x-dead-letter-exchange"), QString()},
                             {QStringLiteral("x-dead-letter-routing-key"), names.dead}};
    std::vector<Task<Result<>>> queues;
    queues.push_back(m_queues.declareQueue(names.dead, {}));
    queues.push_back(m_queues.declareQueue(names.unroutable, {}));
    queues.push_back(m_queues.declareQueue(names.staging, arguments));
    CO_TRY(co_await whenAll(std::move(queues)));
    const Result<> open = co_await openEntrance(names, 0);
    co_return open;
}

Task<QList<SendOutcome>> StagingPlaces::stage(StagingPlace place, QList<Outgoing> copies)
{
    const Result<> calm = co_await m_queues.noAlarm();
    if (!calm) {
        const SendOutcome later{Verdict::NotSent, calm.error()};
        co_return QList<SendOutcome>(copies.size(), later);
    }
    const QString entrance = PlaceNames(place.name).entrance(place.entrance);
    QList<SendOutcome> outcomes = co_await m_publisher.publish(entrance, std::move(copies));
    for (SendOutcome &outcome : outcomes) {
        if (outcome.verdict == Verdict::Full)
            outcome.error.message =
                Text::tr("The staging queue %1 takes no more messages at the moment.").arg(place.name);
        if (outcome.verdict != Verdict::NoSuchDestination)
            continue;
        // "Not routed" by the fanout says nothing about the destination: the staging queue itself is gone. A copy that
        // was not published because of the name of its destination is rejected for good.
        const bool unrouted = outcome.error.kind == ErrorKind::NotFound;
        outcome.verdict = unrouted ? Verdict::NotSent : Verdict::Rejected;
        if (unrouted)
            outcome.error.message = Text::tr("The staging queue %1 no longer exists.").arg(place.name);
    }
    co_return outcomes;
}

// A late copy arrives either before its entrance is closed, and is in the list, or after that, and reaches no queue: an
// exchange that is gone routes nothing, and no other gets its name.
Task<Result<QStringList>> StagingPlaces::reconcile(StagingPlace place)
{
    const PlaceNames names(place.name);
    const QString entrance = names.entrance(place.entrance);
    CO_TRY(co_await m_queues.removeExchange(entrance));
    const Result<bool> gone = co_await m_queues.isExchangeGone(entrance); // proves it, whoever answered the removal
    if (!gone)
        co_return fail(gone.error());
    if (!*gone)
        co_return fail(ErrorKind::Transient,
                       Text::tr("The exchange %1 still exists after its deletion.").arg(entrance));
    // A dead-lettered copy must not count as one that never arrived: it would be sent a second time.
    CO_TRY(const qint64 dead, co_await m_queues.count(names.dead));
    if (dead > 0)
        co_return fail(ErrorKind::Conflict,
                       Text::tr("Copies in the staging queue %1 were dead-lettered.").arg(names.staging));
    Result<QStringList> held = co_await idsIn(place);
    if (!held)
        co_return held;
    CO_TRY(co_await openEntrance(names, place.entrance + 1));
    co_return held;
}

Task<Result<QStringList>> StagingPlaces::idsIn(StagingPlace place)
{
    CO_TRY(const qint64 count, co_await depth(place));
    QStringList ids;
    if (count == 0)
        co_return ids;
    const WholeOrder order{place.name, count, place.name, PlaceNames(place.name).laterEntrances()};
    CO_TRY(const QCborArray items, co_await readWhole(m_api, order));
    for (const QCborValue &item : items) {
        const ReceivedMessage held = heldFrom(item.toMap());
        const std::optional<records::Stamp> stamp = records::stampOf(held.envelope.headers);
        if (!stamp)
            co_return fail(ErrorKind::Conflict,
                           Text::tr("The staging queue %1 holds a message that Redrive did not send.").arg(place.name));
        ids.append(stamp->uniqueId);
    }
    co_return ids;
}

Task<Result<>> StagingPlaces::openEntrance(PlaceNames names, int number)
{
    const Result<> opened = co_await m_queues.declareEntrance(names.entrance(number), names.staging);
    co_return opened;
}

// Only the process that created the entrances knows how many there were. Redrive 0.1.0 had two more exchanges for each place.
Task<Result<>> StagingPlaces::removeExchanges(PlaceNames names)
{
    CO_TRY(const QStringList found, co_await m_queues.exchangesUnder(names.staging));
    std::vector<Task<Result<>>> removals;
    for (const QString &exchange : found)
        removals.push_back(m_queues.removeExchange(exchange));
    const Result<> closed = co_await whenAll(std::move(removals));
    co_return closed;
}

Task<Result<qint64>> StagingPlaces::depth(StagingPlace place)
{
    CO_TRY(const LiveQueue queue, co_await m_queues.live(place.name));
    if (!OwnedQueues::isOurs(queue))
        co_return fail(ErrorKind::NotFound,
                       Text::tr("Another program deleted and recreated the staging queue %1.").arg(place.name));
    if (!queue.messages)
        co_return fail(ErrorKind::Transient,
                       Text::tr("RabbitMQ does not report the message count of %1 yet.").arg(place.name));
    co_return *queue.messages;
}

Task<Result<QList<Unreachable>>> StagingPlaces::openWays(StagingPlace place)
{
    const PlaceNames names(place.name);
    const Result<QList<Unreachable>> opened = co_await m_returnExchange.prepare(names, place.destinations);
    co_return opened;
}

// The mark says from before the first request whether a shovel may have sent anything.
Task<Result<bool>> StagingPlaces::withdraw(ForwardRequest request)
{
    const std::optional<ForwardMark> mark = ForwardMark::from(request.mark, request.place.name);
    if (mark && mark->mayHaveForwarded())
        co_return false;
    if (mark && mark->lateStartPossible) { // by a request without an answer
        const core::Pending<Result<>> late = m_timers.sleep(core::limits::lateRequests);
        CO_TRY(co_await late);
        CO_TRY(const QStringList defined, co_await m_shovels.under(request.place.name));
        CO_TRY(const auto workers, co_await m_shovels.statesUnder(request.place.name));
        if (!defined.isEmpty() || !workers.isEmpty())
            co_return false;
    }
    if (mark && mark->copies >= 0) {
        // A shovel that does not count as a try, because nobody saw it work, may have moved some, and so may one that
        // started late and has ended. An end marker without an answer may have come late, and adds one. Gone: an earlier
        // call removed it.
        const Result<qint64> left = co_await depth(request.place);
        if (!left && left.error().kind != ErrorKind::NotFound)
            co_return fail(left.error());
        if (left && *left < mark->copies)
            co_return false;
    }
    CO_TRY(co_await discard(request.place));
    co_return true;
}

Task<Result<ForwardReport>> StagingPlaces::forward(ForwardRequest request, ForwardHooks hooks)
{
    Forwarder forwarder(m_api, m_shovels, m_clock, m_timers, std::move(request), std::move(hooks));
    Result<ForwardReport> report = co_await forwarder.run();
    co_return report;
}

Task<Result<>> StagingPlaces::discard(StagingPlace place)
{
    const PlaceNames names(place.name);
    CO_TRY(co_await m_shovels.takeDownUnder(names.staging));
    CO_TRY(co_await removeExchanges(names));
    std::vector<Task<Result<>>> waste;
    for (const QString &name : {names.unroutable, names.dead})
        waste.push_back(m_queues.removeQueue(name));
    CO_TRY(co_await whenAll(std::move(waste)));
    // Removes the staging queue last: while it exists, leftovers() finds the place and discard can be called again.
    const Result<> removed = co_await m_queues.removeQueue(names.staging);
    co_return removed;
}

} // namespace broker::rabbitmq
