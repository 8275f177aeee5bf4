#include "backend/dialect/conventions/striprules.h"

#include "backend/dialect/conventions/convention.h"
#include "backend/dialect/frameworks/packed.h"
#include "backend/records/editing/jsonpatcher.h"

#include <QCborMap>

#include <algorithm>
#include <iterator>

namespace dialect {

namespace {

constexpr double endlessSeconds = 922337203685.0; // TimeSpan.MaxValue: "no time to live", which a sender must not set

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

} // namespace

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

bool isNumber(const QCborValue &value)
{
    bool isText = false;
    (void)records::text(value).toDouble(&isText);
    return value.isInteger() || value.isDouble() || isText;
}

QCborValue zeroLike(const QCborValue &value)
{
    if (value.isString())
        return QCborValue(QStringLiteral("0"));
    return value.isDouble() ? QCborValue(0.0) : QCborValue(0);
}

void applyRules(const std::vector<StripRule> &rules, records::Envelope &envelope)
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

static records::Envelope strippedPlain(const Dialect &entry, const records::Envelope &envelope)
{
    const std::optional<records::Envelope> inside = entry.unwrap == nullptr ? std::nullopt : entry.unwrap(envelope);
    records::Envelope copy = inside.value_or(envelope);
    applyRules(commonStrip(), copy);
    applyRules(entry.strip, copy);
    if (entry.stripBody != nullptr)
        copy.body = entry.stripBody(envelope).value_or(copy.body);
    const QCborValue *timeToLive = records::find(copy.properties, u"TimeToLive");
    if (timeToLive != nullptr
        && (timeToLive->toDouble() >= endlessSeconds || records::text(*timeToLive).toDouble() >= endlessSeconds))
        records::remove(copy.properties, u"TimeToLive");
    return copy;
}

static records::Envelope strippedWith(const Dialect &entry, const records::Envelope &envelope)
{
    const std::optional<records::Headers> packed = packedHeaders(envelope);
    if (!packed)
        return strippedPlain(entry, envelope);
    const records::Envelope inside{*packed, {}, {}, {}, {}};
    return strippedPlain(entry, packedAgain(envelope, strippedPlain(entry, inside).headers));
}

records::Envelope stripped(const QString &dialect, const records::Envelope &envelope,
                           const records::Conventions &applied)
{
    records::Envelope copy = strippedWith(dialectNamed(dialect), envelope);
    if (const std::optional<records::Headers> packed =
            packedHeaders(envelope) ? packedIn(copy) : std::optional<records::Headers>()) {
        records::Envelope inside{*packed, {}, {}, {}, {}};
        changeBeforeRetry(applied, inside);
        if (inside.headers != *packed)
            copy = packedAgain(copy, inside.headers);
    }
    changeBeforeRetry(applied, copy);
    return copy;
}

records::Envelope withoutNulls(const QString &dialect, records::Envelope envelope, const records::Conventions &applied)
{
    applyRules(nullRules(dialectNamed(dialect)), envelope);
    envelope.headers.removeIf([&applied](const records::Header &header) { return mayBeMissing(applied, header); });
    return envelope;
}

} // namespace dialect
