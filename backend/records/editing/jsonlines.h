#pragma once

#include <QString>

namespace records {

// Breaks JSON into indented lines without changing a token: numbers keep their digits, keys their order. Invalid JSON
// is broken into lines too and keeps every token. Any thread.
[[nodiscard]] QString indentedJson(const QString &json);

} // namespace records
