#include "backend/localbroker/http/restapi.h"

#include "backend/localbroker/http/wire.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace localbroker {

using namespace std::chrono_literals;
using core::Milliseconds;

namespace {

constexpr Milliseconds commitInterval{2};
constexpr int largestPage = 1000;

HttpAnswer atom(int status, const QByteArray &xml, const char *type)
{
    return HttpAnswer{
        status, {{"Content-Type", QByteArray("application/atom+xml;type=") + type + ";charset=utf-8"}}, xml};
}

int number(const HttpRequest &request, const QString &name, int fallback, int most)
{
    QString value = request.query.queryItemValue(name, QUrl::FullyDecoded);
    if (value.isEmpty()) // QUrlQuery does not decode "%24top"
        value = request.query.queryItemValue(QLatin1String("%24") + name.mid(1), QUrl::FullyDecoded);
    bool ok = false;
    const int result = value.toInt(&ok);
    return ok ? std::clamp(result, 0, most) : fallback;
}

} // namespace

RestApi::RestApi(core::Clock &clock, QueueEngine &engine, Journal &journal, Keys keys)
    : m_clock(clock)
    , m_engine(engine)
    , m_keys(std::move(keys))
    , m_commit(clock, engine, journal, commitInterval)
    , m_waiters(clock, engine)
{
    watchTime();
}

RestApi::~RestApi()
{
    *m_alive = false;
    m_clock.cancel(m_tick);
}

void RestApi::handle(Call call)
{
    const QByteArray scope = call.request.header("Host") + QByteArray::fromPercentEncoding(call.request.path);
    const Route route = routeOf(call.request.verb, call.request.path);
    const QString refusal =
        checkSas(call.request.header("Authorization"), scope, m_keys, m_clock.now(), claimOf(route.action));
    if (!refusal.isEmpty()) {
        call.answer(errorAnswer(401, refusal));
        return;
    }
    act(route, call);
    serveArrivals();
    m_commit.soon();
    watchTime();
}

void RestApi::act(const Route &route, const Call &call)
{
    switch (route.action) {
    case Route::Action::Unknown:
        call.answer(errorAnswer(405, QStringLiteral("This broker does not support this request.")));
        break;
    case Route::Action::Namespace:
        call.answer(atom(200, call.request.path.size() > 1 ? namespaceEntry() : emptyFeed(), "entry"));
        break;
    case Route::Action::ListQueues:
        list({QStringLiteral("Queues"), QStringLiteral("$Resources/Queues")}, EntityKind::Queue, {}, call);
        break;
    case Route::Action::ListTopics:
        list({QStringLiteral("Topics"), QStringLiteral("$Resources/Topics")}, EntityKind::Topic, {}, call);
        break;
    case Route::Action::ListSubscriptions:
        listSubscriptions(route, call);
        break;
    case Route::Action::ListRules:
        listRules(route, call);
        break;
    case Route::Action::Info:
        info(call);
        break;
    case Route::Action::GetQueue:
        getQueue(route, call);
        break;
    case Route::Action::PutQueue:
        putQueue(route, call);
        break;
    case Route::Action::DeleteQueue:
        deleteQueue(route, call);
        break;
    case Route::Action::Send:
        send(route, call);
        break;
    case Route::Action::SendDeadLetters:
        sendDeadLetters(route, call);
        break;
    case Route::Action::PeekLock:
        receive(route, call, false);
        break;
    case Route::Action::ReceiveAndDelete:
        receive(route, call, true);
        break;
    case Route::Action::Complete:
    case Route::Action::Abandon:
    case Route::Action::DeadLetter:
    case Route::Action::Defer:
        settle(route, call);
        break;
    case Route::Action::Renew:
        renew(route, call);
        break;
    case Route::Action::Browse:
        browse(route, call);
        break;
    case Route::Action::ReceiveDeferred:
        receiveDeferred(route, call);
        break;
    }
}

void RestApi::info(const Call &call)
{
    const QJsonObject info{{QLatin1String("product"), QLatin1String("Redrive broker " REDRIVE_VERSION)},
                           {QLatin1String("extensions"),
                            QJsonArray{QLatin1String("browse"), QLatin1String("deadletter"), QLatin1String("defer"),
                                       QLatin1String("batch"), QLatin1String("senddeadletter")}},
                           {QLatin1String("batchBytes"), m_engine.limits().batchBytes},
                           {QLatin1String("messageBytes"), m_engine.limits().messageBytes}};
    call.answer({200, {{"Content-Type", "application/json"}}, QJsonDocument(info).toJson(QJsonDocument::Compact)});
}

// Serves receivers of entities that got messages from topics or by forwarding.
void RestApi::serveArrivals()
{
    for (QList<Place> places = m_engine.takeArrivals(); !places.isEmpty(); places = m_engine.takeArrivals()) {
        for (const Place &place : std::as_const(places))
            m_waiters.serve(place);
    }
}

void RestApi::send(const Route &route, const Call &call)
{
    Outcome<QList<Draft>> drafts = draftsOf(call.request);
    const qsizetype count = drafts ? drafts->size() : 0;
    const Outcome<> sent = drafts ? m_engine.send(route.place, std::move(*drafts)) : tl::unexpected(drafts.error());
    if (!sent) {
        call.answer(errorAnswer(sent.error()));
        return;
    }
    answerWhenDurable(call, {201, {{"Content-Type", "application/xml; charset=utf-8"}}, {}}, turnOf(count));
    m_waiters.serve(route.place);
}

void RestApi::sendDeadLetters(const Route &route, const Call &call)
{
    Outcome<QList<Draft>> drafts = draftsOf(call.request);
    const qsizetype count = drafts ? drafts->size() : 0;
    const Outcome<> sent = drafts ? m_engine.sendDeadLetters(route.place.queue, deadLettersOf(std::move(*drafts)))
                                  : tl::unexpected(drafts.error());
    if (!sent) {
        call.answer(errorAnswer(sent.error()));
        return;
    }
    answerWhenDurable(call, {201, {{"Content-Type", "application/xml; charset=utf-8"}}, {}}, turnOf(count));
    m_waiters.serve({route.place.queue, true});
}

Milliseconds RestApi::turnOf(qsizetype messages)
{
    const core::TimePoint now = m_clock.now();
    m_sendsBusyUntil = std::max(m_sendsBusyUntil, now) + m_sendPace * messages;
    return m_sendsBusyUntil - now;
}

void RestApi::receive(const Route &route, const Call &call, bool andDelete)
{
    const Outcome<std::optional<Delivery>> taken =
        andDelete ? m_engine.receiveAndDelete(route.place) : m_engine.peekLock(route.place);
    if (!taken) {
        call.answer(errorAnswer(taken.error()));
        return;
    }
    if (*taken) {
        deliver(route, call, **taken, andDelete);
        return;
    }
    const Milliseconds timeout = std::chrono::seconds{number(call.request, QStringLiteral("timeout"), 0, 120)};
    if (timeout.count() == 0) {
        call.answer({204, {}, {}});
        return;
    }
    m_waiters.add(route.place, timeout,
                  {andDelete, call.isThere, [this, route, call, andDelete](const std::optional<Delivery> &delivery) {
                       if (delivery)
                           deliver(route, call, *delivery, andDelete);
                       else
                           call.answer({204, {}, {}});
                   }});
}

void RestApi::deliver(const Route &route, const Call &call, const Delivery &delivery, bool andDelete)
{
    if (andDelete) {
        answerWhenDurable(call, answerOf(delivery, 200, {}));
        return;
    }
    // With the Host header of the client: Microsoft's azure-sb gets the path for settling by removing the host that it
    // knows.
    const QByteArray location =
        "http://" + call.request.header("Host") + lockPath(route.place, delivery.message.sequence, delivery.lockToken);
    call.answer(answerOf(delivery, 201, location));
    m_commit.soon();
    watchTime();
}

void RestApi::settle(const Route &route, const Call &call)
{
    Outcome<> settled;
    switch (route.action) {
    case Route::Action::Complete:
        settled = m_engine.complete(route.place, route.sequence, route.lockToken);
        break;
    case Route::Action::Abandon:
        settled = m_engine.abandon(route.place, route.sequence, route.lockToken);
        break;
    case Route::Action::Defer:
        settled = m_engine.defer(route.place, route.sequence, route.lockToken);
        break;
    default: {
        const QJsonObject why = QJsonDocument::fromJson(call.request.body).object();
        settled = m_engine.deadLetter(route.place, route.sequence, route.lockToken,
                                      why.value(QLatin1String("reason")).toString(),
                                      why.value(QLatin1String("description")).toString());
        break;
    }
    }
    if (!settled) {
        call.answer(errorAnswer(settled.error()));
        return;
    }
    answerWhenDurable(call, {200, {}, {}});
    m_waiters.serve(route.place);
    if (!route.place.deadLetter)
        m_waiters.serve({route.place.queue, true});
}

void RestApi::renew(const Route &route, const Call &call)
{
    const Outcome<core::TimePoint> renewed = m_engine.renew(route.place, route.sequence, route.lockToken);
    call.answer(renewed ? HttpAnswer{200, {}, {}} : errorAnswer(renewed.error()));
}

void RestApi::receiveDeferred(const Route &route, const Call &call)
{
    const Outcome<Delivery> taken = m_engine.receiveDeferred(route.place, route.sequence);
    if (taken)
        deliver(route, call, *taken, false);
    else
        call.answer(errorAnswer(taken.error()));
}

void RestApi::browse(const Route &route, const Call &call)
{
    const qint64 from = call.request.query.queryItemValue(QStringLiteral("from")).toLongLong();
    const int top = std::max(1, number(call.request, QStringLiteral("top"), 100, largestPage));
    const Outcome<QList<Message>> page = m_engine.browse(route.place, from, top);
    call.answer(page ? HttpAnswer{200, {{"Content-Type", "application/json"}}, browsePage(*page)}
                     : errorAnswer(page.error()));
}

void RestApi::list(FeedPage page, EntityKind kind, const QString &topic, const Call &call)
{
    page.skip = number(call.request, QStringLiteral("$skip"), 0, 1000000);
    page.top = std::max(1, number(call.request, QStringLiteral("$top"), 100, 100));
    page.entities = m_engine.entities(kind, topic, page.skip, page.top + 1);
    page.hasMore = page.entities.size() > page.top;
    if (page.hasMore)
        page.entities.removeLast();
    call.answer(atom(200, entityFeed(page, call.request.header("Host")), "feed"));
}

void RestApi::listSubscriptions(const Route &route, const Call &call)
{
    const std::optional<QueueState> topic = m_engine.queue(route.place.queue);
    if (!topic || topic->settings.kind != EntityKind::Topic) {
        call.answer(errorAnswer(404, QStringLiteral("The topic %1 does not exist.").arg(route.place.queue)));
        return;
    }
    const QString &name = topic->settings.name;
    list({QStringLiteral("Subscriptions"), pathOfSubscription(name, {})}, EntityKind::Subscription, name, call);
}

void RestApi::listRules(const Route &route, const Call &call)
{
    const std::optional<QueueState> subscription = m_engine.queue(route.place.queue);
    if (subscription)
        call.answer(atom(200, onlyRule(subscription->settings.name, call.request.header("Host")), "feed"));
    else
        call.answer(errorAnswer(404, QStringLiteral("The subscription %1 does not exist.").arg(route.place.queue)));
}

void RestApi::getQueue(const Route &route, const Call &call)
{
    const std::optional<QueueState> queue = m_engine.queue(route.place.queue);
    if (queue && !route.place.deadLetter)
        call.answer(atom(200, queueEntry(*queue, call.request.header("Host")), "entry"));
    else if (subscriptionPath(route.place.queue))
        call.answer({404, {}, {}});
    else
        call.answer(atom(200, emptyFeed(), "feed"));
}

void RestApi::putQueue(const Route &route, const Call &call)
{
    if (route.place.deadLetter) {
        call.answer(errorAnswer(400, QStringLiteral("A dead-letter queue cannot be created.")));
        return;
    }
    const Outcome<QueueSettings> settings = settingsFromEntry(route.place.queue, call.request.body);
    const bool isUpdate = call.request.hasHeader("If-Match");
    Outcome<> done = settings ? (isUpdate ? m_engine.updateQueue(*settings) : m_engine.createQueue(*settings))
                              : Outcome<>(tl::unexpected(settings.error()));
    if (!done) {
        call.answer(done.error().kind == Refusal::Kind::NoQueue ? errorAnswer(404, done.error().text)
                                                                : errorAnswer(done.error()));
        return;
    }
    const QueueState state = *m_engine.queue(route.place.queue);
    answerWhenDurable(call, atom(isUpdate ? 200 : 201, queueEntry(state, call.request.header("Host")), "entry"));
}

void RestApi::deleteQueue(const Route &route, const Call &call)
{
    const Outcome<> done =
        route.place.deadLetter
            ? Outcome<>(refuse(Refusal::Kind::NotAllowed, QStringLiteral("A dead-letter queue cannot be deleted.")))
            : m_engine.deleteQueue(route.place.queue);
    if (done)
        answerWhenDurable(call, {200, {}, {}});
    else if (done.error().kind == Refusal::Kind::NoQueue)
        call.answer(errorAnswer(404, QStringLiteral("No service is hosted at the specified address.")));
    else
        call.answer(errorAnswer(done.error()));
}

void RestApi::answerWhenDurable(const Call &call, HttpAnswer good, Milliseconds delay)
{
    m_commit.whenDurable([this, call, good = std::move(good), delay](const core::Result<> &written) {
        const HttpAnswer answer = written ? good : errorAnswer(500, written.error().message);
        if (delay.count() == 0) {
            call.answer(answer);
            return;
        }
        m_clock.after(delay, [alive = m_alive, call, answer] {
            if (*alive)
                call.answer(answer);
        });
    });
}

void RestApi::watchTime()
{
    const std::optional<core::TimePoint> next = m_engine.nextEvent();
    if (!next || (m_tickAt && *m_tickAt <= *next))
        return;
    m_clock.cancel(m_tick);
    m_tickAt = next;
    m_tick = m_clock.after(std::clamp(*next - m_clock.now(), Milliseconds{1}, Milliseconds{60000}), [this] {
        m_tickAt.reset();
        m_tick = 0;
        m_waiters.touchAll(); // before idle queues are deleted
        if (m_engine.tick())
            m_waiters.serveAll();
        serveArrivals();
        m_commit.soon();
        watchTime();
    });
}

} // namespace localbroker
