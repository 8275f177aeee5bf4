#include "backend/records/editing/jsonpatcher.h"

#include "backend/records/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QStringDecoder>
#include <QStringList>

#include <algorithm>
#include <array>

namespace records {

using core::ErrorKind;
using core::fail;
using core::Result;

namespace {

constexpr int deepest = 500;
constexpr qsizetype longestPointerShown = 200; // characters of a pointer in an error

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

int hexDigit(char c)
{
    if (isDigit(c))
        return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Reads the text once. Where it stops, at() is the fault.
class Scanner final
{
public:
    Scanner(const QByteArray &json, qsizetype at)
        : m_json(json)
        , m_at(at)
    {
    }

    [[nodiscard]] qsizetype at() const { return m_at; }
    [[nodiscard]] bool atEnd() const { return m_at >= m_json.size(); }
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_json.at(m_at); }

    void skipSpace()
    {
        while (!atEnd() && isSpace(m_json.at(m_at)))
            ++m_at;
    }

    bool take(char c)
    {
        if (atEnd() || m_json.at(m_at) != c)
            return false;
        ++m_at;
        return true;
    }

    [[nodiscard]] bool value(int depth = 0)
    {
        if (depth > deepest)
            return false;
        switch (peek()) {
        case '{':
            return list('}', depth, true);
        case '[':
            return list(']', depth, false);
        case '"':
            return string();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return number();
        }
    }

    [[nodiscard]] bool string()
    {
        if (!take('"'))
            return false;
        for (; !atEnd(); ++m_at) {
            const char c = m_json.at(m_at);
            if (c == '"')
                return take('"');
            if (uchar(c) < 0x20)
                return false;
            if (c == '\\' && !escape())
                return false;
        }
        return false;
    }

private:
    [[nodiscard]] bool list(char close, int depth, bool object)
    {
        ++m_at;
        skipSpace();
        if (take(close))
            return true;
        while (true) {
            skipSpace();
            if (object) {
                if (!string())
                    return false;
                skipSpace();
                if (!take(':'))
                    return false;
                skipSpace();
            }
            if (!value(depth + 1))
                return false;
            skipSpace();
            if (take(close))
                return true;
            if (!take(','))
                return false;
        }
    }

    // Stops on the last character of the escape.
    [[nodiscard]] bool escape()
    {
        ++m_at;
        const char c = peek();
        if (c != 'u')
            return !atEnd() && QByteArrayView("\"\\/bfnrt").contains(c);
        for (int i = 0; i < 4; ++i) {
            ++m_at;
            if (atEnd() || hexDigit(m_json.at(m_at)) < 0)
                return false;
        }
        return true;
    }

    [[nodiscard]] bool word(QByteArrayView text)
    {
        if (!QByteArrayView(m_json).sliced(m_at).startsWith(text))
            return false;
        m_at += text.size();
        return true;
    }

    [[nodiscard]] bool digits()
    {
        const qsizetype from = m_at;
        while (isDigit(peek()))
            ++m_at;
        return m_at > from;
    }

    [[nodiscard]] bool number()
    {
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        if (peek() == 'e' || peek() == 'E') {
            ++m_at;
            if (!take('+'))
                take('-');
            return digits();
        }
        return true;
    }

    const QByteArray &m_json;
    qsizetype m_at = 0;
};

// Calls `each(key, value)` for every member of an object or item of a list.
template<typename Each>
void walk(const QByteArray &json, JsonSpan span, const Each &each)
{
    const bool object = json.at(span.begin) == '{';
    Scanner scanner(json, span.begin + 1);
    scanner.skipSpace();
    while (scanner.at() < span.end - 1) {
        JsonSpan key{scanner.at(), scanner.at()};
        if (object) {
            static_cast<void>(scanner.string());
            key.end = scanner.at();
            scanner.skipSpace();
            scanner.take(':');
            scanner.skipSpace();
        }
        JsonSpan value{scanner.at(), 0};
        static_cast<void>(scanner.value());
        value.end = scanner.at();
        each(key, value);
        scanner.skipSpace();
        scanner.take(',');
        scanner.skipSpace();
    }
}

// The place that a pointer names.
struct Place
{
    JsonSpan around; // the object or list; empty: the pointer names the whole text
    JsonSpan whole; // the member with its name, or the item; empty: it does not exist yet
    JsonSpan value;
    QString name; // the last part of the pointer
};

QString told(const QString &pointer)
{
    return pointer.size() <= longestPointerShown ? pointer : pointer.left(longestPointerShown) + u'…';
}

// Compares bytes where it can, because an object may have very many members.
bool isNamed(const QByteArray &json, JsonSpan key, const QString &name, const QByteArray &utf8)
{
    const QByteArrayView raw = QByteArrayView(json).sliced(key.begin + 1, key.end - key.begin - 2);
    return raw.contains('\\') || !name.isValidUtf16() ? jsonString(json, key) == name : raw == utf8;
}

// Finds the child `part` of `around`. The error has a %1 for the pointer, which only the caller knows.
Result<Place> childOf(const QByteArray &json, JsonSpan around, const QString &part)
{
    Place place{around, {}, {}, part};
    if (json.at(around.begin) == '{') {
        const QByteArray utf8 = part.toUtf8();
        bool isTwice = false;
        walk(json, around, [&](JsonSpan key, JsonSpan value) {
            if (!isNamed(json, key, part, utf8))
                return;
            isTwice = isTwice || place.whole.end > 0;
            place.whole = {key.begin, value.end};
            place.value = value;
        });
        if (isTwice)
            return fail(ErrorKind::Rejected, Text::tr("the body has %1 twice, so it is unclear which one to change"));
        return place;
    }
    const auto items = jsonItems(json, around);
    const std::optional<qsizetype> index = placeInList(part);
    if (!items || (!index && part != u"-"))
        return fail(ErrorKind::NotFound, Text::tr("the body has no %1"));
    if (index && *index < items->size()) {
        place.value = items->at(*index);
        place.whole = place.value;
    } else if (index && *index > items->size()) {
        return fail(ErrorKind::NotFound, Text::tr("the body has no %1"));
    }
    return place;
}

Result<Place> placeOf(const QByteArray &json, const QString &pointer)
{
    const std::optional<QStringList> parts = pointerParts(pointer);
    if (!parts)
        return fail(ErrorKind::Rejected, Text::tr("%1 is not a JSON pointer").arg(told(pointer)));
    Place place;
    place.value = wholeJson(json);
    place.whole = place.value;
    for (qsizetype i = 0; i < parts->size(); ++i) {
        if (place.whole.end == 0)
            return fail(ErrorKind::NotFound, Text::tr("the body has no %1").arg(told(pointerTo(parts->mid(0, i)))));
        const Result<Place> child = childOf(json, place.value, parts->at(i));
        if (!child)
            return fail(child.error().kind, child.error().message.arg(told(pointerTo(parts->mid(0, i + 1)))));
        place = *child;
    }
    return place;
}

// Adds a value behind the last one, with the same white space before it.
QByteArray added(const QByteArray &json, const Place &place, const QByteArray &value)
{
    const bool object = json.at(place.around.begin) == '{';
    JsonSpan lastKey;
    JsonSpan last;
    walk(json, place.around, [&](JsonSpan key, JsonSpan one) {
        lastKey = key;
        last = one;
    });
    QByteArray fresh = json.left(last.end > 0 ? last.end : place.around.begin + 1);
    if (last.end > 0) {
        qsizetype space = lastKey.begin;
        while (isSpace(json.at(space - 1)))
            --space;
        fresh += ',' + json.mid(space, lastKey.begin - space);
        if (object)
            fresh += quotedJson(place.name) + json.mid(lastKey.end, last.begin - lastKey.end);
    } else if (object) {
        fresh += quotedJson(place.name) + ':';
    }
    return fresh + value + json.mid(last.end > 0 ? last.end : place.around.begin + 1);
}

} // namespace

QByteArray quotedJson(const QString &text)
{
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

QString textFromUtf8(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringConverter::Flag::Stateless | QStringConverter::Flag::ConvertInitialBom);
    return decoder.decode(bytes);
}

std::optional<qsizetype> jsonFault(const QByteArray &json)
{
    Scanner scanner(json, 0);
    scanner.skipSpace();
    const bool whole = scanner.value();
    if (whole)
        scanner.skipSpace();
    return whole && scanner.atEnd() ? std::nullopt : std::optional<qsizetype>(scanner.at());
}

TextPlace placeIn(const QByteArray &utf8, qsizetype offset)
{
    const QByteArray before = utf8.left(offset);
    const qsizetype lineStart = before.lastIndexOf('\n') + 1;
    return {before.count('\n') + 1, textFromUtf8(before.mid(lineStart)).size() + 1};
}

JsonSpan wholeJson(const QByteArray &json)
{
    Scanner scanner(json, 0);
    scanner.skipSpace();
    const qsizetype begin = scanner.at();
    static_cast<void>(scanner.value());
    return {begin, scanner.at()};
}

std::optional<QList<JsonMember>> jsonMembers(const QByteArray &json, JsonSpan object)
{
    if (json.at(object.begin) != '{')
        return std::nullopt;
    QList<JsonMember> members;
    walk(json, object, [&](JsonSpan key, JsonSpan value) {
        members.append({jsonString(json, key).value_or(QString()), key, value});
    });
    return members;
}

std::optional<QList<JsonSpan>> jsonItems(const QByteArray &json, JsonSpan list)
{
    if (json.at(list.begin) != '[')
        return std::nullopt;
    QList<JsonSpan> items;
    walk(json, list, [&items](JsonSpan, JsonSpan value) { items.append(value); });
    return items;
}

std::optional<QString> jsonString(const QByteArray &json, JsonSpan span)
{
    if (json.at(span.begin) != '"')
        return std::nullopt;
    constexpr std::array escapes{std::pair{'b', u'\b'}, std::pair{'f', u'\f'}, std::pair{'n', u'\n'},
                                 std::pair{'r', u'\r'}, std::pair{'t', u'\t'}};
    QString text;
    qsizetype from = span.begin + 1; // the start of characters that need no decoding
    for (qsizetype at = from; at < span.end - 1; ++at) {
        if (json.at(at) != '\\')
            continue;
        text += textFromUtf8(json.mid(from, at - from));
        const char c = json.at(++at);
        if (c == 'u') {
            text += QChar(json.mid(at + 1, 4).toUShort(nullptr, 16));
            at += 4;
        } else {
            const auto known = std::find_if(escapes.begin(), escapes.end(), [c](auto one) { return one.first == c; });
            text += known == escapes.end() ? QChar::fromLatin1(c) : QChar(known->second);
        }
        from = at + 1;
    }
    return text + textFromUtf8(json.mid(from, span.end - 1 - from));
}

std::optional<QStringList> pointerParts(const QString &pointer)
{
    if (pointer.isEmpty())
        return QStringList{};
    if (!pointer.startsWith(u'/'))
        return std::nullopt;
    QStringList parts = pointer.mid(1).split(u'/');
    for (QString &part : parts) {
        for (qsizetype at = part.indexOf(u'~'); at >= 0; at = part.indexOf(u'~', at + 1)) {
            const QChar next = at + 1 < part.size() ? part.at(at + 1) : QChar();
            if (next != u'0' && next != u'1')
                return std::nullopt;
            part.replace(at, 2, next == u'0' ? u'~' : u'/');
        }
    }
    return parts;
}

QString pointerTo(const QStringList &parts)
{
    QString pointer;
    for (QString part : parts)
        pointer += u'/' + part.replace(u'~', QStringLiteral("~0")).replace(u'/', QStringLiteral("~1"));
    return pointer;
}

std::optional<qsizetype> placeInList(const QString &part)
{
    const bool plain = !part.isEmpty() && part.size() <= 9
                       && std::all_of(part.begin(), part.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    if (!plain || (part.size() > 1 && part.at(0) == u'0'))
        return std::nullopt;
    return part.toLongLong();
}

Result<JsonSpan> findJson(const QByteArray &json, const QString &pointer)
{
    TRY(const Place place, placeOf(json, pointer));
    if (place.whole.end == 0)
        return fail(ErrorKind::NotFound, Text::tr("the body has no %1").arg(told(pointer)));
    return place.value;
}

Result<QByteArray> setJson(const QByteArray &json, const QString &pointer, const QByteArray &value)
{
    TRY(const Place place, placeOf(json, pointer));
    const QByteArray bare = value.trimmed(); // white space around it would grow with each edit
    if (place.whole.end == 0)
        return added(json, place, bare);
    return json.left(place.value.begin) + bare + json.mid(place.value.end);
}

Result<QByteArray> removeJson(const QByteArray &json, const QString &pointer)
{
    TRY(const Place place, placeOf(json, pointer));
    if (pointer.isEmpty())
        return fail(ErrorKind::Rejected, Text::tr("the whole body cannot be removed"));
    if (place.whole.end == 0)
        return fail(ErrorKind::NotFound, Text::tr("the body has no %1").arg(told(pointer)));
    // Remove the comma before it too, or else the one behind it.
    qsizetype begin = place.whole.begin;
    qsizetype end = place.whole.end;
    while (isSpace(json.at(begin - 1)))
        --begin;
    if (json.at(begin - 1) == ',')
        return json.left(begin - 1) + json.mid(end);
    Scanner behind(json, end);
    behind.skipSpace();
    if (behind.take(',')) {
        behind.skipSpace();
        return json.left(place.whole.begin) + json.mid(behind.at());
    }
    return json.left(place.whole.begin) + json.mid(end);
}

} // namespace records
