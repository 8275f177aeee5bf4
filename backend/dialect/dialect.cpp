#include "backend/dialect/dialect.h"

#include "backend/dialect/nativefacts.h"
#include "backend/dialect/table.h"

#include <array>

namespace dialect {

namespace {

using records::Certainty;

constexpr double endlessSeconds = 922337203685.0; // TimeSpan.MaxValue: "no time to live", which a sender may not say

// Names that people give to the dead-letter queue of a queue.
constexpr std::array<QStringView, 4> deadLetterSuffixes{u".dlq", u"-poison", u"_error", u"_skipped"};

records::Destination namedAfter(const QString &queue)
{
    for (const QStringView suffix : deadLetterSuffixes) {
        if (queue.size() > suffix.size() && queue.endsWith(suffix))
            return {queue.chopped(suffix.size()), Certainty::Derived, QStringLiteral("name of the queue")};
    }
    return {};
}

records::Destination destinationOf(const Arrival &arrival, const Dialect &entry)
{
    for (const FieldPath &path : entry.fields.returnTo) {
        const QString queue = textAt(arrival.envelope, path);
        if (!queue.isEmpty() && queue.size() <= bounds::address)
            return {queue, entry.certainty, path.name};
    }
    return {};
}

void mergeNative(const Arrival &arrival, Reading &reading)
{
    const NativeFacts facts = nativeFacts(arrival);
    if (reading.destination.queue.isEmpty())
        reading.destination = facts.destination;
    if (reading.destination.queue.isEmpty())
        reading.destination = namedAfter(arrival.queue);
    if (!reading.attempts)
        reading.attempts = facts.attempts;
    if (!reading.failure.at)
        reading.failure.at = facts.failedAt;
    if (reading.contentType.isEmpty())
        reading.contentType = firstText(arrival.envelope,
                                        {{Place::Property, QStringLiteral("content_type")},
                                         {Place::Property, QStringLiteral("ContentType")},
                                         {Place::Property, QStringLiteral("Content-Type")}},
                                        bounds::name);
}

bool matches(const StripRule &rule, const QString &name)
{
    switch (rule.match) {
    case Match::Exact:
        return name == rule.name;
    case Match::Prefix:
        return name.startsWith(rule.name);
    }
    Q_UNREACHABLE();
}

// Zero in the kind that the counter had: a consumer that reads an integer must not find a text.
QCborValue zeroLike(const QCborValue &value)
{
    if (value.isString())
        return QCborValue(QStringLiteral("0"));
    return value.isDouble() ? QCborValue(0.0) : QCborValue(0);
}

void apply(const std::vector<StripRule> &rules, records::Envelope &envelope)
{
    for (const StripRule &rule : rules) {
        records::Headers &list = rule.place == Place::Property ? envelope.properties : envelope.headers;
        switch (rule.action) {
        case Action::Drop:
            list.removeIf([&](const records::Header &header) { return matches(rule, header.name); });
            break;
        case Action::ResetToZero:
            for (records::Header &header : list) {
                if (matches(rule, header.name))
                    header.value = zeroLike(header.value);
            }
            break;
        }
    }
}

} // namespace

Reading read(const Arrival &arrival)
{
    const Dialect &entry = dialectOf(arrival);
    const Fields &fields = entry.fields;
    const records::Envelope &envelope = arrival.envelope;
    Reading reading;
    reading.dialect = entry.name;
    reading.messageId = firstText(envelope, fields.messageId, bounds::id + 1);
    reading.messageIdIsUnique = entry.capabilities.testFlag(Capability::UniqueIds) && !reading.messageId.isEmpty()
                                && reading.messageId.size() <= bounds::id; // a cut id is no identity
    reading.messageId.truncate(bounds::id);
    reading.messageType = firstText(envelope, fields.messageType, bounds::name);
    reading.correlationId = firstText(envelope, fields.correlationId, bounds::id);
    reading.conversationId = firstText(envelope, fields.conversationId, bounds::id);
    reading.contentType = firstText(envelope, fields.contentType, bounds::name);
    records::Failure &failure = reading.failure;
    failure.exceptionType = firstText(envelope, fields.exceptionType, bounds::name);
    failure.exceptionMessage = firstText(envelope, fields.exceptionMessage, bounds::exceptionMessage);
    failure.stackTrace = firstText(envelope, fields.stackTrace, bounds::stackTrace);
    failure.endpoint = firstText(envelope, fields.endpoint, bounds::name);
    failure.host = firstText(envelope, fields.host, bounds::name);
    reading.destination = destinationOf(arrival, entry);
    if (entry.refine != nullptr)
        entry.refine(arrival, reading);
    mergeNative(arrival, reading);
    return reading;
}

records::Envelope stripped(const QString &dialect, const records::Envelope &envelope)
{
    records::Envelope copy = envelope;
    apply(commonStrip(), copy);
    apply(dialectNamed(dialect).strip, copy);
    const QCborValue *timeToLive = records::find(copy.properties, u"TimeToLive");
    if (timeToLive != nullptr
        && (timeToLive->toDouble() >= endlessSeconds || records::text(*timeToLive).toDouble() >= endlessSeconds))
        records::remove(copy.properties, u"TimeToLive");
    return copy;
}

} // namespace dialect
