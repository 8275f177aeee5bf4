#include "backend/records/editing/editing.h"

#include "backend/core/time/systemclock.h"
#include "backend/records/editing/jsonpatcher.h"
#include "backend/records/editing/textpattern.h"
#include "backend/records/messages/amqp10.h"
#include "backend/records/text.h"

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
constexpr qsizetype longestTold = 60; // characters of a value in a sentence
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

// The replacement of a match, as text and references to groups.
struct Replacement
{
    struct Part
    {
        QString text;
        int group = -1; // comes before the text; -1: none
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
            Text::tr("a header name must have 1 to %1 characters and no control characters").arg(longestHeaderName));
    if (step.what == Do::RenameHeader && !isPlainName(step.text))
        return unfit(Text::tr("the new header name must have 1 to %1 characters and no control characters")
                         .arg(longestHeaderName));
    if (step.what != Do::SetHeader)
        return {};
    const QCborValue &value = step.value;
    if (!value.isString() && !value.isInteger() && !value.isDouble() && !value.isBool())
        return unfit(Text::tr("a header value must be text, a number, true or false"));
    if (value.isDouble() && !qIsFinite(value.toDouble()))
        return unfit(Text::tr("a number in a header must be finite"));
    if (value.isString() && value.toString().size() > longestHeaderValue)
        return unfit(Text::tr("a header value can have at most %1 characters").arg(longestHeaderValue));
    return {};
}

Result<> checkJson(const EditStep &step)
{
    if (!pointerParts(step.name))
        return unfit(Text::tr("\"%1\" is not a JSON pointer: start it with /, and write ~0 for ~ and ~1 for / in names")
                         .arg(cut(step.name)));
    if (step.what == Do::RemoveJson)
        return step.name.isEmpty() ? unfit(Text::tr("the whole body cannot be removed: name a part of it"))
                                   : Result<>();
    if (jsonFault(step.text.toUtf8()))
        return unfit(Text::tr("\"%1\" is not valid JSON: put text in double quotes").arg(cut(step.text)));
    return {};
}

Result<> checkPattern(const EditStep &step)
{
    if (step.name.isEmpty())
        return unfit(Text::tr("the regular expression is missing"));
    const TextPattern pattern(step.name);
    if (!pattern.isValid())
        return unfit(Text::tr("\"%1\" is not a valid regular expression: %2").arg(cut(step.name), pattern.errorText()));
    const int groups = pattern.groups();
    if (const Replacement with(step.text, groups); with.highest > groups)
        return unfit(Text::tr("the replacement uses \\%1, but the last group of \"%2\" is %3")
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
        return fail(ErrorKind::NotFound, Text::tr("the message has no header %1").arg(cut(step.name)));
    if (step.what == Do::RemoveHeader) {
        remove(headers, step.name);
        return {};
    }
    if (step.name != step.text && find(headers, step.text) != nullptr)
        return unfit(Text::tr("the message already has a header %1").arg(cut(step.text)));
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
        return unfit(Text::tr("the body is not valid JSON"));
    TRY(const QByteArray edited,
        step.what == Do::SetJson ? setJson(json, step.name, step.text.toUtf8()) : removeJson(json, step.name));
    body = marked ? byteOrderMark + edited : edited;
    return {};
}

Result<> replaceText(const EditStep &step, QByteArray &body, const PatternLimit &limit)
{
    const bool marked = body.startsWith(byteOrderMark);
    const QString text = textFromUtf8(marked ? body.mid(byteOrderMark.size()) : body);
    const TextPattern pattern(step.name);
    TextPattern::Search search(pattern, text, limit);
    const Replacement with(step.text, pattern.groups());
    QString out;
    qsizetype copied = 0; // of the text
    qsizetype at = 0;
    int matches = 0;
    while (at <= text.size() && out.size() <= longestEditedBody) {
        const TextPattern::Found found = search.next(at);
        if (found == TextPattern::Found::TooLong)
            return fail(ErrorKind::Refused, Text::tr("the regular expression takes too long on the body"));
        if (found == TextPattern::Found::Nothing)
            break;
        const QRegularExpressionMatch match = search.match();
        ++matches;
        out += QStringView(text).mid(copied, match.capturedStart() - copied);
        with.appendTo(out, match);
        copied = match.capturedEnd();
        at = copied;
        if (match.capturedLength() == 0) // after an empty match go on behind the next character
            at = search.behind(at);
    }
    if (matches == 0)
        return fail(ErrorKind::NotFound, Text::tr("nothing in the body matches %1").arg(cut(step.name)));
    out += QStringView(text).mid(copied);
    body = marked ? byteOrderMark + out.toUtf8() : out.toUtf8();
    return {};
}

Result<> editBody(const EditStep &step, QByteArray &body, const PatternLimit &limit)
{
    if (const QString why = whyNoText(body); !why.isEmpty())
        return unfit(why);
    const Result<> done = step.what == Do::ReplaceText ? replaceText(step, body, limit) : editJson(step, body);
    if (done && body.size() > longestEditedBody)
        return unfit(Text::tr("the edited body would be longer than %1 bytes").arg(longestEditedBody));
    return done;
}

bool isOfBody(Do what)
{
    return what == Do::SetJson || what == Do::RemoveJson || what == Do::ReplaceText || what == Do::SetBody;
}

// `limit`: beyond it regular expressions take too long.
Result<> applyStep(const EditStep &step, Envelope &message, const PatternLimit &limit)
{
    if (isOfBody(step.what) && hasAmqp10Body(message.properties))
        return unfit(Text::tr("the body is encoded as AMQP 1.0, which an edit would damage"));
    switch (step.what) {
    case Do::SetHeader:
    case Do::RemoveHeader:
    case Do::RenameHeader:
        return editHeaders(step, message.headers);
    case Do::SetJson:
    case Do::RemoveJson:
    case Do::ReplaceText:
        return editBody(step, message.body, limit);
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
            Text::tr("names, pointers and regular expressions can have at most %1 characters").arg(longestEditName));
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
            Text::tr("An edit can have at most %1 steps; this one has %2.").arg(mostEditSteps).arg(edit.steps.size()));
    for (qsizetype i = 0; i < edit.steps.size(); ++i) {
        const Result<> whole = checkStep(edit.steps.at(i));
        if (!whole)
            return unfit(Text::tr("Step %1: %2.").arg(QString::number(i + 1), whole.error().message));
    }
    return {};
}

Result<Envelope> apply(const Edit &edit, const Envelope &message, const EditLimit &limit)
{
    Envelope edited = message;
    const PatternLimit patterns{core::bootTime() + limit.longest, limit.isCancelled};
    for (qsizetype i = 0; i < edit.steps.size(); ++i) {
        const EditStep &step = edit.steps.at(i);
        const Result<> done = applyStep(step, edited, patterns);
        if (done || (step.whereThere && done.error().kind == ErrorKind::NotFound))
            continue;
        const ErrorKind kind = done.error().kind == ErrorKind::Refused ? ErrorKind::Refused : ErrorKind::Rejected;
        const QString why = done.error().message;
        const QString number = QString::number(i + 1);
        if (edit.steps.size() == 1)
            return fail(kind, Text::tr("The edit does not fit this message: %1.").arg(why), why);
        return fail(kind, Text::tr("Step %1 of the edit does not fit this message: %2.").arg(number, why),
                    Text::tr("step %1: %2").arg(number, why));
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
        return Text::tr("the body has more than %1 bytes").arg(longestEditedBody);
    if (body.contains('\0'))
        return Text::tr("the body is not text");
    return QUtf8StringView(body).isValidUtf8() ? QString() : Text::tr("the body is not valid UTF-8 text");
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
        sentence = Text::tr("\"%1\" in the body replaced with \"%2\"").arg(name, cut(step.text));
        break;
    case Do::SetBody:
        sentence = Text::tr("body replaced (%1 bytes)").arg(step.body.size());
        break;
    }
    return step.whereThere ? Text::tr("%1, where present").arg(sentence) : sentence;
}

QString toSentence(const Edit &edit)
{
    QStringList parts;
    for (const EditStep &step : edit.steps.mid(0, stepsTold))
        parts << toSentence(step);
    if (edit.steps.size() > stepsTold)
        parts << Text::tr("%1 more").arg(edit.steps.size() - stepsTold);
    return parts.join(QStringLiteral("; "));
}

} // namespace records
