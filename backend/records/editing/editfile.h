// An edit as JSON, in the files of `--edit` and in the store. One object per step:
//   {"steps": [
//     {"header": "x-tenant", "set": "north"},            "set": a string, a number, true or false
//     {"header": "x-old", "remove": true},
//     {"header": "x-a", "rename": "x-b"},
//     {"pointer": "/customer/id", "set": 42},            "set": any JSON; the body gets exactly these characters
//     {"pointer": "/debug", "remove": true, "where_there": true},
//     {"pattern": "tenant=(\\w+)", "replace": "customer=\\1"},
//     {"body": "all of it"}                              or "body_base64" for bytes
//   ]}
#pragma once

#include "backend/core/result.h"
#include "backend/records/editing/edit.h"

namespace records {

inline constexpr qsizetype longestEditFile = 8 * 1024 * 1024; // bytes

// Reads an edit. The result has passed checkEdit(). Rejected if the file is invalid: the message says what is wrong, in
// which line and in which step.
[[nodiscard]] core::Result<Edit> editFrom(const QByteArray &file);
// Writes an edit with one step per line. editFrom() reads the same edit from it.
[[nodiscard]] QByteArray toJson(const Edit &edit);

} // namespace records
