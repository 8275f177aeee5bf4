#pragma once

#include <QByteArray>
#include <QStringList>

namespace models {

// One line of comma-separated values (RFC 4180) in UTF-8, with its line end. What a spreadsheet would run as a formula
// gets an apostrophe in front, also inside a field: a spreadsheet that separates fields by semicolons or tabs begins a
// field there, whatever is quoted.
[[nodiscard]] QByteArray csvLine(const QStringList &fields);

} // namespace models
