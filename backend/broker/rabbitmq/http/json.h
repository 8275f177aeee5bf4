// Reads and writes JSON of the management API. Unlike Qt's classes, it keeps 1 an integer and 1.0 a double in both
// directions, because the AMQP type of a header follows from it. Objects are CBOR maps with text keys.
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QCborMap>
#include <QCborValue>

namespace broker::rabbitmq {

// What stands before the text of an object or list that is nested too deep to be read.
inline constexpr QLatin1StringView tooDeep("Nested too deep, JSON is: ");

// Corrupt: not one JSON value. An integer beyond 64 bits becomes a double. What is nested deeper than 64 becomes a text that
// begins with `tooDeep`, so that one hostile header hides nothing else.
[[nodiscard]] core::Result<QCborValue> parseJson(const QByteArray &json);

// Bytes become base64 text; undefined, and a double that JSON cannot express (NaN), become null.
[[nodiscard]] QByteArray toJson(const QCborValue &value);

// Append to `out`.
void appendJson(QByteArray &out, const QString &text);
void appendJson(QByteArray &out, const QCborValue &value);

// The text under this key; empty if there is none.
[[nodiscard]] inline QString textAt(const QCborMap &map, QLatin1StringView key)
{
    return map.value(key).toString();
}

} // namespace broker::rabbitmq
