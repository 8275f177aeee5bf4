// JSON of the management API with the one distinction that Qt's own writer and reader do not keep: 1 is an integer and
// 1.0 is a double, in both directions (a header's AMQP type follows from it). Objects are CBOR maps with text keys.
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QCborMap>
#include <QCborValue>

namespace broker::rabbitmq {

// Corrupt for anything that is not one JSON value, or nests deeper than 64. An integer beyond 64 bits becomes a double.
[[nodiscard]] core::Result<QCborValue> parseJson(const QByteArray &json);

// Bytes become base64 text, undefined becomes null; a double that JSON has no form for (NaN) becomes null.
[[nodiscard]] QByteArray toJson(const QCborValue &value);

// The same at the end of `out`.
void appendJson(QByteArray &out, const QString &text);
void appendJson(QByteArray &out, const QCborValue &value);

// The text under this key; empty where there is none.
[[nodiscard]] inline QString textAt(const QCborMap &map, QLatin1StringView key)
{
    return map.value(key).toString();
}

} // namespace broker::rabbitmq
