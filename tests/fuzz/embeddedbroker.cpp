// Requests to the embedded broker. r: verb and path. a: an Authorization header. k: one that is signed, by its expiry and scope.
// d: a send, "VERB", header lines, an empty line, the body. e: a message of ours in parts (messages.h). q: the description of a
// queue or topic. s: of a subscription. p: an ISO 8601 duration. c: requests one after the other, as in d, with
// "VERB path?query".
#include "backend/broker/servicebus/messagemapper.h"
#include "backend/broker/servicebus/queuefeed.h"
#include "backend/localbroker/http/atom.h"
#include "backend/localbroker/http/restapi.h"
#include "backend/localbroker/http/route.h"
#include "backend/localbroker/http/sas.h"
#include "backend/localbroker/http/wire.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"
#include "tests/support/fakeclock.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QUrl>

#include <algorithm>

using namespace localbroker;
using fuzz::holds;

namespace {

const QString keyName = QStringLiteral("RootManageSharedAccessKey");
const QByteArray key = "c2VjcmV0";
const core::TimePoint now = core::fromMs(1767323045000);

void route(const QByteArrayList &parts)
{
    const Route found = routeOf(parts.value(0), parts.value(1));
    if (found.action != Route::Action::Complete || found.lockToken.isEmpty())
        return;
    const QByteArray path = lockPath(found.place, found.sequence, found.lockToken);
    const Route again = routeOf("DELETE", path);
    const bool isName = !found.place.queue.startsWith(QLatin1Char('/')) && !found.place.queue.endsWith(QLatin1Char('/'))
                        && !found.place.queue.contains(QLatin1String("//"));
    const bool isSame = again.action == Route::Action::Complete && again.place.queue == found.place.queue
                        && again.place.deadLetter == found.place.deadLetter && again.sequence == found.sequence
                        && again.lockToken == found.lockToken;
    holds(!isName || isSame, "where a message is settled is found again", path);
}

void authorization(const QByteArrayList &parts)
{
    const Keys keys{{keyName, QString::fromLatin1(key)}};
    holds(!checkSas(parts.value(0), parts.value(1), keys, now).isEmpty(), "nobody comes in without the key");
    holds(checkSas(parts.value(0), parts.value(1), {}, now).isEmpty(), "a broker without keys is open");
}

void signedToken(const QByteArrayList &parts)
{
    const QByteArray expiry = parts.value(0);
    const QByteArray scope = QUrl::toPercentEncoding(QString::fromUtf8(parts.value(1)));
    if (expiry.contains('&'))
        return;
    const QByteArray signature =
        QMessageAuthenticationCode::hash(scope + '\n' + expiry, key, QCryptographicHash::Sha256).toBase64();
    const QByteArray header = "SharedAccessSignature sr=" + scope + "&sig=" + signature.toPercentEncoding()
                              + "&se=" + expiry + "&skn=" + QUrl::toPercentEncoding(keyName);
    const QString refusal = checkSas(header, parts.value(1), {{keyName, QString::fromLatin1(key)}}, now);
    const bool isLate = expiry.toLongLong() <= core::toMs(now) / 1000;
    const bool isClean = header.trimmed() == header && expiry == QByteArray::number(expiry.toLongLong());
    holds(!isClean || !isLate || !refusal.isEmpty(), "a token ends", expiry);
    holds(!isClean || isLate || !refusal.startsWith(QLatin1String("ExpiredToken")), "and not before", expiry);
}

HttpRequest requestFrom(const QByteArray &bytes)
{
    const http::Response parsed = fuzz::responseFrom(bytes);
    const QByteArrayList first = bytes.left(bytes.indexOf('\n')).split(' ');
    HttpRequest request;
    request.verb = first.value(0);
    const QUrl url = QUrl::fromEncoded(first.value(1));
    request.path = url.path(QUrl::FullyEncoded).toLatin1();
    request.query = QUrlQuery(url);
    for (const http::HeaderField &field : parsed.headers)
        request.headers.append({field.name, field.value});
    request.body = parsed.body;
    return request;
}

http::Response received(const Draft &draft)
{
    Delivery delivery;
    delivery.message.sequence = 7;
    delivery.message.draft = draft;
    delivery.message.enqueuedAt = now;
    delivery.lockToken = QStringLiteral("0123-4567");
    delivery.lockedUntil = now;
    const QByteArray path = lockPath({QStringLiteral("orders"), false}, 7, delivery.lockToken);
    const HttpAnswer answer = answerOf(delivery, 201, "http://host" + path);
    http::Response response{answer.status, {}, answer.body};
    for (const auto &[name, value] : answer.headers)
        response.headers.append(http::HeaderField{name, value});
    return response;
}

void check(const Draft &draft)
{
    const QByteArray cbor = draftToCbor(draft);
    const std::optional<Draft> kept = draftFromCbor(cbor);
    holds(kept && draftToCbor(*kept) == cbor, "what is kept stays the same", cbor.toHex());
    const core::Result<broker::ReceivedMessage> held = broker::heldFrom(received(draft), QStringLiteral("orders"));
    holds(held.has_value(), "what is given out can be received");
    holds(held->envelope.body == draft.body, "the body is given out byte for byte");
    holds(broker::sequenceOf(*held) == 7 && !held->settleToken.isEmpty(), "it can be settled");
}

void drafts(const QByteArray &bytes)
{
    const Outcome<QList<Draft>> drafts = draftsOf(requestFrom(bytes));
    if (!drafts) {
        holds(!drafts.error().text.isEmpty(), "a refusal says why");
        return;
    }
    holds(!drafts->isEmpty(), "a send is of one message at least");
    for (const Draft &draft : *drafts)
        check(draft);
}

// Through the batch form, in and out again.
void envelope(const QByteArrayList &parts)
{
    records::Envelope made = fuzz::envelopeFrom(parts);
    const core::Result<QByteArray> member = broker::batchMember(made);
    if (!member)
        return;
    HttpRequest request;
    request.headers = {{"Content-Type", "application/vnd.microsoft.servicebus.json"}};
    request.body = '[' + *member + ']';
    const Outcome<QList<Draft>> drafts = draftsOf(request);
    holds(drafts && drafts->size() == 1, "our batch is understood", *member);
    check(drafts->constFirst());
    holds(drafts->constFirst().body == made.body, "the body arrives byte for byte");
}

QueueSettings named(const char *name, EntityKind kind = EntityKind::Queue)
{
    QueueSettings settings;
    settings.name = QString::fromLatin1(name);
    settings.kind = kind;
    return settings;
}

void description(const QString &name, const QByteArray &bytes)
{
    const Outcome<QueueSettings> settings = settingsFromEntry(name, bytes);
    if (!settings) {
        holds(!settings.error().text.isEmpty(), "a refusal says why");
        return;
    }
    support::FakeClock clock;
    core::SeededRandom random(1);
    QueueEngine engine(clock, random);
    holds(engine.createQueue(named("events", EntityKind::Topic)).has_value(), "a topic is made");
    holds(engine.createQueue(named("billing")).has_value(), "a queue is made");
    if (!engine.createQueue(*settings))
        return;
    const QueueState made = *engine.queue(settings->name);
    const QByteArray entry = queueEntry(made, "host");
    const Outcome<QueueSettings> again = settingsFromEntry(made.settings.name, entry);
    holds(again.has_value(), "what is told can be read", entry);
    holds(queueEntry({*again, {}}, "host") == queueEntry({made.settings, {}}, "host"), "it is told the same again",
          entry);
    holds(engine.updateQueue(*again).has_value(), "it can be written again", entry);
    const core::Result<QList<broker::FeedQueue>> queues = broker::queuesFromAtom(entry);
    holds(queues && queues->size() == 1 && queues->constFirst().name == made.settings.name, "our own client reads it");
    holds(queues->constFirst().forwardTo == made.settings.forwardTo, "and where it forwards to");
}

void duration(const QString &text)
{
    const auto read = fromDuration(text);
    if (!read)
        return;
    const auto again = fromDuration(toDuration(*read));
    holds(again && *again == *read, "a duration is read as it is written", text.toUtf8());
}

// A broker that keeps nothing: its file is never opened, so what is to be durable is answered with an error.
void conversation(const QByteArrayList &parts)
{
    support::FakeClock clock;
    core::SeededRandom random(1);
    QueueEngine engine(clock, random);
    QueueSettings on = named("events/Subscriptions/on", EntityKind::Subscription);
    on.forwardTo = QStringLiteral("orders");
    QueueSettings in = named("in");
    in.forwardTo = QStringLiteral("events");
    in.forwardDeadLettersTo = QStringLiteral("orders");
    for (const QueueSettings &settings : {named("orders"), named("events", EntityKind::Topic), on, in})
        holds(engine.createQueue(settings).has_value(), "an entity is made");
    Journal journal;
    RestApi api(clock, engine, journal, {});
    int asked = 0;
    int answered = 0;
    for (const QByteArray &part : parts.mid(0, 16)) {
        ++asked;
        api.handle({requestFrom(part), [] { return true; },
                    [&answered](const HttpAnswer &answer) {
                        ++answered;
                        holds(answer.status >= 200 && answer.status < 600, "an answer has a status");
                    }});
        clock.advance(std::chrono::milliseconds{10});
    }
    clock.advance(std::chrono::minutes{3}); // longer than anybody may wait
    holds(answered == asked, "every request is answered once");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'r':
        route(input.parts());
        break;
    case 'a':
        authorization(input.parts());
        break;
    case 'k':
        signedToken(input.parts());
        break;
    case 'd':
        drafts(input.rest());
        break;
    case 'e':
        envelope(input.parts());
        break;
    case 'q':
        description(QStringLiteral("orders"), input.rest());
        break;
    case 's':
        description(QStringLiteral("Events/subscriptions/one"), input.rest());
        break;
    case 'p':
        duration(input.text());
        break;
    case 'c':
        conversation(input.parts());
        break;
    default:
        break;
    }
    return 0;
}
