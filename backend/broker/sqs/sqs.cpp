#include "backend/broker/sqs/sqs.h"

#include "backend/broker/brokertraits.h"
#include "backend/broker/sqs/batchids.h"
#include "backend/broker/sqs/errormapping.h"
#include "backend/broker/sqs/messagemapper.h"
#include "backend/broker/sqs/text.h"

#include <QJsonArray>
#include <QSet>
#include <QUuid>

#include <algorithm>

namespace broker {

using core::Error;
using core::ErrorKind;
using sqs::Endpoint;

namespace {

constexpr int receivesInFlight = 4;
constexpr int settlesInFlight = 8;
constexpr int sendsInFlight = 12;
constexpr qint64 longestMessage = 6LL * 1024 * 1024; // 1 MiB of characters that JSON escapes with six bytes
constexpr std::chrono::seconds hiddenFor{120}; // after a crash messages stay hidden so long
constexpr int longPoll = 1; // seconds; with it an empty answer comes from all servers of the queue, not from a sample

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
            {QLatin1String("AttributeNames"), everything}, // older servers know the next field by this name
            {QLatin1String("MessageSystemAttributeNames"), everything},
            {QLatin1String("MessageAttributeNames"), everything}};
}

// The failure of the last try does not tell whether an earlier try took messages, which are hidden then.
Error afterTries(Error error)
{
    if (error.kind == ErrorKind::Transient || error.kind == ErrorKind::Throttled)
        error.kind = ErrorKind::UnknownOutcome;
    return error;
}

QJsonObject settleBody(const QString &url, const QList<ReceivedMessage> &messages, Settle how, const sqs::BatchIds &ids)
{
    QJsonArray entries;
    for (qsizetype i = 0; i < messages.size(); ++i) {
        QJsonObject entry{{QLatin1String("Id"), ids.of(i)},
                          {QLatin1String("ReceiptHandle"), messages.at(i).settleToken}};
        if (how != Settle::Remove)
            entry.insert(QLatin1String("VisibilityTimeout"), 0);
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
    , m_moves(m_endpoint, m_queues)
    , m_pages(clock, {sqs::mostPerCall, receivesInFlight, sqs::mostPerCall, settlesInFlight}, wire())
{
}

LockedReceiver::Wire Sqs::wire()
{
    LockedReceiver::Wire wire;
    wire.receive = [this](QString queue, int most, bool isFirst) { return receive(std::move(queue), most, isFirst); };
    wire.settle = [this](QString queue, QList<ReceivedMessage> some, Settle how) {
        return settle(std::move(queue), std::move(some), how);
    };
    wire.lockTime = [](const QString &) { return core::Milliseconds(hiddenFor); };
    wire.before = [](const ReceivedMessage &a, const ReceivedMessage &b) { return a.enqueuedAt < b.enqueuedAt; };
    wire.keepsOrder = sqs::isFifo;
    return wire;
}

Task<Result<Capabilities>> Sqs::probe()
{
    Capabilities result;
    result.handOver = records::HandOver::IntentLog;
    result.canTake = true;
    result.canBrowse = true;
    result.locks = true;
    result.sendBatch = sqs::mostPerCall;
    result.sendsInFlight = sendsInFlight;
    result.largestBody = traitsOf(records::BrokerKind::Sqs).largestMessage;
    result.product = sqs::Text::tr("Amazon SQS");
    result.guarantee = sqs::Text::tr(
        "Redrive sends up to ten messages at a time and records each send before and after. After a crash or a lost "
        "answer, only the messages being sent at that moment are in doubt: they are listed, and none is lost. If you "
        "send such a message again, it may arrive twice; a FIFO queue drops the second copy within five minutes. "
        "Standard queues may deliver any message twice. The order is not kept, not even within a group of a FIFO "
        "queue. A "
        "message with ten attributes, or of 1 MiB, has no room for the attribute Redrive-Stamp and goes without it: if "
        "it "
        "fails again, it is shown as a new failure, and after a crash Redrive cannot see whether it was sent.");
    const Result<> listed = co_await m_queues.tryListing();
    if (!listed && listed.error().kind != ErrorKind::Refused)
        co_return core::fail(listed.error());
    if (!listed)
        result.missing.append(
            sqs::Text::tr("The access key may not list queues: name the error queues in the connection"));
    result.missing.append(
        sqs::Text::tr("Browsing counts as a receive of each message and hides it from other consumers for a moment"));
    result.rightsUnknown = sqs::Text::tr(
        "SQS does not show what an access key may do with a queue. If a right is missing, the first attempt shows it.");
    co_return result;
}

Task<Result<Listing>> Sqs::queues()
{
    const Result<Listing> listing = co_await m_queues.all();
    co_return listing;
}

Task<Result<Received>> Sqs::receive(QString queue, int most, bool isFirst)
{
    CO_TRY(const QString url, co_await m_queues.urlOf(queue));
    Endpoint::Call call;
    call.action = "ReceiveMessage";
    call.longestAnswer = http::smallAnswerBytes + most * longestMessage;
    call.silence = lockPatience + std::chrono::seconds(longPoll);
    const bool isFifo = sqs::isFifo(queue);
    // A FIFO queue may give nothing while messages are held, so waiting is not worth it.
    call.body = receiveBody(url, most, isFirst || !isFifo ? longPoll : 0);
    // A repeated call takes other messages. A FIFO queue gives the same messages to the same attempt id; without it the
    // messages of a lost answer would block their groups until they are visible again.
    call.idempotent = isFifo;
    if (isFifo)
        call.body.insert(QLatin1String("ReceiveRequestAttemptId"), QUuid::createUuid().toString(QUuid::WithoutBraces));
    const QString what = sqs::Text::tr("Messages of %1 cannot be read").arg(queue);
    const Result<QJsonObject> answer = co_await m_endpoint.ask(std::move(call), what);
    if (!answer)
        co_return core::fail(isFifo ? afterTries(answer.error()) : answer.error());
    const QJsonArray messages = answer->value(QLatin1String("Messages")).toArray();
    Received received;
    received.empty = messages.isEmpty();
    for (const QJsonValue &message : messages) {
        Result<ReceivedMessage> held = sqs::heldFrom(message.toObject());
        if (!held) {
            received.unusable = held.error();
            continue;
        }
        if (held->origin.isEmpty())
            held->origin = m_queues.originOf(queue);
        received.messages.append(std::move(*held));
    }
    co_return received;
}

Task<Result<QList<Settled>>> Sqs::settle(QString queue, QList<ReceivedMessage> some, Settle how)
{
    CO_TRY(const QString url, co_await m_queues.urlOf(queue));
    const QString what = sqs::Text::tr("Messages of %1 cannot be deleted or put back").arg(queue);
    Endpoint::Call call; // repeating does no harm, so it is repeated if no answer comes
    call.action = how == Settle::Remove ? "DeleteMessageBatch" : "ChangeMessageVisibilityBatch";
    call.silence = lockPatience;
    const sqs::BatchIds ids;
    call.body = settleBody(url, some, how, ids);
    CO_TRY(const QJsonObject answer, co_await m_endpoint.ask(std::move(call), what));
    QList<Settled> settled(some.size());
    QSet<qsizetype> told;
    std::optional<Error> trouble;
    const QJsonArray done = answer.value(QLatin1String("Successful")).toArray();
    for (const QJsonValue &value : done) {
        if (const auto place = ids.placeOf(value[QLatin1String("Id")].toString(), some.size()))
            told.insert(*place);
    }
    const QJsonArray failed = answer.value(QLatin1String("Failed")).toArray();
    for (const QJsonValue &value : failed) {
        const QJsonObject one = value.toObject();
        const auto place = ids.placeOf(one.value(QLatin1String("Id")).toString(), some.size());
        if (!place)
            continue;
        told.insert(*place);
        const sqs::Fault fault{one.value(QLatin1String("Code")).toString(),
                               one.value(QLatin1String("Message")).toString()};
        if (sqs::isLost(fault))
            settled[*place].lost = true;
        else
            trouble = errorOf(fault, one.value(QLatin1String("SenderFault")).toBool(false), what);
    }
    if (trouble)
        co_return core::fail(*trouble);
    if (told.size() != some.size())
        co_return core::fail(ErrorKind::Corrupt,
                             sqs::Text::tr("%1 does not report an outcome for every message.").arg(queue));
    co_return settled;
}

Task<Result<ReceivedPage>> Sqs::browse(QString queue, int limit, LookRisk)
{
    CO_TRY(const QString why, co_await m_queues.whyNotBrowse(queue));
    if (!why.isEmpty())
        co_return core::fail(ErrorKind::Refused, why);
    const Result<ReceivedPage> page = co_await m_pages.browseByTaking(queue, limit);
    co_return page;
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
