#pragma once

#include <QString>

namespace records {

// Indents without changing a token: numbers keep their digits, keys their order. What is no JSON comes out in some lines, and
// with every token of its.
[[nodiscard]] QString indentedJson(const QString &json);

} // namespace records
