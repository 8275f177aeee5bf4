#include "backend/broker/azurequeue/azurequeue.h"

#include "backend/broker/azurequeue/errormapping.h"
#include "backend/broker/azurequeue/messagemapper.h"
#include "backend/broker/azurequeue/text.h"
#include "backend/broker/statuserror.h"
#include "backend/broker/verdict.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace broker {

using azurequeue::Endpoint;
using azurequeue::errorOf;
using core::Error;
using core::ErrorKind;

namespace {

constexpr int getsInFlight = 4;
constexpr qint64 longestPage = 32LL * 1024 * 1024; // 32 messages of 64 KB in which each character is a reference
constexpr int settlesInFlight = 12;
constexpr int sendsInFlight = 16;
constexpr qsizetype mostCounted = 500; // queues; each count costs a call
constexpr std::chrono::seconds hiddenFor{120}; // after a crash messages stay hidden so long
const QString poison = QStringLiteral("-poison");

Error stopped()
{
    return Error{ErrorKind::Cancelled, azurequeue::Text::tr("The request was cancelled before it was sent."), {}, {}};
}

bool isQueueName(const QString &name)
{
    static const QRegularExpression form(QStringLiteral("^[a-z0-9]([a-z0-9-]{1,61})[a-z0-9]$"));
    return form.match(name).hasMatch();
}

Error noSuchQueue(const QString &name)
{
    return Error{
        ErrorKind::NotFound, azurequeue::Text::tr("\"%1\" is not a valid Storage Queue name.").arg(name), {}, {}};
}

// "orders" for "orders-poison": Azure Functions name the queue of messages that failed too often so.
QString poisonOf(const QString &name)
{
    return name.size() > poison.size() && name.endsWith(poison) ? name.chopped(poison.size()) : QString();
}

void tellWhatIsMissing(Capabilities &capabilities, const azurequeue::Rights &rights)
{
    QStringList &missing = capabilities.missing;
    if (!rights.read)
        missing.append(azurequeue::Text::tr("The SAS token does not allow reading: messages cannot be browsed"));
    if (!capabilities.canTake)
        missing.append(azurequeue::Text::tr(
            "The SAS token does not allow both processing and updating: messages cannot be taken"));
    if (!rights.add)
        missing.append(azurequeue::Text::tr("The SAS token does not allow adding: messages cannot be sent back"));
    missing.append(azurequeue::Text::tr("Browsing shows at most the first 32 messages of a queue"));
}

} // namespace

AzureQueue::AzureQueue(http::HttpClient &client, core::Clock &clock, azurequeue::Account account)
    : m_client(client)
    , m_endpoint(client, clock, account)
    , m_pages(clock, {azurequeue::mostPerCall, getsInFlight, 1, settlesInFlight}, wire())
    , m_errorQueues(account.errorQueues)
{
}

LockedReceiver::Wire AzureQueue::wire()
{
    LockedReceiver::Wire wire;
    wire.receive = [this](QString queue, int most, bool) { return receive(std::move(queue), most); };
    wire.settle = [this](QString queue, QList<ReceivedMessage> some, Settle how) {
        return settleOne(std::move(queue), some.constFirst(), how);
    };
    wire.lockTime = [](const QString &) { return core::Milliseconds(hiddenFor); };
    wire.before = [](const ReceivedMessage &a, const ReceivedMessage &b) { return a.enqueuedAt < b.enqueuedAt; };
    return wire;
}

Task<Result<Capabilities>> AzureQueue::probe()
{
    const azurequeue::Rights rights = m_endpoint.rights();
    Capabilities result;
    result.handOver = rights.add ? records::HandOver::IntentLog : records::HandOver::None;
    result.canTake = rights.process && rights.update;
    result.canBrowse = rights.read;
    result.locks = true;
    result.sendsInFlight = sendsInFlight;
    result.largestBody = 64LL * 1024; // of the text of a message; more is answered with 413
    result.product = azurequeue::Text::tr("Azure Storage Queues");
    result.guarantee = azurequeue::Text::tr(
        "Redrive sends messages one by one and records each send before and after. After a crash or a lost answer, "
        "only the messages being sent at that moment are in doubt: they are listed, and none is lost. If you send such "
        "a message again, it may arrive twice. Storage Queue messages carry no headers: a message that fails again "
        "after a retry is shown as a new failure, not as come back. The order of messages is not kept.");
    const Result<azurequeue::QueueNames> listed = co_await namesFrom({}, 1);
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    if (!listed)
        result.missing.append(azurequeue::Text::tr("The SAS token does not allow listing: name the error queues in the "
                                                   "connection, their message counts stay unknown"));
    tellWhatIsMissing(result, rights);
    co_return result;
}

// Refused: the credentials may allow other things, but no listing.
Task<Result<azurequeue::QueueNames>> AzureQueue::namesFrom(QByteArray marker, int most)
{
    const QString what = azurequeue::Text::tr("The queues of %1 cannot be listed").arg(m_endpoint.accountName());
    if (m_endpoint.rights().oneQueue)
        co_return core::fail(ErrorKind::Refused, what);
    Endpoint::Call call;
    call.query = "comp=list&maxresults=" + QByteArray::number(most);
    if (!marker.isEmpty())
        call.query += "&marker=" + marker.toPercentEncoding();
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    if (azurequeue::lacksRight(answer))
        co_return core::fail(ErrorKind::Refused, what);
    if (answer.status != 200)
        co_return core::fail(errorOf(answer, what, m_endpoint.now()));
    const Result<azurequeue::QueueNames> listed = readFrom(answer, azurequeue::queueNamesFrom(answer.body));
    co_return listed;
}

Task<Result<PagedNames>> AzureQueue::names()
{
    const std::function<Task<Result<PageOfNames>>(QString)> next = [this](QString marker) -> Task<Result<PageOfNames>> {
        CO_TRY(const azurequeue::QueueNames listed, co_await namesFrom(marker.toUtf8(), azurequeue::mostNames));
        PageOfNames page{listed.names, QString::fromUtf8(listed.next)};
        co_return page;
    };
    const Result<PagedNames> listed = co_await pagedNames(next);
    co_return listed;
}

Task<Result<Listing>> AzureQueue::queues()
{
    const Result<PagedNames> listed = co_await names();
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    Listing listing;
    listing.complete = listed && listed->complete;
    listing.queues = listed ? infosOf(listed->names, true) : infosOf(m_errorQueues, false);
    if (listed)
        co_await count(listing.queues);
    const Listing found = listing;
    co_return found;
}

// Without a list it is unknown whether the queue of a poison queue exists: sending finds out.
QList<QueueInfo> AzureQueue::infosOf(const QStringList &names, bool listed) const
{
    const QSet<QString> known(names.cbegin(), names.cend());
    QList<QueueInfo> infos;
    for (const QString &name : names) {
        QueueInfo info;
        info.name = name;
        // The ending is only a convention of Azure Functions: anybody can send to such a queue, and consume it.
        const QString origin = poisonOf(name);
        if (m_errorQueues.contains(name))
            info.role = QueueRole::ErrorQueue;
        else if (!origin.isEmpty())
            info.role = QueueRole::Candidate;
        if (!origin.isEmpty()) {
            info.facts.append({records::QueueFact::Kind::NamedForFailures});
            if (!listed || known.contains(origin))
                info.origin = origin;
        }
        if (!info.origin.isEmpty())
            info.facts.prepend({records::QueueFact::Kind::PoisonOf, origin});
        infos.append(info);
    }
    return infos;
}

// Counts queues with failed messages first; of very many queues the rest has no count.
Task<> AzureQueue::count(QList<QueueInfo> &infos)
{
    std::vector<qsizetype> order;
    for (const bool failures : {true, false}) {
        for (qsizetype i = 0; i < infos.size(); ++i) {
            if ((infos.at(i).role != QueueRole::Work) == failures)
                order.push_back(i);
        }
    }
    order.resize(std::min(order.size(), size_t(mostCounted)));
    const std::function<Task<>(size_t)> one = [&](size_t step) -> Task<> {
        QueueInfo &info = infos[order.at(step)];
        if (!isQueueName(info.name))
            co_return;
        Endpoint::Call call;
        call.path = QUrl::toPercentEncoding(info.name);
        call.query = "comp=metadata";
        const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
        bool isNumber = false;
        const qint64 depth =
            answer ? answer->header("x-ms-approximate-messages-count").toLongLong(&isNumber) : qint64{0};
        if (answer && answer->status == 200 && isNumber && depth >= 0)
            info.depth = depth;
    };
    co_await core::forEachLimited(order.size(), sendsInFlight, one);
}

Task<Result<QList<AzureQueue::Message>>> AzureQueue::get(QString queue, QByteArray query)
{
    if (!isQueueName(queue))
        co_return core::fail(noSuchQueue(queue));
    Endpoint::Call call;
    call.path = Endpoint::messagesPath(queue);
    const bool takes = !query.contains("peekonly");
    call.idempotent = !takes; // a repeated call would take other messages
    call.longestAnswer = longestPage;
    if (takes)
        call.silence = lockPatience;
    call.query = std::move(query);
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    if (answer.status != 200) {
        Error error =
            errorOf(answer, azurequeue::Text::tr("Messages of %1 cannot be read").arg(queue), m_endpoint.now());
        if (takes && azurequeue::verdictOf(answer) == Verdict::Unknown)
            error.kind = ErrorKind::UnknownOutcome;
        co_return core::fail(std::move(error));
    }
    const Result<QList<Message>> messages = readFrom(answer, azurequeue::messagesFrom(answer.body));
    co_return messages;
}

Task<Result<Received>> AzureQueue::receive(QString queue, int most)
{
    if (m_cancelled)
        co_return core::fail(stopped());
    QByteArray query =
        "numofmessages=" + QByteArray::number(most) + "&visibilitytimeout=" + azurequeue::seconds(hiddenFor);
    CO_TRY(const QList<Message> messages, co_await get(queue, std::move(query)));
    Received received;
    received.empty = messages.isEmpty();
    for (const Message &message : messages) {
        if (message.id.isEmpty() || message.popReceipt.isEmpty()) {
            const QString text =
                azurequeue::Text::tr("%1 returned a message without an id or a pop receipt: it cannot be taken.")
                    .arg(m_endpoint.accountName());
            received.unusable = Error{ErrorKind::Corrupt, text, {}, {}};
            continue;
        }
        received.messages.append(azurequeue::heldFrom(message));
    }
    co_return received;
}

Task<Result<Settled>> AzureQueue::settle(QString queue, ReceivedMessage held, Settle how)
{
    // Repeating does no harm: a second delete finds nothing, a second update has an invalid receipt
    Endpoint::Call call;
    call.verb = how == Settle::PutBack ? "PUT" : "DELETE";
    call.silence = lockPatience;
    call.path = Endpoint::messagesPath(queue, held.nativeId);
    call.query = "popreceipt=" + QUrl::toPercentEncoding(held.settleToken);
    if (how == Settle::PutBack)
        call.query += "&visibilitytimeout=" + azurequeue::seconds(core::Milliseconds{0});
    CO_TRY(const http::Response answer, co_await m_endpoint.call(std::move(call)));
    if (answer.status == 204)
        co_return Settled{};
    if (azurequeue::isLost(answer)) {
        // An earlier try of this call deleted it
        const bool ours = answer.tries > 1 && how == Settle::Remove && answer.status == 404;
        co_return Settled{!ours, false};
    }
    co_return core::fail(errorOf(
        answer, azurequeue::Text::tr("A message of %1 cannot be deleted or put back").arg(queue), m_endpoint.now()));
}

Task<Result<QList<Settled>>> AzureQueue::settleOne(QString queue, ReceivedMessage held, Settle how)
{
    CO_TRY(const Settled settled, co_await settle(queue, std::move(held), how));
    QList<Settled> one{settled};
    co_return one;
}

Task<Result<ReceivedPage>> AzureQueue::browse(QString queue, int limit, LookRisk)
{
    const int wanted = std::clamp(limit, 1, azurequeue::mostPerCall);
    QByteArray query = "numofmessages=" + QByteArray::number(wanted) + "&peekonly=true";
    CO_TRY(const QList<Message> messages, co_await get(queue, std::move(query)));
    ReceivedPage page;
    QSet<QString> shown;
    for (const Message &message : messages) {
        if (message.id.isEmpty() || shown.contains(message.id))
            continue;
        shown.insert(message.id);
        page.messages.append(azurequeue::heldFrom(message));
    }
    page.more = messages.size() >= wanted;
    co_return page;
}

Task<QList<SendOutcome>> AzureQueue::send(QList<Outgoing> messages)
{
    QList<SendOutcome> outcomes(messages.size());
    const std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        const SendOutcome outcome = co_await put(messages.at(qsizetype(i)));
        outcomes[qsizetype(i)] = outcome;
    };
    const size_t count = size_t(messages.size());
    co_await core::forEachLimited(count, sendsInFlight, step);
    const QList<SendOutcome> all = outcomes;
    co_return all;
}

core::Milliseconds AzureQueue::longestDelay(const QString &) const
{
    return azurequeue::longestDelay;
}

Task<SendOutcome> AzureQueue::put(Outgoing message)
{
    if (m_cancelled)
        co_return SendOutcome{Verdict::NotSent, stopped()};
    if (!isQueueName(message.destination))
        co_return SendOutcome{Verdict::NoSuchDestination, noSuchQueue(message.destination)};
    const Result<QString> text = azurequeue::textFrom(message.envelope);
    if (!text)
        co_return SendOutcome{Verdict::Rejected, text.error()};
    Endpoint::Call call;
    call.verb = "POST";
    call.path = Endpoint::messagesPath(message.destination);
    call.query = azurequeue::putQuery(message.deliverAt, m_endpoint.now());
    call.body = azurequeue::messageXml(*text);
    call.idempotent = false;
    call.timeout = std::chrono::seconds{60};
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return SendOutcome{verdictOf(answer.error()), answer.error()};
    const Verdict verdict = azurequeue::verdictOf(*answer);
    if (verdict == Verdict::Accepted)
        co_return SendOutcome{verdict, {}};
    const QString what = azurequeue::Text::tr("The queue %1 did not take the message").arg(message.destination);
    co_return outcomeOf(verdict, errorOf(*answer, what, m_endpoint.now()));
}

Task<Result<QList<Leftover>>> AzureQueue::leftovers()
{
    co_return QList<Leftover>();
}

void AzureQueue::cancelAll()
{
    m_cancelled = true;
    m_client.cancelAll();
}

} // namespace broker
