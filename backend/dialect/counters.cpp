#include "backend/dialect/counters.h"

#include "backend/dialect/packed.h"
#include "backend/dialect/table.h"

#include <algorithm>

namespace dialect {

namespace {

// With headers that are packed into the body or an attribute beside the others.
Arrival opened(const records::Envelope &envelope)
{
    Arrival arrival;
    arrival.envelope = envelope;
    arrival.envelope.headers += packedHeaders(envelope).value_or(records::Headers());
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

QList<records::HeaderChange> resetCounters(const QString &dialect, const records::Envelope &failed)
{
    const Arrival before = opened(failed);
    const Arrival after = opened(stripped(dialect, failed));
    const MessageView was(before);
    const MessageView goes(after);
    std::vector<StripRule> rules = commonStrip();
    append(rules, dialectNamed(dialect).strip);
    QList<records::HeaderChange> changes;
    for (const StripRule &rule : rules) {
        const QCborValue value = rule.counts ? counterIn(was, rule) : QCborValue();
        const auto isListed = [&rule](const records::HeaderChange &change) { return change.name == rule.name; };
        if (value.isUndefined() || isZero(value) || std::any_of(changes.cbegin(), changes.cend(), isListed))
            continue;
        const QCborValue sent = counterIn(goes, rule);
        if (sent != value)
            changes.append({rule.name, value, givenOnly(sent)});
    }
    return changes;
}

} // namespace dialect
