#include "models/edits/typedstep.h"

#include "backend/records/editing/editing.h"
#include "models/edits/editabletext.h"
#include "models/edits/editedheaders.h"

namespace models {

namespace {

using Do = records::EditStep::Do;
using Form = TypedStep::Form;

EditedHeaders::ValueKind kindOf(Form form)
{
    switch (form) {
    case Form::Integer:
        return EditedHeaders::ValueKind::Integer;
    case Form::Number:
        return EditedHeaders::ValueKind::Number;
    case Form::Truth:
        return EditedHeaders::ValueKind::Truth;
    case Form::Text:
    case Form::Json:
        break;
    }
    return EditedHeaders::ValueKind::Text;
}

Form formOf(const QCborValue &value)
{
    switch (EditedHeaders::kindOf(value)) {
    case EditedHeaders::ValueKind::Integer:
        return Form::Integer;
    case EditedHeaders::ValueKind::Number:
        return Form::Number;
    case EditedHeaders::ValueKind::Truth:
        return Form::Truth;
    case EditedHeaders::ValueKind::Text:
    case EditedHeaders::ValueKind::Other:
        break;
    }
    return Form::Text;
}

// A JSON string, quoted and escaped.
QString quoted(const QString &text)
{
    QString out = QStringLiteral("\"");
    for (const QChar c : text) {
        if (c == QLatin1Char('"') || c == QLatin1Char('\\'))
            out += QLatin1Char('\\') + c;
        else if (c.unicode() < 0x20)
            out += QStringLiteral("\\u%1").arg(uint(c.unicode()), 4, 16, QLatin1Char('0'));
        else
            out += c;
    }
    return out + QLatin1Char('"');
}

} // namespace

TypedStep TypedStep::of(const records::EditStep &step)
{
    TypedStep typed;
    typed.what = step.what;
    typed.name = editableLine(step.name);
    typed.text = editableLine(step.what == Do::SetHeader ? records::text(step.value) : step.text);
    if (step.what == Do::SetHeader)
        typed.form = formOf(step.value);
    else if (step.what == Do::SetJson)
        typed.form = Form::Json;
    typed.body = step.body;
    typed.whereThere = step.whereThere;
    return typed;
}

core::Result<records::EditStep> TypedStep::step() const
{
    records::EditStep step;
    step.what = what;
    step.name = fromEditable(name);
    step.whereThere = whereThere;
    step.body = body;
    const QString typed = fromEditable(text);
    if (what == Do::SetHeader) {
        const QCborValue form_ = EditedHeaders::emptyOf(kindOf(form));
        step.value = records::valueFrom(typed, &form_);
        if (formOf(step.value) != form)
            return core::fail(core::ErrorKind::Rejected,
                              tr("\"%1\" is invalid. Expected: %2.").arg(text, textOf(form)));
    } else if (what == Do::SetJson) {
        step.text = form == Form::Text ? quoted(typed) : typed;
    } else if (what == Do::RenameHeader || what == Do::ReplaceText) {
        step.text = typed;
    }
    return step;
}

QString TypedStep::title(Do what)
{
    switch (what) {
    case Do::SetHeader:
        return tr("Set header");
    case Do::RemoveHeader:
        return tr("Remove header");
    case Do::RenameHeader:
        return tr("Rename header");
    case Do::SetJson:
        return tr("Set JSON value");
    case Do::RemoveJson:
        return tr("Remove JSON value");
    case Do::ReplaceText:
        return tr("Replace text");
    case Do::SetBody:
        return tr("Replace the body");
    }
    Q_UNREACHABLE();
}

QString TypedStep::nameHint(Do what)
{
    switch (what) {
    case Do::SetHeader:
    case Do::RemoveHeader:
    case Do::RenameHeader:
        return tr("header name");
    case Do::SetJson:
    case Do::RemoveJson:
        return tr("/path/to/value (JSON pointer)");
    case Do::ReplaceText:
        return tr("regular expression");
    case Do::SetBody:
        return {};
    }
    Q_UNREACHABLE();
}

QString TypedStep::textHint(Do what)
{
    switch (what) {
    case Do::SetHeader:
    case Do::SetJson:
        return tr("value");
    case Do::RenameHeader:
        return tr("new name");
    case Do::ReplaceText:
        return tr("replacement; \\1 inserts the first group");
    case Do::RemoveHeader:
    case Do::RemoveJson:
    case Do::SetBody:
        return {};
    }
    Q_UNREACHABLE();
}

QList<Form> TypedStep::forms(Do what)
{
    if (what == Do::SetHeader)
        return {Form::Text, Form::Integer, Form::Number, Form::Truth};
    return what == Do::SetJson ? QList<Form>{Form::Text, Form::Json} : QList<Form>{};
}

QString TypedStep::textOf(Form form)
{
    return form == Form::Json ? QStringLiteral("JSON") : EditedHeaders::textOf(kindOf(form));
}

core::Result<records::Edit> editOf(const QList<TypedStep> &steps)
{
    records::Edit edit;
    for (const TypedStep &typed : steps) {
        core::Result<records::EditStep> step = typed.step();
        if (!step) {
            return core::fail(step.error().kind,
                              TypedStep::tr("Step %1: %2").arg(edit.steps.size() + 1).arg(step.error().message));
        }
        edit.steps.append(*step);
    }
    if (core::Result<> whole = records::checkEdit(edit); !whole)
        return tl::unexpected<core::Error>(whole.error());
    return edit;
}

} // namespace models
