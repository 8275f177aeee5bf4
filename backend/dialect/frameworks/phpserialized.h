// A value as serialize() of PHP writes it. It is read without creating any object, and every value keeps its place, so
// that entries of an array can be taken out while all other bytes stay. Lengths are in bytes. Any thread. The bytes may
// be hostile: what is not in the format is not read at all.
// Source: php-src ext/standard/var.c, var_unserializer.re.
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QJsonValue>

#include <optional>
#include <vector>

namespace dialect {

enum class PhpKind : quint8 {
    Null,
    Bool,
    Integer,
    Double,
    Text,
    EscapedText, // "S": bytes may be written as \xx
    Array,
    Object,
    Custom, // "C": the class writes its content as it likes
    Enum,
    Alias, // "R": shares its value with an earlier one
    SameObject, // "r": an earlier object again
};

// PHP numbers the values in the order in which they begin, from 1. Keys and aliases have no number. An alias and a
// repeated object name the number of an earlier value.
struct PhpValue
{
    PhpKind kind = PhpKind::Null;
    bool isKey = false;
    int begin = 0; // in bytes, the first
    int end = 0; // behind the last, with its content
    int text = 0; // where its number, text or class name begins
    int textSize = 0;
    int next = 0; // index of the first value that is neither this one nor inside it
    int before = 0; // how many numbered values begin before it

    [[nodiscard]] bool isReference() const { return kind == PhpKind::Alias || kind == PhpKind::SameObject; }
};

class PhpSerialized final
{
public:
    // Nothing if the bytes are not exactly one serialized value, or are more than 16 MB or a million values.
    [[nodiscard]] static std::optional<PhpSerialized> parse(const QByteArray &bytes);

    // In the order in which they begin, keys included. The first is the whole.
    [[nodiscard]] const std::vector<PhpValue> &values() const { return m_values; }
    [[nodiscard]] QByteArray textOf(const PhpValue &value) const; // number, text or class name
    // The keys of an array or object. The value of a key has the next index.
    [[nodiscard]] std::vector<int> keysOf(int parent) const;
    // The index of the value of this property or array entry; -1 if there is none. A property has the same name
    // whether it is public, protected ("\0*\0name") or private ("\0Class\0name").
    [[nodiscard]] int member(int parent, QByteArrayView name) const;
    // Objects become JSON objects, without their classes. What is deeper than `depth`, repeated or opaque is null.
    [[nodiscard]] QJsonValue toJson(int index, int depth) const;

    // The same bytes without entries of one array. References to later values get their new numbers. Rejected if a value
    // that stays refers to one that goes, or if a number cannot be known.
    [[nodiscard]] core::Result<QByteArray> without(int array, const std::vector<int> &keys) const;

private:
    QByteArray m_bytes;
    std::vector<PhpValue> m_values;
};

} // namespace dialect
