#include "backend/broker/servicebus/sender.h"

#include "backend/broker/servicebus/messageform.h"
#include "backend/broker/servicebus/queuefeed.h"
#include "backend/broker/servicebus/statustable.h"
#include "backend/broker/verdict.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace broker {

using core::Error;
using core::ErrorKind;
using core::Result;
using core::Task;

namespace {

constexpr qint64 brokerOverheadPerMember = 256; // what the service may count beside the text

const QByteArray batchType("application/vnd.microsoft.servicebus.json");

SendOutcome notSent(Error error)
{
    return {Verdict::NotSent, std::move(error)};
}

// Another time the answer would be the same.
bool isForGood(int status)
{
    return status < 500 && status != 408 && status != 429;
}

// JSON knows one kind of number: 1.0 would arrive as 1.
bool losesKindInJson(const QCborValue &value)
{
    return value.isDouble() && std::trunc(value.toDouble()) == value.toDouble();
}

} // namespace

Sender::Sender(Endpoint &endpoint)
    : m_endpoint(endpoint)
{
}

Task<QList<SendOutcome>> Sender::send(QList<Outgoing> messages)
{
    QSet<QString> unknown; // in lower case: to the service a queue's name is the same in any
    for (const Outgoing &message : std::as_const(messages)) {
        if (!message.dedupId.isEmpty() && !m_duplicateDetection.contains(message.destination.toLower()))
            unknown.insert(message.destination.toLower());
    }
    QStringList queues = unknown.values();
    co_await learnDestinations(std::move(queues));

    Work work;
    work.messages = std::move(messages);
    for (Outgoing &message : work.messages)
        applyDedupId(message);
    prepare(work);
    std::function<Task<>(size_t)> step = [this, &work](size_t parcel) { return deliver(work, parcel); };
    const size_t count = work.parcels.size();
    co_await core::forEachLimited(count, size_t(m_limits.inFlight), step);
    co_return work.outcomes;
}

Task<> Sender::learnDestinations(QStringList queues)
{
    const std::function<Task<>(size_t)> one = [&](size_t index) -> Task<> {
        const QString &queue = queues.at(qsizetype(index));
        Endpoint::Call call;
        call.path = Endpoint::queuePath(queue, "?api-version=2021-05");
        const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
        if (!answer || !isForGood(answer->status))
            co_return;
        // What may not be asked, or is no queue, is not asked again with every batch.
        const Result<QList<FeedQueue>> described = queuesFromAtom(answer->body);
        const bool isTold = answer->status == 200 && described && described->size() == 1;
        setDuplicateDetection(queue, !isTold || described->constFirst().duplicateDetection);
    };
    co_await core::forEachLimited(size_t(queues.size()), size_t(m_limits.inFlight), one);
}

void Sender::applyDedupId(Outgoing &message) const
{
    // Not known (the key may not ask): then the old id might be swallowed with a success answer, so it is replaced too.
    if (message.dedupId.isEmpty() || !m_duplicateDetection.value(message.destination.toLower(), true))
        return;
    const QString original = records::text(message.envelope.properties, u"MessageId");
    const QString header = QStringLiteral("Redrive-Original-MessageId");
    if (!original.isEmpty() && records::find(message.envelope.headers, header) == nullptr)
        records::set(message.envelope.headers, header, original);
    records::set(message.envelope.properties, QStringLiteral("MessageId"), message.dedupId);
}

bool Sender::mayTravelTogether(const records::Envelope &envelope) const
{
    if (!m_limits.batchKeepsContentType && records::find(envelope.properties, u"ContentType") != nullptr)
        return false;
    return std::none_of(envelope.headers.cbegin(), envelope.headers.cend(),
                        [](const records::Header &header) { return losesKindInJson(header.value); });
}

void Sender::prepare(Work &work) const
{
    QHash<QString, size_t> open; // queue to the parcel that still has room
    work.outcomes.resize(work.messages.size());
    work.forms.resize(work.messages.size());
    for (qsizetype i = 0; i < work.messages.size(); ++i) {
        const Outgoing &message = work.messages.at(i);
        const bool single = fitsSingleForm(message.envelope);
        if (single && !mayTravelTogether(message.envelope)) {
            work.parcels.push_back({message.destination, {i}, {}});
            continue;
        }
        const Result<QByteArray> form = batchMember(message.envelope);
        if (!form) {
            work.outcomes[i] = {Verdict::Rejected, form.error()};
            continue;
        }
        work.forms[i] = *form;
        const auto room = open.constFind(message.destination);
        if (room != open.cend()) {
            Parcel &parcel = work.parcels[*room];
            const qint64 size =
                parcel.batch.size() + form->size() + brokerOverheadPerMember * (parcel.members.size() + 1);
            if (parcel.members.size() < m_limits.batchMembers && size < m_limits.batchBytes) {
                parcel.batch += ',' + *form;
                parcel.members.append(i);
                continue;
            }
        }
        open.insert(message.destination, work.parcels.size());
        work.parcels.push_back({message.destination, {i}, *form});
    }
    for (Parcel &parcel : work.parcels) {
        // Alone, the form that keeps the body as it is.
        if (parcel.members.size() == 1 && fitsSingleForm(work.messages.at(parcel.members.constFirst()).envelope))
            parcel.batch.clear();
    }
}

Task<> Sender::deliver(Work &work, size_t index)
{
    const Parcel parcel = work.parcels.at(index);
    QList<http::HeaderField> headers;
    QByteArray body;
    if (parcel.batch.isEmpty()) {
        const records::Envelope &envelope = work.messages.at(parcel.members.constFirst()).envelope;
        headers = singleHeaders(envelope);
        body = envelope.body;
    } else {
        headers.append({"Content-Type", batchType});
        body = '[' + parcel.batch + ']';
    }
    const SendOutcome outcome = co_await post(parcel.queue, std::move(headers), std::move(body));
    if (outcome.verdict == Verdict::Rejected && parcel.members.size() > 1) {
        co_await deliverApart(work, parcel);
        co_return;
    }
    for (const qsizetype member : parcel.members)
        work.outcomes[member] = outcome;
}

Task<> Sender::deliverApart(Work &work, Parcel parcel)
{
    for (const qsizetype member : parcel.members) {
        const records::Envelope envelope = work.messages.at(member).envelope;
        QList<http::HeaderField> headers;
        QByteArray body;
        if (fitsSingleForm(envelope)) {
            headers = singleHeaders(envelope);
            body = envelope.body;
        } else {
            headers.append({"Content-Type", batchType});
            body = '[' + work.forms.at(member) + ']';
        }
        const SendOutcome outcome = co_await post(parcel.queue, std::move(headers), std::move(body));
        work.outcomes[member] = outcome;
    }
}

Task<SendOutcome> Sender::post(QString queue, QList<http::HeaderField> headers, QByteArray body)
{
    if (m_cancelled)
        co_return notSent({ErrorKind::Cancelled, QCoreApplication::translate("servicebus", "Stopped."), {}, {}});
    Endpoint::Call call;
    call.verb = "POST";
    call.path = Endpoint::queuePath(queue, "/messages");
    call.headers = std::move(headers);
    call.body = std::move(body);
    call.idempotent = false;
    call.timeout = std::chrono::seconds{60};
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return SendOutcome{verdictOf(answer.error()), answer.error()};
    SendOutcome outcome;
    outcome.verdict = serviceBusVerdict(*answer);
    if (outcome.verdict != Verdict::Accepted) {
        outcome.error = serviceBusError(
            *answer, QCoreApplication::translate("servicebus", "The queue %1 did not take the message").arg(queue),
            m_endpoint.now());
        if (outcome.verdict == Verdict::Unknown)
            outcome.error.kind = ErrorKind::UnknownOutcome;
    }
    co_return outcome;
}

} // namespace broker
