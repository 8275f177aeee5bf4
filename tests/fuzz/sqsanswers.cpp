// What Amazon SQS answers. m: one message. e: a message of ours in parts (messages.h). a: an answer. n: the address of a queue.
// s: what a person gave as the secret. c: a conversation (conversation.h).
#include "backend/broker/sqs/errormapping.h"
#include "backend/broker/sqs/messagemapper.h"
#include "backend/broker/sqs/sqs.h"
#include "backend/core/text/losslessjson.h"
#include "tests/fuzz/conversation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"

#include <QJsonDocument>

#include <algorithm>

using namespace broker::sqs;
using broker::ReceivedMessage;
using fuzz::holds;

namespace {

const QLatin1String attributesName("MessageAttributes");

broker::Outgoing outgoing(const records::Envelope &envelope)
{
    broker::Outgoing message;
    message.uniqueId = QStringLiteral("0123456789abcdef0123456789abcdef");
    message.destination = QStringLiteral("orders.fifo");
    message.dedupId = message.uniqueId + QStringLiteral("-7-1");
    message.envelope = envelope;
    return message;
}

// The same bytes, however their base64 was written.
QJsonObject plain(QJsonObject attribute)
{
    const QLatin1String bytes("BinaryValue");
    if (attribute.contains(bytes)) {
        const QByteArray decoded = QByteArray::fromBase64(attribute.value(bytes).toString().toLatin1());
        attribute.insert(bytes, QString::fromLatin1(decoded.toBase64()));
    }
    QJsonObject kept;
    const bool isBinary = attribute.value(QLatin1String("DataType")).toString().startsWith(QLatin1String("Binary"));
    for (const QLatin1String &name : {QLatin1String("DataType"), isBinary ? bytes : QLatin1String("StringValue")})
        kept.insert(name, attribute.value(name));
    return kept;
}

void check(const Entry &entry)
{
    holds(entry.bytes > 0 && entry.bytes <= mostBytes, "nothing is sent that is too large");
    holds(entry.json.value(attributesName).toObject().size() <= mostAttributes, "nothing has too many attributes");
    holds(!entry.json.value(QLatin1String("MessageGroupId")).toString().isEmpty(), "in a FIFO queue it has a group");
}

void message(const QByteArray &bytes)
{
    const QJsonObject json = core::jsonFrom(bytes).object();
    const core::Result<ReceivedMessage> held = heldFrom(json);
    if (!held) {
        holds(held.error().kind == core::ErrorKind::Corrupt && !held.error().message.isEmpty(), "an error says so");
        return;
    }
    holds(!held->nativeId.isEmpty() && !held->settleToken.isEmpty(), "what is held can be settled");
    holds(held->deliveryCount.value_or(0) >= 0, "nothing was delivered less than never");
    const core::Result<Entry> entry = entryFrom(outgoing(held->envelope), {});
    if (!entry) {
        holds(entry.error().kind == core::ErrorKind::Rejected, "what cannot be carried is rejected");
        return;
    }
    check(*entry);
    if (held->notFaithful)
        return;
    holds(entry->json.value(QLatin1String("MessageBody")) == json.value(QLatin1String("Body")), "the body goes back");
    const QJsonObject given = json.value(attributesName).toObject();
    const QJsonObject back = entry->json.value(attributesName).toObject();
    holds(given.keys() == back.keys(), "every attribute goes back", bytes);
    for (auto it = given.begin(); it != given.end(); ++it)
        holds(plain(it.value().toObject()) == plain(back.value(it.key()).toObject()), "an attribute goes back", bytes);
}

void envelope(const QByteArrayList &parts)
{
    const records::Envelope made = fuzz::envelopeFrom(parts);
    const core::Result<Entry> entry = entryFrom(outgoing(made), {});
    if (!entry) {
        holds(entry.error().kind == core::ErrorKind::Rejected, "what cannot be carried is rejected");
        return;
    }
    check(*entry);
    QJsonObject shown{{QLatin1String("MessageId"), QLatin1String("a")},
                      {QLatin1String("ReceiptHandle"), QLatin1String("r")},
                      {QLatin1String("Body"), entry->json.value(QLatin1String("MessageBody"))},
                      {attributesName, entry->json.value(attributesName)}};
    const core::Result<ReceivedMessage> held = heldFrom(core::jsonFrom(QJsonDocument(shown).toJson()).object());
    holds(held && !held->notFaithful, "what is sent can be received");
    holds(held->envelope.body == made.body, "the body is sent byte for byte");
}

void answer(const QByteArray &bytes)
{
    const http::Response response = fuzz::responseFrom(bytes);
    const core::TimePoint now = support::FakeClock().now();
    const core::Error error = errorOf(response, QStringLiteral("The queues cannot be listed"), now);
    holds(!error.message.isEmpty(), "an error says what is wrong");
    holds(error.retryAfter.count() >= 0 && error.retryAfter <= std::chrono::hours{24}, "a wait has an end");
    const Fault fault = faultOf(response);
    holds(fault.code.size() <= 100 && fault.words.size() <= 600, "words have an end");
    holds(verdictOf(response) != broker::Verdict::Accepted, "nothing is accepted where no answer said so");
    for (const bool isOurs : {true, false})
        holds(!errorOf(fault, isOurs, QStringLiteral("It was refused")).message.isEmpty(), "an entry has its words");
    (void)isLost(fault);
    (void)objectFrom(response, QStringLiteral("sqs"));
}

void name(const QString &address)
{
    const QString found = queueNameOf(address);
    holds(found.isEmpty() || (isQueueName(found) && address.endsWith(found)), "a name is one", found.toUtf8());
}

Account accountOf(const QString &secret)
{
    records::Connection connection;
    connection.kind = records::BrokerKind::Sqs;
    connection.url = QUrl(QStringLiteral("https://AKIDEXAMPLE@sqs.eu-west-1.amazonaws.com/?region=eu-west-1"));
    connection.errorQueues = {QStringLiteral("orders.error")};
    return Account::from(connection, secret);
}

void secret(const QString &given)
{
    const Account account = accountOf(given);
    if (!account.unusable.isEmpty()) {
        holds(given.size() < 12 || !account.unusable.contains(given), "an error keeps secrets");
        return;
    }
    for (const QByteArray &part : {account.keyId, account.secret, account.sessionToken}) {
        const bool isPlain = std::all_of(part.begin(), part.end(), [](char one) { return one > ' ' && one < 0x7f; });
        holds(isPlain, "a credential can stand in a header", part);
    }
}

void conversation(const QByteArrayList &parts)
{
    const QUrl url(QStringLiteral("https://sqs.eu-west-1.amazonaws.com/"));
    const Account account = accountOf(QString::fromLatin1(fuzz::secretText));
    fuzz::converse(parts, url, [&account](http::HttpClient &client, core::Clock &clock) {
        return std::make_unique<broker::Sqs>(client, clock, account);
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
    case 'e':
        envelope(input.parts());
        break;
    case 'a':
        answer(input.rest());
        break;
    case 'n':
        name(input.text());
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
