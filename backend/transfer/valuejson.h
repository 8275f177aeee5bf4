// The value of a header as JSON and back, without loss: {"kind": "integer", "value": 7}. JSON has fewer types than a
// message, so the kind says which one it was.
//
// | kind    | value                                                                                |
// | ------- | ------------------------------------------------------------------------------------ |
// | text    | a string                                                                             |
// | integer | a number; a string beyond 2^53, because other readers of JSON would round it         |
// | double  | a number; a string for -0, nan, inf and -inf                                         |
// | bool    | true or false                                                                        |
// | null    | missing                                                                              |
// | bytes   | a string: base64                                                                     |
// | list    | a list of such objects                                                               |
// | map     | a list of such objects, each with a "name"                                           |
// | cbor    | a string: the CBOR encoding as base64, for what none of the others can say           |
#pragma once

#include "backend/core/result.h"
#include "backend/records/editing/jsonnode.h"

#include <QCborValue>
#include <QJsonObject>

namespace transfer {

inline constexpr int deepestValue = 20; // lists and maps within each other; deeper values are "cbor"
inline constexpr qsizetype mostEntries = 100'000; // of one list

[[nodiscard]] QJsonObject valueJson(const QCborValue &value);

// Reads an object with "kind" and "value"; fields in `beside` are allowed, too. Rejected: the message begins with the
// path of what is wrong. Any thread.
[[nodiscard]] core::Result<QCborValue> valueFrom(const records::JsonNode &node, const QStringList &beside = {});

// Base64 without anything else in it. Rejected otherwise.
[[nodiscard]] core::Result<QByteArray> bytesFrom(const records::JsonNode &node);

} // namespace transfer
