#pragma once

#include "backend/core/result.h"

#include <QByteArray>

#include <type_traits>

namespace test {

// The words of an error, for QVERIFY2; empty for a value.
template<typename T>
[[nodiscard]] QByteArray why(const core::Result<T> &result)
{
    return result ? QByteArray() : (result.error().message + QLatin1Char(' ') + result.error().detail).toUtf8();
}

// The value, where an error would be a mistake of the test itself.
template<typename T>
T must(core::Result<T> result)
{
    if (!result)
        qFatal("%s", why(result).constData());
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

} // namespace test
