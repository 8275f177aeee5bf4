#include "backend/dialect/dialect.h"

#include "backend/dialect/facts.h"
#include "backend/dialect/nativefacts.h"
#include "backend/dialect/packed.h"
#include "backend/dialect/table.h"
#include "backend/records/jsonpatcher.h"

#include <QCborMap>

#include <algorithm>
#include <array>
#include <iterator>

namespace dialect {

namespace {

using records::Certainty;

constexpr double endlessSeconds = 922337203685.0; // TimeSpan.MaxValue: "no time to live", which a sender must not set

// Usual suffixes of the names of dead-letter queues.
constexpr std::array<QStringView, 4> deadLetterSuffixes{u".dlq", u"-poison", u"_error", u"_skipped"};

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
    }
    // The endpoint is part of the identity, which must not depend on the queue in which a message is found.
    if (failure.endpoint.isEmpty() && !reading.messageIdIsUnique)
        failure.endpoint = reading.destination.queue;
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

bool matches(const StripRule &rule, const QString &name)
{
    switch (rule.match) {
    case Match::Exact:
        return name == rule.name;
    case Match::Prefix:
        return name.startsWith(rule.name);
    case Match::Suffix:
        return name.endsWith(rule.name);
    }
    Q_UNREACHABLE();
}

// A header with the name of a counter may hold something else.
bool isNumber(const QCborValue &value)
{
    bool isText = false;
    (void)records::text(value).toDouble(&isText);
    return value.isInteger() || value.isDouble() || isText;
}

// Zero with the type that the counter had: a consumer that reads an integer must not find text.
QCborValue zeroLike(const QCborValue &value)
{
    if (value.isString())
        return QCborValue(QStringLiteral("0"));
    return value.isDouble() ? QCborValue(0.0) : QCborValue(0);
}

// A path with one level: "rascal/error" is the entry "error" of the header "rascal".
void dropInside(records::Headers &headers, const QString &path)
{
    const QString inner = path.section(QLatin1Char('/'), 1);
    for (records::Header &header : headers) {
        QCborMap map = header.value.toMap();
        if (header.name != path.section(QLatin1Char('/'), 0, 0) || !map.contains(inner))
            continue;
        map.remove(inner);
        header.value = map;
    }
}

// All other bytes stay. What is no JSON, or has two members with that name, stays as it is.
void dropInBody(QByteArray &body, const QString &path)
{
    if (!body.contains(path.section(QLatin1Char('/'), -1).toUtf8()) || records::jsonFault(body))
        return;
    body = records::removeJson(body, QLatin1Char('/') + path).value_or(body);
}

void apply(const std::vector<StripRule> &rules, records::Envelope &envelope)
{
    for (const StripRule &rule : rules) {
        if (rule.place == Place::InHeader || rule.place == Place::JsonBody) {
            if (rule.place == Place::InHeader)
                dropInside(envelope.headers, rule.name);
            else
                dropInBody(envelope.body, rule.name);
            continue;
        }
        records::Headers &list = rule.place == Place::Property ? envelope.properties : envelope.headers;
        switch (rule.action) {
        case Action::Drop:
            list.removeIf([&](const records::Header &header) { return matches(rule, header.name); });
            break;
        case Action::ResetToZero:
            for (records::Header &header : list) {
                if (matches(rule, header.name) && isNumber(header.value))
                    header.value = zeroLike(header.value);
            }
            break;
        case Action::DropNull:
            list.removeIf(
                [&](const records::Header &header) { return matches(rule, header.name) && isNull(header.value); });
            break;
        }
    }
}

std::vector<StripRule> nullRules(const Dialect &entry)
{
    std::vector<StripRule> rules;
    std::copy_if(entry.strip.begin(), entry.strip.end(), std::back_inserter(rules),
                 [](const StripRule &rule) { return rule.action == Action::DropNull; });
    return rules;
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
    apply(rules, sound.envelope);
    return readAs(entry, MessageView(sound));
}

Reading read(const Arrival &arrival)
{
    const std::optional<records::Headers> packed = packedHeaders(arrival.envelope);
    if (!packed)
        return readPlain(arrival);
    Arrival opened = arrival;
    opened.envelope.headers += *packed;
    return readPlain(opened);
}

static records::Envelope strippedPlain(const Dialect &entry, const records::Envelope &envelope)
{
    const std::optional<records::Envelope> inside = entry.unwrap == nullptr ? std::nullopt : entry.unwrap(envelope);
    records::Envelope copy = inside.value_or(envelope);
    apply(commonStrip(), copy);
    apply(entry.strip, copy);
    if (entry.stripBody != nullptr)
        copy.body = entry.stripBody(envelope).value_or(copy.body);
    const QCborValue *timeToLive = records::find(copy.properties, u"TimeToLive");
    if (timeToLive != nullptr
        && (timeToLive->toDouble() >= endlessSeconds || records::text(*timeToLive).toDouble() >= endlessSeconds))
        records::remove(copy.properties, u"TimeToLive");
    return copy;
}

records::Envelope stripped(const QString &dialect, const records::Envelope &envelope)
{
    const Dialect &entry = dialectNamed(dialect);
    const std::optional<records::Headers> packed = packedHeaders(envelope);
    if (!packed)
        return strippedPlain(entry, envelope);
    const records::Envelope inside{*packed, {}, {}, {}, {}};
    return strippedPlain(entry, packedAgain(envelope, strippedPlain(entry, inside).headers));
}

records::Envelope withoutNulls(const QString &dialect, records::Envelope envelope)
{
    const std::vector<StripRule> rules = nullRules(dialectNamed(dialect));
    apply(rules, envelope);
    return envelope;
}

} // namespace dialect
