#include "backend/records/editing/jsonnode.h"

#include "backend/core/text/editdistance.h"
#include "backend/core/time/durationtext.h"
#include "backend/records/text.h"

#include <algorithm>

namespace records {

using core::Result;

namespace {

constexpr qsizetype longestShown = 60; // characters of a name or value in an error

QString fieldPath(const QString &path, const QString &field)
{
    return path.isEmpty() ? field : path + QLatin1Char('.') + field;
}

QString unknownField(const QString &name, const QStringList &fields)
{
    const QString nearest = core::nearestOf(name, fields);
    if (!nearest.isEmpty())
        return Text::tr("This field is unknown. Did you mean \"%1\"?").arg(nearest);
    return Text::tr("This field is unknown. Remove it, or use %1.").arg(oneOf(fields));
}

} // namespace

QString shown(const QString &text)
{
    QString part = text.left(longestShown);
    std::replace_if(
        part.begin(), part.end(), [](QChar one) { return !one.isPrint(); }, QChar(u'?'));
    return text.size() <= longestShown ? part : part + QStringLiteral("...");
}

tl::unexpected<core::Error> wrongAt(const QString &path, const QString &what)
{
    return core::fail(core::ErrorKind::Rejected, path.isEmpty() ? what : path + QStringLiteral(": ") + what);
}

QString oneOf(const QStringList &words)
{
    QStringList quoted;
    for (const QString &word : words)
        quoted.append(QLatin1Char('"') + word + QLatin1Char('"'));
    if (quoted.size() < 2)
        return quoted.join(QString());
    const QString last = quoted.takeLast();
    return Text::tr("%1 or %2").arg(quoted.join(QStringLiteral(", ")), last);
}

Result<QByteArray> checkedJson(const QByteArray &file, qsizetype longest)
{
    if (file.size() > longest)
        return wrongAt({}, Text::tr("The file can have at most %1 bytes.").arg(longest));
    // Some editors write a byte order mark.
    const QByteArray json = file.startsWith("\xef\xbb\xbf") ? file.mid(3) : file;
    if (!json.isValidUtf8())
        return wrongAt({}, Text::tr("The file is not valid UTF-8. Save it as UTF-8."));
    if (const std::optional<qsizetype> fault = jsonFault(json)) {
        const TextPlace place = placeIn(json, *fault);
        return wrongAt({}, Text::tr("The file is not valid JSON: see line %1, character %2.")
                               .arg(QString::number(place.line), QString::number(place.column)));
    }
    return json;
}

JsonNode::JsonNode(const QByteArray &json)
    : JsonNode(json, wholeJson(json), QString())
{
}

JsonNode::JsonNode(const QByteArray &json, JsonSpan span, QString path)
    : m_json(&json)
    , m_span(span)
    , m_path(std::move(path))
{
}

Result<QString> JsonNode::text() const
{
    if (const std::optional<QString> text = jsonString(*m_json, m_span))
        return *text;
    return wrong(Text::tr("The value must be a text in quotation marks."));
}

Result<int> JsonNode::word(const QStringList &words) const
{
    TRY(const QString text, this->text());
    const qsizetype place = words.indexOf(text);
    if (place < 0)
        return wrong(Text::tr("\"%1\" is unknown here. Use %2.").arg(shown(text), oneOf(words)));
    return int(place);
}

Result<core::Milliseconds> JsonNode::duration() const
{
    const Result<QString> text = this->text();
    const std::optional<core::Milliseconds> span = text ? core::durationFrom(*text) : std::nullopt;
    if (!span)
        return wrong(
            Text::tr("The value must be a time span: a whole number with a unit in quotation marks, for example "
                     "\"10s\", \"15m\", \"24h\" or \"30d\"."));
    return *span;
}

Result<int> JsonNode::number(int least, int most) const
{
    bool good = false;
    const qint64 number = m_span.of(*m_json).toLongLong(&good);
    if (!good || number < least || number > most)
        return wrong(Text::tr("The value must be a whole number from %1 to %2.")
                         .arg(QString::number(least), QString::number(most)));
    return int(number);
}

Result<double> JsonNode::fraction() const
{
    bool good = false;
    const double number = m_span.of(*m_json).toDouble(&good);
    return good ? Result<double>(number) : wrong(Text::tr("The value must be a number."));
}

Result<QList<JsonNode>> JsonNode::items(qsizetype most) const
{
    const std::optional<QList<JsonSpan>> spans = jsonItems(*m_json, m_span);
    if (!spans)
        return wrong(Text::tr("The value must be a list: [...]."));
    if (spans->size() > most)
        return wrong(Text::tr("The list can have at most %1 entries.").arg(most));
    QList<JsonNode> nodes;
    for (const JsonSpan &span : *spans)
        nodes.append(JsonNode(*m_json, span, m_path + QStringLiteral("[%1]").arg(nodes.size())));
    return nodes;
}

Result<QList<JsonMember>> JsonNode::members() const
{
    std::optional<QList<JsonMember>> members = jsonMembers(*m_json, m_span);
    if (!members)
        return wrong(Text::tr("The value must be an object: {...}."));
    return *std::move(members);
}

Result<JsonObject> JsonNode::object(const QStringList &fields) const
{
    TRY(const QList<JsonMember> members, this->members());
    QList<std::pair<QString, JsonNode>> found;
    QStringList left = fields;
    for (const JsonMember &member : members) {
        const QString path = fieldPath(m_path, shown(member.name));
        if (!fields.contains(member.name))
            return wrongAt(path, unknownField(member.name, fields));
        if (!left.removeOne(member.name))
            return wrongAt(path, Text::tr("This field occurs twice. Remove one of them."));
        found.append({member.name, JsonNode(*m_json, member.value, path)});
    }
    return JsonObject(m_path, std::move(found));
}

Result<QList<std::pair<QString, JsonNode>>> JsonNode::entries(qsizetype most) const
{
    TRY(const QList<JsonMember> members, this->members());
    if (members.size() > most)
        return wrong(Text::tr("The object can have at most %1 entries.").arg(most));
    QList<std::pair<QString, JsonNode>> found;
    for (const JsonMember &member : members) {
        const QString path = m_path + QStringLiteral("[\"%1\"]").arg(shown(member.name));
        const bool isTwice =
            std::any_of(found.cbegin(), found.cend(), [&member](const auto &one) { return one.first == member.name; });
        if (isTwice)
            return wrongAt(path, Text::tr("This entry occurs twice. Remove one of them."));
        found.append({member.name, JsonNode(*m_json, member.value, path)});
    }
    return found;
}

JsonObject::JsonObject(QString path, QList<std::pair<QString, JsonNode>> members)
    : m_path(std::move(path))
    , m_members(std::move(members))
{
}

std::optional<JsonNode> JsonObject::find(QLatin1StringView field) const
{
    for (const auto &[name, node] : m_members) {
        if (name == field)
            return node;
    }
    return std::nullopt;
}

Result<JsonNode> JsonObject::need(QLatin1StringView field) const
{
    if (const std::optional<JsonNode> node = find(field))
        return *node;
    return wrongAt(fieldPath(m_path, field), Text::tr("This field is missing. Add it."));
}

std::optional<JsonNode> JsonObject::otherThan(const QStringList &fields) const
{
    for (const auto &[name, node] : m_members) {
        if (!fields.contains(name))
            return node;
    }
    return std::nullopt;
}

} // namespace records
