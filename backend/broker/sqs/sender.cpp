#include "backend/broker/sqs/sender.h"

#include "backend/broker/sqs/errormapping.h"
#include "backend/broker/sqs/text.h"
#include "backend/broker/verdict.h"

#include <QCryptographicHash>
#include <QJsonArray>

namespace broker::sqs {

using core::Error;
using core::ErrorKind;
using core::Result;
using core::Task;

namespace {

// The limit of every server for one call; the service itself accepts 1 MiB since 2025.
constexpr qint64 callBytes = 256 * 1024;
constexpr int callsInFlight = 12;

QString notTaken(const QString &queue)
{
    return Text::tr("The queue %1 did not take the message").arg(queue);
}

SendOutcome unknown(const QString &message)
{
    return {Verdict::Unknown, Error{ErrorKind::UnknownOutcome, message, {}, {}}};
}

// The service returns the digest of the body that it took: another digest means another message.
bool tookSomethingElse(const QJsonObject &successful, const Entry &entry)
{
    const QString digest = successful.value(QLatin1String("MD5OfMessageBody")).toString();
    const QByteArray body = entry.json.value(QLatin1String("MessageBody")).toString().toUtf8();
    const QByteArray own = QCryptographicHash::hash(body, QCryptographicHash::Md5).toHex();
    return !digest.isEmpty() && digest.compare(QLatin1String(own), Qt::CaseInsensitive) != 0;
}

} // namespace

Sender::Sender(Endpoint &endpoint, QueueList &queues)
    : m_endpoint(endpoint)
    , m_queues(queues)
{
}

Task<QList<SendOutcome>> Sender::send(QList<Outgoing> messages)
{
    QList<Entry> entries(messages.size());
    QList<BatchItem> pieces(messages.size());
    QList<SendOutcome> outcomes(messages.size());
    for (qsizetype i = 0; i < messages.size(); ++i) {
        Result<Entry> entry = entryFrom(messages.at(i), m_endpoint.now());
        pieces[i].queue = messages.at(i).destination;
        pieces[i].isOut = !entry;
        if (!entry) {
            outcomes[i] = {Verdict::Rejected, entry.error()};
            continue;
        }
        pieces[i].bytes = entry->bytes;
        entries[i] = *entry;
    }
    std::vector<SendBatch> batches = packed(pieces, {mostPerCall, callBytes});
    const std::function<Task<QList<SendOutcome>>(SendBatch)> step = [this, &entries](SendBatch batch) {
        return deliver(entries, std::move(batch));
    };
    co_await deliverAll(std::move(batches), callsInFlight, step, outcomes);
    const QList<SendOutcome> all = outcomes;
    co_return all;
}

Task<QList<SendOutcome>> Sender::deliver(const QList<Entry> &entries, SendBatch batch)
{
    const auto all = [&batch](const SendOutcome &outcome) { return QList<SendOutcome>(batch.members.size(), outcome); };
    const Result<QString> url = co_await m_queues.urlOf(batch.queue);
    if (!url) {
        // A right that is missing for this queue says nothing about other queues.
        const Verdict otherwise = lacksRight(url.error()) ? Verdict::Full : Verdict::NotSent;
        co_return all({url.error().kind == ErrorKind::NotFound ? Verdict::NoSuchDestination : otherwise, url.error()});
    }
    if (m_endpoint.isCancelled()) // a message that was not sent is certainly not taken
        co_return all({Verdict::NotSent,
                       Error{ErrorKind::Cancelled, Text::tr("The request was cancelled before it was sent."), {}, {}}});
    const BatchIds ids;
    QJsonArray list;
    for (qsizetype i = 0; i < batch.members.size(); ++i) {
        QJsonObject json = entries.at(batch.members.at(i)).json;
        json.insert(QLatin1String("Id"), ids.of(i));
        list.append(json);
    }
    Endpoint::Call call;
    call.action = "SendMessageBatch";
    call.body = {{QLatin1String("QueueUrl"), *url}, {QLatin1String("Entries"), list}};
    call.idempotent = false;
    call.timeout = std::chrono::seconds{60};
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return all({broker::verdictOf(answer.error()), answer.error()});
    if (answer->status == 200) {
        const Result<QJsonObject> object = objectFrom(*answer, m_endpoint.name());
        co_return readOutcomes(object.value_or(QJsonObject()), entries, batch, ids);
    }
    co_return all(outcomeOf(verdictOf(*answer), errorOf(*answer, notTaken(batch.queue), m_endpoint.now())));
}

QList<SendOutcome> Sender::readOutcomes(const QJsonObject &answer, const QList<Entry> &entries, const SendBatch &batch,
                                        const BatchIds &ids)
{
    const qsizetype count = batch.members.size();
    QList<std::optional<SendOutcome>> told(count);
    const auto tell = [&](qsizetype place, const SendOutcome &outcome) {
        const bool isOther = told.at(place) && told.at(place)->verdict != outcome.verdict;
        told[place] = isOther
                          ? unknown(Text::tr("%1 reports the message both as taken and as failed.").arg(batch.queue))
                          : outcome;
    };
    const QJsonArray taken = answer.value(QLatin1String("Successful")).toArray();
    for (const QJsonValue &value : taken) {
        const QJsonObject one = value.toObject();
        const auto place = ids.placeOf(one.value(QLatin1String("Id")).toString(), count);
        if (!place)
            continue;
        tell(*place, tookSomethingElse(one, entries.at(batch.members.at(*place)))
                         ? unknown(Text::tr("%1 took the message with a different body.").arg(batch.queue))
                         : SendOutcome{Verdict::Accepted, {}});
    }
    const QJsonArray failed = answer.value(QLatin1String("Failed")).toArray();
    for (const QJsonValue &value : failed) {
        const QJsonObject one = value.toObject();
        const auto place = ids.placeOf(one.value(QLatin1String("Id")).toString(), count);
        if (!place)
            continue;
        const Fault fault{one.value(QLatin1String("Code")).toString(), one.value(QLatin1String("Message")).toString()};
        const bool isOurs = one.value(QLatin1String("SenderFault")).toBool(false);
        tell(*place, outcomeOf(verdictOf(fault, isOurs), errorOf(fault, isOurs, notTaken(batch.queue))));
    }
    const SendOutcome silence = unknown(Text::tr("%1 does not say whether it took the message.").arg(batch.queue));
    QList<SendOutcome> outcomes;
    for (const std::optional<SendOutcome> &one : told)
        outcomes.append(one.value_or(silence));
    return outcomes;
}

} // namespace broker::sqs
