// How plain values cross the socket. Every struct lists its fields once, in a function fields(archive, value) of the
// *fields.h headers, and this list both writes and reads. Structs are CBOR maps by field name, so that programs with
// more or fewer fields understand each other. Input is hostile: a field of the wrong type, a number out of range or a
// list that is too long makes decode() return false for the whole value.
#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/core/losslessjson.h"

#include <QCborArray>
#include <QCborMap>
#include <QCborValue>
#include <QFlags>
#include <QList>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <limits>
#include <optional>
#include <type_traits>

namespace control {

inline constexpr qsizetype longestList = 200000; // enough for the ids of a large manual selection

// The number of values of an enum; specialise it for each enum that is sent.
template<typename E>
inline constexpr int enumCount = 0;

class Writer;
class Reader;

template<typename T>
[[nodiscard]] QCborValue encode(const T &value);
template<typename T>
[[nodiscard]] bool decode(const QCborValue &cbor, T &value);

class Writer final
{
public:
    template<typename T>
    void field(const char *name, const T &value)
    {
        m_map.insert(QLatin1StringView(name), encode(value));
    }
    [[nodiscard]] const QCborMap &map() const { return m_map; }

private:
    QCborMap m_map;
};

class Reader final
{
public:
    explicit Reader(const QCborMap &map)
        : m_map(map)
    {
    }
    // A missing field keeps its default: the sender has another version.
    template<typename T>
    void field(const char *name, T &value)
    {
        const QCborValue cbor = m_map.value(QLatin1StringView(name));
        if (!cbor.isUndefined())
            m_good = decode(cbor, value) && m_good;
    }
    [[nodiscard]] bool good() const { return m_good; }

private:
    QCborMap m_map;
    bool m_good = true;
};

namespace detail {

template<typename T>
inline constexpr bool isList = false;
template<typename T>
inline constexpr bool isList<QList<T>> = true;
template<typename T>
inline constexpr bool isOptional = false;
template<typename T>
inline constexpr bool isOptional<std::optional<T>> = true;
template<typename T>
inline constexpr bool isId = false;
template<typename Tag>
inline constexpr bool isId<core::Id<Tag>> = true;
template<typename T>
inline constexpr bool isFlags = false;
template<typename E>
inline constexpr bool isFlags<QFlags<E>> = true;

template<typename T>
[[nodiscard]] bool decodeInteger(const QCborValue &cbor, T &value)
{
    if (!cbor.isInteger())
        return false;
    const qint64 number = cbor.toInteger();
    if constexpr (std::is_same_v<T, quint64>) {
        value = quint64(number);
        return number >= 0;
    } else {
        value = T(number);
        return number >= qint64(std::numeric_limits<T>::min()) && number <= qint64(std::numeric_limits<T>::max());
    }
}

template<typename T>
[[nodiscard]] bool decodeList(const QCborValue &cbor, QList<T> &value)
{
    if (!cbor.isArray())
        return false;
    const QCborArray array = cbor.toArray();
    if (array.size() > longestList)
        return false;
    value.clear();
    value.reserve(array.size());
    for (qsizetype i = 0; i < array.size(); ++i) {
        T one{};
        if (!decode(array.at(i), one))
            return false;
        value.append(std::move(one));
    }
    return true;
}

} // namespace detail

template<typename T>
QCborValue encode(const T &value)
{
    if constexpr (
        std::is_same_v<
            T,
            bool> || std::is_same_v<T, QCborValue> || std::is_same_v<T, double> || std::is_same_v<T, QString> || std::is_same_v<T, QByteArray>) {
        return QCborValue(value);
    } else if constexpr (std::is_enum_v<T>) {
        static_assert(enumCount<T> > 0);
        return QCborValue(qint64(value));
    } else if constexpr (std::is_integral_v<T>) {
        return QCborValue(qint64(value));
    } else if constexpr (std::is_same_v<T, QUrl>) {
        return QCborValue(QString::fromLatin1(value.toEncoded()));
    } else if constexpr (std::is_same_v<T, core::TimePoint>) {
        return QCborValue(core::toMs(value));
    } else if constexpr (std::is_same_v<T, core::Milliseconds>) {
        return QCborValue(qint64(value.count()));
    } else if constexpr (detail::isId<T>) {
        return QCborValue(value.value);
    } else if constexpr (detail::isFlags<T>) {
        return QCborValue(qint64(value.toInt()));
    } else if constexpr (detail::isOptional<T>) {
        return value ? encode(*value) : QCborValue(QCborValue::Null);
    } else if constexpr (detail::isList<T>) {
        QCborArray array;
        for (const auto &one : value)
            array.append(encode(one));
        return array;
    } else {
        Writer writer;
        fields(writer, value);
        return QCborValue(writer.map());
    }
}

template<typename T>
bool decode(const QCborValue &cbor, T &value)
{
    if constexpr (std::is_same_v<T, bool>) {
        value = cbor.toBool();
        return cbor.isBool();
    } else if constexpr (std::is_same_v<T, QCborValue>) {
        value = core::withWholeTexts(cbor);
        return true;
    } else if constexpr (std::is_same_v<T, double>) {
        value = cbor.toDouble();
        return cbor.isDouble() || cbor.isInteger();
    } else if constexpr (std::is_enum_v<T>) {
        const qint64 number = core::integerOf(cbor, -1);
        value = T(number);
        return number >= 0 && number < enumCount<T>;
    } else if constexpr (std::is_integral_v<T>) {
        return detail::decodeInteger(cbor, value);
    } else if constexpr (std::is_same_v<T, QString>) {
        value = core::textOf(cbor);
        return cbor.isString();
    } else if constexpr (std::is_same_v<T, QByteArray>) {
        value = cbor.toByteArray();
        return cbor.isByteArray();
    } else if constexpr (std::is_same_v<T, QUrl>) {
        value = QUrl::fromEncoded(cbor.toString().toLatin1(), QUrl::StrictMode);
        return cbor.isString();
    } else if constexpr (std::is_same_v<T, core::TimePoint>) {
        value = core::fromMs(core::integerOf(cbor));
        return cbor.isInteger();
    } else if constexpr (std::is_same_v<T, core::Milliseconds>) {
        value = core::Milliseconds{core::integerOf(cbor)};
        return cbor.isInteger();
    } else if constexpr (detail::isId<T>) {
        value.value = core::integerOf(cbor);
        return cbor.isInteger();
    } else if constexpr (detail::isFlags<T>) {
        value = T::fromInt(int(core::integerOf(cbor) & 0x7fffffff));
        return cbor.isInteger();
    } else if constexpr (detail::isOptional<T>) {
        if (cbor.isNull()) {
            value.reset();
            return true;
        }
        return decode(cbor, value.emplace());
    } else if constexpr (detail::isList<T>) {
        return detail::decodeList(cbor, value);
    } else {
        if (!cbor.isMap())
            return false;
        Reader reader(cbor.toMap());
        fields(reader, value);
        return reader.good();
    }
}

// T is Struct (when reading) or const Struct (when writing).
template<typename T, typename Struct>
concept Is = std::is_same_v<std::remove_const_t<T>, Struct>;

} // namespace control
