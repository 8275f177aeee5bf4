#include "backend/dialect/stackframe.h"

#include "backend/records/messages/typename.h"

#include <QStringList>

#include <array>

namespace dialect {

namespace {

constexpr qsizetype longestRead = 64 * 1024; // characters of a stack trace
constexpr qsizetype longestLine = 2000;

// The word "at" in the languages of .NET.
constexpr std::array<QStringView, 9> atText{u"at ", u"bei ", u"à ", u"в ", u"en ", u"in ", u"em ", u"w ", u"在 "};

QStringView afterAt(QStringView line)
{
    for (const QStringView word : atText) {
        if (line.startsWith(word))
            return line.mid(word.size()).trimmed();
    }
    return {};
}

bool isJavaOrNodePlace(QStringView inParentheses)
{
    return inParentheses == u"Native Method" || inParentheses == u"Unknown Source" || inParentheses.contains(u".java")
           || inParentheses.contains(u".kt") || inParentheses.contains(u".scala") || inParentheses.contains(u".groovy");
}

// "Save" for "<Save>d__12" and "<Save>b__0", else the segment itself. The numbers differ from build to build.
QString withoutCompilerNames(const QString &segment)
{
    const qsizetype close = segment.indexOf(QLatin1Char('>'));
    return segment.startsWith(QLatin1Char('<')) && close > 1 ? segment.mid(1, close - 1) : segment;
}

// "Store.Save" for "Shop.Orders.Store.<Save>d__12.MoveNext"; with whole names "Shop.Orders.Store.Save".
QString typeAndMethod(QStringView qualified, Names names)
{
    QStringList kept;
    bool stateMachine = false;
    const QList<QStringView> segments = qualified.split(u'.', Qt::SkipEmptyParts);
    for (const QStringView segment : segments) {
        if (segment.startsWith(u"<>c") || (stateMachine && segment == u"MoveNext"))
            continue;
        for (const QStringView nested : segment.split(u'+', Qt::SkipEmptyParts)) {
            if (nested.startsWith(u"<>c"))
                continue;
            stateMachine = nested.startsWith(u'<') && nested.contains(u">d");
            kept.append(withoutCompilerNames(nested.toString()));
        }
    }
    const qsizetype from = names == Names::Whole ? 0 : std::max<qsizetype>(0, kept.size() - 2);
    return kept.mid(from).join(QLatin1Char('.'));
}

// "Order, Int32" for "Shop.Order order, Int32 count".
QString parameterTypes(QStringView parameters, Names names)
{
    QStringList types;
    int depth = 0;
    qsizetype start = 0;
    for (qsizetype i = 0; i <= parameters.size(); ++i) {
        const QChar c = i < parameters.size() ? parameters.at(i) : QLatin1Char(',');
        depth += c == QLatin1Char('[') || c == QLatin1Char('<')   ? 1
                 : c == QLatin1Char(']') || c == QLatin1Char('>') ? -1
                                                                  : 0;
        if (c != QLatin1Char(',') || depth > 0)
            continue;
        const QStringView one = parameters.mid(start, i - start).trimmed();
        start = i + 1;
        const qsizetype space = one.lastIndexOf(u' ');
        if (one.isEmpty())
            continue;
        const QString type = (space > 0 ? one.left(space) : one).trimmed().toString();
        types.append(names == Names::Whole ? type : records::shortTypeName(type));
    }
    return types.join(QLatin1String(", "));
}

QString frameFrom(QStringView text, Names names)
{
    const qsizetype open = text.indexOf(u'(');
    if (open <= 0)
        return {};
    const qsizetype close = text.indexOf(u')', open);
    if (close < 0)
        return {};
    QStringView name = text.left(open);
    const QStringView inside = text.mid(open + 1, close - open - 1);
    const bool node = name.endsWith(u' '); // "Store.save (/app/store.js:1:2)"
    name = name.trimmed();
    if (name.startsWith(u"async "))
        name = name.mid(6);
    if (name.isEmpty() || name.contains(u' '))
        return {};
    if (const qsizetype module = name.lastIndexOf(u'/'); module >= 0)
        name = name.mid(module + 1); // "java.base/java.util.HashMap.get"
    const QString method = typeAndMethod(name, names);
    const bool isFrame = node ? inside.contains(u':') : method.contains(QLatin1Char('.'));
    if (method.isEmpty() || !isFrame) // for example the sentence "at least (we) tried"
        return {};
    const bool noParameters = node || isJavaOrNodePlace(inside);
    return QStringLiteral("%1(%2)").arg(method, noParameters ? QString() : parameterTypes(inside, names));
}

// "orders.save()" for: File "/app/orders.py", line 12, in save
QString pythonFrame(QStringView line)
{
    const qsizetype close = line.indexOf(u'"', 6);
    const qsizetype in = line.lastIndexOf(u", in ");
    if (close < 0 || in < close)
        return {};
    QStringView file = line.mid(6, close - 6);
    file = file.mid(std::max(file.lastIndexOf(u'/'), file.lastIndexOf(u'\\')) + 1);
    if (file.endsWith(u".py"))
        file.chop(3);
    return QStringLiteral("%1.%2()").arg(file, line.mid(in + 5).trimmed());
}

// "Handler->__invoke()" for PHP's: #0 /app/src/Handler.php(42): App\Shop\Handler->__invoke(Object(App\Shop\Order))
QString phpFrame(QStringView line, Names names)
{
    const qsizetype place = line.indexOf(u"): ");
    const qsizetype space = line.indexOf(u' ');
    if (place < 0 || space < 2 || space > place || !line.at(1).isDigit())
        return {};
    const QStringView call = line.mid(place + 3);
    const QStringView name = call.left(call.indexOf(u'('));
    if (name.size() == call.size() || name.isEmpty())
        return {};
    return QStringLiteral("%1()").arg(names == Names::Whole ? name : name.mid(name.lastIndexOf(u'\\') + 1));
}

// The part of a Java trace that is about the exception of this type: a wrapper and each cause have frames of their own.
// The whole text if it names no cause, or no such exception.
QStringView partAbout(QStringView trace, QStringView type)
{
    constexpr QStringView causedBy = u"\nCaused by: ";
    if (type.isEmpty() || !trace.contains(causedBy))
        return trace;
    qsizetype end = trace.size();
    while (end > 0) { // from the innermost cause on
        const qsizetype mark = trace.left(end).lastIndexOf(causedBy);
        const qsizetype start = mark < 0 ? 0 : mark + causedBy.size();
        const QStringView part = trace.mid(start, end - start);
        const QChar next = part.size() > type.size() ? part.at(type.size()) : QLatin1Char(':');
        if (part.startsWith(type) && (next == QLatin1Char(':') || next.isSpace()))
            return part;
        end = std::max<qsizetype>(mark, 0);
    }
    return trace;
}

QString frameIn(QStringView trace, Names names)
{
    QString python;
    for (QStringView line : trace.split(u'\n')) {
        line = line.left(longestLine).trimmed();
        if (line.startsWith(u"File \"")) {
            const QString frame = pythonFrame(line);
            python = frame.isEmpty() ? python : frame;
            continue;
        }
        if (line.startsWith(u'#')) {
            const QString frame = phpFrame(line, names);
            if (!frame.isEmpty())
                return frame;
        }
        const QStringView after = afterAt(line);
        const QString frame = after.isEmpty() ? QString() : frameFrom(after, names);
        if (!frame.isEmpty())
            return frame;
    }
    return python;
}

} // namespace

QString firstFrame(const QString &stackTrace, const QString &exceptionMessage, const QString &exceptionType,
                   Names names)
{
    QString text = stackTrace.left(longestRead);
    // Exception.ToString() repeats the message, and a message may look like a frame.
    if (exceptionMessage.size() > 3)
        text.replace(exceptionMessage.left(longestRead), QLatin1String("\n"));
    const QStringView whole(text);
    const QStringView part = partAbout(whole, exceptionType);
    // A cause has no frames of its own if all of them are those of its wrapper.
    const QString frame = frameIn(part, names);
    return frame.isEmpty() && part.size() < whole.size() ? frameIn(whole, names) : frame;
}

} // namespace dialect
