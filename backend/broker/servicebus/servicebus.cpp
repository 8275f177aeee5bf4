#include "backend/broker/servicebus/servicebus.h"

#include "backend/broker/servicebus/catalog.h"
#include "backend/broker/servicebus/describe.h"
#include "backend/broker/servicebus/errormapping.h"
#include "backend/broker/servicebus/messagemapper.h"
#include "backend/broker/servicebus/text.h"
#include "backend/broker/statuserror.h"
#include "backend/broker/verdict.h"
#include "backend/core/limits.h"
#include "backend/core/text/losslessjson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <algorithm>

namespace broker {

using core::Error;
using core::ErrorKind;

namespace {

constexpr int locksInFlight = 12;
constexpr core::Milliseconds lockFallback{30000};
constexpr qint64 longestMessage = 128LL * 1024 * 1024; // a message has up to 100 MB in the largest tier

Error stopped()
{
    return Error{ErrorKind::Cancelled, servicebus::Text::tr("The request was cancelled before it was sent."), {}, {}};
}

// Accepts "/q/messages/5/token" and nothing else, because the path comes from an answer.
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
    , m_pages(clock, {1, locksInFlight, 1, locksInFlight}, wire())
    , m_errorQueues(account.errorQueues)
{
}

LockedReceiver::Wire ServiceBus::wire()
{
    LockedReceiver::Wire wire;
    wire.receive = [this](QString queue, int, bool) { return receive(std::move(queue)); };
    wire.settle = [this](QString queue, QList<ReceivedMessage> some, Settle how) {
        return settleOne(std::move(queue), some.constFirst(), how);
    };
    wire.lockTime = [this](const QString &queue) { return lockTime(queue); };
    wire.before = [](const ReceivedMessage &a, const ReceivedMessage &b) { return sequenceOf(a) < sequenceOf(b); };
    return wire;
}

Task<Result<Capabilities>> ServiceBus::probe()
{
    Capabilities result;
    result.handOver = records::HandOver::IntentLog;
    result.canTake = true;
    result.canBrowse = true;
    result.locks = true;
    result.sendBatch = Sender::Limits().batchMembers;
    result.sendBatchBytes = Sender::Limits().batchBytes;
    result.sendsInFlight = Sender::Limits().inFlight;
    result.product = servicebus::Text::tr("Azure Service Bus");
    result.guarantee =
        servicebus::Text::tr("Redrive sends messages one by one or in small batches and records each send before and "
                             "after. After a crash or a lost answer, only the messages being sent at that moment are "
                             "in doubt: they are listed, and none is lost. The order of messages is not kept.");
    CO_TRY(co_await learnProduct(result));
    Endpoint::Call call;
    call.path = "/$Resources/Queues?$skip=0&$top=1&api-version=2021-05";
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    const bool onlyRights = lacksManageRight(answer);
    if (answer.status != 200 && !onlyRights)
        co_return core::fail(cannotList(m_endpoint, answer));
    if (onlyRights) {
        result.missing.append(servicebus::Text::tr(
            "The key has no Manage right, so queues cannot be listed: name the error queues in the connection"));
        result.missing.append(
            servicebus::Text::tr("Without that right it is unknown whether a destination detects duplicates: each "
                                 "message that is sent gets a "
                                 "new MessageId, and the old one is in the header Redrive-Original-MessageId"));
    } else {
        const Result<QList<FeedQueue>> feed = readFrom(answer, queuesFromAtom(answer.body));
        if (!feed) // another server answers, not a Service Bus
            co_return core::fail(feed.error());
    }
    if (!result.reachesDeadLetters)
        result.missing.append(servicebus::Text::tr(
            "Only the service fills dead-letter queues: what is taken from one can go to another queue, but not back"));
    if (!m_extensions)
        result.missing.append(
            servicebus::Text::tr("Browsing locks each message for a moment and hides it from other consumers"));
    co_return result;
}

Task<Result<>> ServiceBus::learnProduct(Capabilities &capabilities)
{
    Endpoint::Call call;
    call.path = "/$redrive/info";
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    const QJsonObject info = QJsonDocument::fromJson(answer.body).object();
    const QJsonArray extensions = info.value(QLatin1String("extensions")).toArray();
    m_extensions = answer.status == 200 && extensions.contains(QLatin1String("browse"));
    capabilities.reachesDeadLetters = m_extensions && extensions.contains(QLatin1String("senddeadletter"));
    m_sender.setReachesDeadLetters(capabilities.reachesDeadLetters);
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
    CO_TRY(const Catalog catalog, co_await readCatalog(m_endpoint));
    Listing listing;
    if (catalog.refused) { // without the Manage right: the queues that the connection names, without counts
        listing.complete = false;
        for (const QString &name : std::as_const(m_errorQueues))
            listing.queues.append(describeNamed(name));
        co_return listing;
    }
    for (const FeedQueue &entity : catalog.entities)
        m_sender.setDuplicateDetection(entity.name, entity.duplicateDetection);
    listing.complete = catalog.complete;
    listing.queues = describe(catalog.entities, m_errorQueues, m_extensions);
    co_return listing;
}

core::Milliseconds ServiceBus::lockTime(const QString &queue) const
{
    const auto seen = m_lockDurations.find(queue);
    return seen == m_lockDurations.end() ? lockFallback : seen->second;
}

Task<Result<Received>> ServiceBus::receive(QString queue)
{
    if (m_cancelled)
        co_return core::fail(stopped());
    Endpoint::Call call;
    call.verb = "POST";
    // The service waits so many seconds before it says that the queue is empty; 0 is known to work with the embedded
    // broker.
    call.path = Endpoint::queuePath(queue, m_extensions ? "/messages/head?timeout=0" : "/messages/head?timeout=1");
    call.idempotent = false; // a repeated call would lock another message
    call.longestAnswer = longestMessage;
    call.silence = lockPatience;
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    Received received;
    received.empty = answer.status == 204;
    if (received.empty)
        co_return received;
    if (answer.status != 201) {
        const QString what = servicebus::Text::tr("Messages of %1 cannot be read").arg(queue);
        co_return core::fail(
            outcomeOf(serviceBusVerdict(answer), serviceBusError(answer, what, m_endpoint.now())).error);
    }
    const Result<ReceivedMessage> held = heldFrom(answer, queue);
    if (!held) {
        received.unusable = held.error();
        co_return received;
    }
    if (!isLockPath(held->settleToken.toLatin1(), queue)) {
        const QString text = servicebus::Text::tr("%1 returned an invalid lock for a message.").arg(m_endpoint.host());
        received.unusable = Error{ErrorKind::Corrupt, text, {}, {}};
        co_return received;
    }
    m_lockDurations[queue] = lockLeft(answer, m_endpoint.now(), lockFallback);
    received.messages.append(*held);
    co_return received;
}

Task<Result<Settled>> ServiceBus::settle(QString queue, QByteArray path, Settle how)
{
    if (!isLockPath(path, queue))
        co_return core::fail(ErrorKind::Corrupt,
                             servicebus::Text::tr("The lock on a message of %1 is invalid.").arg(queue));
    Endpoint::Call call; // repeating does no harm: the second call finds the lock gone
    call.verb = how == Settle::Remove ? "DELETE" : "PUT";
    call.path = path;
    call.silence = lockPatience;
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    Settled settled;
    if (answer.status >= 200 && answer.status < 300)
        co_return settled;
    const bool saysGone = answer.status == 404 || answer.status == 409 || answer.status == 410;
    if (saysGone && isOfService(answer)) {
        settled.gone = answer.tries > 1;
        settled.lost = !settled.gone;
        co_return settled;
    }
    co_return core::fail(serviceBusError(
        answer, servicebus::Text::tr("The lock on a message of %1 cannot be completed or released").arg(queue),
        m_endpoint.now()));
}

Task<Result<QList<Settled>>> ServiceBus::settleOne(QString queue, ReceivedMessage held, Settle how)
{
    CO_TRY(const Settled settled, co_await settle(queue, held.settleToken.toLatin1(), how));
    QList<Settled> one{settled};
    co_return one;
}

Task<Result<ReceivedPage>> ServiceBus::browse(QString queue, int limit, LookRisk)
{
    Result<ReceivedPage> page = ReceivedPage();
    if (m_extensions)
        page = co_await browseByExtension(queue, limit);
    else if (isDeadLetter(queue))
        page = co_await m_pages.browseByTaking(queue, limit);
    else
        page = core::fail(ErrorKind::Refused,
                          servicebus::Text::tr("Browsing %1 over HTTP counts as a delivery of each message and could "
                                               "dead-letter it. Only dead-letter queues can be browsed.")
                              .arg(queue));
    co_return page;
}

Task<Result<QJsonArray>> ServiceBus::browsePart(QString queue, qint64 from, int top)
{
    QByteArray path = "/$redrive/browse?top=" + QByteArray::number(top);
    if (from > 0)
        path += "&from=" + QByteArray::number(from);
    Endpoint::Call call;
    call.path = Endpoint::queuePath(queue, path);
    call.longestAnswer = core::limits::responseBytes;
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    if (answer.status != 200)
        co_return core::fail(serviceBusError(answer, servicebus::Text::tr("Messages of %1 cannot be read").arg(queue),
                                             m_endpoint.now()));
    const QJsonValue messages = core::jsonFrom(answer.body).object().value(QLatin1String("messages"));
    if (!messages.isArray()) {
        const Result<> unreadable =
            core::fail(ErrorKind::Corrupt, servicebus::Text::tr("The messages of %1 cannot be read.").arg(queue));
        co_return core::fail(readFrom(answer, unreadable).error());
    }
    co_return messages.toArray();
}

Task<Result<ReceivedPage>> ServiceBus::browseByExtension(QString queue, int limit)
{
    constexpr int largestPart = 1000; // of the embedded broker
    ReceivedPage page;
    QSet<QString> shown;
    qint64 from = 0;
    do {
        const int top = std::clamp(limit - int(page.messages.size()), 1, largestPart);
        CO_TRY(const QJsonArray entries, co_await browsePart(queue, from, top));
        const qint64 begin = from;
        for (const QJsonValue &entry : entries) {
            from = std::max(from, entry[u"BrokerProperties"][u"SequenceNumber"].toInteger() + 1);
            ReceivedMessage held = heldFromBrowse(entry.toObject(), queue);
            if (shown.contains(held.nativeId))
                continue;
            shown.insert(held.nativeId);
            page.messages.append(std::move(held));
        }
        page.more = entries.size() >= top && from > begin;
    } while (page.more && page.messages.size() < limit);
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

// ---- MessageSettler ----

namespace {

// "/5/token": the end of a lock path "/q/messages/5/token".
QByteArray lockOf(const ReceivedMessage &held)
{
    const QByteArray path = held.settleToken.toLatin1();
    const qsizetype token = path.lastIndexOf('/');
    const qsizetype sequence = token > 0 ? path.lastIndexOf('/', token - 1) : -1;
    return sequence < 0 ? QByteArray() : path.sliced(sequence);
}

} // namespace

Task<Result<http::Response>> ServiceBus::callExtension(QString queue, QByteArray tail, QByteArray body,
                                                       bool isIdempotent)
{
    if (!m_extensions) {
        co_return core::fail(
            core::ErrorKind::Refused,
            servicebus::Text::tr("Only the embedded broker can settle messages of %1 in this way.").arg(queue));
    }
    Endpoint::Call call;
    call.verb = "POST";
    call.path = Endpoint::queuePath(queue, "/$redrive/" + tail);
    call.body = std::move(body);
    call.idempotent = isIdempotent;
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    if (answer.status >= 200 && answer.status < 300)
        co_return answer;
    co_return core::fail(serviceBusError(answer, servicebus::Text::tr("A message of %1 cannot be settled").arg(queue),
                                         m_endpoint.now()));
}

Task<Result<>> ServiceBus::deadLetter(QString queue, ReceivedMessage held, QString reason, QString description)
{
    const QJsonObject why{{QLatin1String("reason"), reason}, {QLatin1String("description"), description}};
    QByteArray tail = "deadletter" + lockOf(held);
    CO_TRY(co_await callExtension(std::move(queue), std::move(tail), QJsonDocument(why).toJson(QJsonDocument::Compact),
                                  true));
    co_return Result<>();
}

Task<Result<>> ServiceBus::defer(QString queue, ReceivedMessage held)
{
    QByteArray tail = "defer" + lockOf(held);
    CO_TRY(co_await callExtension(std::move(queue), std::move(tail), {}, true));
    co_return Result<>();
}

Task<Result<ReceivedMessage>> ServiceBus::receiveDeferred(QString queue, QString nativeId)
{
    QByteArray tail = "receive/" + QByteArray::number(sequenceIn(nativeId));
    CO_TRY(const http::Response answer, co_await callExtension(queue, std::move(tail), {}, false));
    Result<ReceivedMessage> held = heldFrom(answer, queue);
    co_return held;
}

} // namespace broker
