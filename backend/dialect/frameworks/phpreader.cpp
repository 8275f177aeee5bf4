#include "backend/dialect/frameworks/phpreader.h"

#include <algorithm>

namespace dialect {

namespace {

constexpr qsizetype largestSerialized = 16 * 1024 * 1024;
constexpr size_t mostValues = 1'000'000;
constexpr size_t deepest = 4096; // unserialize_max_depth of PHP
constexpr int longestNumber = 400; // serialize_precision allows many digits

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isCount(QByteArrayView text)
{
    constexpr qsizetype mostDigits = 9;
    return !text.empty() && text.size() <= mostDigits && std::all_of(text.begin(), text.end(), isDigit);
}

bool isBool(QByteArrayView text)
{
    return text == "0" || text == "1";
}

bool isInteger(QByteArrayView text)
{
    const bool isSigned = text.startsWith('-') || text.startsWith('+');
    const QByteArrayView digits = text.sliced(isSigned ? 1 : 0);
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), isDigit);
}

bool isDouble(QByteArrayView text)
{
    if (text == "NAN" || text == "INF" || text == "-INF")
        return true;
    const bool isWritten = std::all_of(text.begin(), text.end(), [](char c) {
        return isDigit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    });
    return isWritten && std::any_of(text.begin(), text.end(), isDigit);
}

bool isReference(QByteArrayView text)
{
    return isCount(text) && text.toInt() > 0;
}

std::optional<PhpKind> kindOf(char letter)
{
    constexpr std::pair<char, PhpKind> kinds[] = {
        {'N', PhpKind::Null},   {'b', PhpKind::Bool},        {'i', PhpKind::Integer}, {'d', PhpKind::Double},
        {'s', PhpKind::Text},   {'S', PhpKind::EscapedText}, {'a', PhpKind::Array},   {'O', PhpKind::Object},
        {'C', PhpKind::Custom}, {'E', PhpKind::Enum},        {'R', PhpKind::Alias},   {'r', PhpKind::SameObject}};
    for (const auto &[one, kind] : kinds) {
        if (one == letter)
            return kind;
    }
    return std::nullopt;
}

} // namespace

bool PhpReader::read()
{
    if (m_bytes.size() > largestSerialized || !readValue(false))
        return false;
    while (closeFull()) {
        if (m_open.empty())
            return m_at == m_bytes.size();
        const bool isKey = m_open.back().left % 2 == 0;
        --m_open.back().left;
        if (!readValue(isKey))
            return false;
    }
    return false;
}

// Ends what has all its content. False if its end is missing.
bool PhpReader::closeFull()
{
    while (!m_open.empty() && m_open.back().left == 0) {
        if (!take("}"))
            return false;
        PhpValue &value = m_values.at(size_t(m_open.back().value));
        value.end = m_at;
        value.next = int(m_values.size());
        m_open.pop_back();
    }
    return true;
}

bool PhpReader::readValue(bool isKey)
{
    if (m_at >= m_bytes.size() || m_values.size() >= mostValues)
        return false;
    const std::optional<PhpKind> kind = kindOf(m_bytes.at(m_at));
    const bool mayBeKey = kind == PhpKind::Integer || kind == PhpKind::Text || kind == PhpKind::EscapedText;
    if (!kind || (isKey && !mayBeKey))
        return false;
    PhpValue value;
    value.kind = *kind;
    value.isKey = isKey;
    value.begin = m_at++;
    value.before = m_numbered;
    const size_t opened = m_open.size();
    if (!readContent(m_bytes.at(value.begin), value))
        return false;
    value.end = m_at; // of an array or object: until its end is found
    value.next = int(m_values.size()) + 1;
    m_numbered += isNumbered(value) ? 1 : 0;
    m_values.push_back(value);
    return m_open.size() == opened || m_open.size() <= deepest;
}

bool PhpReader::readContent(char letter, PhpValue &value)
{
    if (letter == 'N')
        return take(";");
    if (!take(":"))
        return false;
    switch (letter) {
    case 'b':
        return readNumber(value, isBool);
    case 'i':
        return readNumber(value, isInteger);
    case 'd':
        return readNumber(value, isDouble);
    case 'R':
    case 'r':
        return readNumber(value, isReference);
    case 's':
    case 'E':
        return readText(value) && take(";");
    case 'S':
        return readEscaped(value);
    case 'C':
        return readText(value) && readCustom(value);
    case 'O':
        return readText(value) && take(":") && readHolder(value);
    default:
        return readHolder(value);
    }
}

bool PhpReader::readNumber(PhpValue &value, bool (*isOne)(QByteArrayView text))
{
    const qsizetype end = m_bytes.indexOf(';', m_at);
    if (end < 0 || end - m_at > longestNumber || !isOne(QByteArrayView(m_bytes).sliced(m_at, end - m_at)))
        return false;
    value.text = m_at;
    value.textSize = int(end) - m_at;
    m_at = int(end) + 1;
    return true;
}

// 5:"hello"
bool PhpReader::readText(PhpValue &value)
{
    const int length = takeCount();
    if (length < 0 || !take(":\"") || length > m_bytes.size() - m_at)
        return false;
    value.text = m_at;
    value.textSize = length;
    m_at += length;
    return take("\"");
}

// 3:"a\62c"; the length is that of the text without escapes.
bool PhpReader::readEscaped(PhpValue &value)
{
    const int length = takeCount();
    if (length < 0 || !take(":\""))
        return false;
    value.text = m_at;
    for (int i = 0; i < length; ++i) {
        const bool isEscape = m_at < m_bytes.size() && m_bytes.at(m_at) == '\\';
        const int size = isEscape ? 3 : 1;
        const QByteArray digits = m_bytes.mid(m_at + 1, size - 1);
        if (size > m_bytes.size() - m_at || QByteArray::fromHex(digits).toHex() != digits.toLower())
            return false;
        m_at += size;
    }
    value.textSize = m_at - value.text;
    return take("\";");
}

// 2:{ of an array or, after its class, of an object. Its count is where an array has its text.
bool PhpReader::readHolder(PhpValue &value)
{
    constexpr int shortestEntry = 6; // i:0;N;
    const int begin = m_at;
    const int count = takeCount();
    if (count < 0 || count > m_bytes.size() / shortestEntry)
        return false;
    if (value.kind == PhpKind::Array) {
        value.text = begin;
        value.textSize = m_at - begin;
    }
    if (!take(":{"))
        return false;
    m_open.push_back({int(m_values.size()), 2 * count});
    return true;
}

// 4:{....} after the class
bool PhpReader::readCustom(PhpValue &)
{
    if (!take(":"))
        return false;
    const int length = takeCount();
    if (length < 0 || !take(":{") || length > m_bytes.size() - m_at)
        return false;
    m_at += length;
    return take("}");
}

bool PhpReader::take(const char *text)
{
    const QByteArrayView wanted(text);
    if (!QByteArrayView(m_bytes).sliced(m_at).startsWith(wanted))
        return false;
    m_at += int(wanted.size());
    return true;
}

int PhpReader::takeCount()
{
    int end = m_at;
    while (end < m_bytes.size() && isDigit(m_bytes.at(end)))
        ++end;
    const QByteArrayView digits = QByteArrayView(m_bytes).sliced(m_at, end - m_at);
    if (!isCount(digits))
        return -1;
    m_at = end;
    return digits.toInt();
}

} // namespace dialect
