// What Service Bus answers. m: a received message. b: an entry of the browse extension. p: the text of one property. x: the
// list of queues. e: a message of ours in parts (messages.h). a: an answer. c: a conversation (conversation.h).
#include "backend/broker/servicebus/describe.h"
#include "backend/broker/servicebus/errormapping.h"
#include "backend/broker/servicebus/messagemapper.h"
#include "backend/broker/servicebus/propertytext.h"
#include "backend/broker/servicebus/queuefeed.h"
#include "backend/broker/servicebus/servicebus.h"
#include "backend/core/text/losslessjson.h"
#include "tests/fuzz/conversation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using broker::ReceivedMessage;
using fuzz::holds;

namespace {

const QString queue = QStringLiteral("orders/$DeadLetterQueue");

bool isOneLine(const QByteArray &text)
{
    return std::none_of(text.begin(), text.end(), [](char one) { return one == '\r' || one == '\n' || one == '\0'; });
}

// The copy as it would be received: with what the broker itself adds.
http::Response received(const records::Envelope &envelope)
{
    http::Response response;
    response.status = 201;
    response.headers = broker::singleHeaders(envelope);
    response.body = envelope.body;
    for (http::HeaderField &field : response.headers) {
        holds(isOneLine(field.name) && isOneLine(field.value), "a header is one line", field.value);
        if (field.name != "BrokerProperties")
            continue;
        QJsonObject json = core::jsonFrom(field.value).object();
        json.insert(QLatin1String("SequenceNumber"), 7);
        field.value = QJsonDocument(json).toJson(QJsonDocument::Compact);
    }
    return response;
}

void batch(const records::Envelope &envelope)
{
    const core::Result<QByteArray> member = broker::batchMember(envelope);
    if (!member) {
        holds(member.error().kind == core::ErrorKind::Rejected, "what cannot be carried is rejected");
        return;
    }
    QJsonParseError error;
    const QJsonObject json = core::jsonFrom(*member, &error).object();
    holds(error.error == QJsonParseError::NoError, "a member of a batch is JSON", *member);
    const QByteArray text = json.value(QLatin1String("Body")).toString().toUtf8();
    const QByteArray body = json.value(QLatin1String("IsBodyBase64")).toBool() ? QByteArray::fromBase64(text) : text;
    holds(body == envelope.body, "the body goes back byte for byte", *member);
    for (const records::Header &header : envelope.headers)
        holds(json.value(QLatin1String("UserProperties")).toObject().contains(header.name), "every header is sent");
}

void forms(const records::Envelope &envelope)
{
    batch(envelope);
    if (!broker::fitsSingleForm(envelope))
        return;
    const core::Result<ReceivedMessage> again = broker::heldFrom(received(envelope), queue);
    holds(again.has_value(), "what is sent can be received");
    holds(again->envelope.body == envelope.body, "the body goes back byte for byte");
    holds(again->envelope.headers == envelope.headers, "headers go back with their kinds");
}

void message(const QByteArray &bytes)
{
    const http::Response response = fuzz::responseFrom(bytes);
    const core::Result<ReceivedMessage> held = broker::heldFrom(response, queue);
    if (!held) {
        holds(held.error().kind == core::ErrorKind::Corrupt && !held.error().message.isEmpty(), "an error says so");
        return;
    }
    holds(broker::sequenceOf(*held) > 0, "a message has its place", held->nativeId.toUtf8());
    holds(held->deliveryCount.value_or(0) >= 0, "nothing was delivered less than never");
    holds(held->envelope.body == response.body, "the body is kept as it is");
    forms(held->envelope);
    const core::Result<ReceivedMessage> again =
        broker::fitsSingleForm(held->envelope) ? broker::heldFrom(received(held->envelope), queue) : held;
    holds(again && again->envelope.properties == held->envelope.properties, "properties go back");
}

void browsed(const QByteArray &bytes)
{
    const ReceivedMessage held = broker::heldFromBrowse(core::jsonFrom(bytes).object(), queue);
    holds(broker::sequenceOf(held) >= 0, "a place is a number");
    forms(held.envelope);
}

void property(const QByteArray &bytes)
{
    const QCborValue value = broker::propertyFromText(bytes);
    const std::optional<QByteArray> text = broker::propertyToText(value);
    holds(text.has_value(), "what was read can be written");
    holds(broker::propertyFromText(*text) == value, "it is read as it was written", *text);
}

void feed(const QByteArray &bytes)
{
    const core::Result<QList<broker::FeedQueue>> queues = broker::queuesFromAtom(bytes);
    if (!queues) {
        holds(queues.error().kind == core::ErrorKind::Corrupt, "a list that cannot be read is none");
        return;
    }
    for (const broker::FeedQueue &one : *queues) {
        holds(!one.name.isEmpty(), "a queue has a name");
        holds(std::min({one.active, one.deadLetter, one.scheduled, one.sizeBytes, one.messages}) >= 0,
              "no queue holds less than nothing");
        holds(one.subscriptions >= 0, "no topic has fewer subscriptions than none");
    }
    for (const broker::QueueInfo &info : broker::describe(*queues, {QStringLiteral("error")}, false))
        holds(!info.name.isEmpty() && info.depth.value_or(0) >= 0, "what is shown has a name and a count");
}

void answer(const QByteArray &bytes)
{
    const http::Response response = fuzz::responseFrom(bytes);
    const core::TimePoint now = support::FakeClock().now();
    const core::Error error = broker::serviceBusError(response, QStringLiteral("The queues cannot be listed"), now);
    holds(!error.message.isEmpty(), "an error says what is wrong");
    holds(error.retryAfter.count() >= 0 && error.retryAfter <= std::chrono::hours{24}, "a wait has an end");
    holds(broker::errorDetail(response.body).size() <= 500, "a detail has an end");
    const broker::Verdict verdict = broker::serviceBusVerdict(response);
    holds((verdict == broker::Verdict::Accepted) == (response.status == 201), "only a success is a success");
    (void)broker::lockLeft(response, {}, core::Milliseconds{1});
}

void conversation(const QByteArrayList &parts)
{
    const QUrl url(QStringLiteral("https://ns.servicebus.windows.net/"));
    const broker::ServiceBusAccount account{url,
                                            QStringLiteral("RootManageSharedAccessKey"),
                                            QString::fromLatin1(fuzz::secretText),
                                            {QStringLiteral("orders.error")}};
    fuzz::converse(parts, url, [&account](http::HttpClient &client, core::Clock &clock) {
        return std::make_unique<broker::ServiceBus>(client, clock, account);
    });
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'm':
        message(input.rest());
        break;
    case 'b':
        browsed(input.rest());
        break;
    case 'p':
        property(input.rest());
        break;
    case 'x':
        feed(input.rest());
        break;
    case 'e':
        forms(fuzz::envelopeFrom(input.parts()));
        break;
    case 'a':
        answer(input.rest());
        break;
    case 'c':
        conversation(input.parts());
        break;
    default:
        break;
    }
    return 0;
}
