#include "backend/dialect/counters.h"

#include "backend/dialect/conventions/convention.h"
#include "backend/dialect/conventions/messageplace.h"
#include "backend/dialect/conventions/striprules.h"
#include "backend/dialect/frameworks/packed.h"

#include <algorithm>
#include <iterator>

namespace dialect {

namespace {

// With headers that are packed into the body or an attribute beside the others.
Arrival opened(const records::Envelope &envelope, bool isPacked)
{
    Arrival arrival;
    arrival.envelope = envelope;
    if (isPacked)
        arrival.envelope.headers += packedIn(envelope).value_or(records::Headers());
    return arrival;
}

// Undefined if there is none.
QCborValue counterIn(const MessageView &view, const StripRule &rule)
{
    if (rule.place == Place::InHeader)
        return view.inHeader(rule.name);
    if (rule.place == Place::JsonBody) {
        const QByteArray name = rule.name.section(QLatin1Char('/'), -1).toUtf8();
        return view.mayHold(name.constData()) ? QCborValue::fromJsonValue(view.jsonAt(rule.name)) : QCborValue();
    }
    const QCborValue *value = records::find(view.envelope().headers, rule.name);
    return value == nullptr ? QCborValue() : *value;
}

std::optional<QCborValue> givenOnly(const QCborValue &value)
{
    if (value.isUndefined())
        return std::nullopt;
    return value;
}

bool isZero(const QCborValue &value)
{
    return records::text(value) == QLatin1String("0");
}

} // namespace

// Adds the counter, unless it is listed or does not start again.
static void addReset(QList<records::HeaderChange> &changes, const QString &name, const QCborValue &was,
                     const QCborValue &goes)
{
    const auto isListed = [&name](const records::HeaderChange &change) { return change.name == name; };
    if (was.isUndefined() || isZero(was) || goes == was || std::any_of(changes.cbegin(), changes.cend(), isListed))
        return;
    changes.append({name, was, givenOnly(goes)});
}

static QString nameOf(const records::MessagePlace &place)
{
    return place.in == records::MessagePlace::In::Body ? place.pointer.mid(1) : place.name + place.pointer;
}

QList<records::HeaderChange> resetCounters(const QString &dialect, const records::Envelope &failed,
                                           const records::Conventions &applied)
{
    const bool isPacked = packedHeaders(failed).has_value();
    const Arrival before = opened(failed, isPacked);
    const Arrival after = opened(stripped(dialect, failed, applied), isPacked);
    const MessageView was(before);
    const MessageView goes(after);
    std::vector<StripRule> rules = commonStrip();
    append(rules, dialectNamed(dialect).strip);
    QList<records::HeaderChange> changes;
    for (const StripRule &rule : rules) {
        if (rule.counts)
            addReset(changes, rule.name, counterIn(was, rule), counterIn(goes, rule));
    }
    const PlaceReader placesBefore(before.envelope);
    const PlaceReader placesAfter(after.envelope);
    for (const records::Convention &convention : applied) {
        for (const records::Convention::BeforeRetry &rule : convention.beforeRetry) {
            if (rule.what == records::Convention::BeforeRetry::Do::SetToZero)
                addReset(changes, nameOf(rule.place), placesBefore.at(rule.place), placesAfter.at(rule.place));
        }
    }
    return changes;
}

QList<records::Header> droppedEmptyHeaders(const QString &dialect, const records::Envelope &failed,
                                           const records::Conventions &applied)
{
    const std::vector<StripRule> rules = nullRules(dialectNamed(dialect));
    const records::Headers headers = opened(failed, packedHeaders(failed).has_value()).envelope.headers;
    QList<records::Header> dropped;
    std::copy_if(headers.cbegin(), headers.cend(), std::back_inserter(dropped), [&](const records::Header &header) {
        const auto isAbout = [&header](const StripRule &rule) { return matches(rule, header.name); };
        return mayBeMissing(applied, header)
               || (isNull(header.value) && std::any_of(rules.cbegin(), rules.cend(), isAbout));
    });
    return dropped;
}

} // namespace dialect
