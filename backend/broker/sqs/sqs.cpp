#include "backend/broker/sqs/sqs.h"

#include "backend/broker/sqs/messageform.h"
#include "backend/broker/sqs/statustable.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>

namespace broker {

using core::Error;
using core::ErrorKind;
using sqs::Endpoint;

namespace {

constexpr int receivesInFlight = 4;
constexpr int settlesInFlight = 8;
constexpr int sendsInFlight = 12;
constexpr std::chrono::seconds hiddenFor{120}; // a crash keeps them from others so long
constexpr int longPoll = 1; // seconds; an empty answer is then one of all servers, and no chance

QString say(const char *text)
{
    return QCoreApplication::translate("sqs", text);
}

int secondsOf(core::Milliseconds time)
{
    return int(std::chrono::ceil<std::chrono::seconds>(time).count());
}

QJsonObject receiveBody(const QString &url, int wanted, int waitSeconds)
{
    const QJsonArray everything{QStringLiteral("All")};
    return {{QLatin1String("QueueUrl"), url},
            {QLatin1String("MaxNumberOfMessages"), wanted},
            {QLatin1String("VisibilityTimeout"), secondsOf(hiddenFor)},
            {QLatin1String("WaitTimeSeconds"), waitSeconds},
            {QLatin1String("AttributeNames"), everything}, // how older servers know the next one
            {QLatin1String("MessageSystemAttributeNames"), everything},
            {QLatin1String("MessageAttributeNames"), everything}};
}

QJsonObject settleBody(const QString &url, const QList<Held> &messages, std::optional<core::Milliseconds> hidden)
{
    QJsonArray entries;
    for (qsizetype i = 0; i < messages.size(); ++i) {
        QJsonObject entry{{QLatin1String("Id"), QString::number(i)},
                          {QLatin1String("ReceiptHandle"), messages.at(i).settleToken}};
        if (hidden)
            entry.insert(QLatin1String("VisibilityTimeout"), secondsOf(*hidden));
        entries.append(entry);
    }
    return {{QLatin1String("QueueUrl"), url}, {QLatin1String("Entries"), entries}};
}

} // namespace

Sqs::Sqs(http::HttpClient &client, core::Clock &clock, sqs::Account account)
    : m_client(client)
    , m_endpoint(client, clock, account)
    , m_queues(m_endpoint, account.errorQueues)
    , m_sender(m_endpoint, m_queues)
{
}

Task<Result<Capabilities>> Sqs::probe()
{
    Capabilities result;
    result.handOver = records::HandOver::Ledger;
    result.canTake = true;
    result.canBrowse = true;
    result.locks = true;
    result.sendBatch = sqs::mostPerCall;
    result.sendsInFlight = sendsInFlight;
    result.product = say("Amazon SQS");
    result.guarantee = say("Messages are sent up to ten at a time and recorded before and after. A crash or a lost "
                           "answer leaves at most those "
                           "under way in doubt; they are listed, and nothing is lost. One that is sent again then may "
                           "arrive twice; a FIFO queue "
                           "drops the second within five minutes. Standard queues may deliver any message twice, and "
                           "the order within a group of "
                           "a FIFO queue is not kept.");
    const Result<> listed = co_await m_queues.tryListing();
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    if (!listed)
        result.missing.append(say("The access key may not list queues: they must be named."));
    result.missing.append(say("Looking counts as a receive of each message, and others do not see it for a moment."));
    result.rightsUnknown = say("SQS tells nobody what an access key may do with a queue: it shows when it is tried.");
    co_return result;
}

Task<Result<QList<QueueInfo>>> Sqs::queues()
{
    const Result<QList<QueueInfo>> infos = co_await m_queues.all();
    co_return infos;
}

Task<Result<HeldPage>> Sqs::take(TakeRequest request)
{
    const Result<QString> url = co_await m_queues.urlOf(request.queue);
    if (!url)
        co_return core::fail(url.error());
    const bool fifo = sqs::isFifo(request.queue);
    Taking taking;
    taking.request = request;
    taking.url = *url;
    taking.until = m_endpoint.now() + hiddenFor;
    const std::function<Task<>(size_t)> step = [this, &taking](size_t) { return takeSome(taking); };
    // Calls may bring less than they ask for, so there can be as many as there are messages.
    const size_t calls = size_t(std::max(0, request.limit));
    const size_t inFlight = fifo ? 1 : receivesInFlight;
    co_await core::forEachLimited(calls, inFlight, step);
    if (taking.taken.isEmpty() && taking.trouble)
        co_return core::fail(*taking.trouble);
    // Calls overlap, so answers do not come in the order of the queue.
    if (!fifo) {
        std::stable_sort(taking.taken.begin(), taking.taken.end(),
                         [](const Held &a, const Held &b) { return a.enqueuedAt < b.enqueuedAt; });
    }
    HeldPage page;
    page.messages = taking.taken;
    // While some messages of a group are held, a FIFO queue gives no others of it.
    page.more = !taking.drained || taking.trouble || (fifo && !taking.taken.isEmpty());
    page.lockedUntil = taking.until;
    page.trouble = taking.trouble;
    co_return page;
}

Task<> Sqs::takeSome(Taking &taking)
{
    const int wanted = std::min(sqs::mostPerCall, taking.request.limit - taking.asked);
    // Half of the time is for storing and deleting.
    const bool full = wanted <= 0 || (taking.request.byteLimit > 0 && taking.bytes >= taking.request.byteLimit)
                      || m_endpoint.now() >= taking.until - core::Milliseconds(hiddenFor) / 2;
    if (taking.drained || taking.trouble || full)
        co_return;
    taking.asked += wanted;
    Endpoint::Call call;
    call.action = "ReceiveMessage";
    // What a FIFO queue gives no more of while the rest is held is not worth a wait.
    const bool isPart = sqs::isFifo(taking.request.queue) && !taking.taken.isEmpty();
    call.body = receiveBody(taking.url, wanted, isPart ? 0 : longPoll);
    call.idempotent = false; // a repeated call takes other messages
    const QString what = say("Messages of %1 cannot be read").arg(taking.request.queue);
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), what);
    if (!answer) {
        taking.trouble = answer.error();
        co_return;
    }
    const QJsonArray messages = answer->value(QLatin1String("Messages")).toArray();
    taking.asked -= wanted - int(messages.size());
    taking.drained = taking.drained || messages.isEmpty();
    if (messages.size() > wanted) {
        const QString text = say("%1 gave more messages than it was asked for.").arg(m_endpoint.name());
        taking.trouble = Error{ErrorKind::Corrupt, text, {}, {}};
        co_return;
    }
    keep(messages, taking);
}

void Sqs::keep(const QJsonArray &messages, Taking &taking) const
{
    for (const QJsonValue &message : messages) {
        Result<Held> held = sqs::heldFrom(message.toObject());
        if (!held) {
            taking.trouble = held.error();
            return;
        }
        if (held->origin.isEmpty())
            held->origin = m_queues.originOf(taking.request.queue);
        // A standard queue may give a message twice; its newest receipt is the good one.
        if (const auto place = taking.places.constFind(held->nativeId); place != taking.places.cend()) {
            taking.taken[*place].settleToken = held->settleToken;
            --taking.asked;
            continue;
        }
        taking.places.insert(held->nativeId, taking.taken.size());
        taking.bytes += held->envelope.body.size();
        taking.taken.append(std::move(*held));
    }
}

Task<Result<int>> Sqs::settle(QString queue, Settling settling)
{
    const QString what = say("Messages of %1 cannot be settled").arg(queue);
    Endpoint::Call call; // doing it twice does no harm, so it is repeated where no answer comes
    call.action = settling.hidden ? "ChangeMessageVisibilityBatch" : "DeleteMessageBatch";
    call.body = settleBody(settling.url, settling.messages, settling.hidden);
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), what);
    if (!answer)
        co_return core::fail(answer.error());
    int lost = 0;
    std::optional<Error> trouble;
    const QJsonArray failed = answer->value(QLatin1String("Failed")).toArray();
    for (const QJsonValue &value : failed) {
        const QJsonObject one = value.toObject();
        const sqs::Fault fault{one.value(QLatin1String("Code")).toString(),
                               one.value(QLatin1String("Message")).toString()};
        if (sqs::isLost(fault))
            ++lost;
        else
            trouble = errorOf(fault, one.value(QLatin1String("SenderFault")).toBool(false), what);
    }
    if (trouble)
        co_return core::fail(*trouble);
    const qsizetype told = failed.size() + answer->value(QLatin1String("Successful")).toArray().size();
    if (told != settling.messages.size())
        co_return core::fail(ErrorKind::Corrupt, say("%1 does not say what became of all messages.").arg(queue));
    co_return lost;
}

Task<Result<int>> Sqs::settleAll(QString queue, HeldPage page, std::optional<core::Milliseconds> hidden)
{
    const Result<QString> url = co_await m_queues.urlOf(queue);
    if (!url)
        co_return core::fail(url.error());
    int lost = 0;
    std::optional<Error> trouble;
    const std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        if (trouble)
            co_return;
        Settling settling;
        settling.url = *url;
        settling.messages = page.messages.mid(qsizetype(i) * sqs::mostPerCall, sqs::mostPerCall);
        settling.hidden = hidden;
        const Result<int> settled = co_await settle(queue, std::move(settling));
        if (settled)
            lost += *settled;
        else
            trouble = settled.error();
    };
    const size_t calls = size_t((page.messages.size() + sqs::mostPerCall - 1) / sqs::mostPerCall);
    co_await core::forEachLimited(calls, settlesInFlight, step);
    if (trouble)
        co_return core::fail(*trouble);
    co_return lost;
}

Task<Result<HeldPage>> Sqs::renew(TakeRequest request, HeldPage page)
{
    const core::TimePoint before = m_endpoint.now();
    const Result<int> lost = co_await settleAll(request.queue, page, hiddenFor);
    if (!lost)
        co_return core::fail(lost.error());
    if (*lost > 0) {
        const QString text = say("%1 messages of %2 came in sight of others before their time was made longer.");
        co_return core::fail(ErrorKind::NotFound, text.arg(QString::number(*lost), request.queue));
    }
    page.lockedUntil = before + hiddenFor;
    const HeldPage renewed = page;
    co_return renewed;
}

Task<Result<>> Sqs::release(TakeRequest request, HeldPage page)
{
    const Result<int> lost = co_await settleAll(request.queue, page, std::nullopt);
    if (!lost)
        co_return core::fail(lost.error());
    if (*lost > 0) {
        const QString text =
            say("%1 messages of %2 came in sight of others before they could be deleted; these will be met again.");
        co_return core::fail(ErrorKind::NotFound, text.arg(QString::number(*lost), request.queue));
    }
    co_return Result<>();
}

Task<Result<>> Sqs::putBack(TakeRequest request, HeldPage page)
{
    const Result<int> lost = co_await settleAll(request.queue, page, core::Milliseconds{0});
    if (!lost)
        co_return core::fail(lost.error());
    co_return Result<>(); // what is lost has come in sight by itself
}

Task<Result<HeldPage>> Sqs::browse(QString queue, int limit)
{
    const Result<QString> why = co_await m_queues.whyNotLook(queue);
    if (!why)
        co_return core::fail(why.error());
    if (!why->isEmpty())
        co_return core::fail(ErrorKind::Refused, *why);
    TakeRequest request;
    request.queue = queue;
    request.limit = std::max(1, limit);
    Result<HeldPage> page = co_await take(request);
    if (!page)
        co_return core::fail(page.error());
    const Result<> back = co_await putBack(request, *page);
    if (!back)
        co_return core::fail(back.error());
    page->lockedUntil.reset();
    for (Held &held : page->messages)
        held.settleToken.clear();
    const HeldPage looked = *page;
    co_return looked;
}

Task<QList<SendOutcome>> Sqs::send(QList<Outgoing> messages)
{
    const QList<SendOutcome> outcomes = co_await m_sender.send(std::move(messages));
    co_return outcomes;
}

Task<Result<QList<Leftover>>> Sqs::leftovers()
{
    co_return QList<Leftover>();
}

void Sqs::cancelAll()
{
    m_endpoint.cancelAll();
    m_client.cancelAll();
}

} // namespace broker
