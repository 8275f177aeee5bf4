// What Azure Storage Queues answer. m: a list of messages. n: a list of queues. t: the text of a message of ours. e: a message of
// ours in parts (messages.h). a: an answer. s: what a person gave as the secret. c: a conversation (conversation.h).
#include "backend/broker/azurequeue/azurequeue.h"
#include "backend/broker/azurequeue/errormapping.h"
#include "backend/broker/azurequeue/messagemapper.h"
#include "backend/broker/azurequeue/queuexml.h"
#include "tests/fuzz/conversation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"

using namespace broker::azurequeue;
using broker::ReceivedMessage;
using fuzz::holds;

namespace {

// The body of a put as the service would give it out again.
QByteArray listed(const QByteArray &put)
{
    const qsizetype from = put.indexOf("<MessageText>");
    const qsizetype to = put.lastIndexOf("</QueueMessage>");
    holds(from > 0 && to > from, "a put holds one text", put);
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessagesList><QueueMessage><MessageId>a</MessageId>"
           + put.mid(from, to - from) + "</QueueMessage></QueueMessagesList>";
}

void text(const QString &given)
{
    const core::Result<QList<QueuedMessage>> list = messagesFrom(listed(messageXml(given)));
    holds(list && list->size() == 1, "what is put can be read", given.toUtf8());
    const QueuedMessage &message = list->constFirst();
    holds(!message.damaged && message.text == given, "a text arrives as it is", given.toUtf8());
    const ReceivedMessage held = heldFrom(message);
    const core::Result<QString> back = textFrom(held.envelope);
    holds(back && *back == given, "a text goes back as it came", given.toUtf8());
}

void messages(const QByteArray &bytes)
{
    const core::Result<QList<QueuedMessage>> list = messagesFrom(bytes);
    if (!list) {
        holds(list.error().kind == core::ErrorKind::Corrupt && !list.error().message.isEmpty(), "an error says so");
        return;
    }
    holds(list->size() <= mostPerCall, "never more than was asked for");
    for (const QueuedMessage &message : *list) {
        holds(message.dequeueCount >= 0, "nothing was given out less than never");
        const ReceivedMessage held = heldFrom(message);
        holds(held.notFaithful == message.damaged && held.deliveryCount.value_or(0) >= 0, "damage is told");
        const core::Result<QString> back = textFrom(held.envelope);
        holds(message.damaged || (back && *back == message.text), "a text goes back as it came", bytes);
        if (!message.damaged)
            text(message.text);
    }
}

void names(const QByteArray &bytes)
{
    const core::Result<QueueNames> found = queueNamesFrom(bytes);
    if (!found) {
        holds(found.error().kind == core::ErrorKind::Corrupt, "a list that cannot be read is none");
        return;
    }
    holds(found->names.size() <= mostNames, "never more than was asked for");
    for (const QString &name : found->names)
        holds(name.size() <= 1024, "a name has an end");
}

void envelope(const QByteArrayList &parts)
{
    const records::Envelope made = fuzz::envelopeFrom(parts);
    const core::Result<QString> put = textFrom(made);
    if (!put) {
        holds(put.error().kind == core::ErrorKind::Rejected, "what cannot be carried is rejected");
        return;
    }
    const bool isEncoded = records::text(made.properties, u"Encoding") == QLatin1String("base64");
    holds(isEncoded ? QByteArray::fromBase64(put->toLatin1()) == made.body : put->toUtf8() == made.body,
          "the body is sent byte for byte");
    text(*put);
}

void answer(const QByteArray &bytes)
{
    const http::Response response = fuzz::responseFrom(bytes);
    const core::TimePoint now = support::FakeClock().now();
    const core::Error error = errorOf(response, QStringLiteral("The queues cannot be listed"), now);
    holds(!error.message.isEmpty(), "an error says what is wrong");
    holds(error.retryAfter.count() >= 0 && error.retryAfter <= std::chrono::hours{24}, "a wait has an end");
    const ServiceError service = serviceErrorFrom(response.body);
    holds(service.code.size() <= 300 && service.words.size() <= 303, "words have an end");
    holds((verdictOf(response) == broker::Verdict::Accepted) == (response.status == 201), "only a success is one");
    (void)isLost(response);
}

Account accountOf(const QString &secret)
{
    records::Connection connection;
    connection.kind = records::BrokerKind::AzureQueue;
    connection.url = QUrl(QStringLiteral("https://shop@shop.queue.core.windows.net/"));
    connection.errorQueues = {QStringLiteral("orders.error")};
    return Account::from(connection, secret);
}

void secret(const QString &given)
{
    const Account account = accountOf(given);
    holds(account.unusable.isEmpty() || (account.key.isEmpty() && account.sas.isEmpty()), "what is no secret is none");
    holds(account.unusable.isEmpty() || given.size() < 8 || !account.unusable.contains(given),
          "an error keeps secrets");
    for (const char one : account.sas)
        holds(one > ' ' && one < 0x7f, "a token can stand in an address", account.sas);
    (void)rightsOf(account.sas);
}

void conversation(const QByteArrayList &parts)
{
    const QUrl url(QStringLiteral("https://shop.queue.core.windows.net/"));
    const Account account = accountOf(QString::fromLatin1(fuzz::secretText));
    fuzz::converse(parts, url, [&account](http::HttpClient &client, core::Clock &clock) {
        return std::make_unique<broker::AzureQueue>(client, clock, account);
    });
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'm':
        messages(input.rest());
        break;
    case 'n':
        names(input.rest());
        break;
    case 't':
        text(input.text());
        break;
    case 'e':
        envelope(input.parts());
        break;
    case 'a':
        answer(input.rest());
        break;
    case 's':
        secret(input.text());
        break;
    case 'c':
        conversation(input.parts());
        break;
    default:
        break;
    }
    return 0;
}
