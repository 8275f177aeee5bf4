#include "backend/broker/azurequeue/azurequeue.h"

#include "backend/broker/azurequeue/messageform.h"
#include "backend/broker/azurequeue/statustable.h"
#include "backend/broker/verdict.h"

#include <QCoreApplication>
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
constexpr int settlesInFlight = 12;
constexpr int sendsInFlight = 16;
constexpr int mostListPages = 1000;
constexpr qsizetype mostCounted = 500; // queues; each count is a call
constexpr std::chrono::seconds hiddenFor{120}; // a crash keeps them from others so long
const QString poison = QStringLiteral("-poison");

QString say(const char *text)
{
    return QCoreApplication::translate("azurequeue", text);
}

Error stopped()
{
    return Error{ErrorKind::Cancelled, say("Stopped."), {}, {}};
}

bool isQueueName(const QString &name)
{
    static const QRegularExpression form(QStringLiteral("^[a-z0-9]([a-z0-9-]{1,61})[a-z0-9]$"));
    return form.match(name).hasMatch();
}

Error noSuchQueue(const QString &name)
{
    return Error{ErrorKind::NotFound, say("%1 cannot be the name of a Storage Queue.").arg(name), {}, {}};
}

// "orders" of "orders-poison": how Azure Functions name the queue of what failed too often.
QString poisonOf(const QString &name)
{
    return name.size() > poison.size() && name.endsWith(poison) ? name.chopped(poison.size()) : QString();
}

QByteArray seconds(core::Milliseconds time)
{
    return QByteArray::number(qint64(std::chrono::ceil<std::chrono::seconds>(time).count()));
}

void tellWhatIsMissing(Capabilities &capabilities, const azurequeue::Rights &rights)
{
    QStringList &missing = capabilities.missing;
    if (!rights.read)
        missing.append(say("The SAS token does not allow reading: messages cannot be looked at."));
    if (!capabilities.canTake)
        missing.append(say("The SAS token does not allow both processing and updating: messages cannot be taken."));
    if (!rights.add)
        missing.append(say("The SAS token does not allow adding: messages cannot be sent back."));
    missing.append(say("Looking shows the first 32 messages of a queue at most."));
}

} // namespace

AzureQueue::AzureQueue(http::HttpClient &client, core::Clock &clock, azurequeue::Account account)
    : m_client(client)
    , m_endpoint(client, clock, account)
    , m_errorQueues(account.errorQueues)
{
}

Task<Result<Capabilities>> AzureQueue::probe()
{
    const azurequeue::Rights rights = m_endpoint.rights();
    Capabilities result;
    result.handOver = rights.add ? records::HandOver::Ledger : records::HandOver::None;
    result.canTake = rights.process && rights.update;
    result.canBrowse = rights.read;
    result.locks = true;
    result.sendsInFlight = sendsInFlight;
    result.product = say("Azure Storage Queues");
    result.guarantee = say(
        "Messages are sent one by one and recorded before and after. A crash or a lost answer leaves at most those "
        "under way in doubt; they are listed, and nothing is lost. One that is sent again then may arrive twice. "
        "Messages carry no headers here: what fails again after a retry is shown as a new failure, not as come back.");
    const Result<azurequeue::QueueNames> listed = co_await namesFrom({}, 1);
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    if (!listed)
        result.missing.append(say("The SAS token does not allow listing: queues must be named, and are not counted."));
    tellWhatIsMissing(result, rights);
    co_return result;
}

// Refused: the credentials allow much, perhaps, but no list.
Task<Result<azurequeue::QueueNames>> AzureQueue::namesFrom(QByteArray marker, int most)
{
    const QString what = say("The queues of %1 cannot be listed").arg(m_endpoint.accountName());
    if (m_endpoint.rights().oneQueue)
        co_return core::fail(ErrorKind::Refused, what);
    Endpoint::Call call;
    call.query = "comp=list&maxresults=" + QByteArray::number(most);
    if (!marker.isEmpty())
        call.query += "&marker=" + marker.toPercentEncoding();
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return core::fail(answer.error());
    if (azurequeue::lacksRight(*answer))
        co_return core::fail(ErrorKind::Refused, what);
    if (answer->status != 200)
        co_return core::fail(errorOf(*answer, what, m_endpoint.now()));
    const Result<azurequeue::QueueNames> listed = azurequeue::queueNamesFrom(answer->body);
    co_return listed;
}

Task<Result<QStringList>> AzureQueue::names()
{
    QStringList names;
    QByteArray marker;
    for (int page = 0; page < mostListPages; ++page) {
        const Result<azurequeue::QueueNames> listed = co_await namesFrom(marker, azurequeue::mostNames);
        if (!listed)
            co_return core::fail(listed.error());
        names += listed->names;
        if (listed->next.isEmpty() || listed->next == marker)
            break;
        marker = listed->next;
    }
    const QStringList all = names;
    co_return all;
}

Task<Result<Listing>> AzureQueue::queues()
{
    const Result<QStringList> listed = co_await names();
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    Listing listing;
    listing.complete = listed.has_value();
    listing.queues = infosOf(listed.value_or(m_errorQueues), listing.complete);
    if (listing.complete)
        co_await count(listing.queues);
    const Listing found = listing;
    co_return found;
}

// Without a list it is not known whether the queue of a poison queue exists: sending finds out.
QList<QueueInfo> AzureQueue::infosOf(const QStringList &names, bool listed) const
{
    const QSet<QString> known(names.cbegin(), names.cend());
    QList<QueueInfo> infos;
    for (const QString &name : names) {
        QueueInfo info;
        info.name = name;
        const QString origin = poisonOf(name);
        if (!origin.isEmpty()) {
            info.role = QueueRole::DeadLetter;
            if (!listed || known.contains(origin))
                info.origin = origin;
        } else if (m_errorQueues.contains(name)) {
            info.role = QueueRole::ErrorQueue;
        }
        infos.append(info);
    }
    return infos;
}

// What waits to be taken care of first; of very many queues the rest stays uncounted.
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
    call.idempotent = query.contains("peekonly"); // a repeated call takes other messages
    call.query = std::move(query);
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return core::fail(answer.error());
    if (answer->status != 200)
        co_return core::fail(errorOf(*answer, say("Messages of %1 cannot be read").arg(queue), m_endpoint.now()));
    const Result<QList<Message>> messages = azurequeue::messagesFrom(answer->body);
    co_return messages;
}

Task<Result<HeldPage>> AzureQueue::take(TakeRequest request)
{
    Taking taking;
    taking.request = request;
    taking.until = m_endpoint.now() + hiddenFor;
    const std::function<Task<>(size_t)> step = [this, &taking](size_t) { return takeSome(taking); };
    // Calls may bring less than they ask for, so there can be as many as there are messages.
    co_await core::forEachLimited(size_t(std::max(0, request.limit)), getsInFlight, step);
    if (taking.taken.isEmpty() && taking.trouble)
        co_return core::fail(*taking.trouble);
    // Calls overlap, so answers do not come in the order of the queue.
    std::stable_sort(taking.taken.begin(), taking.taken.end(),
                     [](const Message &a, const Message &b) { return a.inserted < b.inserted; });
    HeldPage page;
    for (const Message &message : std::as_const(taking.taken))
        page.messages.append(azurequeue::heldFrom(message));
    page.trouble = taking.trouble;
    page.more = !taking.drained || taking.trouble; // what the failed call read is only out of sight
    page.lockedUntil = taking.until;
    co_return page;
}

Task<> AzureQueue::takeSome(Taking &taking)
{
    const int wanted = std::min(azurequeue::mostPerCall, taking.request.limit - taking.asked);
    // Half of the time is for storing and deleting.
    const bool full = wanted <= 0 || (taking.request.byteLimit > 0 && taking.bytes >= taking.request.byteLimit)
                      || m_endpoint.now() >= taking.until - core::Milliseconds(hiddenFor) / 2;
    if (m_cancelled && !taking.trouble)
        taking.trouble = stopped();
    if (taking.drained || taking.trouble || full)
        co_return;
    taking.asked += wanted;
    QByteArray query = "numofmessages=" + QByteArray::number(wanted) + "&visibilitytimeout=" + seconds(hiddenFor);
    const Result<QList<Message>> messages = co_await get(taking.request.queue, std::move(query));
    if (!messages) {
        taking.trouble = messages.error();
        co_return;
    }
    taking.asked -= wanted - int(messages->size());
    taking.drained = taking.drained || messages->isEmpty();
    for (const Message &message : *messages) {
        if (message.popReceipt.isEmpty() || messages->size() > wanted) {
            taking.trouble = Error{ErrorKind::Corrupt,
                                   say("%1 gave a message that cannot be deleted.").arg(m_endpoint.accountName()),
                                   {},
                                   {}};
            co_return;
        }
        taking.bytes += message.text.size();
        taking.taken.append(message);
    }
}

Task<Result<AzureQueue::Settled>> AzureQueue::settle(QString queue, Held held, std::optional<core::Milliseconds> hidden)
{
    for (bool repeated = false;; repeated = true) {
        Endpoint::Call call;
        call.verb = hidden ? "PUT" : "DELETE";
        call.path = Endpoint::messagesPath(queue, held.nativeId);
        call.query = "popreceipt=" + QUrl::toPercentEncoding(held.settleToken);
        if (hidden)
            call.query += "&visibilitytimeout=" + seconds(*hidden);
        call.idempotent = false;
        const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
        if (!answer) {
            // Deleting twice does no harm: the second call finds nothing. A second update has no valid receipt.
            if (answer.error().kind != ErrorKind::UnknownOutcome || repeated)
                co_return core::fail(answer.error());
            continue;
        }
        if (answer->status == 204)
            co_return Settled{false, QString::fromUtf8(answer->header("x-ms-popreceipt"))};
        if (azurequeue::isLost(*answer)) {
            const bool ours = repeated && !hidden && answer->status == 404; // the first call deleted it
            co_return Settled{!ours, {}};
        }
        co_return core::fail(errorOf(*answer, say("A message of %1 cannot be settled").arg(queue), m_endpoint.now()));
    }
}

Task<Result<int>> AzureQueue::settleAll(QString queue, HeldPage &page, std::optional<core::Milliseconds> hidden)
{
    int lost = 0;
    std::optional<Error> trouble;
    const std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        if (trouble)
            co_return;
        Held &held = page.messages[qsizetype(i)];
        const Result<Settled> settled = co_await settle(queue, held, hidden);
        if (!settled)
            trouble = settled.error();
        else if (settled->lost || (hidden && settled->receipt.isEmpty()))
            ++lost;
        else
            held.settleToken = settled->receipt;
    };
    const size_t count = size_t(page.messages.size());
    co_await core::forEachLimited(count, settlesInFlight, step);
    if (trouble)
        co_return core::fail(*trouble);
    co_return lost;
}

Task<Result<HeldPage>> AzureQueue::renew(TakeRequest request, HeldPage page)
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

Task<Result<>> AzureQueue::release(TakeRequest request, HeldPage page)
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

Task<Result<>> AzureQueue::putBack(TakeRequest request, HeldPage page)
{
    const Result<int> lost = co_await settleAll(request.queue, page, core::Milliseconds{0});
    if (!lost)
        co_return core::fail(lost.error());
    co_return Result<>(); // what is lost has come in sight by itself
}

Task<Result<HeldPage>> AzureQueue::browse(QString queue, int limit)
{
    const int wanted = std::clamp(limit, 1, azurequeue::mostPerCall);
    QByteArray query = "numofmessages=" + QByteArray::number(wanted) + "&peekonly=true";
    const Result<QList<Message>> messages = co_await get(queue, std::move(query));
    if (!messages)
        co_return core::fail(messages.error());
    HeldPage page;
    for (const Message &message : *messages)
        page.messages.append(azurequeue::heldFrom(message));
    page.more = messages->size() >= wanted;
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
    call.query = "messagettl=-1"; // it waits until somebody takes it; the usual end after seven days would lose it
    call.body = azurequeue::messageXml(*text);
    call.idempotent = false;
    call.timeout = std::chrono::seconds{60};
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return SendOutcome{verdictOf(answer.error()), answer.error()};
    SendOutcome outcome;
    outcome.verdict = azurequeue::verdictOf(*answer);
    if (outcome.verdict != Verdict::Accepted) {
        const QString what = say("The queue %1 did not take the message").arg(message.destination);
        outcome.error = errorOf(*answer, what, m_endpoint.now());
        if (outcome.verdict == Verdict::Unknown)
            outcome.error.kind = ErrorKind::UnknownOutcome;
    }
    co_return outcome;
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
