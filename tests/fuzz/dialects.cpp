// Failure headers of frameworks. 0 to 3: a failed message in parts (messages.h), of the broker with that number, q the queue it
// lay in, o the queue it came from, c the file of a convention of one's own. f: a stack trace and the message of its exception.
#include "backend/dialect/counters.h"
#include "backend/dialect/dialect.h"
#include "backend/dialect/frameworks/packed.h"
#include "backend/dialect/messageview.h"
#include "backend/dialect/published.h"
#include "backend/dialect/stackframe.h"
#include "backend/dialect/table.h"
#include "backend/records/conventions/conventionfile.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"

#include <algorithm>

using dialect::Arrival;
using dialect::Reading;
using fuzz::holds;
using records::Classifier;
using records::Envelope;

namespace {

void checkTitles(const Reading &reading, const Arrival &arrival)
{
    for (const Classifier classifier :
         {Classifier::ExceptionAndStack, Classifier::MessageType, Classifier::EndpointAddress, Classifier::EndpointName,
          Classifier::EndpointInstance}) {
        const QString title = dialect::groupTitle(classifier, reading, arrival);
        holds(!title.isEmpty() && title.size() <= dialect::bounds::title, "a title has a length", title.toUtf8());
        holds(title == title.simplified(), "a title is one line", title.toUtf8());
        holds(title == dialect::groupTitle(classifier, reading, arrival), "a title is the same each time");
    }
}

void checkBounds(const Reading &reading)
{
    namespace bounds = dialect::bounds;
    const records::Failure &failure = reading.failure;
    for (const QString &id : {reading.messageId, reading.correlationId, reading.conversationId})
        holds(id.size() <= bounds::id, "an id has an end");
    for (const QString &name : {reading.messageType, reading.contentType, failure.exceptionType, failure.host})
        holds(name.size() <= bounds::name, "a name has an end", name.toUtf8());
    holds(failure.endpoint.size() <= bounds::address, "an endpoint has an end", failure.endpoint.toUtf8());
    holds(failure.exceptionMessage.size() <= bounds::exceptionMessage, "a message has an end");
    holds(failure.stackTrace.size() <= bounds::stackTrace, "a stack has an end");
    holds(reading.destination.queue.size() <= bounds::address, "a destination has an end");
    const bool isKnown = reading.destination.certainty != records::Certainty::Unknown;
    holds(reading.destination.queue.isEmpty() != isKnown, "a destination that is known has a name");
    holds(reading.attempts.value_or(1) > 0, "what failed was tried");
    holds(!reading.flags.testFlag(records::MessageFlag::OtherTool) || !isKnown, "of another tool nothing goes back");
}

void checkPublished(const Reading &reading, const Envelope &envelope)
{
    const auto published = dialect::publishedTo(reading.dialect, envelope, reading.destination.queue);
    if (!published)
        return;
    holds(published->exchange.size() <= dialect::bounds::address, "an exchange has an end");
    holds(!published->keys.isEmpty() && published->keys.size() <= 10, "routing keys have an end");
    for (const QString &key : published->keys)
        holds(key.size() <= dialect::bounds::address, "a routing key has an end", key.toUtf8());
}

void checkStripped(const QString &name, const Envelope &envelope)
{
    const Envelope back = dialect::stripped(name, envelope);
    const bool isPacked = dialect::packedHeaders(envelope).has_value();
    if (dialect::dialectNamed(name).unwrap != nullptr)
        return; // another message that lay inside
    const dialect::Dialect &entry = dialect::dialectNamed(name);
    const QByteArray kept = entry.stripBody ? entry.stripBody(envelope).value_or(envelope.body) : envelope.body;
    const bool mayShrink = std::any_of(entry.strip.begin(), entry.strip.end(), [](const dialect::StripRule &rule) {
        return rule.place == dialect::Place::JsonBody;
    });
    holds(isPacked || back.body == kept || (mayShrink && back.body.size() < kept.size()),
          "the body goes back byte for byte");
    holds(isPacked || dialect::resetCounters(name, back).isEmpty(), "a counter that starts again is at its start",
          name.toUtf8());
    holds(back.exchange == envelope.exchange && back.routingKey == envelope.routingKey, "its way is kept");
    for (const records::Header &header : back.headers) {
        const bool wasThere =
            std::any_of(envelope.headers.begin(), envelope.headers.end(),
                        [&header](const records::Header &given) { return given.name == header.name; });
        holds(wasThere, "nothing is made up", header.name.toUtf8());
    }
    // Of several places with packed headers the first counts; stripped it may be none any more, and the next one counts then.
    constexpr int places = 8;
    Envelope last = back;
    for (int i = 1; isPacked && i < places; ++i)
        last = dialect::stripped(name, last);
    holds(dialect::stripped(name, last) == last, "what is stripped is stripped", name.toUtf8());
}

void checkPacked(const Envelope &envelope)
{
    const std::optional<records::Headers> packed = dialect::packedHeaders(envelope);
    if (!packed)
        return;
    const Envelope again = dialect::packedAgain(envelope, *packed);
    const std::optional<records::Headers> same = dialect::packedHeaders(again);
    holds(same && *same == *packed, "packed again they are the same", envelope.body + "\n" + again.body);
    holds(dialect::packedAgain(again, *packed) == again, "and again");
    const bool isBinary =
        records::find(envelope.headers, u"wolverine-protocol-version") != nullptr && !envelope.body.contains('{');
    holds(!isBinary || QByteArray::fromBase64(again.body) == QByteArray::fromBase64(envelope.body),
          "what is not taken out stays byte for byte", envelope.body + "\n" + again.body);
}

// A convention of one's own, which a person may have got wrong in any way.
void checkConvention(const QByteArray &file, const Arrival &arrival, const Reading &plain)
{
    if (file.isEmpty())
        return;
    const core::Result<records::Convention> convention = records::conventionFrom(file);
    if (!convention) {
        const QString why = convention.error().message;
        holds(!why.isEmpty() && why.size() < 1000 && !fuzz::hasHarmful(why), "an error says what is wrong", file);
        return;
    }
    holds(records::checkConvention(*convention).has_value(), "what is read is a convention", file);
    const core::Result<records::Convention> again = records::conventionFrom(records::toJson(*convention));
    holds(again && *again == *convention, "what is written can be read", records::toJson(*convention));
    const records::Conventions all{*convention};
    const Reading reading = dialect::read(arrival, all);
    checkBounds(reading);
    checkTitles(reading, arrival);
    holds(reading.flags == plain.flags && reading.dialect == plain.dialect && reading.messageId == plain.messageId,
          "a convention makes nothing unreturnable, and nothing another message", file);
    holds(!reading.destination.queue.isEmpty() || plain.destination.queue.isEmpty(), "a way back stays", file);
    holds(!reading.messageIdIsUnique || reading.failure.endpoint == plain.failure.endpoint, "an identity stays", file);
    const records::Conventions applied = dialect::conventionsNamed(all, reading.conventions);
    const Envelope copy = dialect::stripped(reading.dialect, arrival.envelope, applied);
    holds(!applied.isEmpty() || copy == dialect::stripped(reading.dialect, arrival.envelope),
          "a convention for others changes nothing", file);
    // What is never sent need not stay the same: without its signature a body could be stripped.
    const bool isOpened = reading.flags.testFlag(records::MessageFlag::OtherTool)
                          || dialect::packedHeaders(arrival.envelope) || dialect::packedHeaders(copy)
                          || dialect::dialectNamed(reading.dialect).unwrap != nullptr;
    holds(isOpened || dialect::stripped(reading.dialect, copy, applied) == copy, "what is changed is changed", file);
}

void arrival(int broker, const QByteArrayList &parts)
{
    Arrival arrival;
    arrival.broker = records::BrokerKind(broker);
    arrival.queue = fuzz::textOf(parts, 'q');
    arrival.origin = fuzz::textOf(parts, 'o');
    arrival.envelope = fuzz::envelopeFrom(parts);
    const Reading reading = dialect::read(arrival);
    holds(dialect::dialectNamed(reading.dialect).name == reading.dialect, "a dialect is one of the table");
    checkBounds(reading);
    checkPublished(reading, arrival.envelope);
    checkTitles(reading, arrival);
    checkStripped(reading.dialect, arrival.envelope);
    checkPacked(arrival.envelope);
    checkConvention(fuzz::textOf(parts, 'c').toUtf8(), arrival, reading);
}

void frame(const QByteArrayList &parts)
{
    const QString stack = QString::fromUtf8(parts.value(0));
    const QString found = dialect::firstFrame(stack, QString::fromUtf8(parts.value(1)));
    holds(!found.contains(QLatin1Char('\n')), "a frame is one line", found.toUtf8());
    // Types are parted by ", " where they may have been parted by ",".
    holds(found.size() <= 2 * stack.size() + 3, "a frame is a part of its stack", found.toUtf8());
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    const char mode = input.mode();
    if (mode >= '0' && mode <= '3')
        arrival(mode - '0', input.parts());
    else if (mode == 'f')
        frame(input.parts());
    return 0;
}
