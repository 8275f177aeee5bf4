#include "backend/records/editing.h"

#include "backend/records/jsonpatcher.h"
#include "backend/records/text.h"

#include <QRegularExpression>
#include <QUtf8StringView>

#include <algorithm>

namespace records {

using core::ErrorKind;
using core::fail;
using core::Result;
using Do = EditStep::Do;

namespace {

constexpr qsizetype longestHeaderName = 1000;
constexpr qsizetype longestHeaderValue = 64 * 1024;
constexpr qsizetype longestTold = 60; // of a value, in a sentence
constexpr int stepsTold = 5;
const QByteArray byteOrderMark = QByteArrayLiteral("\xef\xbb\xbf");

Result<> unfit(const QString &why)
{
    return fail(ErrorKind::Rejected, why);
}

QString cut(const QString &text)
{
    const QString line = text.simplified();
    return line.size() <= longestTold ? line : line.left(longestTold) + u'…';
}

bool isPlainName(const QString &name)
{
    return !name.isEmpty() && name.size() <= longestHeaderName
           && std::none_of(name.begin(), name.end(), [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; });
}

// A pattern that could go on for ever on some body ends as one that does not fit it. (Every way to write a number that PCRE
// accepts here lowers the limit further.)
QRegularExpression compiled(const QString &pattern)
{
    QRegularExpression expression(QStringLiteral("(*LIMIT_MATCH=1000000)") + pattern);
    expression.optimize();
    return expression;
}

// What comes instead of a match: text, and places of what is in brackets.
struct Replacement
{
    struct Part
    {
        QString text;
        int group = -1; // before the text; -1: none
    };
    QList<Part> parts{Part{}};
    int highest = 0;

    explicit Replacement(const QString &text, int groups)
    {
        for (qsizetype i = 0; i < text.size(); ++i) {
            const QChar next = i + 1 < text.size() ? text.at(i + 1) : QChar();
            if (text.at(i) != u'\\' || (next != u'\\' && (next < u'0' || next > u'9'))) {
                parts.last().text += text.at(i);
                continue;
            }
            ++i;
            if (next == u'\\') {
                parts.last().text += next;
                continue;
            }
            int group = next.unicode() - u'0';
            const QChar second = i + 1 < text.size() ? text.at(i + 1) : QChar();
            if (second >= u'0' && second <= u'9' && group * 10 + (second.unicode() - u'0') <= groups) {
                group = group * 10 + (second.unicode() - u'0');
                ++i;
            }
            highest = std::max(highest, group);
            parts.append({{}, group});
        }
    }

    void appendTo(QString &out, const QRegularExpressionMatch &match) const
    {
        for (const Part &part : parts) {
            if (part.group >= 0)
                out += match.capturedView(part.group);
            out += part.text;
        }
    }
};

Result<> checkHeader(const EditStep &step)
{
    if (!isPlainName(step.name))
        return unfit(
            Text::tr("a header needs a name of 1 to %1 characters without line breaks").arg(longestHeaderName));
    if (step.what == Do::RenameHeader && !isPlainName(step.text))
        return unfit(
            Text::tr("the new name of a header needs 1 to %1 characters without line breaks").arg(longestHeaderName));
    if (step.what != Do::SetHeader)
        return {};
    const QCborValue &value = step.value;
    if (!value.isString() && !value.isInteger() && !value.isDouble() && !value.isBool())
        return unfit(Text::tr("a header can be set to a text, a number, true or false"));
    if (value.isDouble() && !qIsFinite(value.toDouble()))
        return unfit(Text::tr("a header can be set to finite numbers only"));
    if (value.isString() && value.toString().size() > longestHeaderValue)
        return unfit(Text::tr("the value of a header has %1 characters at most").arg(longestHeaderValue));
    return {};
}

Result<> checkJson(const EditStep &step)
{
    if (!pointerParts(step.name))
        return unfit(Text::tr("\"%1\" is no JSON pointer: one begins with /, and has ~0 for ~ and ~1 for / in names")
                         .arg(cut(step.name)));
    if (step.what == Do::RemoveJson)
        return step.name.isEmpty() ? unfit(Text::tr("the whole body cannot be removed: name a part of it"))
                                   : Result<>();
    if (jsonFault(step.text.toUtf8()))
        return unfit(Text::tr("\"%1\" is no JSON: a text needs quotation marks").arg(cut(step.text)));
    return {};
}

Result<> checkPattern(const EditStep &step)
{
    if (step.name.isEmpty())
        return unfit(Text::tr("a regular expression is missing"));
    const QRegularExpression expression = compiled(step.name);
    if (!expression.isValid())
        return unfit(Text::tr("\"%1\" is no regular expression: %2").arg(cut(step.name), expression.errorString()));
    const int groups = expression.captureCount();
    if (const Replacement with(step.text, groups); with.highest > groups)
        return unfit(Text::tr("the replacement names \\%1, and \"%2\" has %3 groups")
                         .arg(QString::number(with.highest), cut(step.name), QString::number(groups)));
    return {};
}

Result<> editHeaders(const EditStep &step, Headers &headers)
{
    if (step.what == Do::SetHeader) {
        set(headers, step.name, step.value);
        return {};
    }
    if (find(headers, step.name) == nullptr)
        return fail(ErrorKind::NotFound, Text::tr("it has no header %1").arg(cut(step.name)));
    if (step.what == Do::RemoveHeader) {
        remove(headers, step.name);
        return {};
    }
    if (step.name != step.text && find(headers, step.text) != nullptr)
        return unfit(Text::tr("it has a header %1 already").arg(cut(step.text)));
    for (Header &header : headers) {
        if (header.name == step.name)
            header.name = step.text;
    }
    return {};
}

Result<> editJson(const EditStep &step, QByteArray &body)
{
    const bool marked = body.startsWith(byteOrderMark);
    const QByteArray json = marked ? body.mid(byteOrderMark.size()) : body;
    if (jsonFault(json))
        return unfit(Text::tr("its body is no JSON"));
    const Result<QByteArray> edited =
        step.what == Do::SetJson ? setJson(json, step.name, step.text.toUtf8()) : removeJson(json, step.name);
    if (!edited)
        return fail(edited.error());
    body = marked ? byteOrderMark + *edited : *edited;
    return {};
}

Result<> replaceText(const EditStep &step, QByteArray &body)
{
    const bool marked = body.startsWith(byteOrderMark);
    const QString text = textFromUtf8(marked ? body.mid(byteOrderMark.size()) : body);
    const QRegularExpression expression = compiled(step.name);
    const Replacement with(step.text, expression.captureCount());
    QString out;
    qsizetype copied = 0; // of the text
    qsizetype at = 0;
    int matches = 0;
    while (at <= text.size() && out.size() <= longestEditedBody) {
        const QRegularExpressionMatch match =
            expression.match(text, at, QRegularExpression::NormalMatch,
                             QRegularExpression::DontCheckSubjectStringMatchOption); // it comes from checked UTF-8
        if (!match.isValid())
            return unfit(Text::tr("the regular expression needs too long on its body"));
        if (!match.hasMatch())
            break;
        ++matches;
        out += QStringView(text).mid(copied, match.capturedStart() - copied);
        with.appendTo(out, match);
        copied = match.capturedEnd();
        at = copied;
        if (match.capturedLength() == 0) // the next one begins behind the next character
            at += at < text.size() && text.at(at).isHighSurrogate() ? 2 : 1;
    }
    if (matches == 0)
        return fail(ErrorKind::NotFound, Text::tr("nothing in its body matches %1").arg(cut(step.name)));
    out += QStringView(text).mid(copied);
    body = marked ? byteOrderMark + out.toUtf8() : out.toUtf8();
    return {};
}

Result<> editBody(const EditStep &step, QByteArray &body)
{
    if (const QString why = whyNoText(body); !why.isEmpty())
        return unfit(why);
    const Result<> done = step.what == Do::ReplaceText ? replaceText(step, body) : editJson(step, body);
    if (done && body.size() > longestEditedBody)
        return unfit(Text::tr("its body would be longer than %1 bytes").arg(longestEditedBody));
    return done;
}

Result<> applyStep(const EditStep &step, Envelope &message)
{
    switch (step.what) {
    case Do::SetHeader:
    case Do::RemoveHeader:
    case Do::RenameHeader:
        return editHeaders(step, message.headers);
    case Do::SetJson:
    case Do::RemoveJson:
    case Do::ReplaceText:
        return editBody(step, message.body);
    case Do::SetBody:
        message.body = step.body;
        return {};
    }
    Q_UNREACHABLE();
}

QString toldValue(const QCborValue &value)
{
    return value.isString() ? u'"' + cut(value.toString()) + u'"' : text(value);
}

} // namespace

Result<> checkStep(const EditStep &step)
{
    if (step.name.size() > longestEditName)
        return unfit(
            Text::tr("names, pointers and regular expressions have %1 characters at most").arg(longestEditName));
    if (step.text.size() > longestEditedBody || step.body.size() > longestEditedBody)
        return unfit(Text::tr("bodies of more than %1 bytes cannot be edited").arg(longestEditedBody));
    switch (step.what) {
    case Do::SetHeader:
    case Do::RemoveHeader:
    case Do::RenameHeader:
        return checkHeader(step);
    case Do::SetJson:
    case Do::RemoveJson:
        return checkJson(step);
    case Do::ReplaceText:
        return checkPattern(step);
    case Do::SetBody:
        return {};
    }
    Q_UNREACHABLE();
}

Result<> checkEdit(const Edit &edit)
{
    if (edit.steps.size() > mostEditSteps)
        return unfit(
            Text::tr("An edit has %1 steps at most; this one has %2.").arg(mostEditSteps).arg(edit.steps.size()));
    for (qsizetype i = 0; i < edit.steps.size(); ++i) {
        const Result<> whole = checkStep(edit.steps.at(i));
        if (!whole)
            return unfit(Text::tr("Step %1: %2.").arg(QString::number(i + 1), whole.error().message));
    }
    return {};
}

Result<Envelope> apply(const Edit &edit, const Envelope &message)
{
    Envelope edited = message;
    for (qsizetype i = 0; i < edit.steps.size(); ++i) {
        const EditStep &step = edit.steps.at(i);
        const Result<> done = applyStep(step, edited);
        if (done || (step.whereThere && done.error().kind == ErrorKind::NotFound))
            continue;
        if (edit.steps.size() == 1)
            return fail(ErrorKind::Rejected, Text::tr("The edit does not fit: %1.").arg(done.error().message));
        return fail(
            ErrorKind::Rejected,
            Text::tr("Step %1 of the edit does not fit: %2.").arg(QString::number(i + 1), done.error().message));
    }
    return edited;
}

Edit editBetween(const Envelope &before, const Envelope &after)
{
    Edit edit;
    for (const Header &header : before.headers) {
        if (find(after.headers, header.name) == nullptr)
            edit.steps.append({Do::RemoveHeader, header.name});
    }
    for (const Header &header : after.headers) {
        const QCborValue *known = find(before.headers, header.name);
        if (known == nullptr || *known != header.value || known->type() != header.value.type())
            edit.steps.append({Do::SetHeader, header.name, {}, header.value});
    }
    if (before.body != after.body)
        edit.steps.append({Do::SetBody, {}, {}, {}, after.body});
    return edit;
}

QString whyNoText(const QByteArray &body)
{
    if (body.size() > longestEditedBody)
        return Text::tr("its body has more than %1 bytes").arg(longestEditedBody);
    if (body.contains('\0'))
        return Text::tr("its body is no text");
    return QUtf8StringView(body).isValidUtf8() ? QString() : Text::tr("its body is no text in UTF-8");
}

QCborValue valueFrom(const QString &typed, const QCborValue *before)
{
    if (before == nullptr)
        return typed;
    bool good = false;
    if (before->isInteger()) {
        const qint64 number = typed.toLongLong(&good);
        return good ? QCborValue(number) : QCborValue(typed);
    }
    if (before->isDouble()) {
        const double number = typed.toDouble(&good);
        return good && qIsFinite(number) ? QCborValue(number) : QCborValue(typed);
    }
    if (before->isBool() && (typed == u"true" || typed == u"false"))
        return typed == u"true";
    return typed;
}

QString toSentence(const EditStep &step)
{
    const QString name = cut(step.name);
    QString sentence;
    switch (step.what) {
    case Do::SetHeader:
        sentence = Text::tr("header %1 set to %2").arg(name, toldValue(step.value));
        break;
    case Do::RemoveHeader:
        sentence = Text::tr("header %1 removed").arg(name);
        break;
    case Do::RenameHeader:
        sentence = Text::tr("header %1 renamed to %2").arg(name, cut(step.text));
        break;
    case Do::SetJson:
        sentence = Text::tr("%1 of the body set to %2").arg(name.isEmpty() ? Text::tr("all") : name, cut(step.text));
        break;
    case Do::RemoveJson:
        sentence = Text::tr("%1 of the body removed").arg(name);
        break;
    case Do::ReplaceText:
        sentence = Text::tr("\"%1\" in the body replaced by \"%2\"").arg(name, cut(step.text));
        break;
    case Do::SetBody:
        sentence = Text::tr("body replaced (%1 bytes)").arg(step.body.size());
        break;
    }
    return step.whereThere ? Text::tr("%1, where it is there").arg(sentence) : sentence;
}

QString toSentence(const Edit &edit)
{
    QStringList parts;
    for (const EditStep &step : edit.steps.mid(0, stepsTold))
        parts << toSentence(step);
    if (edit.steps.size() > stepsTold)
        parts << Text::tr("%1 more steps").arg(edit.steps.size() - stepsTold);
    return parts.join(QStringLiteral("; "));
}

} // namespace records
