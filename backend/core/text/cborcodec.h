// How plain values cross the control socket. A struct lists its fields once (fields.h) and crosses as a CBOR map by field
// name, so that programs with more or fewer fields understand each other. Input is hostile: a field of the wrong type, a
// number out of range or a list that is too long makes decode() return false for the whole value.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"
#include "backend/core/text/losslessjson.h"
#include "backend/core/time/clock.h"

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

namespace core {

inline constexpr qsizetype longestList = 200000; // enough for the ids of a large manual selection

template<typename T>
[[nodiscard]] QCborValue encode(const T &value);

// False: `cbor` is no such value, and `value` may be partly written. `wrong` then names the field that is wrong, like
// "plan.ramp.steps"; it stays empty when the whole value is.
template<typename T>
[[nodiscard]] bool decode(const QCborValue &cbor, T &value, QString *wrong = nullptr);

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
inline constexpr bool isId<Id<Tag>> = true;
template<typename T>
inline constexpr bool isFlags = false;
template<typename E>
inline constexpr bool isFlags<QFlags<E>> = true;
template<typename T>
inline constexpr bool isPlain =
    std::is_same_v<
        T,
        bool> || std::is_same_v<T, double> || std::is_same_v<T, QString> || std::is_same_v<T, QByteArray> || std::is_same_v<T, QCborValue>;

template<typename T>
[[nodiscard]] bool decodePlain(const QCborValue &cbor, T &value)
{
    if constexpr (std::is_same_v<T, bool>) {
        value = cbor.toBool();
        return cbor.isBool();
    } else if constexpr (std::is_same_v<T, double>) {
        value = cbor.toDouble();
        return cbor.isDouble() || cbor.isInteger();
    } else if constexpr (std::is_same_v<T, QString>) {
        value = textOf(cbor);
        return cbor.isString();
    } else if constexpr (std::is_same_v<T, QByteArray>) {
        value = cbor.toByteArray();
        return cbor.isByteArray();
    } else {
        value = withWholeTexts(cbor);
        return true;
    }
}

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
[[nodiscard]] QCborValue encodeList(const QList<T> &list)
{
    QCborArray array;
    for (const T &one : list)
        array.append(encode(one));
    return array;
}

template<typename T>
[[nodiscard]] bool decodeList(const QCborValue &cbor, QList<T> &value, QString *wrong)
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
        if (!decode(array.at(i), one, wrong))
            return false;
        value.append(std::move(one));
    }
    return true;
}

[[nodiscard]] inline QLatin1StringView keyOf(std::string_view name)
{
    return QLatin1StringView(name.data(), qsizetype(name.size()));
}

template<HasFields T>
[[nodiscard]] QCborValue encodeFields(const T &value)
{
    QCborMap map;
    value.visitFields([&map]([[maybe_unused]] const auto &...field) {
        [[maybe_unused]] auto name = namesOf<T>.begin();
        (map.insert(keyOf(*name++), encode(field)), ...);
    });
    return map;
}

// A missing field keeps its default: the sender has another version.
template<typename T>
[[nodiscard]] bool decodeField(const QCborMap &map, std::string_view name, T &field, QString *wrong)
{
    const QCborValue cbor = map.value(keyOf(name));
    if (cbor.isUndefined() || decode(cbor, field, wrong))
        return true;
    if (wrong != nullptr)
        *wrong = wrong->isEmpty() ? QString(keyOf(name)) : keyOf(name) + u'.' + *wrong;
    return false;
}

template<HasFields T>
[[nodiscard]] bool decodeFields(const QCborValue &cbor, T &value, QString *wrong)
{
    if (!cbor.isMap())
        return false;
    const QCborMap map = cbor.toMap();
    return value.visitFields([&map, wrong]([[maybe_unused]] auto &...field) {
        [[maybe_unused]] auto name = namesOf<T>.begin();
        return (decodeField(map, *name++, field, wrong) && ...);
    });
}

} // namespace detail

template<typename T>
QCborValue encode(const T &value)
{
    if constexpr (detail::isPlain<T>)
        return QCborValue(value);
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
        return QCborValue(qint64(value));
    else if constexpr (std::is_same_v<T, QUrl>)
        return QCborValue(QString::fromLatin1(value.toEncoded()));
    else if constexpr (std::is_same_v<T, TimePoint>)
        return QCborValue(toMs(value));
    else if constexpr (std::is_same_v<T, Milliseconds>)
        return QCborValue(qint64(value.count()));
    else if constexpr (detail::isId<T>)
        return QCborValue(value.value);
    else if constexpr (detail::isFlags<T>)
        return QCborValue(qint64(value.toInt()));
    else if constexpr (detail::isOptional<T>)
        return value ? encode(*value) : QCborValue(QCborValue::Null);
    else if constexpr (detail::isList<T>)
        return detail::encodeList(value);
    else
        return detail::encodeFields(value);
}

template<typename T>
bool decode(const QCborValue &cbor, T &value, QString *wrong)
{
    if constexpr (detail::isPlain<T>) {
        return detail::decodePlain(cbor, value);
    } else if constexpr (std::is_enum_v<T>) {
        const qint64 number = integerOf(cbor, -1);
        value = T(number);
        return number >= 0 && number <= qint64(lastOf(T{}));
    } else if constexpr (std::is_integral_v<T>) {
        return detail::decodeInteger(cbor, value);
    } else if constexpr (std::is_same_v<T, QUrl>) {
        value = QUrl::fromEncoded(cbor.toString().toLatin1(), QUrl::StrictMode);
        return cbor.isString();
    } else if constexpr (std::is_same_v<T, TimePoint>) {
        value = fromMs(integerOf(cbor));
        return cbor.isInteger();
    } else if constexpr (std::is_same_v<T, Milliseconds>) {
        value = Milliseconds{integerOf(cbor)};
        return cbor.isInteger();
    } else if constexpr (detail::isId<T>) {
        value.value = integerOf(cbor);
        return cbor.isInteger();
    } else if constexpr (detail::isFlags<T>) {
        value = T::fromInt(int(integerOf(cbor) & 0x7fffffff));
        return cbor.isInteger();
    } else if constexpr (detail::isOptional<T>) {
        if (cbor.isNull()) {
            value.reset();
            return true;
        }
        return decode(cbor, value.emplace(), wrong);
    } else if constexpr (detail::isList<T>) {
        return detail::decodeList(cbor, value, wrong);
    } else {
        return detail::decodeFields(cbor, value, wrong);
    }
}

} // namespace core
