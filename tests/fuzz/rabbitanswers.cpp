// What RabbitMQ's management API answers. j: JSON. m: one message of a `get`. e: a message of ours in parts (messages.h).
// a: an answer. c: a conversation (conversation.h).
#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "tests/fuzz/conversation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"

#include <algorithm>

using namespace broker::rabbitmq;
using broker::ReceivedMessage;
using broker::SendOutcome;
using broker::Verdict;
using fuzz::holds;
using records::Header;
using records::Headers;

namespace {

void json(const QByteArray &bytes)
{
    const core::Result<QCborValue> value = parseJson(bytes);
    if (!value) {
        holds(value.error().kind == core::ErrorKind::Corrupt && !value.error().message.isEmpty(), "an error says so");
        return;
    }
    const QByteArray written = toJson(*value);
    const core::Result<QCborValue> again = parseJson(written);
    holds(again.has_value(), "what is written can be read", written);
    holds(*again == *value, "nothing changes on the way", written);
    holds(toJson(*again) == written, "it is written the same again", written);
}

bool isLeftOut(const QString &name)
{
    static const QStringList names{QStringLiteral("CC"),         QStringLiteral("BCC"),
                                   QStringLiteral("expiration"), QStringLiteral("user_id"),
                                   QStringLiteral("headers"),    QStringLiteral("delivery_mode")};
    return names.contains(name);
}

// Of several under one name the last counts, as in a map; in the order of the names.
Headers sent(const Headers &headers)
{
    Headers kept;
    for (qsizetype i = 0; i < headers.size(); ++i) {
        const Header &header = headers.at(i);
        const bool isLast = std::none_of(headers.begin() + i + 1, headers.end(),
                                         [&header](const Header &later) { return later.name == header.name; });
        if (isLast && !header.value.isNull() && !isLeftOut(header.name))
            kept.append(header);
    }
    std::sort(kept.begin(), kept.end(), [](const Header &a, const Header &b) { return a.name < b.name; });
    return kept;
}

QCborMap published(const records::Envelope &envelope)
{
    const QByteArray written = publishJson(envelope, QStringLiteral("orders"));
    const core::Result<QCborValue> value = parseJson(written);
    holds(value && value->isMap(), "what is sent is JSON", written);
    const QCborMap map = value->toMap();
    holds(map.value(QLatin1String("properties")).toMap().value(QLatin1String("delivery_mode")).toInteger() == 2,
          "a copy is persistent", written);
    holds(map.value(QLatin1String("routing_key")).toString() == QLatin1String("orders"), "it goes where it should");
    return map;
}

// The copy as RabbitMQ would show it.
ReceivedMessage shown(const QCborMap &copy, qsizetype bytes)
{
    QCborMap item = copy;
    item.insert(QLatin1String("payload_bytes"), qint64(bytes));
    return heldFrom(item);
}

void message(const QByteArray &bytes)
{
    const core::Result<QCborValue> item = parseJson(bytes);
    if (!item)
        return;
    const ReceivedMessage held = heldFrom(item->toMap());
    holds(digestOf(held.envelope).size() == 32, "a digest has one form");
    const ReceivedMessage again = shown(published(held.envelope), held.envelope.body.size());
    holds(again.envelope.body == held.envelope.body, "the body goes back byte for byte");
    if (held.notFaithful || !held.lossyHeaders.isEmpty())
        return;
    holds(!again.notFaithful && again.lossyHeaders.isEmpty(), "what can be sent back is shown the same");
    holds(sent(again.envelope.headers) == sent(held.envelope.headers), "headers go back with their kinds", bytes);
    holds(sent(again.envelope.properties) == sent(held.envelope.properties), "properties go back", bytes);
}

void envelope(const QByteArrayList &parts)
{
    const records::Envelope made = fuzz::envelopeFrom(parts);
    const ReceivedMessage again = shown(published(made), made.body.size());
    holds(again.envelope.body == made.body, "the body is sent byte for byte");
    const Headers wanted = sent(made.headers);
    const Headers found = sent(again.envelope.headers);
    const bool names = std::equal(wanted.begin(), wanted.end(), found.begin(), found.end(),
                                  [](const Header &a, const Header &b) { return a.name == b.name; });
    holds(names, "every header is sent once");
}

void answer(const QByteArray &bytes)
{
    const http::Response response = fuzz::responseFrom(bytes);
    const core::Error error = errorFor(response, QStringLiteral("queue orders"), core::TimePoint{});
    holds(!error.message.isEmpty(), "an error says what is wrong");
    holds(error.retryAfter.count() >= 0 && error.retryAfter <= std::chrono::hours{24}, "a wait has an end");
    holds(reasonOf(response.body).size() <= 300, "a reason has an end");
    const SendOutcome outcome = outcomeFor(response, QStringLiteral("orders"), core::TimePoint{});
    holds(outcome.verdict != Verdict::Accepted || response.status == 200, "only a success is a success");
    holds(response.status < 500 || outcome.verdict == Verdict::Unknown, "after a server error nobody knows");
    holds(outcome.verdict == Verdict::Accepted || !outcome.error.message.isEmpty(), "what was not taken has a reason");
}

void conversation(const QByteArrayList &parts)
{
    records::Connection connection;
    connection.url = QUrl(QStringLiteral("http://guest@127.0.0.1:15672/%2F"));
    connection.errorQueues = {QStringLiteral("orders.error")};
    static core::SeededRandom random(1);
    const Settings settings = Settings::from(connection, QString::fromLatin1(fuzz::secretText));
    fuzz::converse(parts, connection.url, [&settings](http::HttpClient &client, core::Clock &clock) {
        return std::make_unique<broker::RabbitMq>(client, clock, random, settings);
    });
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'j':
        json(input.rest());
        break;
    case 'm':
        message(input.rest());
        break;
    case 'e':
        envelope(input.parts());
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
