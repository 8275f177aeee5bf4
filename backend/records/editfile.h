// An edit as JSON: files of `--edit`, the store. One object per step:
//   {"steps": [
//     {"header": "x-tenant", "set": "north"},            "set" is text, a number, true or false
//     {"header": "x-old", "remove": true},
//     {"header": "x-a", "rename": "x-b"},
//     {"pointer": "/customer/id", "set": 42},            "set" is any JSON, and goes into the body as it is written here
//     {"pointer": "/debug", "remove": true, "where_there": true},
//     {"pattern": "tenant=(\\w+)", "replace": "customer=\\1"},
//     {"body": "all of it"}                              or "body_base64"
//   ]}
#pragma once

#include "backend/core/result.h"
#include "backend/records/edit.h"

namespace records {

inline constexpr qsizetype longestEditFile = 8 * 1024 * 1024;

// Rejected: what is wrong, with the line, and the step where it is in one. What it returns has passed checkEdit().
[[nodiscard]] core::Result<Edit> editFrom(const QByteArray &file);
// One step a line; editFrom() reads the same edit from it.
[[nodiscard]] QByteArray toJson(const Edit &edit);

} // namespace records
