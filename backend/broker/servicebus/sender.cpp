#include "backend/broker/servicebus/sender.h"

#include "backend/broker/servicebus/describe.h"
#include "backend/broker/servicebus/errormapping.h"
#include "backend/broker/servicebus/messagemapper.h"
#include "backend/broker/servicebus/queuefeed.h"
#include "backend/broker/servicebus/text.h"
#include "backend/broker/verdict.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace broker {

using core::Error;
using core::ErrorKind;
using core::Result;
using core::Task;

namespace {

constexpr qint64 brokerOverheadPerMember = 256; // bytes that the service may count beside the text

const QByteArray batchType("application/vnd.microsoft.servicebus.json");

SendOutcome notSent(Error error)
{
    return {Verdict::NotSent, std::move(error)};
}

// True: another try would get the same answer.
bool isForGood(int status)
{
    return status < 500 && status != 408 && status != 429;
}

// JSON has one type of number: 1.0 would arrive as 1.
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
    QSet<QString> unknown; // in lower case: the service ignores the case of names
    for (const Outgoing &message : std::as_const(messages)) {
        if (isPutIntoDeadLetters(message.destination))
            setDuplicateDetection(message.destination, false); // a dead-letter queue detects none
        if (!message.dedupId.isEmpty() && !m_duplicateDetection.contains(message.destination.toLower()))
            unknown.insert(message.destination.toLower());
    }
    QStringList queues = unknown.values();
    co_await learnDestinations(std::move(queues));

    Work work;
    work.messages = std::move(messages);
    for (Outgoing &message : work.messages) {
        applyDedupId(message);
        if (message.deliverAt && *message.deliverAt > m_endpoint.now())
            setScheduled(message.envelope, *message.deliverAt);
    }
    std::vector<SendBatch> batches = prepare(work);
    const std::function<Task<QList<SendOutcome>>(SendBatch)> step = [this, &work](SendBatch batch) {
        return deliver(work, std::move(batch));
    };
    co_await deliverAll(std::move(batches), m_limits.inFlight, step, work.outcomes);
    co_return work.outcomes;
}

bool Sender::isPutIntoDeadLetters(const QString &queue) const
{
    return m_reachesDeadLetters && isDeadLetter(queue);
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
        // A queue that may not be read, or that is none, is not asked again with every batch.
        const Result<QList<FeedQueue>> described = queuesFromAtom(answer->body);
        const bool isTold = answer->status == 200 && described && described->size() == 1
                            && described->constFirst().name.compare(queue, Qt::CaseInsensitive) == 0;
        setDuplicateDetection(queue, !isTold || described->constFirst().duplicateDetection);
    };
    co_await core::forEachLimited(size_t(queues.size()), size_t(m_limits.inFlight), one);
}

void Sender::applyDedupId(Outgoing &message) const
{
    // Unknown (the key may not read the queue): the service could drop the old id as a duplicate and still answer
    // success, so it is replaced too.
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

std::vector<SendBatch> Sender::prepare(Work &work) const
{
    const qsizetype count = work.messages.size();
    QList<BatchItem> pieces(count);
    work.outcomes.resize(count);
    work.forms.resize(count);
    for (qsizetype i = 0; i < count; ++i) {
        const Outgoing &message = work.messages.at(i);
        pieces[i].queue = message.destination;
        pieces[i].isAlone = fitsSingleForm(message.envelope) && !mayTravelTogether(message.envelope);
        if (pieces[i].isAlone)
            continue;
        const Result<QByteArray> form = batchMember(message.envelope);
        pieces[i].isOut = !form;
        if (!form) {
            work.outcomes[i] = {Verdict::Rejected, form.error()};
            continue;
        }
        work.forms[i] = *form;
        pieces[i].bytes = form->size() + brokerOverheadPerMember;
    }
    return packed(pieces, {m_limits.batchMembers, m_limits.batchBytes});
}

// A message alone is sent in the form that keeps its body unchanged, if that form can carry it.
Task<QList<SendOutcome>> Sender::deliver(const Work &work, SendBatch batch)
{
    const records::Envelope &first = work.messages.at(batch.members.constFirst()).envelope;
    QList<http::HeaderField> headers;
    QByteArray body;
    if (batch.members.size() == 1 && fitsSingleForm(first)) {
        headers = singleHeaders(first);
        body = first.body;
    } else {
        for (const qsizetype member : batch.members)
            body += (body.isEmpty() ? '[' : ',') + work.forms.at(member);
        body += ']';
        headers.append({"Content-Type", batchType});
    }
    const SendOutcome outcome = co_await post(batch.queue, std::move(headers), std::move(body));
    QList<SendOutcome> outcomes(batch.members.size(), outcome);
    co_return outcomes;
}

Task<SendOutcome> Sender::post(QString queue, QList<http::HeaderField> headers, QByteArray body)
{
    if (m_cancelled)
        co_return notSent(
            {ErrorKind::Cancelled, servicebus::Text::tr("The request was cancelled before it was sent."), {}, {}});
    Endpoint::Call call;
    call.verb = "POST";
    call.path = Endpoint::queuePath(queue, isPutIntoDeadLetters(queue) ? "/$redrive/deadletter" : "/messages");
    call.headers = std::move(headers);
    call.body = std::move(body);
    call.idempotent = false;
    call.timeout = std::chrono::seconds{60};
    const Result<http::Response> answer = co_await m_endpoint.call(std::move(call));
    if (!answer)
        co_return SendOutcome{verdictOf(answer.error()), answer.error()};
    const Verdict verdict = serviceBusVerdict(*answer);
    if (verdict == Verdict::Accepted)
        co_return SendOutcome{verdict, {}};
    const QString what = servicebus::Text::tr("The queue %1 did not take the message").arg(queue);
    co_return outcomeOf(verdict, serviceBusError(*answer, what, m_endpoint.now()));
}

} // namespace broker
