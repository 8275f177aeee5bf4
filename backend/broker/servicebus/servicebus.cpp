#include "backend/broker/servicebus/servicebus.h"

#include "backend/broker/servicebus/messageform.h"
#include "backend/broker/servicebus/queuefeed.h"
#include "backend/broker/servicebus/statustable.h"
#include "backend/core/httpdate.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace broker {

using core::Error;
using core::ErrorKind;

namespace {

constexpr int locksInFlight = 12;
constexpr int mostFeedPages = 1000;
constexpr int feedPage = 100;
constexpr core::Milliseconds lockFallback{30000};
const QString deadLetterSuffix = QStringLiteral("/$DeadLetterQueue");

QString say(const char *text)
{
    return QCoreApplication::translate("servicebus", text);
}

Error stopped()
{
    return Error{ErrorKind::Cancelled, say("Stopped."), {}, {}};
}

// Azure's own words: "Manage,EntityRead claims required for this operation."
bool lacksManageRight(const http::Response &answer)
{
    return answer.status == 401 && errorDetail(answer.body).contains(QLatin1String("claim"));
}

bool isDeadLetter(const QString &queue)
{
    return queue.endsWith(deadLetterSuffix, Qt::CaseInsensitive);
}

// "/q/messages/5/token" and nothing else: the path comes from an answer.
bool isLockPath(const QByteArray &path, const QString &queue)
{
    const QByteArray prefix = Endpoint::queuePath(queue, "/messages/");
    return path.size() > prefix.size() && path.first(prefix.size()).compare(prefix, Qt::CaseInsensitive) == 0
           && path.sliced(prefix.size()).count('/') == 1 && !path.contains("..");
}

} // namespace

ServiceBus::ServiceBus(http::HttpClient &client, core::Clock &clock, ServiceBusAccount account)
    : m_client(client)
    , m_endpoint(client, clock, account)
    , m_sender(m_endpoint)
    , m_errorQueues(account.errorQueues)
{
}

Task<Result<Capabilities>> ServiceBus::probe()
{
    Capabilities result;
    result.handOver = records::HandOver::Ledger;
    result.canTake = true;
    result.canBrowse = true;
    result.locks = true;
    result.sendBatch = Sender::Limits().batchMembers;
    result.sendBatchBytes = Sender::Limits().batchBytes;
    result.sendsInFlight = Sender::Limits().inFlight;
    result.product = say("Azure Service Bus");
    result.guarantee =
        say("Messages are sent one by one or in small batches and recorded before and after. A crash or a lost answer "
            "leaves at most those under way in doubt; they are listed, and nothing is lost.");
    const Result<> learned = co_await learnProduct(result);
    if (!learned)
        co_return core::fail(learned.error());
    Endpoint::Call call;
    call.path = "/$Resources/Queues?$skip=0&$top=1&api-version=2021-05";
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return core::fail(answer.error());
    const bool onlyRights = lacksManageRight(*answer);
    if (answer->status != 200 && !onlyRights)
        co_return core::fail(cannotList(*answer));
    if (onlyRights) {
        result.missing.append(say("The key has no Manage right: queues cannot be listed, and must be named."));
    } else {
        const Result<QList<FeedQueue>> feed = queuesFromAtom(answer->body);
        if (!feed) // somebody answers, but not a Service Bus
            co_return core::fail(feed.error());
    }
    if (!m_extensions)
        result.missing.append(
            say("Looking at messages takes a lock on each for a moment; others do not see them meanwhile."));
    co_return result;
}

Task<Result<>> ServiceBus::learnProduct(Capabilities &capabilities)
{
    Endpoint::Call call;
    call.path = "/$redrive/info";
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return core::fail(answer.error());
    const QJsonObject info = QJsonDocument::fromJson(answer->body).object();
    m_extensions =
        answer->status == 200 && info.value(QLatin1String("extensions")).toArray().contains(QLatin1String("browse"));
    if (!m_extensions)
        co_return Result<>();
    capabilities.product = info.value(QLatin1String("product")).toString().left(100);
    Sender::Limits limits;
    limits.batchKeepsContentType = true;
    m_sender.setLimits(limits);
    co_return Result<>();
}

Task<Result<Listing>> ServiceBus::queues()
{
    Listing listing;
    for (int page = 0; page < mostFeedPages; ++page) {
        Endpoint::Call call;
        call.path = "/$Resources/Queues?$skip=" + QByteArray::number(page * feedPage)
                    + "&$top=" + QByteArray::number(feedPage) + "&api-version=2021-05";
        const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
        if (!answer)
            co_return core::fail(answer.error());
        if (lacksManageRight(*answer))
            co_return namedQueues();
        if (answer->status != 200)
            co_return core::fail(cannotList(*answer));
        const Result<QList<FeedQueue>> feed = queuesFromAtom(answer->body);
        if (!feed)
            co_return core::fail(feed.error());
        for (const FeedQueue &queue : *feed)
            addQueue(queue, listing.queues);
        if (feed->size() < feedPage)
            break;
    }
    co_return listing;
}

Error ServiceBus::cannotList(const http::Response &answer) const
{
    return serviceBusError(answer, say("The queues of %1 cannot be listed").arg(m_endpoint.host()), m_endpoint.now());
}

// What a key without the Manage right can still reach: the queues that the connection names, without their counts.
Listing ServiceBus::namedQueues() const
{
    Listing listing;
    listing.complete = false;
    for (const QString &name : m_errorQueues) {
        QueueInfo named;
        named.name = name;
        named.role = isDeadLetter(name) ? QueueRole::DeadLetter : QueueRole::ErrorQueue;
        if (named.role == QueueRole::DeadLetter)
            named.origin = name.chopped(deadLetterSuffix.size());
        listing.queues.append(named);
    }
    return listing;
}

void ServiceBus::addQueue(const FeedQueue &queue, QList<QueueInfo> &infos)
{
    m_sender.setDuplicateDetection(queue.name, queue.duplicateDetection);
    QueueInfo work;
    work.name = queue.name;
    work.role = m_errorQueues.contains(queue.name) ? QueueRole::ErrorQueue : QueueRole::Work;
    work.depth = queue.active;
    work.depthIsExact = m_extensions; // the service itself promises nothing about its counts
    work.averageBytes = queue.messages > 0 ? queue.sizeBytes / queue.messages : 0;
    if (queue.session)
        work.refusal = say("Messages of a queue with sessions cannot be received over HTTP.");
    QueueInfo dead = work;
    dead.name = queue.name + deadLetterSuffix;
    dead.role = QueueRole::DeadLetter;
    dead.origin = queue.name;
    dead.depth = queue.deadLetter;
    infos.append(work);
    infos.append(dead);
}

Task<Result<HeldPage>> ServiceBus::take(TakeRequest request)
{
    Taking taking;
    taking.request = request;
    std::function<Task<>(size_t)> step = [this, &taking](size_t) { return takeOne(taking); };
    const size_t count = size_t(std::max(0, request.limit));
    co_await core::forEachLimited(count, locksInFlight, step);
    if (taking.held.empty() && taking.trouble)
        co_return core::fail(*taking.trouble);
    // Calls overlap, so answers do not come in the order of the queue.
    std::sort(taking.held.begin(), taking.held.end(),
              [](const Held &a, const Held &b) { return sequenceOf(a) < sequenceOf(b); });
    for (Held &held : taking.held)
        taking.page.messages.append(std::move(held));
    taking.page.trouble = taking.trouble;
    taking.page.more = !taking.drained || taking.trouble; // what the failed call read is only out of sight
    co_return taking.page;
}

Task<> ServiceBus::takeOne(Taking &taking)
{
    const TakeRequest &request = taking.request;
    const bool full = (request.byteLimit > 0 && taking.bytes >= request.byteLimit)
                      || (taking.takeUntil && m_endpoint.now() >= *taking.takeUntil);
    if (m_cancelled && !taking.trouble)
        taking.trouble = stopped();
    if (taking.drained || taking.trouble || full)
        co_return;
    Endpoint::Call call;
    call.verb = "POST";
    // The service waits this long before it says that nothing is there; 0 is known to work with the embedded broker.
    call.path =
        Endpoint::queuePath(request.queue, m_extensions ? "/messages/head?timeout=0" : "/messages/head?timeout=1");
    call.idempotent = false; // a repeated call locks another message
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer) {
        taking.trouble = answer.error();
        co_return;
    }
    if (answer->status == 204) {
        taking.drained = true;
        co_return;
    }
    if (answer->status != 201) {
        taking.trouble =
            serviceBusError(*answer, say("Messages of %1 cannot be read").arg(taking.request.queue), m_endpoint.now());
        co_return;
    }
    Result<Held> held = heldFrom(*answer, taking.request.queue);
    if (!held || !isLockPath(held->settleToken.toLatin1(), taking.request.queue)) {
        taking.trouble =
            held ? Error{ErrorKind::Corrupt, say("%1 gave a lock that cannot be used.").arg(m_endpoint.host()), {}, {}}
                 : held.error();
        co_return;
    }
    taking.bytes += held->envelope.body.size();
    core::TimePoint until = lockedUntil(*answer).value_or(m_endpoint.now() + lockFallback);
    if (const auto serverNow = core::fromHttpDate(answer->header("Date")))
        until = m_endpoint.now() + (until - *serverNow);
    m_lockDurations[taking.request.queue] = until - m_endpoint.now();
    if (!taking.takeUntil)
        taking.takeUntil = m_endpoint.now() + (until - m_endpoint.now()) / 2;
    taking.page.lockedUntil = std::min(taking.page.lockedUntil.value_or(until), until);
    taking.held.push_back(std::move(*held));
}

Task<Result<bool>> ServiceBus::settleOne(QString queue, QByteArray path, Settling how)
{
    if (!isLockPath(path, queue))
        co_return core::fail(ErrorKind::Corrupt, say("The lock of a message of %1 cannot be used.").arg(queue));
    bool repeated = false;
    for (;;) {
        Endpoint::Call call;
        call.verb = how == Settling::Complete ? "DELETE" : how == Settling::Unlock ? "PUT" : "POST";
        call.path = path;
        call.idempotent = false;
        const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
        if (!answer) {
            // Settling twice does no harm: the second call finds the lock gone.
            if (answer.error().kind != ErrorKind::UnknownOutcome || repeated)
                co_return core::fail(answer.error());
            repeated = true;
            continue;
        }
        if (answer->status >= 200 && answer->status < 300)
            co_return true;
        if (answer->status == 404 || answer->status == 409 || answer->status == 410)
            co_return repeated &&how != Settling::Renew;
        co_return core::fail(
            serviceBusError(*answer, say("A message of %1 cannot be settled").arg(queue), m_endpoint.now()));
    }
}

Task<Result<int>> ServiceBus::settleAll(QString queue, HeldPage page, Settling how)
{
    int lost = 0;
    std::optional<Error> trouble;
    std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        if (trouble)
            co_return;
        const QByteArray path = page.messages.at(qsizetype(i)).settleToken.toLatin1();
        const Result<bool> settled = co_await settleOne(queue, path, how);
        if (!settled)
            trouble = settled.error();
        else if (!*settled)
            ++lost;
    };
    const size_t count = size_t(page.messages.size());
    co_await core::forEachLimited(count, locksInFlight, step);
    if (trouble)
        co_return core::fail(*trouble);
    co_return lost;
}

Task<Result<HeldPage>> ServiceBus::renew(TakeRequest request, HeldPage page)
{
    const core::TimePoint before = m_endpoint.now();
    const Result<int> lost = co_await settleAll(request.queue, page, Settling::Renew);
    if (!lost)
        co_return core::fail(lost.error());
    if (*lost > 0)
        co_return core::fail(
            ErrorKind::NotFound,
            say("%1 locks on messages of %2 ended before they were renewed.").arg(*lost).arg(request.queue));
    const auto duration = m_lockDurations.find(request.queue);
    page.lockedUntil = before + (duration == m_lockDurations.end() ? lockFallback : duration->second);
    co_return page;
}

Task<Result<>> ServiceBus::release(TakeRequest request, HeldPage page)
{
    const Result<int> lost = co_await settleAll(request.queue, page, Settling::Complete);
    if (!lost)
        co_return core::fail(lost.error());
    if (*lost > 0) {
        co_return core::fail(
            ErrorKind::NotFound,
            say("%1 locks on messages of %2 ended before they could be removed; these will be met again.")
                .arg(*lost)
                .arg(request.queue));
    }
    co_return Result<>();
}

Task<Result<>> ServiceBus::putBack(TakeRequest request, HeldPage page)
{
    const Result<int> lost = co_await settleAll(request.queue, page, Settling::Unlock);
    if (!lost)
        co_return core::fail(lost.error());
    co_return Result<>(); // a lock that ended has put its message back itself
}

Task<Result<HeldPage>> ServiceBus::browse(QString queue, int limit)
{
    Result<HeldPage> page = HeldPage();
    if (m_extensions)
        page = co_await browseByExtension(queue, limit);
    else if (isDeadLetter(queue))
        page = co_await browseByLocks(queue, limit);
    else
        page = core::fail(
            ErrorKind::Refused,
            say("Looking into %1 over HTTP would count as a delivery of each message and could dead-letter it. "
                "Only dead-letter queues can be looked into.")
                .arg(queue));
    co_return page;
}

Task<Result<HeldPage>> ServiceBus::browseByExtension(QString queue, int limit)
{
    Endpoint::Call call;
    call.path = Endpoint::queuePath(queue, "/$redrive/browse?top=" + QByteArray::number(std::clamp(limit, 1, 1000)));
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return core::fail(answer.error());
    if (answer->status != 200)
        co_return core::fail(
            serviceBusError(*answer, say("Messages of %1 cannot be read").arg(queue), m_endpoint.now()));
    HeldPage page;
    const QJsonArray entries =
        QJsonDocument::fromJson(answer->body).object().value(QLatin1String("messages")).toArray();
    for (const QJsonValue &entry : entries)
        page.messages.append(heldFromBrowse(entry.toObject(), queue));
    page.more = page.messages.size() >= limit;
    co_return page;
}

Task<Result<HeldPage>> ServiceBus::browseByLocks(QString queue, int limit)
{
    TakeRequest request;
    request.queue = queue;
    request.limit = limit;
    Result<HeldPage> page = co_await take(request);
    if (!page)
        co_return core::fail(page.error());
    const Result<> back = co_await putBack(request, *page);
    if (!back)
        co_return core::fail(back.error());
    page->lockedUntil.reset();
    for (Held &held : page->messages)
        held.settleToken.clear();
    co_return page;
}

Task<QList<SendOutcome>> ServiceBus::send(QList<Outgoing> messages)
{
    QList<SendOutcome> outcomes = co_await m_sender.send(std::move(messages));
    co_return outcomes;
}

Task<Result<QList<Leftover>>> ServiceBus::leftovers()
{
    co_return QList<Leftover>();
}

void ServiceBus::cancelAll()
{
    m_cancelled = true;
    m_sender.cancelAll();
    m_client.cancelAll();
}

} // namespace broker
