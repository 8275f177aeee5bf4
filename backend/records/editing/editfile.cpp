#include "backend/records/editing/editfile.h"

#include "backend/records/editing/editing.h"
#include "backend/records/editing/jsonpatcher.h"
#include "backend/records/text.h"

#include <algorithm>
#include <optional>

namespace records {

using core::ErrorKind;
using core::fail;
using core::Result;
using Do = EditStep::Do;

namespace {

tl::unexpected<core::Error> wrong(const QString &what)
{
    return fail(ErrorKind::Rejected, what);
}

qsizetype lineOf(const QByteArray &json, qsizetype at)
{
    return json.left(at).count('\n') + 1;
}

// The fields of one step by name. Each can be taken once.
class Fields final
{
public:
    Fields(const QByteArray &json, QList<JsonMember> members)
        : m_json(json)
        , m_members(std::move(members))
    {
    }

    [[nodiscard]] std::optional<JsonSpan> take(QLatin1StringView name)
    {
        const auto found = std::find_if(m_members.cbegin(), m_members.cend(),
                                        [name](const JsonMember &one) { return one.name == name; });
        if (found == m_members.cend())
            return std::nullopt;
        const JsonSpan value = found->value;
        m_members.erase(found);
        return value;
    }
    // Nothing if the field is missing or not a string.
    [[nodiscard]] std::optional<QString> text(QLatin1StringView name)
    {
        const std::optional<JsonSpan> value = take(name);
        return value ? jsonString(m_json, *value) : std::nullopt;
    }
    [[nodiscard]] bool isTrue(QLatin1StringView name)
    {
        const std::optional<JsonSpan> value = take(name);
        return value && value->of(m_json) == "true";
    }
    // The first field that was not taken: it is unknown here or occurs twice.
    [[nodiscard]] QString left() const { return m_members.isEmpty() ? QString() : m_members.first().name; }
    [[nodiscard]] bool hasLeft() const { return !m_members.isEmpty(); }
    [[nodiscard]] bool has(QLatin1StringView name) const
    {
        return std::any_of(m_members.begin(), m_members.end(), [name](const auto &one) { return one.name == name; });
    }

private:
    const QByteArray &m_json;
    QList<JsonMember> m_members;
};

// A string, a number, true or false. Undefined for anything else.
QCborValue scalarFrom(const QByteArray &json, JsonSpan span)
{
    if (const std::optional<QString> text = jsonString(json, span))
        return *text;
    const QByteArray word = span.of(json);
    if (word == "true" || word == "false")
        return word == "true";
    bool good = false;
    if (const qint64 number = word.toLongLong(&good); good)
        return number;
    const bool isFraction = word.contains('.') || word.contains('e') || word.contains('E');
    const double number = word.toDouble(&good);
    // A larger integer is refused, because a double would round it.
    return good && isFraction ? QCborValue(number) : QCborValue(QCborValue::Undefined);
}

Result<EditStep> headerStep(const QByteArray &json, Fields &fields, EditStep step)
{
    if (const std::optional<JsonSpan> value = fields.take(QLatin1StringView("set"))) {
        step.what = Do::SetHeader;
        step.value = scalarFrom(json, *value);
        if (step.value.isUndefined())
            return wrong(Text::tr("\"set\" of a header must be a string, a number of at most 64 bits, true or false"));
        return step;
    }
    if (fields.has(QLatin1StringView("rename"))) {
        const std::optional<QString> name = fields.text(QLatin1StringView("rename"));
        if (!name)
            return wrong(Text::tr("\"rename\" must be the new name as a string"));
        step.what = Do::RenameHeader;
        step.text = *name;
        return step;
    }
    step.what = Do::RemoveHeader;
    if (!fields.isTrue(QLatin1StringView("remove")))
        return wrong(Text::tr("a header needs \"set\", \"rename\" or \"remove\": true"));
    return step;
}

Result<EditStep> pointerStep(const QByteArray &json, Fields &fields, EditStep step)
{
    if (const std::optional<JsonSpan> value = fields.take(QLatin1StringView("set"))) {
        step.what = Do::SetJson;
        step.text = textFromUtf8(value->of(json));
        return step;
    }
    step.what = Do::RemoveJson;
    if (!fields.isTrue(QLatin1StringView("remove")))
        return wrong(Text::tr("a pointer needs \"set\" or \"remove\": true"));
    return step;
}

Result<EditStep> patternStep(Fields &fields, EditStep step)
{
    const std::optional<QString> with = fields.text(QLatin1StringView("replace"));
    if (!with)
        return wrong(Text::tr("a pattern needs \"replace\" with a string"));
    step.what = Do::ReplaceText;
    step.text = *with;
    return step;
}

Result<EditStep> bodyStep(Fields &fields, bool base64)
{
    EditStep step;
    step.what = Do::SetBody;
    const std::optional<QString> text = fields.text(QLatin1StringView(base64 ? "body_base64" : "body"));
    if (!text)
        return wrong(Text::tr("the body must be a string"));
    step.body = text->toUtf8();
    if (!base64)
        return step;
    const auto bytes = QByteArray::fromBase64Encoding(step.body, QByteArray::AbortOnBase64DecodingErrors);
    if (!bytes)
        return wrong(Text::tr("\"body_base64\" is not valid Base64"));
    step.body = *bytes;
    return step;
}

// The field that names something decides the kind of the step.
Result<EditStep> kindOfStep(const QByteArray &json, Fields &fields)
{
    if (fields.has(QLatin1StringView("body")) || fields.has(QLatin1StringView("body_base64")))
        return bodyStep(fields, !fields.has(QLatin1StringView("body")));
    for (const char *kind : {"header", "pointer", "pattern"}) {
        const QLatin1StringView name(kind);
        if (!fields.has(name))
            continue;
        const std::optional<QString> text = fields.text(name);
        if (!text)
            return wrong(Text::tr("\"%1\" must be a string").arg(name));
        EditStep step;
        step.name = *text;
        if (name == QLatin1StringView("header"))
            return headerStep(json, fields, step);
        return name == QLatin1StringView("pointer") ? pointerStep(json, fields, step) : patternStep(fields, step);
    }
    return wrong(Text::tr("a step needs a \"header\", a \"pointer\", a \"pattern\" or a \"body\""));
}

Result<EditStep> stepFrom(const QByteArray &json, JsonSpan span)
{
    const std::optional<QList<JsonMember>> members = jsonMembers(json, span);
    if (!members)
        return wrong(Text::tr("a step must be an object, for example {\"header\": \"x\", \"remove\": true}"));
    Fields fields(json, *members);
    Result<EditStep> step = kindOfStep(json, fields);
    if (!step)
        return step;
    if (fields.has(QLatin1StringView("where_there"))) {
        const std::optional<JsonSpan> value = fields.take(QLatin1StringView("where_there"));
        const QByteArray word = value->of(json);
        if (word != "true" && word != "false")
            return wrong(Text::tr("\"where_there\" must be true or false"));
        step->whereThere = word == "true";
    }
    if (fields.hasLeft())
        return wrong(
            Text::tr("the field \"%1\" does not belong in this step or occurs twice").arg(fields.left().left(100)));
    const Result<> whole = checkStep(*step);
    return whole ? step : Result<EditStep>(fail(whole.error()));
}

Result<JsonSpan> stepsOf(const QByteArray &json)
{
    if (json.size() > longestEditFile)
        return wrong(Text::tr("An edit can have at most %1 bytes.").arg(longestEditFile));
    if (!json.isValidUtf8())
        return wrong(Text::tr("The edit is not valid UTF-8. Save it as UTF-8."));
    if (const std::optional<qsizetype> fault = jsonFault(json)) {
        const TextPlace place = placeIn(json, *fault);
        return wrong(Text::tr("The edit is not valid JSON: see line %1, character %2.")
                         .arg(QString::number(place.line), QString::number(place.column)));
    }
    const std::optional<QList<JsonMember>> members = jsonMembers(json, wholeJson(json));
    if (!members || members->size() != 1 || members->first().name != u"steps"
        || !jsonItems(json, members->first().value))
        return wrong(Text::tr("An edit must be an object with a list of steps: {\"steps\": [...]}."));
    return members->first().value;
}

QByteArray numberText(double value)
{
    const QByteArray text = QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
    return text.contains('.') || text.contains('e') ? text : text + ".0"; // so that it is read as a double again
}

QByteArray valueText(const QCborValue &value)
{
    if (value.isString())
        return quotedJson(value.toString());
    return value.isDouble() ? numberText(value.toDouble()) : text(value).toUtf8();
}

QByteArray stepText(const EditStep &step)
{
    const QByteArray name = quotedJson(step.name);
    switch (step.what) {
    case Do::SetHeader:
        return "\"header\": " + name + ", \"set\": " + valueText(step.value);
    case Do::RemoveHeader:
        return "\"header\": " + name + ", \"remove\": true";
    case Do::RenameHeader:
        return "\"header\": " + name + ", \"rename\": " + quotedJson(step.text);
    case Do::SetJson:
        return "\"pointer\": " + name + ", \"set\": " + step.text.toUtf8();
    case Do::RemoveJson:
        return "\"pointer\": " + name + ", \"remove\": true";
    case Do::ReplaceText:
        return "\"pattern\": " + name + ", \"replace\": " + quotedJson(step.text);
    case Do::SetBody:
        if (whyNoText(step.body).isEmpty())
            return "\"body\": " + quotedJson(textFromUtf8(step.body));
        return "\"body_base64\": \"" + step.body.toBase64() + '"';
    }
    Q_UNREACHABLE();
}

} // namespace

Result<Edit> editFrom(const QByteArray &file)
{
    // Some editors write a byte order mark.
    const QByteArray json = file.startsWith("\xef\xbb\xbf") ? file.mid(3) : file;
    TRY(const JsonSpan list, stepsOf(json));
    Edit edit;
    const QList<JsonSpan> steps = *jsonItems(json, list);
    for (const JsonSpan &span : steps) {
        const Result<EditStep> step = stepFrom(json, span);
        if (!step)
            return wrong(Text::tr("Step %1 (line %2): %3.")
                             .arg(QString::number(edit.steps.size() + 1), QString::number(lineOf(json, span.begin)),
                                  step.error().message));
        edit.steps.append(*step);
    }
    if (edit.isEmpty())
        return wrong(Text::tr("An edit needs at least one step."));
    const Result<> whole = checkEdit(edit); // the number of steps
    return whole ? Result<Edit>(edit) : Result<Edit>(fail(whole.error()));
}

QByteArray toJson(const Edit &edit)
{
    QByteArrayList lines;
    for (const EditStep &step : edit.steps)
        lines << "    {" + stepText(step) + (step.whereThere ? ", \"where_there\": true}" : "}");
    return "{\"steps\": [\n" + lines.join(",\n") + "\n]}\n";
}

} // namespace records
