#include "backend/broker/rabbitmq/rabbitmq.h"

#include "backend/broker/rabbitmq/bindings.h"
#include "backend/broker/rabbitmq/consumercounts.h"
#include "backend/broker/rabbitmq/holding/holding.h"
#include "backend/broker/rabbitmq/holding/pagereader.h"
#include "backend/broker/rabbitmq/holding/queuehead.h"
#include "backend/broker/rabbitmq/nodeload.h"
#include "backend/broker/rabbitmq/prober.h"
#include "backend/broker/rabbitmq/publisher.h"
#include "backend/broker/rabbitmq/staging/queuemoves.h"
#include "backend/broker/rabbitmq/staging/stagingplaces.h"
#include "backend/broker/rabbitmq/staging/topology.h"
#include "backend/broker/rabbitmq/staging/waiting.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/limits.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>

#include <algorithm>

namespace broker {

using core::ErrorKind;
using core::fail;
using namespace rabbitmq;

struct RabbitMq::Private
{
    Private(http::HttpClient &httpClient, core::Clock &clock, core::Random &random, Settings settings)
        : client(httpClient)
        , api(httpClient, clock, std::move(settings))
        , timers(clock)
        , queues(api)
        , shovels(api, timers)
        , holding(api, shovels, clock, timers, random)
        , head(api, clock, timers)
        , staging(api, shovels, clock, timers)
        , publisher(api)
        , moves(api, shovels, clock, random)
    {
    }

    http::HttpClient &client;
    ManagementApi api;
    core::Timers timers;
    OwnedQueues queues;
    Shovels shovels;
    Holding holding;
    HeadOfQueue head;
    StagingPlaces staging;
    Publisher publisher;
    QueueMoves moves;
    bool canStage = false;
    bool isProbed = false;
    bool mayMonitor = false; // has the user tag, as far as the last probe knows
    QCborArray consumers; // of the virtual host, as of consumersAt
    std::optional<core::TimePoint> consumersAt{};
    QString loadObstacle; // as of the last listing
};

namespace {

constexpr core::Milliseconds consumersKept{60000};

// Judged by its own arguments, because the other queues of its place may not exist yet, or not any more. A shovel whose
// start arrived late makes its source queue again, plain; only staging queues are such a source.
bool isStaging(const LiveQueue &queue)
{
    return queue.arguments.contains(QLatin1String("x-dead-letter-routing-key")) || !OwnedQueues::isOurs(queue);
}

// The header is only true of messages that were returned to this queue: a dead letter brings the one of its queue.
qint64 mostDeliveries(const QList<ReceivedMessage> &messages)
{
    qint64 most = 0;
    for (const ReceivedMessage &message : messages) {
        const QCborValue *count = records::find(message.envelope.headers, u"x-delivery-count");
        if (message.wasReturned && count != nullptr)
            most = std::max(most, core::integerOf(*count));
    }
    return most;
}

QString needsMonitoring()
{
    return rabbitmq::Text::tr("Only an account with the user tag \"monitoring\" may read how much RabbitMQ has to do.");
}

// The right is often missing on a queue of ours, which the person does not know, so the message names the source queue.
core::Error notTaken(core::Error error, const QString &queue)
{
    if (error.kind == ErrorKind::Unauthorized)
        error.message = rabbitmq::Text::tr("Nothing can be taken from %1: %2").arg(queue, error.message);
    return error;
}

} // namespace

RabbitMq::RabbitMq(http::HttpClient &client, core::Clock &clock, core::Random &random, Settings settings)
    : d(std::make_unique<Private>(client, clock, random, std::move(settings)))
{
}

RabbitMq::~RabbitMq() = default;

Task<Result<Capabilities>> RabbitMq::probe()
{
    Prober prober(d->api);
    const Result<Capabilities> found = co_await prober.probe();
    if (!found) // an error changes nothing: copies may be on their way into a staging queue
        co_return found;
    d->canStage = found->canTake
                  && !found->takesInSteps; // what is possible, whatever is chosen now: a place may exist from before
    d->isProbed = true;
    d->mayMonitor = prober.mayMonitor();
    co_return found;
}

Task<Result<Listing>> RabbitMq::queues()
{
    Result<> whole = co_await d->queues.everyQueueIsListed();
    if (!whole && whole.error().kind == ErrorKind::Cancelled)
        co_return fail(whole.error());
    CO_TRY(const QList<LiveQueue> live, co_await d->api.liveQueues({}));
    if (whole) // a node may have gone between the two
        whole = co_await d->queues.everyQueueIsListed();
    const QString what = rabbitmq::Text::tr("the policies");
    const Result<QCborValue> policies = co_await d->api.list("/policies/" + d->api.vhost(), what);
    // Without the right to read policies only the queue arguments are known.
    if (!policies && policies.error().kind != ErrorKind::Unauthorized)
        co_return fail(policies.error());
    CO_TRY(const QCborValue bindings, co_await d->api.list("/bindings/" + d->api.vhost(), what));
    const Result<QCborArray> operators = co_await policiesAt(d->api, "/operator-policies/");
    if (!operators && operators.error().kind != ErrorKind::Unauthorized)
        co_return fail(operators.error());
    Definitions definitions;
    definitions.queues = live;
    definitions.policies = policies ? policies->toArray() : QCborArray();
    definitions.operatorPolicies = operators ? *operators : QCborArray();
    definitions.knowsPolicies = policies && operators;
    definitions.bindings = bindings.toArray();
    definitions.deliveryRules = d->api.deliveryRules();
    Listing listing;
    listing.complete = whole.has_value(); // a list without the queues of a node that is down looks like any other
    listing.queues = describe(definitions, d->api.settings().errorQueues);
    const bool isOffer = std::any_of(listing.queues.cbegin(), listing.queues.cend(),
                                     [](const QueueInfo &queue) { return queue.role == QueueRole::Candidate; });
    if (isOffer) {
        CO_TRY(definitions.consumers, co_await consumers());
        addDeadLetterTargets(definitions, &listing.queues);
    }
    CO_TRY(co_await addConsumerCounts(d->api, &listing.queues));
    CO_TRY(co_await noteLoad());
    co_return listing;
}

// Asked at most once a minute, because the list is long and only says something to people. Nothing: this account sees
// only its own consumers, or the list cannot be read.
Task<Result<std::optional<QCborArray>>> RabbitMq::consumers()
{
    const std::optional<QCborArray> unknown;
    if (!d->canStage) // it may lack the tag "monitoring"
        co_return unknown;
    const core::TimePoint now = d->api.now();
    if (!d->consumersAt || now < *d->consumersAt || now - *d->consumersAt > consumersKept) {
        const Result<QCborValue> list =
            co_await d->api.list("/consumers/" + d->api.vhost(), rabbitmq::Text::tr("the consumers"));
        if (!list && list.error().kind == ErrorKind::Cancelled)
            co_return fail(list.error());
        if (!list)
            co_return unknown;
        d->consumers = list->toArray();
        d->consumersAt = now;
    }
    const std::optional<QCborArray> known = d->consumers;
    co_return known;
}

Task<Result<ReceivedPage>> RabbitMq::take(TakeRequest request)
{
    const QString queue = request.queue;
    Result<ReceivedPage> page = co_await d->holding.take(std::move(request));
    if (!page)
        co_return fail(notTaken(page.error(), queue));
    CO_TRY(page->messages, co_await withOrigins(d->api, queue, page->messages));
    co_return page;
}

Task<Result<PrefetchResult>> RabbitMq::prefetch(TakeRequest request)
{
    const QString queue = request.queue;
    const Result<PrefetchResult> held = co_await d->holding.prefetch(std::move(request));
    if (!held)
        co_return fail(notTaken(held.error(), queue));
    co_return held;
}

Task<Result<>> RabbitMq::release(TakeRequest request, ReceivedPage page)
{
    const Result<> released = co_await d->holding.release(std::move(request), std::move(page));
    co_return released;
}

namespace {

// A look returns what it shows.
QString lookDelays(const QString &queue, const rabbitmq::DelayedRetry &delay)
{
    return rabbitmq::Text::tr(
               "Browsing %1 would hold its messages back for up to %2 s: its delayed-retry setting makes "
               "messages wait that a look returns. Take them instead, or set delayed-retry-type to failed.")
        .arg(queue, QString::number(delay.most.count() / 1000));
}

} // namespace

Task<Result<ReceivedPage>> RabbitMq::browse(QString queue, int limit, LookRisk risk)
{
    CO_TRY(const LiveQueue live, co_await d->queues.live(queue));
    if (const QString refusal = refusalOf(live); !refusal.isEmpty())
        co_return fail(ErrorKind::Refused, refusal);
    PageOrder order{queue, limit, limit, core::limits::intakePageBytes, QStringLiteral("browse"), false, {}, {}};
    CO_TRY(const ReturnRules rules, co_await returnRulesNow(d->api, live));
    if (rules.delay && rules.delay->afterLooks)
        co_return fail(ErrorKind::Refused, lookDelays(queue, *rules.delay));
    const std::optional<records::DeliveryLimit> &counted = rules.limit;
    if (counted) // a look that fails counts also where looks are free, so only one is tried
        order.risk = [risk, counted] { return risk ? risk(*counted) : Result<>(); };
    CO_TRY(const QList<ReceivedMessage> read, co_await readPage(d->api, order));
    ReceivedPage page;
    CO_TRY(page.messages, co_await withOrigins(d->api, queue, read));
    page.more = !page.messages.isEmpty() && page.messages.last().settleToken.toLongLong() > 0;
    page.deliveries = mostDeliveries(page.messages);
    co_return page;
}

Task<QList<SendOutcome>> RabbitMq::send(QList<Outgoing> messages)
{
    const Result<> calm = co_await d->queues.noAlarm();
    if (!calm) {
        const SendOutcome later{Verdict::NotSent, calm.error()};
        co_return QList<SendOutcome>(messages.size(), later);
    }
    QList<SendOutcome> outcomes = co_await d->publisher.publish(QStringLiteral("amq.default"), messages);
    // A queue whose node is down takes nothing either.
    QHash<QString, core::Error> unproved;
    for (qsizetype i = 0; i < outcomes.size(); ++i) {
        const bool isFull = outcomes.at(i).verdict == Verdict::Full; // so answers version 4
        const bool isMissing =
            outcomes.at(i).verdict == Verdict::NoSuchDestination && outcomes.at(i).error.kind == ErrorKind::NotFound;
        if (!isFull && !isMissing)
            continue;
        const QString destination = messages.at(i).destination;
        if (!unproved.contains(destination)) {
            const Result<LiveQueue> queue = co_await d->queues.live(destination);
            const QString moment = rabbitmq::Text::tr("Queue %1 took no copies for a moment.").arg(destination);
            const core::Error here = isFull ? outcomes.at(i).error : core::Error{ErrorKind::Transient, moment, {}, {}};
            unproved.insert(destination, queue ? here : queue.error());
        }
        if (unproved.value(destination).kind != ErrorKind::NotFound)
            outcomes[i] = {Verdict::Full, unproved.value(destination)};
    }
    co_return outcomes;
}

Task<Result<LoadReading>> RabbitMq::load()
{
    Result<LoadReading> reading = co_await readLoad(d->api);
    co_return reading;
}

Task<Result<>> RabbitMq::noteLoad()
{
    const auto keep = [this](const QString &obstacle) {
        d->loadObstacle = obstacle;
        return Result<>();
    };
    if (d->isProbed && !d->mayMonitor)
        co_return keep(needsMonitoring()); // each call would only be refused
    const Result<LoadReading> told = co_await readLoad(d->api);
    if (!told && told.error().kind == ErrorKind::Cancelled)
        co_return fail(told.error());
    const bool isForbidden = !told && told.error().kind == ErrorKind::Unauthorized;
    co_return keep(isForbidden ? needsMonitoring() : told ? QString() : told.error().message);
}

QString RabbitMq::loadObstacle() const
{
    return d->loadObstacle;
}

core::Milliseconds RabbitMq::busy() const
{
    return d->api.busy();
}

StagingQueue *RabbitMq::stagingQueue()
{
    return d->canStage ? &d->staging : nullptr;
}

Task<Result<QList<Leftover>>> RabbitMq::leftovers()
{
    CO_TRY(const QList<LiveQueue> live, co_await d->api.liveQueues(ourPrefix));
    QList<Leftover> found;
    for (const LiveQueue &queue : live) {
        const std::optional<OurName> name = ourNameFrom(queue.name);
        if (!name)
            continue;
        Leftover leftover;
        leftover.name = name->part.isEmpty() ? queue.name : name->place;
        leftover.storeId = name->storeId;
        leftover.depth = queue.messages.value_or(0);
        if (name->part == QLatin1String("unroutable"))
            leftover.kind = Leftover::Kind::Unroutable;
        else if (name->part == QLatin1String("dead"))
            leftover.kind = Leftover::Kind::DeadLetter;
        else
            leftover.kind = isStaging(queue) ? Leftover::Kind::Staging : Leftover::Kind::Holding;
        found.append(std::move(leftover));
    }
    co_return found;
}

Task<Result<MoveOffer>> RabbitMq::moveOffer(QString queue)
{
    const Result<MoveOffer> offer = co_await d->moves.offer(std::move(queue), d->canStage || !d->isProbed);
    co_return offer;
}

Task<Result<>> RabbitMq::beginMove(MoveOrder order)
{
    const Result<> begun = co_await d->moves.begin(std::move(order));
    co_return begun;
}

Task<Result<qint64>> RabbitMq::cancelMove(QString handle)
{
    const Result<qint64> moved = co_await d->moves.cancel(std::move(handle));
    co_return moved;
}

Task<Result<Routes>> RabbitMq::routesOf(QString exchange, QStringList keys)
{
    const Result<Routes> routes = co_await rabbitmq::routesOf(d->api, std::move(exchange), std::move(keys));
    co_return routes;
}

Task<Result<>> RabbitMq::admitSteps(QString queue)
{
    const Result<> admitted = co_await d->head.admit(queue);
    co_return admitted;
}

Task<Result<QueueHead>> RabbitMq::lookAtHead(QString queue, int limit)
{
    Result<QueueHead> head = co_await d->head.look(queue, limit);
    if (!head)
        co_return head;
    CO_TRY(head->messages, co_await withOrigins(d->api, queue, head->messages));
    co_return head;
}

Task<Result<QueueHead>> RabbitMq::removeHead(QString queue, int count)
{
    const Result<QueueHead> removed = co_await d->head.remove(std::move(queue), count);
    co_return removed;
}

bool RabbitMq::areSameRuns(const QString &then, const QString &now) const
{
    return HeadOfQueue::areSameRuns(then, now);
}

void RabbitMq::cancelAll()
{
    d->timers.cancelAll();
    d->client.cancelAll();
}

} // namespace broker
