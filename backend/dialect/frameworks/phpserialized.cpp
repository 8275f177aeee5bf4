#include "backend/dialect/frameworks/phpserialized.h"

#include "backend/dialect/frameworks/phpreader.h"
#include "backend/dialect/text.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace dialect {

using core::ErrorKind;
using core::fail;

namespace {

// Entries of an array that are taken out, as positions, indexes and numbers.
struct Removal
{
    int begin = 0; // bytes
    int end = 0;
    int first = 0; // index of the key
    int behind = 0; // index
    int before = 0; // numbered values before it
    int count = 0; // numbered values in it
};

QByteArray unescaped(const QByteArray &text)
{
    QByteArray plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        plain += text.at(i) == '\\' ? QByteArray::fromHex(text.mid(i + 1, 2)) : QByteArray(1, text.at(i));
        i += text.at(i) == '\\' ? 2 : 0;
    }
    return plain;
}

// "name" of "\0Class\0name" and of "\0*\0name".
QByteArray propertyName(const QByteArray &key)
{
    return key.startsWith('\0') ? key.mid(key.indexOf('\0', 1) + 1) : key;
}

// Another serialized value may lie in the content of a class that writes itself, with numbers that continue ours.
bool mayHoldReference(const QByteArray &content)
{
    for (qsizetype i = 0; i + 2 < content.size(); ++i) {
        const bool isLetter = content.at(i) == 'r' || content.at(i) == 'R';
        if (isLetter && content.at(i + 1) == ':' && content.at(i + 2) >= '0' && content.at(i + 2) <= '9')
            return true;
    }
    return false;
}

std::vector<Removal> removalsOf(const std::vector<PhpValue> &values, const std::vector<int> &keys)
{
    const int all = values.empty() ? 0 : values.back().before + (isNumbered(values.back()) ? 1 : 0);
    std::vector<Removal> removals;
    for (const int key : keys) {
        const PhpValue &name = values.at(size_t(key));
        const PhpValue &value = values.at(size_t(key) + 1);
        const int behind = size_t(value.next) < values.size() ? values.at(size_t(value.next)).before : all;
        removals.push_back({name.begin, value.end, key, value.next, value.before, behind - value.before});
    }
    return removals;
}

bool isRemoved(const std::vector<Removal> &removals, int index)
{
    return std::any_of(removals.begin(), removals.end(),
                       [index](const Removal &next) { return index >= next.first && index < next.behind; });
}

// The new number of a value that had this one. Nothing if it goes.
std::optional<int> renumbered(const std::vector<Removal> &removals, int number)
{
    int gone = 0;
    for (const Removal &next : removals) {
        if (number <= next.before)
            break;
        if (number <= next.before + next.count)
            return std::nullopt;
        gone += next.count;
    }
    return number - gone;
}

core::Result<> checkCustom(const std::vector<PhpValue> &values, const std::vector<Removal> &removals,
                           const QByteArray &bytes)
{
    const auto refuse = [] {
        return fail(ErrorKind::Rejected, Text::tr("an object with a format of its own may contain references"));
    };
    bool isUncertain = false; // how many values there are before the last one that goes
    bool refers = false;
    for (int i = 0; size_t(i) < values.size(); ++i) {
        const PhpValue &value = values.at(size_t(i));
        const bool stays = !isRemoved(removals, i);
        refers = refers || (stays && value.isReference());
        if (value.kind != PhpKind::Custom)
            continue;
        isUncertain = isUncertain || i < removals.back().behind;
        if (stays && mayHoldReference(bytes.mid(value.begin, value.end - value.begin)))
            return refuse();
    }
    return isUncertain && refers ? refuse() : core::Result<>();
}

} // namespace

std::optional<PhpSerialized> PhpSerialized::parse(const QByteArray &bytes)
{
    PhpSerialized found;
    found.m_bytes = bytes;
    if (!PhpReader(found.m_bytes, found.m_values).read())
        return std::nullopt;
    return found;
}

QByteArray PhpSerialized::textOf(const PhpValue &value) const
{
    const QByteArray text = m_bytes.mid(value.text, value.textSize);
    return value.kind == PhpKind::EscapedText ? unescaped(text) : text;
}

std::vector<int> PhpSerialized::keysOf(int parent) const
{
    const PhpValue &holder = m_values.at(size_t(parent));
    std::vector<int> keys;
    for (int i = parent + 1; i < holder.next; i = m_values.at(size_t(i) + 1).next)
        keys.push_back(i);
    return keys;
}

int PhpSerialized::member(int parent, QByteArrayView name) const
{
    int found = -1;
    for (const int key : keysOf(parent)) {
        if (propertyName(textOf(m_values.at(size_t(key)))) == name)
            found = key + 1; // the last one counts, as in PHP
    }
    return found;
}

QJsonValue PhpSerialized::toJson(int index, int depth) const
{
    const PhpValue &value = m_values.at(size_t(index));
    const QByteArray text = textOf(value);
    switch (value.kind) {
    case PhpKind::Bool:
        return text == "1";
    case PhpKind::Integer:
        return text.toLongLong();
    case PhpKind::Double:
        return text.toDouble();
    case PhpKind::Text:
    case PhpKind::EscapedText:
        return QString::fromUtf8(text);
    case PhpKind::Enum:
        return QString::fromUtf8(text.mid(text.lastIndexOf(':') + 1));
    case PhpKind::Array:
    case PhpKind::Object: {
        if (depth <= 0)
            return {};
        QJsonObject object;
        for (const int key : keysOf(index))
            object.insert(QString::fromUtf8(propertyName(textOf(m_values.at(size_t(key))))),
                          toJson(key + 1, depth - 1));
        return object;
    }
    case PhpKind::Null:
    case PhpKind::Custom:
    case PhpKind::Alias:
    case PhpKind::SameObject:
        return {};
    }
    Q_UNREACHABLE();
}

core::Result<QByteArray> PhpSerialized::without(int array, const std::vector<int> &keys) const
{
    if (keys.empty())
        return m_bytes;
    const std::vector<Removal> removals = removalsOf(m_values, keys);
    TRY(checkCustom(m_values, removals, m_bytes));
    QByteArray rest;
    int copied = 0;
    const auto replace = [&](const PhpValue &value, qsizetype number) {
        rest += m_bytes.mid(copied, value.text - copied) + QByteArray::number(number);
        copied = value.text + value.textSize;
    };
    size_t next = 0;
    for (int i = 0; size_t(i) < m_values.size();) {
        const PhpValue &value = m_values.at(size_t(i));
        if (next < removals.size() && i == removals.at(next).first) {
            rest += m_bytes.mid(copied, value.begin - copied);
            copied = removals.at(next).end;
            i = removals.at(next++).behind;
            continue;
        }
        if (i == array)
            replace(value, qsizetype(keysOf(array).size() - keys.size()));
        if (value.isReference()) {
            const std::optional<int> number = renumbered(removals, textOf(value).toInt());
            if (!number)
                return fail(ErrorKind::Rejected, Text::tr("the message refers to a value inside them"));
            replace(value, *number);
        }
        ++i;
    }
    return rest + m_bytes.mid(copied);
}

} // namespace dialect
