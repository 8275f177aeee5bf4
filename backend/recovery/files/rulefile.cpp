#include "backend/recovery/files/rulefile.h"

#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/files/policycheck.h"
#include "backend/recovery/text.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace recovery {

using core::Result;
using records::checkedJson;
using records::JsonNode;
using records::JsonObject;
using records::wrongAt;

namespace {

constexpr QLatin1StringView connectionField("connection");
constexpr std::array ruleFields{std::pair{"queue", &Rule::queue},
                                std::pair{"destination", &Rule::destination},
                                std::pair{"exception", &Rule::exception},
                                std::pair{"message", &Rule::message},
                                std::pair{"message_type", &Rule::messageType},
                                std::pair{"endpoint", &Rule::endpoint}};

} // namespace

Result<> checkRule(const Rule &rule)
{
    for (const auto &[name, field] : ruleFields) {
        if ((rule.*field).size() > limits::patternChars)
            return wrongAt(QString::fromLatin1(name),
                           Text::tr("The text can have at most %1 characters.").arg(limits::patternChars));
    }
    if (rule.patterns() == 0)
        return wrongAt({}, Text::tr("A rule needs at least one pattern, for example \"queue\": \"shop-*\"."));
    return {};
}

Result<RuleFile> ruleFrom(const QByteArray &file)
{
    TRY(const QByteArray json, checkedJson(file));
    QStringList names{connectionField};
    for (const auto &[name, field] : ruleFields)
        names.append(QString::fromLatin1(name));
    TRY(const JsonObject object, JsonNode(json).object(names));
    RuleFile read;
    for (const auto &[name, field] : ruleFields) {
        if (const std::optional<JsonNode> node = object.find(QLatin1StringView(name))) {
            TRY(read.rule.*field, node->text());
            if ((read.rule.*field).isEmpty())
                return node->wrong(Text::tr("The text is empty. Fill it in."));
        }
    }
    if (const std::optional<JsonNode> node = object.find(connectionField)) {
        TRY(read.connection, node->text());
    }
    TRY(checkRule(read.rule));
    return read;
}

QByteArray toJson(const Rule &rule, const QString &connection)
{
    QJsonObject object;
    if (!connection.isEmpty())
        object.insert(connectionField, connection);
    for (const auto &[name, field] : ruleFields) {
        if (!(rule.*field).isEmpty())
            object.insert(QLatin1StringView(name), rule.*field);
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace recovery
