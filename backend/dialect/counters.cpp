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

std::optional<QCborValue> counterIn(const MessageView &view, const StripRule &rule)
{
    if (rule.place == Place::JsonBody) {
        const QByteArray name = rule.name.section(QLatin1Char('/'), -1).toUtf8();
        const QJsonValue value =
            view.mayHold(name.constData()) ? view.jsonAt(rule.name) : QJsonValue(QJsonValue::Undefined);
        return value.isUndefined() ? std::nullopt : std::optional(QCborValue::fromJsonValue(value));
    }
    if (rule.place == Place::InHeader) {
        const QCborValue value = view.inHeader(rule.name);
        return value.isUndefined() ? std::nullopt : std::optional(value);
    }
    const QCborValue *value = records::find(view.envelope().headers, rule.name);
    return value == nullptr ? std::nullopt : std::optional(*value);
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
        const std::optional<QCborValue> value = rule.counts ? counterIn(was, rule) : std::nullopt;
        const auto isListed = [&rule](const records::HeaderChange &change) { return change.name == rule.name; };
        if (!value || isZero(*value) || std::any_of(changes.cbegin(), changes.cend(), isListed))
            continue;
        const std::optional<QCborValue> sent = counterIn(goes, rule);
        if (sent != value)
            changes.append({rule.name, value, sent});
    }
    return changes;
}

} // namespace dialect
