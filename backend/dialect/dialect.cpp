#include "backend/dialect/dialect.h"

#include "backend/dialect/conventions/convention.h"
#include "backend/dialect/conventions/striprules.h"
#include "backend/dialect/facts.h"
#include "backend/dialect/frameworks/nativefacts.h"
#include "backend/dialect/frameworks/packed.h"

#include <array>

namespace dialect {

namespace {

using records::Certainty;

// Usual suffixes of the names of dead-letter queues.
constexpr std::array<QStringView, 5> deadLetterSuffixes{u".dlq", u"-poison", u"_poison", u"_error", u"_skipped"};

records::Destination namedAfter(const QString &queue)
{
    for (const QStringView suffix : deadLetterSuffixes) {
        if (queue.size() > suffix.size() && queue.size() <= bounds::address && queue.endsWith(suffix))
            return {queue.chopped(suffix.size()), Certainty::Derived, QStringLiteral("name of the queue")};
    }
    return {};
}

records::Destination destinationOf(const MessageView &view, const Fields &fields)
{
    for (const FieldPath &path : fields.returnTo) {
        records::Destination found = queueOf(view.text(path), fields.addressForm, fields.certainty);
        if (found.queue.isEmpty())
            continue;
        found.knownFrom = path.name;
        return found;
    }
    return {};
}

// "Rejected" is no cause, so say where the cause can be found.
void sayThereIsNoCause(const Dialect &entry, NativeFacts &facts)
{
    if (!entry.capabilities.testFlag(Capability::NoCause) || facts.exceptionType != rejectedType)
        return;
    facts.exceptionType.clear();
    // Not translated, because it is stored with the failure like the text of a broker.
    facts.exceptionMessage =
        QStringLiteral("%1 does not write the cause into its messages. See the log of its worker.").arg(entry.name);
}

void mergeNative(const MessageView &view, const Dialect &entry, Reading &reading)
{
    NativeFacts facts = nativeFacts(view.arrival());
    sayThereIsNoCause(entry, facts);
    // On RabbitMQ a topic is an exchange, and a queue with the same name may belong to others.
    if (view.arrival().broker == records::BrokerKind::RabbitMq
        && reading.destination.certainty == records::Certainty::FanOut)
        reading.destination = {};
    if (reading.destination.queue.isEmpty())
        reading.destination = facts.destination;
    if (reading.destination.queue.isEmpty())
        reading.destination = namedAfter(view.arrival().queue);
    if (reading.flags.testFlag(records::MessageFlag::OtherTool))
        reading.destination = {};
    if (!reading.attempts)
        reading.attempts = facts.attempts;
    records::Failure &failure = reading.failure;
    if (!failure.at)
        failure.at = facts.failedAt;
    // If the framework says nothing about the failure, the broker dead-lettered the message.
    if (failure.exceptionType.isEmpty() && failure.exceptionMessage.isEmpty() && failure.stackTrace.isEmpty()) {
        failure.exceptionType = facts.exceptionType;
        failure.exceptionMessage = facts.exceptionMessage;
        reading.causeFrom = Reading::CauseFrom::Broker;
    }
    // The endpoint is part of the identity, which must not depend on the queue in which a message is found.
    if (failure.endpoint.isEmpty() && !reading.messageIdIsUnique) {
        failure.endpoint = reading.destination.queue;
        reading.endpointIsDestination = true;
    }
    if (reading.contentType.isEmpty())
        reading.contentType = view.first(nativeFields().contentType, bounds::name);
}

void readNumbers(const MessageView &view, const Fields &fields, Reading &reading)
{
    reading.failure.at = timeFrom(view.first(fields.failedAt, bounds::name), fields.timeForm);
    bool isNumber = false;
    const int counted = view.first(fields.attempts, bounds::name).toInt(&isNumber);
    const int attempts = isNumber && counted >= 0 && counted < bounds::attempts ? counted + fields.attemptsBeside : 0;
    if (attempts > 0)
        reading.attempts = attempts;
}

bool isShortened(const records::Failure &failure, const Cut &cut)
{
    return (cut.message > 0 && failure.exceptionMessage.size() == cut.message)
           || (cut.stack > 0 && failure.stackTrace.size() == cut.stack)
           || (!cut.messageEnd.isEmpty() && failure.exceptionMessage.endsWith(cut.messageEnd))
           || (!cut.stackEnd.isEmpty() && failure.stackTrace.endsWith(cut.stackEnd));
}

void unwrap(const Dialect &entry, const records::Envelope &envelope, Reading &reading)
{
    if (entry.unwrap == nullptr)
        return;
    reading.unwrapped = entry.unwrap(envelope);
    if (!reading.unwrapped)
        reading.flags.setFlag(records::MessageFlag::OtherTool);
}

// A retry must not send facts of the failure: some frameworks drop such a message.
void checkBody(const Dialect &entry, const records::Envelope &envelope, Reading &reading)
{
    if (entry.stripBody == nullptr)
        return;
    const core::Result<QByteArray> body = entry.stripBody(envelope);
    if (body)
        return;
    reading.flags.setFlag(records::MessageFlag::OtherTool);
    reading.destination = {{}, Certainty::Unknown, body.error().message};
}

} // namespace

static Reading readAs(const Dialect &entry, const MessageView &view)
{
    const Fields &fields = entry.fields;
    Reading reading;
    reading.dialect = entry.name;
    reading.messageId = view.first(fields.messageId, bounds::id + 1);
    // A longer id would be cut and could match another one.
    reading.messageIdIsUnique = entry.capabilities.testFlag(Capability::UniqueIds) && !reading.messageId.isEmpty()
                                && reading.messageId.size() <= bounds::id;
    reading.messageId.truncate(bounds::id);
    reading.messageType = view.first(fields.messageType, bounds::name);
    reading.correlationId = view.first(fields.correlationId, bounds::id);
    reading.conversationId = view.first(fields.conversationId, bounds::id);
    reading.contentType = view.first(fields.contentType, bounds::name);
    records::Failure &failure = reading.failure;
    failure.exceptionType = view.first(fields.exceptionType, bounds::name);
    failure.exceptionMessage = view.first(fields.exceptionMessage, bounds::exceptionMessage);
    failure.stackTrace = view.first(fields.stackTrace, bounds::stackTrace);
    failure.endpoint = view.first(fields.endpoint, bounds::name);
    failure.host = view.first(fields.host, bounds::name);
    readNumbers(view, fields, reading);
    reading.destination = destinationOf(view, fields);
    reading.flags.setFlag(records::MessageFlag::OtherTool, entry.capabilities.testFlag(Capability::OtherTool));
    if (entry.refine != nullptr)
        entry.refine(view, reading);
    unwrap(entry, view.envelope(), reading);
    if (isShortened(failure, entry.cut))
        reading.flags.setFlag(records::MessageFlag::Shortened);
    mergeNative(view, entry, reading);
    checkBody(entry, view.envelope(), reading);
    return reading;
}

static Reading readPlain(const Arrival &arrival)
{
    const MessageView view(arrival);
    const Dialect &entry = dialectOf(view);
    const std::vector<StripRule> rules = nullRules(entry);
    if (rules.empty())
        return readAs(entry, view);
    Arrival sound = arrival;
    applyRules(rules, sound.envelope);
    return readAs(entry, MessageView(sound));
}

Reading read(const Arrival &arrival, const records::Conventions &conventions)
{
    Arrival opened = arrival;
    opened.envelope.headers += packedHeaders(arrival.envelope).value_or(records::Headers());
    Reading reading = readPlain(opened);
    applyConventions(conventions, arrival, opened.envelope, reading);
    return reading;
}

} // namespace dialect
