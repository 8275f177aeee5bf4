#include "backend/broker/sqs/sender.h"

#include "backend/broker/sqs/statustable.h"
#include "backend/broker/verdict.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QHash>
#include <QJsonArray>

namespace broker::sqs {

using core::Error;
using core::ErrorKind;
using core::Result;
using core::Task;

namespace {

// What every server takes in one call: the service itself takes 1 MiB since 2025.
constexpr qint64 callBytes = 256 * 1024;
constexpr int callsInFlight = 12;

QString say(const char *text)
{
    return QCoreApplication::translate("sqs", text);
}

QString notTaken(const QString &queue)
{
    return say("The queue %1 did not take the message").arg(queue);
}

SendOutcome unknown(const QString &message)
{
    return {Verdict::Unknown, Error{ErrorKind::UnknownOutcome, message, {}, {}}};
}

// The service says what it took: a digest of another body is another message.
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

void Sender::prepare(const QList<Outgoing> &messages, Work &work)
{
    QHash<QString, size_t> open; // queue to the parcel that still has room
    work.entries.resize(messages.size());
    work.outcomes.resize(messages.size());
    for (qsizetype i = 0; i < messages.size(); ++i) {
        const QString &queue = messages.at(i).destination;
        Result<Entry> entry = entryFrom(messages.at(i));
        if (!entry) {
            work.outcomes[i] = {Verdict::Rejected, entry.error()};
            continue;
        }
        entry->json.insert(QLatin1String("Id"), QString::number(i));
        work.entries[i] = *entry;
        const auto found = open.constFind(queue);
        if (found != open.cend() && work.parcels[*found].members.size() < mostPerCall
            && work.parcels[*found].bytes + entry->bytes <= callBytes) {
            work.parcels[*found].members.append(i);
            work.parcels[*found].bytes += entry->bytes;
            continue;
        }
        open.insert(queue, work.parcels.size());
        work.parcels.push_back({queue, {i}, entry->bytes});
    }
}

Task<QList<SendOutcome>> Sender::send(QList<Outgoing> messages)
{
    Work work;
    prepare(messages, work);
    const std::function<Task<>(size_t)> step = [&](size_t i) { return deliver(work, work.parcels.at(i)); };
    const size_t count = work.parcels.size();
    co_await core::forEachLimited(count, callsInFlight, step);
    const QList<SendOutcome> outcomes = work.outcomes;
    co_return outcomes;
}

QJsonObject Sender::bodyOf(const Work &work, const Parcel &parcel, const QString &url)
{
    QJsonArray entries;
    for (const qsizetype member : parcel.members)
        entries.append(work.entries.at(member).json);
    return {{QLatin1String("QueueUrl"), url}, {QLatin1String("Entries"), entries}};
}

Task<> Sender::deliver(Work &work, Parcel parcel)
{
    const auto setAll = [&work, &parcel](const SendOutcome &outcome) {
        for (const qsizetype member : parcel.members)
            work.outcomes[member] = outcome;
    };
    const Result<QString> url = co_await m_queues.urlOf(parcel.queue);
    if (!url) {
        // A right that is missing here says nothing of other queues.
        const Verdict otherwise = lacksRight(url.error()) ? Verdict::Full : Verdict::NotSent;
        setAll({url.error().kind == ErrorKind::NotFound ? Verdict::NoSuchDestination : otherwise, url.error()});
        co_return;
    }
    if (m_endpoint.isCancelled()) { // what is not asked is certainly not taken
        setAll({Verdict::NotSent, Error{ErrorKind::Cancelled, say("Stopped."), {}, {}}});
        co_return;
    }
    Endpoint::Call call;
    call.action = "SendMessageBatch";
    call.body = bodyOf(work, parcel, *url);
    call.idempotent = false;
    call.timeout = std::chrono::seconds{60};
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer) {
        setAll({broker::verdictOf(answer.error()), answer.error()});
        co_return;
    }
    if (answer->status == 200) {
        const Result<QJsonObject> object = objectFrom(*answer, m_endpoint.name());
        readOutcomes(object.value_or(QJsonObject()), parcel, work);
        co_return;
    }
    SendOutcome outcome{verdictOf(*answer), errorOf(*answer, notTaken(parcel.queue), m_endpoint.now())};
    if (outcome.verdict == Verdict::Rejected && parcel.members.size() > 1) {
        // Nothing of the call was taken: which of them is refused shows when each goes alone.
        for (const qsizetype member : parcel.members) {
            Parcel alone;
            alone.queue = parcel.queue;
            alone.members.append(member);
            co_await deliver(work, std::move(alone));
        }
        co_return;
    }
    if (outcome.verdict == Verdict::Unknown)
        outcome.error.kind = ErrorKind::UnknownOutcome;
    setAll(outcome);
}

void Sender::readOutcomes(const QJsonObject &answer, const Parcel &parcel, Work &work) const
{
    QHash<QString, qsizetype> waiting;
    for (const qsizetype member : parcel.members) {
        waiting.insert(QString::number(member), member);
        work.outcomes[member] = unknown(say("%1 does not say whether it took the message.").arg(parcel.queue));
    }
    const QJsonArray taken = answer.value(QLatin1String("Successful")).toArray();
    for (const QJsonValue &value : taken) {
        const QJsonObject one = value.toObject();
        const auto member = waiting.constFind(one.value(QLatin1String("Id")).toString());
        if (member == waiting.cend())
            continue;
        work.outcomes[*member] = tookSomethingElse(one, work.entries.at(*member))
                                     ? unknown(say("%1 took a message with another body.").arg(parcel.queue))
                                     : SendOutcome{Verdict::Accepted, {}};
    }
    const QJsonArray failed = answer.value(QLatin1String("Failed")).toArray();
    for (const QJsonValue &value : failed) {
        const QJsonObject one = value.toObject();
        const auto member = waiting.constFind(one.value(QLatin1String("Id")).toString());
        if (member == waiting.cend())
            continue;
        const Fault fault{one.value(QLatin1String("Code")).toString(), one.value(QLatin1String("Message")).toString()};
        const bool isOurs = one.value(QLatin1String("SenderFault")).toBool(false);
        SendOutcome outcome{verdictOf(fault, isOurs), errorOf(fault, isOurs, notTaken(parcel.queue))};
        if (outcome.verdict == Verdict::Unknown)
            outcome.error.kind = ErrorKind::UnknownOutcome;
        work.outcomes[*member] = outcome;
    }
}

} // namespace broker::sqs
